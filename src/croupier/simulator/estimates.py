"""Confidence intervals: of a proportion, of a mean, and of a quantile by its ranks.

Those of proportions and quantiles hold whatever the distribution is: Clopper and
Pearson's, from the tails of the binomial distribution, which are those of the beta
distribution. They take the same time for a thousand sessions and for a billion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import exp, fsum, log, log1p, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from croupier.odds.distribution import root
from croupier.odds.sessions import Figure
from croupier.simulator.plan import SimulationPlan
from croupier.simulator.tally import SessionTally

_FEW = 3_000
"""Up to so many of one kind a tail is a continued fraction, above it an integral."""
_WIDE = 14
"""How many standard deviations from its mode a density still counts."""
_PANELS, _NODES = 16, 20
_HALVINGS = 200
_TINY = 1e-300
_CLOSE = 1e-16

Interval = tuple[float, float]


def proportion_interval(count: int, trials: int, level: float) -> Interval:
    """Between which the probability lies, if `count` of `trials` came out so."""
    tail = (1 - level) / 2
    low = _root(lambda p: at_least(count, trials, p) < tail) if count else 0.0
    # Nearest to 1 the chance of the other kind has more digits.
    rest = trials - count
    high = 1 - _root(lambda q: at_least(rest, trials, q) < tail) if rest else 1.0
    return low, high


def mean_interval(mean: float, deviation: float, trials: int, level: float) -> Interval:
    """Of an expectation, by the normal distribution that means come close to."""
    half = standard_score(level) * deviation / sqrt(trials)
    return mean - half, mean + half


def standard_score(level: float) -> float:
    """How many standard deviations either side make up the level."""
    return NormalDist().inv_cdf((1 + level) / 2)


def quantile_ranks(trials: int, quantile: float, level: float) -> tuple[int, int]:
    """The ranks, from 1, between whose values the quantile lies.

    Rank 0 and rank `trials + 1` say that the sample is too small for a bound.
    """
    tail = (1 - level) / 2
    # The greatest rank that at least so many values do not exceed, almost surely.
    low = _greatest(lambda r: at_most(r - 1, trials, quantile) <= tail, trials)
    rest = _greatest(lambda r: at_most(r - 1, trials, 1 - quantile) <= tail, trials)
    return low, trials + 1 - rest


def at_least(count: int, trials: int, chance: float) -> float:
    """The probability of so many successes or more."""
    if count <= 0:
        return 1.0
    if count > trials or chance <= 0:
        return 0.0
    return 1.0 if chance >= 1 else _beta(count, trials - count + 1, chance)


def at_most(count: int, trials: int, chance: float) -> float:
    """The probability of so many successes or fewer."""
    return at_least(trials - count, trials, 1 - chance)


def _root(is_below: Callable[[float], bool]) -> float:
    """Where, from 0 to 1, it stops being so."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        if is_below(middle):
            low = middle
        else:
            high = middle
    return low


def _greatest(holds: Callable[[int], bool], most: int) -> int:
    """The greatest number up to `most` of which it still holds; 0 holds."""
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _beta(a: int, b: int, x: float) -> float:
    """The beta distribution of whole parameters: how likely it is up to x."""
    if min(a, b) > _FEW:
        return _integral(a, b, x)
    if x * (a + b) < a:
        return _fraction(a, b, x)
    return 1 - _fraction(b, a, 1 - x)


