"""Ways to calculate a chain: in whole numbers, in floats, by blocks, to its end."""

import os

# Threads of BLAS wait for each other on busy cores. It reads this once, with numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
