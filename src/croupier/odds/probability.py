"""Probability in float64: binomial and chi-square tails, quantiles of sums, bounds.

Tails are those of scipy, which is imported when one is asked for: a sheet of odds needs
none. Sums over rounds of many kinds are convolved in numpy, on a circle.

Laws of this file:
- a circle's width is set by Bernstein's inequality: less than `_BEYOND` is outside;
- a quantile is one of the sum's own values; where a probability is closer than `DOUBT`
  to what was asked for, `SumCurve` counts the value as inside, so that rounding never
  narrows a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Integers = np.ndarray[Any, np.dtype[np.int64]]

Interval = tuple[float, float]

DOUBT = 1e-9
"""Far above what rounding, and what was left out, can come to: see the tests."""
_BEYOND = 1e-13
"""So little lies outside the circle on which a sum is convolved."""
_MOST_CELLS = 20_000_000
"""Above so many points times kinds of rounds a sum is not convolved."""
_MOST_POINTS = 1 << 22
_ROUNDING = 1e-13
"""So much, and far less, can each round add to what is wrong with a sum."""


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


def mean_interval(mean: float, deviation: float, trials: int, level: float) -> Interval:
    """Return an interval of an expectation, by the normal distribution."""
    half = standard_score(level) * deviation / sqrt(trials)
    return mean - half, mean + half


def proportion_interval(count: int, trials: int, level: float) -> Interval:
    """Return Clopper and Pearson's interval of a probability.

    It holds whatever the probability is, if `count` of `trials` came out so.
    """
    from scipy.special import betaincinv

    tail, rest = (1 - level) / 2, trials - count
    low = float(betaincinv(count, rest + 1, tail)) if count else 0.0
    # Nearest to 1 the chance of the other kind has more digits.
    high = 1 - float(betaincinv(rest, count + 1, tail)) if rest else 1.0
    return low, high


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


@dataclass(frozen=True, slots=True, eq=False)
class RoundKind:
    """Rounds that have the same distribution: its values, and how many they are."""

    values: Integers
    chances: Floats
    count: int


class SumRange(NamedTuple):
    """What is known exactly of a sum over rounds of any kinds."""

    mean: Fraction
    variance: Fraction
    least: int
    greatest: int
    furthest: float
    """The furthest that one round can be from its own mean."""


@dataclass(frozen=True, slots=True)
class SumCurve:
    """The probability of each point of a sum's lattice, from the first on."""

    first: int
    step: int
    chances: Floats
    doubt: float

    def ends(self, tail: float) -> tuple[int, int]:
        """Return the values that a sum is below, and above, at most so rarely."""
        import numpy as np

        below = np.cumsum(self.chances)
        above = np.cumsum(self.chances[::-1])
        low = int(np.searchsorted(below, tail - self.doubt))
        high = len(self.chances) - 1 - int(np.searchsorted(above, tail - self.doubt))
        return self.first + low * self.step, self.first + high * self.step


def convolve_kinds(kinds: Sequence[RoundKind], known: SumRange) -> SumCurve | None:
    """Return the distribution of a sum over rounds; None: it has too many points."""
    import numpy as np

    step = gcd(*(int(np.gcd.reduce(k.values - k.values[0])) for k in kinds))
    if step == 0:
        return SumCurve(known.least, 1, np.ones(1), 0.0)
    points, first = _points(known, step)
    if points > _MOST_POINTS or points * len(kinds) > _MOST_CELLS:
        return None
    waves = np.ones(points // 2 + 1, np.complex128)
    for kind in kinds:
        places = (kind.values - kind.values.min()) // step % points
        circle = np.bincount(places, weights=kind.chances, minlength=points)
        waves *= np.fft.rfft(circle) ** kind.count
    around = np.fft.irfft(waves, points)
    doubt = DOUBT + _ROUNDING * sum(kind.count for kind in kinds)
    return SumCurve(
        known.least + first * step,
        step,
        np.maximum(np.roll(around, -(first % points)), 0.0),
        doubt,
    )


def _points(known: SumRange, step: int) -> tuple[int, int]:
    """Return how many points to convolve on, and the first, in steps from the least.

    All of them where they are few; else so many about the mean that next to nothing
    lies beyond, and what does comes round at the other end.
    """
    from scipy.fft import next_fast_len  # type: ignore[import-untyped]

    every = (known.greatest - known.least) // step + 1
    mean = (known.mean - known.least) / step
    variance = float(known.variance) / step**2
    reach = ceil(bernstein_reach(variance, known.furthest / step, _BEYOND / 2))
    if every <= 2 * reach + 1:
        return next_fast_len(every, real=True), 0
    return next_fast_len(2 * reach + 1, real=True), floor(mean) - reach