def _fraction(a: int, b: int, x: float) -> float:
    """Below the mean, by the continued fraction, from the front (Lentz)."""
    front = exp(_log_front(a, b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, 100 * _FEW):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away(1 + factor * d)
            c = _away(1 + factor / c)
            total *= d * c
        if abs(d * c - 1) < _CLOSE * 4:
            break
    return front * total


def _away(value: float) -> float:
    """A divisor is never quite nothing."""
    return value if abs(value) > _TINY else _TINY


@cache
def _log_front(a: int, b: int) -> float:
    """The logarithm of 1 / B(a, b), with few terms as one of them is small."""
    small, large = min(a, b), max(a, b)
    terms = [log(large + i) - log(i) for i in range(1, small)]
    return fsum([*terms, log(large)])


def _integral(a: int, b: int, x: float) -> float:
    """The density summed up to x, against all of it; both are far from 0 and 1."""
    mode = (a - 1) / (a + b - 2)
    deviation = sqrt(mode * (1 - mode) / (a + b))
    ends = -min(_WIDE * deviation, mode), min(_WIDE * deviation, 1 - mode)
    at = min(max(x - mode, ends[0]), ends[1])
    below = _area(a, b, mode, (ends[0], at))
    return below / (below + _area(a, b, mode, (at, ends[1])))


def _area(a: int, b: int, mode: float, span: tuple[float, float]) -> float:
    """The density over a span of distances from its mode, where it is 1."""
    if span[0] >= span[1]:
        return 0.0
    nodes, weights = _gauss()
    edges = np.linspace(*span, _PANELS + 1)
    half = (edges[1:] - edges[:-1]) / 2
    d = (edges[:-1] + half)[:, None] + half[:, None] * nodes
    with np.errstate(divide="ignore"):
        logs = (a - 1) * np.log1p(d / mode) + (b - 1) * np.log1p(-d / (1 - mode))
    return float((np.exp(logs) * weights * half[:, None]).sum())


@cache
def _gauss() -> tuple[Any, Any]:
    return np.polynomial.legendre.leggauss(_NODES)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A probability or an expectation as it was drawn, with its interval."""

    value: float
    low: float
    high: float
    exact: Figure | None = None
    deviation: float | None = None
    """Of single sessions, where it is a mean."""

    @property
    def is_inside(self) -> bool | None:
        """Whether the exact answer lies inside; None where it is not known."""
        if self.exact is None:
            return None
        return self.exact.greatest >= self.low and self.exact.least <= self.high

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.6g}"


@dataclass(frozen=True, slots=True)
class QuantileEstimate:
    """A quantile of the bankroll in cents, with its interval by ranks."""

    cents: int
    low_cents: int
    high_cents: int
    exact_cents: int | None = None

    @property
    def is_inside(self) -> bool | None:
        """Whether the exact answer lies inside; None where it is not known."""
        if self.exact_cents is None:
            return None
        return self.low_cents <= self.exact_cents <= self.high_cents


def proportion(count: int, trials: int, level: float, exact: Figure | None) -> Estimate:
    low, high = proportion_interval(count, trials, level)
    return Estimate(count / trials, low, high, exact)


@dataclass(frozen=True, slots=True)
class Mean:
    """What was counted of one thing over the sessions, from its sums."""

    mean: Fraction
    deviation: float
    bounds: tuple[int, int]
    """No session can lie outside of these."""

    @classmethod
    def of(cls, tally: SessionTally, plan: SimulationPlan, what: int) -> Mean:
        """Of rounds, units staked, or grains of the bankroll."""
        trials, total = tally.sessions, tally.total(what)
        mean = Fraction(total, trials)
        bounds = 0, (plan.rounds, plan.most_staked, plan.highest)[what]
        if trials == 1:
            return cls(mean, 0.0, bounds)
        squares = _squares(tally, what, plan.shifts[what])
        variance = (squares - total * mean) / (trials - 1)
        return cls(mean, root(max(variance, Fraction(0))), bounds)

    def times(self, factor: int) -> Mean:
        low, high = self.bounds
        bounds = low * factor, high * factor
        return Mean(self.mean * factor, self.deviation * factor, bounds)

    def plus(self, number: int) -> Mean:
        low, high = self.bounds
        return Mean(self.mean + number, self.deviation, (low + number, high + number))

    def estimate(self, trials: int, level: float, exact: Figure | None) -> Estimate:
        low, high = self._interval(trials, level)
        return Estimate(float(self.mean), low, high, exact, self.deviation)

    def _interval(self, trials: int, level: float) -> Interval:
        mean = float(self.mean)
        if self.deviation:
            return mean_interval(mean, self.deviation, trials, level)
        # All sessions were alike: others may be as likely as one that was not seen.
        unseen = proportion_interval(0, trials, level)[1]
        low, high = self.bounds
        return mean - unseen * (mean - low), mean + unseen * (high - mean)


def _squares(tally: SessionTally, what: int, shift: int) -> Fraction:
    """The sum of the squares; where the last bits are lost, as if they were even."""
    squares = Fraction(tally.squares(what))
    if shift == 0:
        return squares
    size = 1 << shift
    lost, lost_squared = Fraction(size - 1, 2), Fraction((size - 1) * (2 * size - 1), 6)
    kept = (tally.total(what) - tally.sessions * lost) / size
    return squares * size**2 + 2 * size * lost * kept + tally.sessions * lost_squared
