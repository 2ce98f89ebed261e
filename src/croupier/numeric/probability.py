"""Probability in float64: binomial and chi-square tails, intervals, bounds on sums.

scipy calculates the tails. It is imported on first use: a PAR sheet needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt

Interval = tuple[float, float]

DOUBT = 1e-9
"""Far above the sum of rounding errors and omitted terms: see the tests."""


def at_least(count: int, trials: int, chance: float) -> float:
    if count <= 0:
        return 1.0
    if count > trials or chance <= 0:
        return 0.0
    from scipy.special import betainc  # type: ignore[import-untyped]

    # The binomial tail is the incomplete beta function of whole parameters.
    return float(betainc(count, trials - count + 1, min(chance, 1.0)))


def at_most(count: int, trials: int, chance: float) -> float:
    return at_least(trials - count, trials, 1 - chance)


def two_sided(count: int, trials: int, chance: float) -> float:
    """Return twice the smaller tail, at most 1: never below the true p-value."""
    smaller = min(at_least(count, trials, chance), at_most(count, trials, chance))
    return min(2 * smaller, 1.0)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for multiple testing, after Holm."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected = [0.0] * len(p_values)
    greatest = 0.0
    for rank, place in enumerate(order):
        greatest = max(greatest, min((len(order) - rank) * p_values[place], 1.0))
        corrected[place] = greatest
    return corrected


def least_above(trials: int, chance: float, p_value: float) -> int:
    """Return the least count with an upper tail of at most `p_value`, or trials + 1."""
    few = int(trials * chance) - 1
    return (
        few
        + 1
        + _holding(
            lambda more: at_least(few + more, trials, chance) > p_value, trials - few
        )
    )


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the probability of at least this statistic."""
    if statistic <= 0:
        return 1.0
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic))


def standard_score(level: float) -> float:
    """Return the half-width, in standard deviations, of a central normal interval."""
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)


def proportion_interval(count: int, trials: int, level: float) -> Interval:
    """Return Clopper and Pearson's interval for a probability.

    Its coverage is at least `level` for any probability.
    """
    tail, rest = (1 - level) / 2, trials - count
    # Near 1, the chance of the complement has more digits.
    return least_proportion(count, trials, tail), 1 - least_proportion(
        rest, trials, tail
    )


def least_proportion(count: float, trials: int, tail: float) -> float:
    """Return the success probability that gives `count` or more with chance `tail`."""
    from scipy.special import betaincinv

    return float(betaincinv(count, trials - count + 1, tail)) if count else 0.0


def quantile_ranks(trials: int, quantile: float, level: float) -> tuple[int, int]:
    """Return the ranks, from 1, of the two values that bound the quantile.

    Rank 0 or `trials + 1` means that the sample is too small for that bound.
    """
    tail = (1 - level) / 2
    low = _holding(lambda r: at_most(r - 1, trials, quantile) <= tail, trials)
    rest = _holding(lambda r: at_most(r - 1, trials, 1 - quantile) <= tail, trials)
    return low, trials + 1 - rest


def _holding(holds: Callable[[int], bool], most: int) -> int:
    """Return the greatest number up to `most` that `holds` accepts; it accepts 0."""
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def bernstein_reach(variance: float, furthest: float, tail: float) -> float:
    """Return a distance above the mean that a sum passes with at most chance `tail`.

    This is Bernstein's one-sided inequality; each term lies at most `furthest` from its
    own mean.
    """
    nats = -log(tail)
    half = nats * furthest / 3
    return half + sqrt(half**2 + 2 * nats * variance)
