"""The transparency log of a house: its tree, its checkpoints and its witnesses."""
