"""The GPU engine compared with the others: `make gpu`, if there is a device.

Nothing here is collected by pytest: a machine without a GPU can't run it.
"""

from __future__ import annotations

import sys

import numpy as np

from croupier.lab.simulator.gpu.engine import GpuEngine
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import SimulationPlan
from tests.lab.simulator.plans import odd_plans


def main() -> int:
    """Compare odd plans, from several first sessions."""
    wrong = 0
    for name, plan in odd_plans().items():
        for first, count in ((0, plan.sessions), (2**33 + 5, 97)):
            wrong += _differs(f"{name}, from {first}", plan, (first, count))
    return int(wrong > 0)


def _differs(name: str, plan: SimulationPlan, part: tuple[int, int]) -> bool:
    ours, theirs = GpuEngine().run(plan, *part), PlainEngine().run(plan, *part)
    same = np.array_equal(ours.words, theirs.words)
    same = same and np.array_equal(ours.bins, theirs.bins)
    sys.stdout.write(f"{'same' if same else 'DIFFERS'}  {name}\n")
    return not same


if __name__ == "__main__":
    sys.exit(main())
