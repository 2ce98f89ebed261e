"""Connections to a table: senders, views, and the broadcast to all."""
