"""Bands of the return: true quantiles where they are called so, else close ones."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.odds import Distribution, Method, odds_of, par_sheet, volatility_index
from croupier.odds.bands import LEVELS, ROUNDS, bands_of, binomial_quantile


def exact_quantile(rounds: int, chance: Fraction, below: Fraction) -> int:
    """By whole numbers alone."""
    p, q = chance.numerator, chance.denominator - chance.numerator
    wanted = below * chance.denominator**rounds
    total = 0
    for wins in range(rounds + 1):
        total += comb(rounds, wins) * p**wins * q ** (rounds - wins)
        if total >= wanted:
            return wins
    raise AssertionError


TAILS = [Fraction(100 - level, 200) for level in LEVELS]


@pytest.mark.parametrize("numbers", [1, 2, 3, 4, 6, 12, 18])
def test_a_thousand_rounds_of_any_area_are_counted_out(numbers: int) -> None:
    chance = Fraction(numbers, 37)

    for tail in (*TAILS, *(1 - tail for tail in TAILS)):
        found = binomial_quantile(1000, chance, tail)

        assert found == exact_quantile(1000, chance, tail)


@given(
    st.integers(1, 120),
    st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000),
    st.fractions(Fraction(1, 200), Fraction(199, 200), max_denominator=200),
)
def test_a_quantile_is_exact_or_not_given(
    rounds: int, chance: Fraction, below: Fraction
) -> None:
    found = binomial_quantile(rounds, chance, below)

    assert found is None or found == exact_quantile(rounds, chance, below)


def test_in_doubt_no_quantile_is_given() -> None:
    # Of one fair toss, “at most no win” has just the probability asked for.
    assert binomial_quantile(1, Fraction(1, 2), Fraction(1, 2)) is None
    assert binomial_quantile(1, Fraction(1, 2), Fraction(51, 100)) == 1


@pytest.mark.parametrize("rounds", ROUNDS)
def test_the_sums_of_many_rounds_stay_within_the_stated_doubt(rounds: int) -> None:
    from croupier.odds.bands import _DOUBT, _binomial_sums

    first, sums = _binomial_sums(rounds, Fraction(18, 37))

    # The mean and the variance of the terms are those of the binomial distribution.
    terms = np.diff(np.array([0.0, *sums]))
    wins = first + np.arange(len(terms)) - rounds * 18 / 37
    assert abs(sums[-1] - 1) < _DOUBT / 100
    assert abs(float(terms @ wins)) < 1e-6
    assert float(terms @ wins**2) == pytest.approx(rounds * 18 * 19 / 37**2, rel=1e-9)


def convolved(net: Distribution, rounds: int) -> tuple[Any, Any, float]:
    """Values, probabilities and step of the sum over rounds, by Fourier transform."""
    step = Fraction(1, np.lcm.reduce([v.denominator for v in net.values]))
    places = [int((value - net.least) / step) for value in net.values]
    size = 1 << (places[-1] * rounds).bit_length()
    once = np.zeros(size)
    once[places] = [float(p) for p in net.probabilities]
    many = np.fft.irfft(np.fft.rfft(once) ** rounds, size)
    values = float(net.least) * rounds + np.arange(size) * float(step)
    return values, many, float(step)


@pytest.mark.parametrize(
    ("game", "wager"),
    [
        ("mbs-fast-action-v2", "17"),
        ("mbs-complete-bet-v2", "voisins_du_zero"),
        ("mbs-complete-bet-v2", "orphelins"),
        ("mbs-complete-bet-v2", "complete:17"),
        ("rws-triple-zero", "grand_series"),
    ],
)
def test_where_it_approximates_a_band_is_close_to_the_convolution(
    game: str, wager: str
) -> None:
    net = odds_of(game, wager).net
    values, many, step = convolved(net, 1000)
    below = np.cumsum(many)

    for band in bands_of(net)[: len(LEVELS)]:
        tail = (100 - band.level) / 200
        low = 1 + values[np.searchsorted(below, tail)] / 1000
        high = 1 + values[np.searchsorted(below, 1 - tail)] / 1000

        assert band.method is Method.CORNISH_FISHER
        assert band.low == pytest.approx(low, abs=0.01)
        assert band.high == pytest.approx(high, abs=0.01)
    assert step > 0


def test_bands_narrow_with_the_rounds_and_widen_with_the_level() -> None:
    for kind in par_sheet("mbs-fast-action-v2").kinds:
        width = {(b.rounds, b.level): b.high - b.low for b in kind.bands}

        assert set(width) == {(n, level) for n in ROUNDS for level in LEVELS}
        for rounds in ROUNDS:
            assert width[rounds, 90] < width[rounds, 95] < width[rounds, 99]
        for level in LEVELS:
            widths = [width[rounds, level] for rounds in ROUNDS]
            assert widths == sorted(widths, reverse=True)


def test_each_band_holds_the_return_after_ten_thousand_rounds() -> None:
    for kind in par_sheet("rws-triple-zero").kinds:
        for band in kind.bands:
            if band.rounds >= 10_000:
                assert band.low < float(kind.odds.return_to_player) < band.high


def test_the_volatility_index_is_the_quantile_times_the_deviation() -> None:
    net = odds_of("mbs-roulette-v3", "17").net

    assert volatility_index(net) == pytest.approx(1.6448536 * 36 * 6 / 37)
    assert volatility_index(net, 99) == pytest.approx(2.5758293 * 36 * 6 / 37)


def test_what_never_varies_has_a_band_without_width() -> None:
    still = Distribution.of({Fraction(-1, 4): Fraction(1)})

    assert {(band.low, band.high) for band in bands_of(still)} == {(0.75, 0.75)}
