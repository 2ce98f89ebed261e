"""Checks before the application: hosts, origins, rates, bodies and callers."""
