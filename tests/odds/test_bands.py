"""Bands of the return: true quantiles where they are called so, else close ones."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtr  # type: ignore[import-untyped]

from croupier.numeric.probability import DOUBT
from croupier.odds import BandMethod, Distribution, odds_of, par_sheet, volatility_index
from croupier.odds.bands import LEVELS, ROUNDS, bands_of, bent_return
from croupier.odds.quantiles import _circle, sum_quantile


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


def wins(chance: Fraction) -> Distribution:
    """One win or none."""
    return Distribution.of({0: 1 - chance, 1: chance})


@given(
    st.integers(1, 120),
    st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000),
    st.fractions(Fraction(1, 200), Fraction(199, 200), max_denominator=200),
)
def test_a_quantile_is_exact_or_not_given(
    rounds: int, chance: Fraction, below: Fraction
) -> None:
    found = sum_quantile(wins(chance), rounds, below)

    assert found is None or found == exact_quantile(rounds, chance, below)


def test_in_doubt_no_quantile_is_given() -> None:
    # Of one fair toss, “at most no win” has just the probability asked for.
    assert sum_quantile(wins(Fraction(1, 2)), 1, Fraction(1, 2)) is None
    assert sum_quantile(wins(Fraction(1, 2)), 1, Fraction(51, 100)) == 1


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize(
    "chance", [Fraction(18, 37), Fraction(1, 40), Fraction(1, 999)]
)
def test_a_binomial_quantile_is_that_of_the_incomplete_beta_function(
    rounds: int, chance: Fraction
) -> None:
    for tail in (*TAILS, *(1 - tail for tail in TAILS)):
        found = sum_quantile(wins(chance), rounds, tail)

        assert found is not None
        assert bdtr(int(found), rounds, float(chance)) > tail
        assert found == 0 or bdtr(int(found) - 1, rounds, float(chance)) < tail


@given(
    st.dictionaries(st.integers(-20, 40), st.integers(1, 50), min_size=2, max_size=5),
    st.integers(1, 12),
    st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
)
def test_a_quantile_equals_that_of_fractions_or_is_none(
    weights: dict[int, int], rounds: int, below: Fraction
) -> None:
    net = Distribution.of_weights(weights.items())

    found = sum_quantile(net, rounds, below)

    assert found is None or found == net.after(rounds).quantile(below)


def convolved(net: Distribution, rounds: int) -> tuple[Any, Any]:
    """Values of the sum over rounds, and P(sum ≤ value), by numpy's transform."""
    step = Fraction(1, int(np.lcm.reduce([v.denominator for v in net.values])))
    places = [int((value - net.least) / step) for value in net.values]
    size = 1 << (places[-1] * rounds).bit_length()
    once = np.zeros(size)
    once[places] = [float(p) for p in net.probabilities]
    many = np.fft.irfft(np.fft.rfft(once) ** rounds, size)
    values = float(net.least) * rounds + np.arange(size) * float(step)
    return values, np.cumsum(many)


SEVERAL = [
    ("mbs-fast-action-v2", "17"),
    ("mbs-complete-bet-v2", "voisins_du_zero"),
    ("mbs-complete-bet-v2", "orphelins"),
    ("mbs-complete-bet-v2", "complete:17"),
    ("rws-triple-zero", "grand_series"),
]


def at_most(distribution: Distribution, limit: int | Fraction) -> Fraction:
    return distribution.probability(lambda value: value <= limit)


@pytest.mark.parametrize("rounds", [1, 2, 5, 30])
@pytest.mark.parametrize(("game", "wager"), SEVERAL)
def test_few_rounds_are_convolved_as_fractions_are(
    game: str, wager: str, rounds: int
) -> None:
    net = odds_of(game, wager).net
    exact = net.after(rounds)

    for tail in (*TAILS, *(1 - tail for tail in TAILS)):
        found, true = sum_quantile(net, rounds, tail), exact.quantile(tail)

        # Where the probability asked for is just that of a value, none is given.
        assert found == (None if at_most(exact, true) == tail else true)


