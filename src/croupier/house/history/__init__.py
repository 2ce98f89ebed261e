"""The past of a house, read from its journal; nothing is kept beside it."""
