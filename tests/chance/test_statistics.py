"""Draws from the real generator look sound; those of a bad one do not.

Each bad generator is so bad that it slips through less often than once in 10⁹ runs,
and most have a sound side to show which test it takes to find them.
"""

from __future__ import annotations

import os
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import isclose

import pytest

from croupier.chance import SystemEntropy, draw_distinct_rounds, draw_number_rounds
from croupier.chance.draws import places
from croupier.games import find_game
from croupier.rules.wheel import Number
from tests.chance import statistics as stat
from tests.chance.entropies import Computed, Cycling, doubled
from tests.chance.statistics import FALSE_ALARM

WHEELS = ("mbs-roulette-v3", "rws-triple-zero", "mbs-fast-action-v2")
FAST_ACTION = find_game("mbs-fast-action-v2")
LINKS = FAST_ACTION.layout.links
SPINS = 400_000
BONUS_DRAWS = 60_000


@cache
def bonus_draws() -> list[tuple[Number, ...]]:
    return draw_distinct_rounds(FAST_ACTION.numbers, 10, BONUS_DRAWS, SystemEntropy())


@pytest.mark.parametrize("name", WHEELS)
def test_spins_are_uniform_and_independent(name: str) -> None:
    game = find_game(name)
    size = len(game.numbers)

    spun = draw_number_rounds(game.numbers, SPINS, SystemEntropy())

    assert stat.uniform(spun, size) > FALSE_ALARM
    assert stat.serial(spun, size) > FALSE_ALARM
    assert stat.repeats(spun, size) > FALSE_ALARM


def test_runs_of_low_and_high_end_half_the_time() -> None:
    assert stat.runs(places(40, SPINS, SystemEntropy()), 40) > FALSE_ALARM


def test_bonus_numbers_are_uniform_at_every_place_of_the_draw() -> None:
    by_place = list(zip(*bonus_draws(), strict=True))

    worst = min(stat.uniform(drawn, 40) for drawn in by_place)

    assert worst * len(by_place) > FALSE_ALARM


def test_each_pair_of_bonus_numbers_comes_together_equally_often() -> None:
    assert stat.together(bonus_draws(), FAST_ACTION.numbers) > FALSE_ALARM


def test_links_hold_bonus_numbers_as_often_as_they_should() -> None:
    assert stat.links_touched(bonus_draws(), LINKS) > FALSE_ALARM
    assert stat.links_lit_whole(bonus_draws(), LINKS) > FALSE_ALARM


def test_chi_square_rejects_a_remainder_without_rejection() -> None:
    spun = [byte % 37 for byte in os.urandom(SPINS)]

    assert stat.uniform(spun, 37) < FALSE_ALARM


def test_serial_rejects_a_counter() -> None:
    spun = places(37, SPINS, Cycling(bytes(range(256))))

    assert stat.uniform(spun, 37) > FALSE_ALARM
    assert stat.serial(spun, 37) < FALSE_ALARM


def test_serial_and_repeats_reject_draws_that_linger() -> None:
    spun = places(40, SPINS, Computed(doubled))

    assert stat.uniform(spun[::2], 40) > FALSE_ALARM
    assert stat.serial(spun, 40) < FALSE_ALARM
    assert stat.repeats(spun, 40) < FALSE_ALARM


def test_runs_reject_draws_that_linger_and_draws_that_swing() -> None:
    lingering = places(40, SPINS, Computed(doubled))
    sound = places(20, SPINS, SystemEntropy())
    swinging = [place + 20 * (at % 2) for at, place in enumerate(sound)]

    assert stat.runs(lingering, 40) < FALSE_ALARM
    assert stat.uniform(swinging, 40) > FALSE_ALARM
    assert stat.runs(swinging, 40) < FALSE_ALARM


def test_uniform_rejects_a_shuffle_that_swaps_with_any_place() -> None:
    """The well-known wrong shuffle: 40 places at each step, not those still left."""
    draws = []
    steps = [places(40, BONUS_DRAWS, SystemEntropy()) for _ in range(10)]
    for chosen in zip(*steps, strict=True):
        order = list(FAST_ACTION.numbers)
        for place, other in enumerate(chosen):
            order[place], order[other] = order[other], order[place]
        draws.append(tuple(order[:10]))

    worst = min(stat.uniform(drawn, 40) for drawn in zip(*draws, strict=True))

    assert worst * 10 < FALSE_ALARM


def test_pairs_reject_numbers_that_come_along() -> None:
    """A draw takes, instead of its second number, the neighbour of its first."""
    ring = dict(zip(FAST_ACTION.numbers, FAST_ACTION.numbers[1:], strict=False))
    ring[FAST_ACTION.numbers[-1]] = FAST_ACTION.numbers[0]
    draws = [
        draw if ring[draw[0]] in draw else (draw[0], ring[draw[0]], *draw[2:])
        for draw in bonus_draws()
    ]

    assert stat.uniform([draw[0] for draw in draws], 40) > FALSE_ALARM
    assert stat.together(draws, FAST_ACTION.numbers) < FALSE_ALARM


def test_links_reject_draws_that_shun_a_whole_link() -> None:
    """Of the draws that light a link whole, every other is left out."""
    draws = [
        draw
        for at, draw in enumerate(bonus_draws())
        if at % 2 or not any(set(link) <= set(draw) for link in LINKS)
    ]

    assert stat.uniform([draw[0] for draw in draws], 40) > FALSE_ALARM
    assert stat.links_lit_whole(draws, LINKS) < FALSE_ALARM


def test_links_reject_draws_that_spread_too_well() -> None:
    """A Scatter Bonus comes ten times as often as it should."""
    draws = list(bonus_draws())
    scattered = [draw for draw in draws if all(set(link) & set(draw) for link in LINKS)]
    draws += scattered * 9

    assert stat.links_touched(draws, LINKS) < FALSE_ALARM


def test_the_shares_of_links_are_exact() -> None:
    """Three links of two, three numbers drawn: counted one by one."""
    links = [(0, 1), (2, 3), (4, 5)]
    draws = list(combinations(range(6), 3))
    touched = [len({number // 2 for number in draw}) for draw in draws]
    whole = [any(set(link) <= set(draw) for link in links) for draw in draws]

    shares = stat.touched_shares(3, 2, 3)

    assert shares == {n: Fraction(touched.count(n), len(draws)) for n in (2, 3)}
    assert stat.no_link_whole(3, 2, 3) == Fraction(whole.count(False), len(draws))
    assert stat.touched_shares(10, 4, 10)[10] == Fraction(4**10, 847_660_528)


def test_the_tail_of_chi_square_is_that_of_the_books() -> None:
    """Upper 5 % and 0.1 % points of the printed tables."""
    for freedom, statistic, tail in ((2, 5.991, 0.05), (36, 50.998, 0.05)):
        assert isclose(stat.chi_square_tail(statistic, freedom), tail, rel_tol=1e-3)
    assert isclose(stat.chi_square_tail(67.985, 36), 0.001, rel_tol=1e-3)
    assert stat.chi_square_tail(3.841, 1) > 0.05
