"""The house file: reading it, setting a house up by it, and applying changes."""
