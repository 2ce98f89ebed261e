"""Long runs, each with its seed: `make soak` starts them one after the other."""
