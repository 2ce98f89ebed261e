"""`make soak`: houses of one seed after another, with counts of their events.

Run from the repository's root: `python -m tools.soak.simulation --minutes 10`.
A seed that fails is printed with its step; the seed replays the failure.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from itertools import count

import click

from tests.simulation.ending import end, journal_digest, report
from tests.simulation.house import SimulatedHouse
from tests.simulation.node_house import NodeHouse
from tests.simulation.staffing import staffed_from


@click.command()
@click.option("--seed", default=1, help="The first seed.")
@click.option("--houses", default=0, help="How many; 0: as many as time allows.")
@click.option("--steps", default=5_000, help="Steps of each house.")
@click.option("--minutes", default=0.0, help="How long; 0: one house.")
def soak(seed: int, houses: int, steps: int, minutes: float) -> None:
    """Simulate house after house; the first failure ends it with its seed."""
    until = time.monotonic() + 60 * minutes
    kinds: Counter[str] = Counter()
    done = 0
    for each in count(seed):
        click.echo(f"seed {each} ...")
        played = play(each, steps)
        kinds.update(played.house.kinds())
        done += 1
        click.echo(report(played.house))
        click.echo(f"  journal: {played.digest}")
        staff = staffed_from(each)
        click.echo(
            f"  its staff: {staff.store.writes} writes, {staff.trouble} went wrong"
        )
        nodes = play_with_nodes(each, steps)
        click.echo(f"  with nodes: {report(nodes.house)}")
        click.echo(f"  its journal: {nodes.digest}")
        if done >= (houses or 1) and time.monotonic() >= until:
            break
    listed = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
    click.echo(f"{done} houses of {steps} steps, {kinds.total()} events: {listed}")


@dataclass(frozen=True)
class Played:
    """A house at its end, and one hash over all that it stored."""

    house: SimulatedHouse
    digest: str


def play(seed: int, steps: int) -> Played:
    """Play a whole house in memory."""
    house = SimulatedHouse(seed)
    return _played(house, steps)


def play_with_nodes(seed: int, steps: int) -> Played:
    """Play a whole house of several nodes in memory."""
    return _played(NodeHouse(seed), steps)


def _played(house: SimulatedHouse, steps: int) -> Played:
    house.run(steps)
    end(house)
    return Played(house, journal_digest(house))


if __name__ == "__main__":
    soak()