@pytest.mark.parametrize("rounds", [1000, 10_000, 100_000])
def test_the_sums_of_a_convolution_stay_within_the_stated_doubt(rounds: int) -> None:
    net = odds_of("mbs-fast-action-v2", "17").net
    circle = _circle(net, rounds)
    assert circle is not None
    if rounds < 100_000:
        values, at_most = convolved(net, rounds)
        middle = circle.first - round(values[0] + rounds)
        for place in range(0, circle.steps, circle.steps // 50):
            numpy_s = 0.0 if middle + place < 0 else at_most[middle + place]
            assert abs(circle.at_most(place) - numpy_s) < DOUBT / 10

    assert abs(circle.at_most(circle.steps - 1) - 1) < DOUBT / 100
    assert abs(circle.at_most(0)) < DOUBT / 100


@pytest.mark.parametrize(("game", "wager"), SEVERAL)
def test_an_approximate_band_is_close_to_the_true_one(game: str, wager: str) -> None:
    net = odds_of(game, wager).net

    for band in bands_of(net)[: len(LEVELS)]:
        tail = (100 - band.level) / 200
        score = NormalDist().inv_cdf(tail)
        assert bent_return(net, 1000, score) == pytest.approx(band.low, abs=0.01)
        assert bent_return(net, 1000, -score) == pytest.approx(band.high, abs=0.01)


@pytest.mark.parametrize("rounds", [100_000, 10_000_000])
@pytest.mark.parametrize(("game", "wager"), SEVERAL)
def test_many_rounds_are_convolved_as_by_numpy_on_a_wider_circle(
    game: str, wager: str, rounds: int
) -> None:
    net = odds_of(game, wager).net
    common = int(np.lcm.reduce([value.denominator for value in net.values]))
    whole = np.array([int((value - net.least) * common) for value in net.values])
    step = int(np.gcd.reduce(whole))
    chances = np.array([float(p) for p in net.probabilities])
    mean = float((net.mean - net.least) * common / step)
    deviation = net.standard_deviation * common / step * rounds**0.5
    # So many waves count; the circle is twenty deviations wide.
    size = int(20 * deviation) * 2 + 1
    apart = whole / step - mean
    j = np.arange(1, 400)
    waves = np.log(np.exp(2j * np.pi * np.outer(j, apart) / size) @ chances)

    def at_most(total: Fraction | int) -> float:
        """By Euler's and Maclaurin's middle: a sum of sines about the mean."""
        from_mean = float((total - net.least * rounds) * common / step) - mean * rounds
        ends = np.array([from_mean + 0.5, -10.0 * deviation])
        angles = -2j * np.pi * np.outer(ends, j) / size
        parts = (np.exp(angles + rounds * waves) / (2j * np.sin(np.pi * j / size))).sum(
            1
        )
        shares = 2 * np.real(parts[1] - parts[0]) / size
        return float((ends[0] - ends[1]) / size + shares)

    for band in bands_of(net):
        if band.rounds != rounds:
            continue
        tail = Fraction(100 - band.level, 200)
        low = sum_quantile(net, rounds, tail)
        assert band.method is BandMethod.CONVOLUTION
        assert low is not None
        assert band.low == float(1 + Fraction(low) / rounds)
        assert at_most(low) > tail - 1e-7
        assert at_most(low - Fraction(step, common)) < tail + 1e-7


def test_sums_that_take_too_long_are_not_convolved() -> None:
    rare = Fraction(1, 10**9)
    net = Distribution.of({-1: 1 - 2 * rare, 500_000: rare, 1_000_000: rare})

    assert sum_quantile(net, 1000, Fraction(1, 2)) is None
    assert sum_quantile(odds_of("mbs-fast-action-v2", "17").net, 10**9, TAILS[0])


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
    assert volatility_index(net, 80) == pytest.approx(1.2815516 * 36 * 6 / 37)
    assert volatility_index(net, 99) == pytest.approx(2.5758293 * 36 * 6 / 37)


def test_a_skewed_band_stays_within_the_possible_returns() -> None:
    rare = Fraction(1, 10**9)
    net = Distribution.of({-1: 1 - 2 * rare, 500_000: rare, 1_000_000: rare})

    for band in bands_of(net):
        assert band.method is BandMethod.CORNISH_FISHER
        assert 0 <= band.low <= band.high <= 1_000_001


def test_a_constant_result_has_a_band_without_width() -> None:
    still = Distribution.of({Fraction(-1, 4): Fraction(1)})

    assert {(band.low, band.high) for band in bands_of(still)} == {(0.75, 0.75)}
