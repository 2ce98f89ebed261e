"""`make soak`: best plays and stakes for growth by chance, each searched twice.

Run from the repository's root: `python -m tests.lab.best_play.soak --minutes 5`. Each
is held against every way of staking, tried one by one. A seed that fails is printed,
and alone replays what happened.
"""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction
from itertools import count
from random import Random

import click

from croupier.lab.best_play import best_play
from croupier.lab.best_play.growth_search import ROUNDING, fastest_growth
from tests.lab.best_play.test_growth import alike_choices, best_grown, random_choices
from tests.lab.best_play.test_several_areas import NUMBERS, V3, every_way

_LOOSE = Fraction(1, 10**9)


@click.command()
@click.option("--seed", default=1, help="The first seed.")
@click.option("--minutes", default=5.0, help="How long.")
def soak(seed: int, minutes: float) -> None:
    """Draw case after case; the first failure ends it with its seed."""
    until = time.monotonic() + 60 * minutes
    seen: Counter[str] = Counter()
    for each in count(seed):
        try:
            _try_areas(Random(each), seen)
            _try_growth(Random(each), seen)
        except BaseException:
            click.echo(f"seed {each} fails")
            raise
        if time.monotonic() >= until:
            break
    click.echo(
        f"{seen['plays']:,} best plays over several areas, {seen['bankrolls']:,}"
        f" bankrolls, the bound loose in {seen['loose']:,} of them;"
        f" {seen['growths']:,} stakes for growth"
    )


def _try_areas(random: Random, seen: Counter[str]) -> None:
    areas = random.sample(list(NUMBERS), random.randint(2, len(NUMBERS)))
    target, least = random.randint(4, 11), random.randint(1, 3)
    most = random.randint(least, 9)
    best = best_play(
        V3,
        bankroll=target - 1,
        target=target,
        areas=areas,
        over="several-areas",
        limits=[f"* {least} {most}"],
    )
    true = every_way(areas, target, least, most)
    for (_, _, value), greatest in zip(best.plan(), true[:-1], strict=True):
        assert value <= greatest + 1e-11
        seen["bankrolls"] += 1
    assert best.attained is not None
    assert best.probability.least <= Fraction(true[target - 1]) + _LOOSE
    assert Fraction(true[target - 1]) <= best.probability.greatest + _LOOSE
    seen["plays"] += 1
    seen["loose"] += best.probability.error > _LOOSE


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
