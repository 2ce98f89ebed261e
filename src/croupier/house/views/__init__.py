"""Connections to a table: who sends, what they see, and the broadcast to all."""
