"""The nodes of a house: who serves which table, and how tables change hands."""
