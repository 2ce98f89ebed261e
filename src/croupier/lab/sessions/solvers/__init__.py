"""Solvers of a chain: in whole numbers, in floats, by blocks, until its end."""
