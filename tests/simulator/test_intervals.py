"""Intervals cover what they promise: against whole-number binomials, and by seeds."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isclose, sqrt

import pytest

from croupier.simulator import Simulation, simulate
from croupier.simulator.estimates import (
    _fraction,
    _integral,
    at_least,
    at_most,
    proportion_interval,
    quantile_ranks,
    standard_score,
)


def chances(trials: int, chance: Fraction) -> list[Fraction]:
    """Of each count, in fractions."""
    return [
        comb(trials, count) * chance**count * (1 - chance) ** (trials - count)
        for count in range(trials + 1)
    ]


@pytest.mark.parametrize("trials", [1, 7, 40, 200])
@pytest.mark.parametrize("chance", [Fraction(1, 37), Fraction(1, 2), Fraction(9, 10)])
def test_binomial_tails_are_those_of_whole_numbers(
    trials: int, chance: Fraction
) -> None:
    each = chances(trials, chance)

    for count in range(trials + 1):
        above, below = float(sum(each[count:])), float(sum(each[: count + 1]))
        assert isclose(
            at_least(count, trials, float(chance)), above, rel_tol=1e-9, abs_tol=1e-14
        )
        assert isclose(
            at_most(count, trials, float(chance)), below, rel_tol=1e-9, abs_tol=1e-14
        )


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [
        (4_000, 6_001, 0.39),
        (4_000, 996_001, 0.00395),
        (50_000, 50_001, 0.495),
        (3_100, 10**9 - 3_099, 3.0e-6),
    ],
)
def test_the_two_ways_to_a_tail_agree(a: int, b: int, x: float) -> None:
    assert isclose(_fraction(a, b, x), _integral(a, b, x), rel_tol=1e-9)


@pytest.mark.parametrize("trials", [5, 30])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_intervals_of_proportions_cover_as_often_as_they_say(
    trials: int, level: float
) -> None:
    found = [proportion_interval(count, trials, level) for count in range(trials + 1)]

    for hundredth in range(1, 100):
        chance = Fraction(hundredth, 100)
        each = zip(chances(trials, chance), found, strict=True)
        covered = sum(p for p, (low, high) in each if low <= chance <= high)
        assert covered >= level


def test_the_ends_of_an_interval_have_exactly_their_tails() -> None:
    low, high = proportion_interval(3, 20, 0.95)

    assert isclose(at_least(3, 20, low), 0.025, rel_tol=1e-9)
    assert isclose(at_most(3, 20, high), 0.025, rel_tol=1e-9)
    assert proportion_interval(0, 20, 0.95)[0] == 0
    assert proportion_interval(20, 20, 0.95)[1] == 1
    # None of twenty: what is left is (1 - p)^20.
    assert isclose(1 - 0.025 ** (1 / 20), proportion_interval(0, 20, 0.95)[1])


@pytest.mark.parametrize("trials", [10**6, 10**9, 10**12])
def test_intervals_of_billions_are_those_of_the_normal_distribution(
    trials: int,
) -> None:
    count = trials // 5

    low, high = proportion_interval(count, trials, 0.99)

    half = standard_score(0.99) * sqrt(0.2 * 0.8 / trials)
    assert isclose(0.2 - low, half, rel_tol=0.01)
    assert isclose(high - 0.2, half, rel_tol=0.01)


def test_one_of_a_million_million_has_an_interval() -> None:
    low, high = proportion_interval(1, 10**12, 0.95)

    # The law of rare events: from -log(0.975) to 5.5716 of them.
    assert isclose(low * 10**12, 0.0253178, rel_tol=1e-5)
    assert isclose(high * 10**12, 5.571643, rel_tol=1e-5)


@pytest.mark.parametrize("trials", [3, 25, 200])
@pytest.mark.parametrize("quantile", [Fraction(1, 20), Fraction(1, 2), Fraction(3, 4)])
def test_ranks_enclose_a_quantile_as_often_as_they_say(
    trials: int, quantile: Fraction
) -> None:
    each = chances(trials, quantile)

    low, high = quantile_ranks(trials, float(quantile), 0.95)

    assert 0 <= low < high <= trials + 1
    assert float(sum(each[low:high])) >= 0.95
    # And no narrower pair would do.
    assert low == trials or float(sum(each[: low + 1])) > 0.025
    assert high == 1 or float(sum(each[high - 1 :])) > 0.025


def played(seed: int) -> Simulation:
    return simulate(
        "mbs-roulette-v3",
        "red@1",
        bankroll=6,
        target=12,
        rounds=12,
        strategy="fibonacci",
        sessions=400,
        seed=seed,
        level=0.9,
    )


def test_over_many_seeds_the_exact_answers_lie_inside_as_often_as_they_should() -> None:
    seeds = 100
    runs = [played(seed) for seed in range(seeds)]
    exact = runs[0].exact
    assert exact is not None
    for run in runs:
        run.__dict__["beside"] = runs[0].beside

    for name in ("ruined", "reached", "ahead", "rounds_played", "net_cents"):
        inside = sum(bool(getattr(run, name).is_inside) for run in runs)
        # 90 % or a little more, less four standard deviations.
        assert inside >= seeds * 0.9 - 4 * sqrt(seeds * 0.09), name
        assert inside < seeds, name
    for level in exact.quantiles:
        inside = sum(bool(run.quantiles[level].is_inside) for run in runs)
        assert inside >= seeds * 0.9 - 4 * sqrt(seeds * 0.09), level
