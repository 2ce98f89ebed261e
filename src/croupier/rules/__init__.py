"""The documents as frozen values and pure functions: no clock, no disk."""
