"""The check of a wheel: statistical tests of its recorded outcomes."""
