"""Tails, intervals and ranks against published values and independent sums."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isclose, sqrt

import pytest

from croupier.numeric.probability import (
    at_least,
    at_most,
    chi_square_tail,
    least_above,
    proportion_interval,
    quantile_ranks,
    standard_score,
    two_sided,
)
from croupier.odds.distribution import Distribution
from croupier.odds.quantiles import _circle

PUBLISHED = [  # degrees of freedom, what is exceeded with 5 % and with 1 %
    (1, 3.841459, 6.634897),
    (2, 5.991465, 9.210340),
    (3, 7.814728, 11.344867),
    (10, 18.307038, 23.209251),
    (36, 50.998460, 58.619215),
    (38, 53.383541, 61.162087),
    (39, 54.572228, 62.428121),
    (100, 124.342113, 135.806723),
]


@pytest.mark.parametrize(("degrees", "five", "one"), PUBLISHED)
def test_the_chi_square_tail_is_that_of_the_tables(
    degrees: int, five: float, one: float
) -> None:
    assert chi_square_tail(five, degrees) == pytest.approx(0.05, abs=2e-8)
    assert chi_square_tail(one, degrees) == pytest.approx(0.01, abs=2e-8)


def test_a_statistic_of_0_has_a_tail_of_1() -> None:
    assert chi_square_tail(0, 36) == 1
    assert chi_square_tail(5_000, 36) < 1e-300


def test_a_two_sided_tail_is_twice_the_smaller_one() -> None:
    assert two_sided(0, 1, 0.5) == 1
    assert two_sided(10, 10, 0.5) == pytest.approx(2 / 1024)
    assert two_sided(0, 10, 0.5) == pytest.approx(2 / 1024)
    assert two_sided(5, 10, 0.5) == 1


@pytest.mark.parametrize("p_value", [0.3, 0.01, 1e-6])
def test_the_least_count_above_is_the_first_with_a_small_enough_tail(
    p_value: float,
) -> None:
    chance = Fraction(1, 37)

    least = least_above(400, float(chance), p_value)

    each = chances(400, chance)
    assert sum(each[least:]) <= p_value < sum(each[least - 1 :])


def test_without_a_rare_enough_count_it_is_trials_plus_1() -> None:
    assert least_above(3, 0.5, 0.1) == 4
    assert least_above(3, 0.5, 0.13) == 3


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
    ("count", "trials", "chance"),
    [
        (4_000, 10_000, Fraction(39, 100)),
        (4_000, 1_000_000, Fraction(395, 100_000)),
        (50_000, 100_000, Fraction(495, 1_000)),
        (3_100, 10**9, Fraction(3, 10**6)),
    ],
)
def test_both_calculations_of_a_tail_agree(
    count: int, trials: int, chance: Fraction
) -> None:
    circle = _circle(Distribution.of({0: 1 - chance, 1: chance}), trials)
    assert circle is not None

    expected = 1 - circle.at_most(count - 1 - circle.first)

    assert isclose(at_least(count, trials, float(chance)), expected, rel_tol=1e-9)


@pytest.mark.parametrize("trials", [5, 30])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_intervals_of_proportions_have_their_coverage(
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


def test_one_in_a_trillion_has_an_interval() -> None:
    low, high = proportion_interval(1, 10**12, 0.95)

    # The law of rare events: from -log(0.975) to 5.5716 of them.
    assert isclose(low * 10**12, 0.0253178, rel_tol=1e-5)
    assert isclose(high * 10**12, 5.571643, rel_tol=1e-5)


@pytest.mark.parametrize("trials", [3, 25, 200])
@pytest.mark.parametrize("quantile", [Fraction(1, 20), Fraction(1, 2), Fraction(3, 4)])
def test_ranks_have_their_coverage_of_a_quantile(
    trials: int, quantile: Fraction
) -> None:
    each = chances(trials, quantile)

    low, high = quantile_ranks(trials, float(quantile), 0.95)

    assert 0 <= low < high <= trials + 1
    assert float(sum(each[low:high])) >= 0.95
    # And no narrower pair would do.
    assert low == trials or float(sum(each[: low + 1])) > 0.025
    assert high == 1 or float(sum(each[high - 1 :])) > 0.025
