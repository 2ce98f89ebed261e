"""Tails and corrections against published values and independent sums."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, gamma

import pytest

from croupier.audit.wheel.chance import (
    at_least,
    at_most,
    chi_square_tail,
    holm,
    least_above,
    two_sided,
)

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


def _integrated(statistic: float, degrees: int) -> float:
    """The tail by Simpson's rule over the density, from the statistic to far out."""

    def density(x: float) -> float:
        half = degrees / 2
        return float(x ** (half - 1) * exp(-x / 2) / (2**half * gamma(half)))

    steps, width = 20_000, (400 - statistic) / 20_000
    weights = [1 if k in (0, steps) else 4 if k % 2 else 2 for k in range(steps + 1)]
    values = [density(statistic + k * width) for k in range(steps + 1)]
    return width / 3 * sum(w * v for w, v in zip(weights, values, strict=True))


@pytest.mark.parametrize("degrees", [1, 2, 5, 36, 37, 39])
@pytest.mark.parametrize("statistic", [0.5, 10.0, 36.0, 90.0])
def test_the_chi_square_tail_is_the_integral_of_its_density(
    degrees: int, statistic: float
) -> None:
    expected = _integrated(statistic, degrees)

    assert chi_square_tail(statistic, degrees) == pytest.approx(expected, rel=1e-7)


def test_no_statistic_at_all_is_always_reached() -> None:
    assert chi_square_tail(0, 36) == 1
    assert chi_square_tail(5_000, 36) < 1e-300


def _counted(count: int, trials: int, chance: Fraction) -> float:
    """The upper tail in whole numbers."""
    terms = (
        comb(trials, k) * chance**k * (1 - chance) ** (trials - k)
        for k in range(count, trials + 1)
    )
    return float(sum(terms, Fraction()))


@pytest.mark.parametrize("trials", [1, 2, 37, 400])
@pytest.mark.parametrize("chance", [Fraction(1, 37), Fraction(1, 2), Fraction(7, 39)])
def test_binomial_tails_are_the_sums_of_their_terms(
    trials: int, chance: Fraction
) -> None:
    for count in sorted({0, 1, 2, trials // 37, trials // 5, trials // 2, trials}):
        expected = _counted(count, trials, chance)

        upper = at_least(count, trials, float(chance))
        lower = at_most(count - 1, trials, float(chance))

        assert upper == pytest.approx(expected, rel=1e-9)
        assert lower == pytest.approx(1 - expected, rel=1e-9, abs=1e-12)


def test_a_two_sided_tail_is_twice_the_smaller_one() -> None:
    assert two_sided(0, 1, 0.5) == 1
    assert two_sided(10, 10, 0.5) == pytest.approx(2 / 1024)
    assert two_sided(0, 10, 0.5) == pytest.approx(2 / 1024)
    assert two_sided(5, 10, 0.5) == 1


@pytest.mark.parametrize("p_value", [0.3, 0.01, 1e-6])
def test_the_least_count_above_is_the_first_with_so_small_a_tail(
    p_value: float,
) -> None:
    chance = Fraction(1, 37)

    least = least_above(400, float(chance), p_value)

    assert _counted(least, 400, chance) <= p_value < _counted(least - 1, 400, chance)


def test_where_no_count_is_rare_enough_there_is_none() -> None:
    assert least_above(3, 0.5, 0.1) == 4
    assert least_above(3, 0.5, 0.13) == 3


def test_p_values_are_corrected_after_holm() -> None:
    # Worked by hand: 0.01×4, 0.02×3, 0.03×2, 0.04×1, none below the one before it.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.9]) == [1, 1]
    assert holm([]) == []
