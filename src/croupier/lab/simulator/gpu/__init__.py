"""The engine of a CUDA device: a kernel for tables, and one for own strategies."""
