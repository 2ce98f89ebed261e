"""The GPU engine compared with the others: `make gpu`, if there is a device.

Nothing here is collected by pytest: a machine without a GPU can't run it.
"""

from __future__ import annotations

import sys

import numpy as np

from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.engines import Engine
from croupier.lab.simulator.gpu.engine import GpuEngine
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import SimulationPlan
from tests.lab.simulator.own.device_check import check, function_plans
from tests.lab.simulator.plans import odd_plans

_OWN_SESSIONS = 1_000
_MANY = 300_000
"""More than there are threads, so that one plays several."""


def main() -> int:
    """Compare odd plans, from several first sessions, and own strategies."""
    plain, wrong = PlainEngine(), 0
    for name, plan in odd_plans().items():
        for first, count in ((0, plan.sessions), (2**33 + 5, 97)):
            wrong += _differs(f"{name}, from {first}", plan, (first, count), plain)
    many = function_plans()["counting"]
    wrong += _differs("counting, many", many, (5, _MANY), CpuEngine())
    return int(wrong + check(_OWN_SESSIONS) > 0)


def _differs(
    name: str, plan: SimulationPlan, part: tuple[int, int], other: Engine
) -> bool:
    ours, theirs = GpuEngine().run(plan, *part), other.run(plan, *part)
    same = np.array_equal(ours.words, theirs.words)
    same = same and np.array_equal(ours.bins, theirs.bins)
    sys.stdout.write(f"{'same' if same else 'DIFFERS'}  {name}\n")
    return not same


if __name__ == "__main__":
    sys.exit(main())
