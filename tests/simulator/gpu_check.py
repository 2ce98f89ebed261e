"""The GPU engine held against the plain one: `make gpu`, where there is a device.

Nothing here is collected by pytest: a machine without a GPU can't run it.
"""

from __future__ import annotations

import sys

import numpy as np

from croupier.simulator.gpu import GpuEngine
from croupier.simulator.plain import PlainEngine
from tests.simulator.plans import odd_plans


def main() -> int:
    """Compare every odd plan, from several first sessions; 1 if any differs."""
    gpu, plain, wrong = GpuEngine(), PlainEngine(), 0
    for name, plan in odd_plans().items():
        for first, count in ((0, plan.sessions), (2**33 + 5, 97)):
            ours, theirs = gpu.run(plan, first, count), plain.run(plan, first, count)
            same = np.array_equal(ours.words, theirs.words)
            same = same and np.array_equal(ours.bins, theirs.bins)
            sys.stdout.write(f"{'same' if same else 'DIFFERS'}  {name}, from {first}\n")
            wrong += not same
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
