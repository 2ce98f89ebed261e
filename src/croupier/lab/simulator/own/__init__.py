"""Strategies of a user's own that choose their wagers: seats, rounds, results."""
