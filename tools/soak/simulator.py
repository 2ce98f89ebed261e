"""`make soak`: random sessions, compiled, played, and compared with the strategy.

Run from the repository's root: `python -m tools.soak.simulator --minutes 5`. Every
plan is followed through every possible course, and played by the compiled engine, whose
arrays are checked; some sessions also by the plain one. A seed that fails is printed,
and replays the failure.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from itertools import count
from random import Random

os.environ["NUMBA_BOUNDSCHECK"] = "1"  # Before numba is imported.

import click

from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.cpu.positions import MOST_PLACES
from croupier.lab.simulator.plain import PlainEngine
from tests.lab.simulator.random_requests import random_plan
from tests.lab.simulator.reachable import Reachable

_SESSIONS = 20_000
_BY_BOTH = 20


@click.command()
@click.option("--seed", default=1, help="The first seed.")
@click.option("--minutes", default=5.0, help="How long.")
@click.option("--most", default=100_000, help="Positions that are followed of a plan.")
def soak(seed: int, minutes: float, most: int) -> None:
    """Draw plan after plan; the first failure ends it with its seed."""
    until = time.monotonic() + 60 * minutes
    seen: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for each in count(seed):
        try:
            names[_try_plan(each, most, seen)] += 1
        except BaseException:
            click.echo(f"seed {each} fails")
            raise
        if time.monotonic() >= until:
            break
    listed = ", ".join(f"{name} {number}" for name, number in sorted(names.items()))
    click.echo(
        f"{names.total():,} plans ({listed}): {seen['positions']:,} positions followed,"
        f" {seen['cut']:,} of them with a cut stake, {seen['whole']:,} plans to their"
        f" end; {seen['sessions']:,} sessions played and counted"
    )


def _try_plan(seed: int, most: int, seen: Counter[str]) -> str:
    """Try the plan of one seed; return its strategy's name."""
    found = Reachable(*random_plan(Random(seed)), most=most)
    found.follow()
    plan, cpu = found.plan, CpuEngine(1)
    assert max(found.cents) <= plan.highest * plan.grain_cents
    drawn = cpu.run(plan, 0, _SESSIONS)
    reached = {cents // plan.grain_cents >> plan.bin_shift for cents in found.cents}
    assert not found.is_whole or set(drawn.bins.nonzero()[0].tolist()) <= reached
    plain = PlainEngine().run(plan, seed, _BY_BOTH)
    for places in (0, MOST_PLACES):
        ours = CpuEngine(1, most_places=places).run(plan, seed, _BY_BOTH)
        assert (ours.words == plain.words).all()
        assert (ours.bins == plain.bins).all()
    seen["positions"] += found.positions
    seen["cut"] += found.cut_stakes
    seen["whole"] += found.is_whole
    seen["sessions"] += _SESSIONS
    return found.request.strategy.name


if __name__ == "__main__":
    soak()
