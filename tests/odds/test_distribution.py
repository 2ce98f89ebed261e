"""A distribution: whole-number weights, exact moments, quantiles, sums, arrays."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.odds import Distribution
from croupier.odds.distribution import OddsError, root, signed_root

RED = Distribution.of({-1: Fraction(19, 37), 1: Fraction(18, 37)})
SEVENTEEN = Distribution.of({-1: Fraction(36, 37), 35: Fraction(1, 37)})

weighted = st.lists(
    st.tuples(st.integers(-50, 50), st.integers(1, 9)), min_size=1, max_size=8
)


def test_the_outcomes_rise_and_add_up_to_one() -> None:
    shuffled = Distribution.of(
        {35: Fraction(1, 37), -1: Fraction(30, 37), 0: Fraction(6, 37)}
    )

    assert shuffled.values == (-1, 0, 35)
    assert shuffled.numerators == (30, 6, 1)
    assert shuffled.denominator == 37
    assert shuffled.outcomes[2] == (35, Fraction(1, 37))


def test_the_moments_are_those_of_the_textbook() -> None:
    p = Fraction(1, 37)

    assert SEVENTEEN.mean == -p
    assert SEVENTEEN.variance == 36**2 * p * (1 - p)
    assert SEVENTEEN.third_central_moment == 36**3 * p * (1 - p) * (1 - 2 * p)
    assert SEVENTEEN.signed_square_of_skewness == (1 - 2 * p) ** 2 / (p * (1 - p))
    assert SEVENTEEN.skewness == pytest.approx(35 / 6)
    assert SEVENTEEN.standard_deviation == pytest.approx(36 * math.sqrt(36) / 37)


@given(weighted)
def test_moments_agree_with_the_sum_over_single_cases(
    pairs: list[tuple[int, int]],
) -> None:
    singly = [value for value, weight in pairs for _ in range(weight)]

    found = Distribution.of_weights(pairs)

    mean = Fraction(sum(singly), len(singly))
    assert sum(found.probabilities) == 1
    assert found.mean == mean
    assert found.variance == sum((v - mean) ** 2 for v in singly) / len(singly)
    third = sum((v - mean) ** 3 for v in singly) / len(singly)
    assert found.third_central_moment == third
    assert (found.least, found.greatest) == (min(singly), max(singly))


@given(weighted, st.fractions(0, 1))
def test_a_quantile_is_the_least_value_with_its_probability(
    pairs: list[tuple[int, int]], level: Fraction
) -> None:
    found = Distribution.of_weights(pairs)

    at = found.quantile(level)

    assert found.probability(lambda value: value <= at) >= level
    assert at == found.least or found.probability(lambda v: v < at) < level


@given(weighted, weighted)
def test_an_independent_sum_is_the_sum_over_all_pairs(
    one: list[tuple[int, int]], two: list[tuple[int, int]]
) -> None:
    first, second = Distribution.of_weights(one), Distribution.of_weights(two)

    together = first.plus_independent(second)

    assert together.mean == first.mean + second.mean
    assert together.variance == first.variance + second.variance
    for value, chance in together.outcomes:
        assert chance == sum(
            p * q
            for (v, p), (w, q) in product(first.outcomes, second.outcomes)
            if v + w == value
        )


@pytest.mark.parametrize("rounds", [1, 2, 3, 6, 7])
def test_after_rounds_it_is_binomial(rounds: int) -> None:
    after = RED.after(rounds)

    assert after.outcomes == tuple(
        (
            2 * wins - rounds,
            math.comb(rounds, wins)
            * Fraction(18, 37) ** wins
            * Fraction(19, 37) ** (rounds - wins),
        )
        for wins in range(rounds + 1)
    )


def test_probabilities_that_are_no_distribution_are_refused() -> None:
    with pytest.raises(OddsError, match="add up to 1"):
        Distribution.of({1: Fraction(1, 2)})
    with pytest.raises(OddsError, match="at least 0"):
        Distribution.of({1: Fraction(3, 2), 2: Fraction(-1, 2)})
    with pytest.raises(OddsError, match="from 0 to 1"):
        RED.quantile("1.5")
    with pytest.raises(OddsError, match="at least one round"):
        RED.after(0)


def test_a_value_that_never_varies_has_no_skewness() -> None:
    still = Distribution.of({7: Fraction(1)})

    assert still.variance == 0
    assert still.skewness == still.standard_deviation == 0.0
    assert still.quantile(Fraction(0)) == still.quantile(1) == 7


def test_it_reads_well_as_text_and_in_a_notebook() -> None:
    assert str(SEVENTEEN) == "-1  0.972973  36/37\n35  0.027027  1/37"
    assert repr(RED) == "<Distribution of 2 values from -1 to 1, mean -0.027027>"
    shown = SEVENTEEN._repr_html_()
    assert "<td>36/37</td>" in shown
    assert shown.count("<tr>") == 3
    assert "standard deviation 5.8378" in shown


def test_roots_of_fractions_beyond_floats_are_calculated() -> None:
    assert root(Fraction(10**600)) == pytest.approx(1e300)
    assert root(Fraction(1, 10**600)) == pytest.approx(1e-300)
    assert signed_root(Fraction(-9, 4)) == -1.5
    assert root(Fraction(0)) == 0
