"""Strategies and sessions by the billion: drawn, not reckoned."""
