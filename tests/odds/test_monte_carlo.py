"""Rounds drawn at random stay within six standard errors of the exact figures.

The seed is fixed: a figure outside its bound is a wrong figure, not bad luck.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from croupier.odds import Distribution, round_result
from tests.rules import oracle

ROUNDS = 60_000
SIGMAS = 6

Stakes = dict[str, int]


def table_round(game: str, stakes: Stakes) -> Callable[[Random], int]:
    areas = oracle.areas_of(game)
    by_number = {
        number: sum(
            stake * areas[name].pays if number in areas[name].numbers else -stake
            for name, stake in stakes.items()
        )
        for number in oracle.NUMBERS[game]
    }
    return lambda random: by_number[random.choice(oracle.NUMBERS[game])]


def fast_round(stakes: Stakes) -> Callable[[Random], int]:
    def play(random: Random) -> int:
        drawn = random.sample(oracle.FAST_ACTION, 10)
        number = random.choice(oracle.FAST_ACTION)
        pays = oracle.fast_action_areas(number, drawn)
        return sum(
            -stake if pays[name] is None else stake * (pays[name] or 0)
            for name, stake in stakes.items()
        )

    return play


ON_V3 = {"straight_up:17": 5, "split:17/20": 10, "red": 40, "dozen:2": 20}
ON_TRIPLE_ZERO = {"top_line": 10, "green": 5, "column:1": 20, "straight_up:00": 1}
ON_FAST_ACTION = {"straight_up:S": 2, "straight_up:1": 3, "bonus_win": 20}
RARE = {"super_bonus_win": 1, "scatter_bonus": 1}

PLAYS: dict[str, tuple[str, Stakes, Callable[[Random], int]]] = {
    "v3": ("mbs-roulette-v3", ON_V3, table_round("mbs-roulette-v3", ON_V3)),
    "triple zero": (
        "rws-triple-zero",
        ON_TRIPLE_ZERO,
        table_round("rws-triple-zero", ON_TRIPLE_ZERO),
    ),
    "fast action": ("mbs-fast-action-v2", ON_FAST_ACTION, fast_round(ON_FAST_ACTION)),
    "rare wins": ("mbs-fast-action-v2", RARE, fast_round(RARE)),
}


@pytest.mark.parametrize("name", PLAYS)
def test_the_exact_distribution_is_the_one_that_is_drawn(name: str) -> None:
    game, stakes, play = PLAYS[name]
    random = Random(20_200_917)
    exact = round_result(game, [f"{area}@{stake}" for area, stake in stakes.items()])

    drawn = [100 * play(random) for _ in range(ROUNDS)]

    mean = sum(drawn) / ROUNDS
    bound = SIGMAS * exact.standard_deviation / sqrt(ROUNDS)
    assert abs(mean - float(exact.mean)) < bound
    assert set(drawn) <= set(exact.values)
    for value, chance in exact.outcomes:
        share = drawn.count(int(value)) / ROUNDS
        assert abs(share - float(chance)) < share_bound(chance)
    assert abs(variance(drawn) - float(exact.variance)) < variance_bound(exact)


def share_bound(chance: Fraction) -> float:
    """Six standard errors of a share, and one count for what is very rare."""
    p = float(chance)
    return SIGMAS * sqrt(p * (1 - p) / ROUNDS) + 1 / ROUNDS


def variance(drawn: list[int]) -> float:
    mean = sum(drawn) / len(drawn)
    return sum((value - mean) ** 2 for value in drawn) / len(drawn)


def variance_bound(exact: Distribution) -> float:
    """Six standard errors of a sample's variance, from the exact fourth moment."""
    fourth = float(exact.expectation(lambda value: (value - exact.mean) ** 4))
    return SIGMAS * sqrt((fourth - float(exact.variance) ** 2) / ROUNDS)
