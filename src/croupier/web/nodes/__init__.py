"""Between the nodes of a house: what one carries to another, and how it proves it."""
