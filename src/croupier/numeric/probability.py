"""Probability in float64: binomial and chi-square tails, intervals, bounds on sums.

Tails are those of scipy, which is imported when one is asked for: a sheet of odds needs
none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt

Interval = tuple[float, float]

DOUBT = 1e-9
"""Far above what rounding, and what was left out, can come to: see the tests."""


def at_least(count: int, trials: int, chance: float) -> float:
    """Return the probability of at least so many successes."""
    if count <= 0:
        return 1.0
    if count > trials or chance <= 0:
        return 0.0
    from scipy.special import betainc  # type: ignore[import-untyped]

    # The binomial tail is the incomplete beta function of whole parameters.
    return float(betainc(count, trials - count + 1, min(chance, 1.0)))


def at_most(count: int, trials: int, chance: float) -> float:
    """Return the probability of at most so many successes."""
    return at_least(trials - count, trials, 1 - chance)


def two_sided(count: int, trials: int, chance: float) -> float:
    """Return twice the smaller tail, at most 1: exact, and on the safe side."""
    smaller = min(at_least(count, trials, chance), at_most(count, trials, chance))
    return min(2 * smaller, 1.0)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return each p-value corrected for looking at all of them, after Holm."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected = [0.0] * len(p_values)
    greatest = 0.0
    for rank, place in enumerate(order):
        greatest = max(greatest, min((len(order) - rank) * p_values[place], 1.0))
        corrected[place] = greatest
    return corrected


def least_above(trials: int, chance: float, p_value: float) -> int:
    """Return the least count whose upper tail is at most this, or trials + 1."""
    few = int(trials * chance) - 1
    return (
        few
        + 1
        + _holding(
            lambda more: at_least(few + more, trials, chance) > p_value, trials - few
        )
    )


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the probability of at least this much on so many degrees of freedom."""
    if statistic <= 0:
        return 1.0
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic))


def standard_score(level: float) -> float:
    """Return how many standard deviations to either side make up the level."""
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)


def proportion_interval(count: int, trials: int, level: float) -> Interval:
    """Return Clopper and Pearson's interval of a probability.

    It holds whatever the probability is, if `count` of `trials` came out so.
    """
    tail, rest = (1 - level) / 2, trials - count
    # Nearest to 1 the chance of the other kind has more digits.
    return least_proportion(count, trials, tail), 1 - least_proportion(
        rest, trials, tail
    )


def least_proportion(count: float, trials: int, tail: float) -> float:
    """Return the probability at which so many, or more, come out with this tail."""
    from scipy.special import betaincinv

    return float(betaincinv(count, trials - count + 1, tail)) if count else 0.0


def quantile_ranks(trials: int, quantile: float, level: float) -> tuple[int, int]:
    """Return the ranks, from 1, between whose values the quantile lies.

    Rank 0 and rank `trials + 1` say that the sample is too small for a bound.
    """
    tail = (1 - level) / 2
    low = _holding(lambda r: at_most(r - 1, trials, quantile) <= tail, trials)
    rest = _holding(lambda r: at_most(r - 1, trials, 1 - quantile) <= tail, trials)
    return low, trials + 1 - rest


def _holding(holds: Callable[[int], bool], most: int) -> int:
    """Return the greatest number up to `most` of which it still holds; 0 holds."""
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def bernstein_reach(variance: float, furthest: float, tail: float) -> float:
    """Return how far from its mean a sum lies with at most this probability.

    It is Bernstein's inequality, to one side; no term lies further from its own mean
    than `furthest`.
    """
    nats = -log(tail)
    half = nats * furthest / 3
    return half + sqrt(half**2 + 2 * nats * variance)
