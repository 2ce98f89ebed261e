"""`make soak`: random groups of rounds, compared with convolution by hand.

Run from the repository's root: `python -m tools.soak.report --minutes 5`. Each
seed draws a game, rounds with chips on its areas, and one of their outcomes; the bounds
and the p-value must enclose the result of adding the rounds one by one. A seed that
fails is printed, and replays the failure.
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import count
from typing import Any

import click
import numpy as np

from croupier.audit.report.bounds import judge
from croupier.audit.report.round_sums import RoundSums
from croupier.audit.report.rounds import game_table
from croupier.games import find_game
from croupier.numeric.sums import SumMethod

GAMES = ("mbs-roulette-v2", "mbs-roulette-v3", "mbs-complete-bet-v2", "rws-triple-zero")
_DOUBT = 1e-8


@click.command()
@click.option("--seed", default=1, help="The first seed.")
@click.option("--minutes", default=5.0, help="How long.")
def soak(seed: int, minutes: float) -> None:
    """Judge group after group; the first failure ends it with its seed."""
    until = time.monotonic() + 60 * minutes
    methods: Counter[str] = Counter()
    for each in count(seed):
        try:
            methods[try_group(each).value] += 1
        except BaseException:
            click.echo(f"seed {each} fails")
            raise
        if time.monotonic() >= until:
            break
    listed = ", ".join(f"{name} {number:,}" for name, number in sorted(methods.items()))
    click.echo(f"{methods.total():,} groups judged as by hand: {listed}")


def try_group(seed: int) -> SumMethod:
    """Judge the group of one seed; return the method of its bounds."""
    rng = np.random.default_rng(seed)
    table = game_table(find_game(str(rng.choice(GAMES))))
    rounds, chips = int(rng.integers(1, 800)), int(rng.integers(1, 5))
    stakes = rng.integers(1, int(rng.integers(2, 12)), (rounds, chips, 1))
    areas = rng.integers(0, len(table.type_of), (rounds, chips))
    values = -(stakes * table.pays[areas]).sum(axis=1)
    sums = RoundSums()
    sums.add(table, values)
    drawn = rng.integers(0, values.shape[1], rounds)
    value = int(values[np.arange(rounds), drawn].sum() * rng.choice([1, 1, 3]))

    judged = judge(value, sums)

    least, chances = _added(values)
    at_most = np.cumsum(chances)
    below = _up_to(at_most, value - least)
    above = 1 - _up_to(at_most, value - 1 - least)
    p_value = min(1.0, 2 * min(below, above))
    assert judged.p_value.low - _DOUBT <= p_value <= judged.p_value.high + _DOUBT
    if p_value > 1e-5:
        assert judged.p_value.high <= 1.02 * p_value + _DOUBT
    for bound in judged.bounds:
        tail = (1 - bound.level / 100) / 2
        assert _up_to(at_most, bound.low - 1 - least) <= tail + _DOUBT
        assert 1 - _up_to(at_most, bound.high - least) <= tail + _DOUBT
        assert _up_to(at_most, bound.low - least) >= 0.95 * tail
    return judged.bounds[0].method


def _added(values: Any) -> tuple[int, Any]:
    """Return the least sum, and the probability of each whole number from there on."""
    chances = np.ones(1)
    for row in values:
        chances = np.convolve(chances, np.bincount(row - row.min()) / len(row))
    return int(values.min(axis=1).sum()), chances


def _up_to(at_most: Any, place: int) -> float:
    return 0.0 if place < 0 else float(at_most[min(place, len(at_most) - 1)])


if __name__ == "__main__":
    soak()
