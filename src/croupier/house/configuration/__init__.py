"""The house file, the plan read from it, and a house set up or changed by it."""
