"""Intervals of numbers and sectors, the Player's edge, and what would pay."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from croupier.games import find_game
from croupier.lab.wheel.check import check_wheel
from croupier.lab.wheel.intervals import (
    straight_up_return,
    wheel_intervals,
    worthwhile_excess,
)
from croupier.lab.wheel.power import Power, powers, times_in
from croupier.lab.wheel.record import CheckPlan, WheelRecord
from croupier.rules.game import Game
from tests.lab.wheel.wheels import FAST, V3, fair, weighted, wheel

ZEROS = find_game("rws-triple-zero")
PLAN = CheckPlan(trials=1_999, orders=1_999, enough=10)


def _above(least: int, trials: int, chance: Fraction) -> Fraction:
    """P(at least so many), by adding up."""
    return sum(
        (
            comb(trials, k) * chance**k * (1 - chance) ** (trials - k)
            for k in range(least, trials + 1)
        ),
        Fraction(0),
    )


@pytest.mark.parametrize(("numbers", "looks"), [(1, 37), (4, 629)])
def test_the_ends_are_where_either_tail_is_its_part_of_the_level(
    numbers: int, looks: int
) -> None:
    record = wheel(fair(2, 120))
    intervals = wheel_intervals(record, 0.99)
    family = intervals.numbers if numbers == 1 else intervals.sectors
    arc = next(each for each in family if len(each.numbers) == numbers and each.count)
    tail = 0.01 / 2 / looks

    low, high = Fraction(arc.probability.low), Fraction(arc.probability.high)

    assert arc.count == sum(
        record.ring[place] in arc.numbers for place in record.places
    )
    assert float(_above(arc.count, 120, low)) == pytest.approx(tail, rel=1e-6)
    assert float(1 - _above(arc.count + 1, 120, high)) == pytest.approx(tail, rel=1e-6)
    assert arc.expected == pytest.approx(120 * numbers / 37)
    assert len(intervals.numbers) == 37
    assert len(intervals.sectors) == 37 * 17


def test_all_intervals_hold_at_once_as_often_as_is_said() -> None:
    rng = np.random.default_rng(8)
    wheels, failed = 50, {"numbers": 0, "sectors": 0}
    for _ in range(wheels):
        chances = rng.dirichlet(np.full(37, 30.0))
        record = wheel(rng.choice(37, size=800, p=chances))
        true = dict(zip(record.ring, chances, strict=True))
        intervals = wheel_intervals(record, 0.9)
        for kind in failed:
            failed[kind] += any(
                not each.probability.low
                <= sum(true[number] for number in each.numbers)
                <= each.probability.high
                for each in getattr(intervals, kind)
            )

    # At most one in ten: 13 of 50 or more would be a thousandth.
    assert max(failed.values()) < 13


@pytest.mark.parametrize(
    ("game", "brought", "excess"),
    [
        (V3, Fraction(36), Fraction(37, 36) - 1),
        (ZEROS, Fraction(36), Fraction(39, 36) - 1),
        # 1365071/1462240 comes back of a straight up on 40 compartments.
        (FAST, Fraction(1365071, 36556), Fraction(1462240, 1365071) - 1),
    ],
)
def test_the_edge_begins_where_a_straight_up_brings_back_what_is_staked(
    game: Game, brought: Fraction, excess: Fraction
) -> None:
    assert straight_up_return(game) == brought
    assert worthwhile_excess(game) == pytest.approx(float(excess))


def test_the_edge_is_what_playing_the_record_would_have_won() -> None:
    record = wheel(weighted(4, {"17": 3.0, "20": 0.2}, 1_000))

    intervals = wheel_intervals(record, 0.99)

    played = [record.ring[place] for place in record.places]
    for each in (*intervals.numbers, *intervals.sectors[::50]):
        stake = len(each.numbers)
        won = sum(36 * (number in each.numbers) - stake for number in played)
        assert each.edge.value == pytest.approx(won / stake / 1_000)
        assert each.edge.low <= each.edge.value <= each.edge.high


@pytest.mark.parametrize("seed", range(3))
def test_what_is_suspected_has_an_edge_with_an_interval(seed: int) -> None:
    check = check_wheel(wheel(weighted(seed, {"17": 2.6})), PLAN)

    [suspicion] = [
        each for each in check.suspicions if each.interval.numbers == ("17",)
    ]
    assert suspicion.test == "single numbers"
    assert suspicion.since_outcome is None
    assert suspicion.interval.edge.low > 0
    true = 36 * 2.6 / 38.6 - 1
    assert suspicion.interval.edge.low < true < suspicion.interval.edge.high
    of_all = next(each for each in check.intervals.numbers if each.numbers == ("17",))
    assert suspicion.interval == of_all


def test_a_wheel_without_a_ring_has_intervals_of_numbers_alone() -> None:
    intervals = wheel_intervals(wheel(fair(1, 200, FAST), FAST), 0.99)

    assert (len(intervals.numbers), intervals.sectors) == (40, ())


def _one_number(record: WheelRecord) -> Power:
    return powers(record, PLAN, 0.01 / 9)[0]


def test_so_many_outcomes_as_are_needed_find_the_bias() -> None:
    power = _one_number(wheel(fair(1, 100)))
    needed = power.needed(2.0)
    assert needed is not None

    def found(spins: int) -> float:
        chance = Fraction(1, 37)
        level = Fraction(1, 100 * 9 * 37 * 2)
        tail, least = Fraction(0), spins
        while True:
            term = comb(spins, least) * chance**least * (1 - chance) ** (spins - least)
            if tail + term > level:
                break
            tail, least = tail + term, least - 1
        return float(_above(least + 1, spins, 3 * chance))

    assert found(needed) >= 0.9
    # The power does not rise evenly with the outcomes; a tenth less is too few.
    assert found(needed * 9 // 10) < 0.9


def test_how_many_outcomes_are_needed_does_not_depend_on_those_there_are() -> None:
    few, many = (powers(wheel(fair(1, n)), PLAN, 0.01 / 9) for n in (20, 3_000))

    assert [each.needed(0.1) for each in few] == [each.needed(0.1) for each in many]


def test_nothing_is_found_where_nothing_is_tested() -> None:
    too_few, enough = (_one_number(wheel(fair(1, spins))) for spins in (9, 10))

    assert (too_few.found(too_few.greatest), too_few.smallest) == (0.0, None)
    assert enough.found(enough.greatest) == 1.0


def test_a_group_of_many_finds_sectors_by_the_bound() -> None:
    record = wheel(fair(1, 3_000))

    usual = powers(record, PLAN, 0.01 / 9)[1]
    of_many = powers(record, PLAN, 0.01 / 9 / 50)[1]

    assert usual.smallest is not None
    assert of_many.smallest is not None
    assert usual.smallest < of_many.smallest < 2 * usual.smallest


@pytest.mark.parametrize(
    ("probability", "said"),
    [
        (0.0, "hardly ever"),
        (0.004, "hardly ever"),
        (0.006, "one time in 167"),
        (0.1, "one time in ten"),
        (0.34, "one time in three"),
        (0.5, "one time in two"),
        (0.62, "six times in ten"),
        (0.9, "nine times in ten"),
        (0.97, "97 times in a hundred"),
        (1.0, "almost always"),
    ],
)
def test_how_often_is_said_in_words(probability: float, said: str) -> None:
    assert times_in(probability) == said
