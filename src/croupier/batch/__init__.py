"""A game compiled to arrays: the settlement of millions of wagers."""
