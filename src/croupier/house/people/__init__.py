"""Staff and their authority, Players and their limits, devices, log-on, proposals."""
