"""`make soak`: random searches of stakes for growth, each made twice.

Run from the repository's root: `python -m tools.soak.best_play --minutes 5`. Each
is compared with every way of staking, tried one by one. A seed that fails is printed,
and replays the failure.
"""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction
from itertools import count
from random import Random

import click

from croupier.lab.best_play.growth_search import ROUNDING, fastest_growth
from tests.lab.best_play.growths import alike_choices, best_grown, random_choices


@click.command()
@click.option("--seed", default=1, help="The first seed.")
@click.option("--minutes", default=5.0, help="How long.")
def soak(seed: int, minutes: float) -> None:
    """Draw case after case; the first failure ends it with its seed."""
    until = time.monotonic() + 60 * minutes
    seen: Counter[str] = Counter()
    for each in count(seed):
        try:
            _try_growth(Random(each), seen)
        except BaseException:
            click.echo(f"seed {each} fails")
            raise
        if time.monotonic() >= until:
            break
    click.echo(f"{seen['growths']:,} stakes for growth")


def _try_growth(random: Random, seen: Counter[str]) -> None:
    choices = random.choice((random_choices, alike_choices))(random)
    if not choices:
        return
    bankroll = Fraction(random.randint(2, 60 if len(choices) < 3 else 30), 2)
    found = fastest_growth(choices, bankroll)
    best = best_grown(choices, bankroll)
    assert best <= found.growth + ROUNDING
    assert found.growth <= best + 1e-12
    seen["growths"] += 1


if __name__ == "__main__":
    soak()
