"""Ways to calculate a chain: in whole numbers, in floats, by blocks, to its end."""
