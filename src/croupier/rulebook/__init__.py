"""The rulebook: each clause with its document, its software and its evidence."""
