"""The distribution of a sum over many independent rounds.

The values of a sum lie on a lattice. Bernstein's inequality bounds their distance from
the mean, so the lattice is wound around a circle of that length. The waves of the sum,
its Fourier coefficients, are the products of the rounds' waves. With thousands of
rounds only a few dozen matter: for a round with the wave w, -log|w| is at least
(1 - |w|²)/2. That is the sum, over the pairs of its values and weighted by their
chances, of 1 minus the cosine of their distance. So one Fourier transform of all pairs
bounds every wave.

Laws of this file:
- a probability lies between two ends, with rounding and the omitted waves included;
- if the lattice is too fine for a circle, each round is rounded down to a coarser one;
  Hoeffding's inequality bounds the loss of the sum, and the ends include it;
- if a sum can't be convolved, the tighter of Bernstein's and Berry and Esseen's
  inequalities gives the ends, and Edgeworth's first term the value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from math import ceil, exp, floor, log, pi, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from croupier.numeric.figure import BoundedValue
from croupier.numeric.probability import bernstein_reach

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
_Waves = np.ndarray[Any, np.dtype[np.complex128]]
_Shapes = Mapping[tuple[int, ...], Counter[bytes]]
"""By the weights of a round's cases: the values of each kind, and its number of rounds.

Values ascend if all cases have the same weight.
"""

_MOST_CELLS = 64_000_000
"""Waves times values of rounds, or points times kinds, for one sum."""
_MOST_PAIRS = 4_000_000
_CELLS_AT_ONCE = 20_000
"""The number of turns that fit in a core's cache."""
_TRIES = ((0.0, 1 << 22), (0.03, 1 << 20), (0.1, 1 << 22))
"""Attempts: the loss by rounding, in standard deviations, and the circle's points."""
_BEYOND = 1e-13
"""The probability outside the circle."""
_NEGLIGIBLE = 1e-12
"""A wave smaller than this, at place n, changes a probability by at most 1/n of it."""
_ROUNDING = 1e-13
"""Bound on the error that each round adds to a wave."""
_DOUBT = 1e-10
"""Bound on the sum of all negligible waves and of rounding in sums over waves."""
_BERRY_ESSEEN = 0.56
"""The constant for rounds of different kinds (Shevtsova, 2010)."""
_NORMAL = NormalDist()


@unique
class SumMethod(Enum):
    CONVOLUTION = "convolution"
    ENCLOSURE = "enclosure"
    BERRY_ESSEEN = "Berry-Esseen"
    BERNSTEIN = "Bernstein"

    @property
    def is_loose(self) -> bool:
        """The bounds come from an inequality."""
        return self in (SumMethod.BERRY_ESSEEN, SumMethod.BERNSTEIN)


class SumMoments(NamedTuple):
    """Moments and range of a sum over rounds of any kinds."""

    mean: Fraction
    variance: Fraction
    third: float
    """The third cumulant."""
    third_size: float
    """An upper bound on the sum of the rounds' third absolute central moments."""
    least: int
    greatest: int
    furthest: float
    """An upper bound on the distance of a round from its own mean."""


@dataclass(frozen=True, slots=True, eq=False)
class ConvolvedSum:
    """The distribution of a sum on the points of its lattice."""

    known: SumMoments
    first: int
    """The value at point 0."""
    step: int
    slack: int
    """A sum is at most this far above its point."""
    sums: Floats
    """The cumulative probabilities, by point."""
    doubt: float

    def at_most(self, value: int) -> BoundedValue:
        """Return the probability that the sum is at most the value."""
        if value < self.known.least:
            return BoundedValue(0.0, 0.0, 0.0)
        if value >= self.known.greatest:
            return BoundedValue(1.0, 1.0, 1.0)
        low = self._up_to(value - self.slack)
        high = self._up_to(value)
        ends = max(low - self.doubt, 0.0), min(high + self.doubt, 1.0)
        return BoundedValue((low + high) / 2, *ends)

    def _up_to(self, value: int) -> float:
        point = (value - self.first) // self.step
        if point >= len(self.sums) - 1:
            return 1.0
        return 0.0 if point < 0 else float(self.sums[point])

    def ends(self, tail: float) -> tuple[int, int, SumMethod]:
        """Return both ends; the sum passes each with at most the chance `tail`."""
        above = 1 - self.sums + self.doubt <= tail
        above[-1] = True
        low = self.first + int(np.argmax(self.sums + self.doubt > tail)) * self.step
        high = self.first + int(np.argmax(above)) * self.step + self.slack
        method = SumMethod.ENCLOSURE if self.slack else SumMethod.CONVOLUTION
        return max(low, self.known.least), min(high, self.known.greatest), method


@dataclass(frozen=True, slots=True)
class BoundedSum:
    """Bounds on a sum from its moments only."""

    known: SumMoments

    def at_most(self, value: int) -> BoundedValue:
        """Return the probability that the sum is at most the value."""
        known = self.known
        if value < known.least:
            return BoundedValue(0.0, 0.0, 0.0)
        if value >= known.greatest:
            return BoundedValue(1.0, 1.0, 1.0)
        normal = _NORMAL.cdf(self._score(value))
        low, high = normal - self._distance, normal + self._distance
        rare = _bernstein_tail(known, value if value <= known.mean else value + 1)
        if value <= known.mean:
            low, high = max(low, 0.0), min(high, rare)
        else:
            low, high = max(low, 1 - rare), min(high, 1.0)
        return BoundedValue(min(max(self._edgeworth(value), low), high), low, high)

    def _score(self, value: float) -> float:
        return float(Fraction(value) - self.known.mean) / sqrt(self.known.variance)

    @property
    def _distance(self) -> float:
        """A bound on the distance from the normal distribution at any value."""
        return _BERRY_ESSEEN * self.known.third_size / sqrt(self.known.variance) ** 3

    def _edgeworth(self, value: int) -> float:
        score = self._score(value + 0.5)
        skewness = self.known.third / sqrt(self.known.variance) ** 3
        bent = skewness * (score**2 - 1) * _NORMAL.pdf(score) / 6
        return _NORMAL.cdf(score) - bent

    def ends(self, tail: float) -> tuple[int, int, SumMethod]:
        """Return both ends; the sum passes each with at most the chance `tail`."""
        known, method = self.known, SumMethod.BERNSTEIN
        reach = bernstein_reach(float(known.variance), known.furthest, tail)
        if tail > self._distance:
            score = -_NORMAL.inv_cdf(tail - self._distance)
            # The quantile was rounded.
            near = score * sqrt(known.variance) * (1 + 1e-9)
            if near < reach:
                reach, method = near, SumMethod.BERRY_ESSEEN
        low = max(known.least, floor(known.mean - Fraction(reach)))
        return low, min(known.greatest, ceil(known.mean + Fraction(reach))), method


def _bernstein_tail(known: SumMoments, value: int) -> float:
    """Bound the probability of a one-sided deviation at least as far as `value`."""
    apart = abs(float(value - known.mean))
    spread = 2 * (float(known.variance) + known.furthest * apart / 3)
    # The difference and the quotient were rounded.
    return exp(-(apart**2) / spread * (1 - 1e-9))


def sum_of(shapes: _Shapes | None, known: SumMoments) -> ConvolvedSum | BoundedSum:
    """Return the sum's distribution; `shapes` is None if the kinds are unknown."""
    if known.least == known.greatest:
        return ConvolvedSum(known, known.least, 1, 0, np.ones(1), 0.0)
    if shapes is not None:
        kinds = RoundKinds.of(shapes)
        for coarsest, most in _TRIES:
            few = min(most, _MOST_CELLS // len(kinds.counts))
            for points, waves_of in ((most, _chosen_waves), (few, _all_waves)):
                found = _convolved(kinds, known, (coarsest, points), waves_of)
                if found is not None:
                    return found
    return BoundedSum(known)


@dataclass(frozen=True, slots=True, eq=False)
class RoundKinds:
    """Kinds of rounds: the distinct values of each, in steps above its least one."""

    step: int
    values: Integers
    """One kind after the other."""
    chances: Floats
    begins: Integers
    """By kind, the place of its first value."""
    counts: Integers
    """By kind, the number of its rounds."""

    @classmethod
    def of(cls, shapes: _Shapes) -> RoundKinds:
        """Return the kinds; at least one of them varies."""
        parts = [_distinct(weights, kinds) for weights, kinds in shapes.items()]
        values, chances, sizes, counts = (
            np.concatenate(columns) for columns in zip(*parts, strict=True)
        )
        step = int(np.gcd.reduce(values))
        return cls(step, values // step, chances, np.cumsum(sizes) - sizes, counts)

    @property
    def sizes(self) -> Integers:
        return np.diff(self.begins, append=len(self.values))

    def coarser(self, factor: int) -> RoundKinds:
        """Return the rounds with values rounded down to multiples of `factor`."""
        values = self.values // factor
        step = self.step * factor
        return RoundKinds(step, values, self.chances, self.begins, self.counts)

    def lost(self, factor: int) -> tuple[int, int]:
        """Return the least and the greatest loss if values are rounded down.

        By Hoeffding's inequality, losses beyond these are as rare as sums beyond the
        circle.
        """
        if factor == 1:
            return 0, 0
        rounds = int(self.counts.sum())
        means = np.add.reduceat(self.values % factor * self.chances, self.begins)
        mean = float(means @ self.counts) * self.step
        most = (factor - 1) * self.step
        reach = most * sqrt(rounds * -log(_BEYOND / 2) / 2) + 1
        ends = max(mean - reach, 0), min(mean + reach, rounds * most)
        return floor(ends[0]), ceil(ends[1])

    def apart(self) -> tuple[Integers, Floats]:
        """Return the distance of each pair of values of a round, with its weight.

        A weight is the pair's chance times the number of such rounds. If there are too
        many pairs, the last kinds are left out.
        """
        sizes = self.sizes
        pairs = np.cumsum(sizes * (sizes - 1) // 2)
        taken = sizes[: int(np.searchsorted(pairs, _MOST_PAIRS, side="right"))]
        apart, likely = [np.zeros(0, np.int64)], [np.zeros(0)]
        for size in np.unique(taken).tolist():
            kinds = np.flatnonzero(taken == size)
            rows = self.begins[kinds, np.newaxis] + np.arange(size)
            values, chances = self.values[rows], self.chances[rows]
            one, two = np.triu_indices(size, 1)
            apart.append((values[:, two] - values[:, one]).ravel())
            weights = chances[:, two] * chances[:, one]
            likely.append((weights * self.counts[kinds, np.newaxis]).ravel())
        return np.concatenate(apart), np.concatenate(likely)


def _distinct(
    weights: tuple[int, ...], kinds: Mapping[bytes, int]
) -> tuple[Integers, Floats, Integers, Integers]:
    """Return values and chances; by kind, the numbers of values and rounds."""
    values = np.frombuffer(b"".join(kinds), np.int64).reshape(len(kinds), len(weights))
    parts = np.broadcast_to(np.array(weights, np.float64) / sum(weights), values.shape)
    if len(set(weights)) > 1:
        order = np.argsort(values, axis=1, kind="stable")
        values = np.take_along_axis(values, order, axis=1)
        parts = np.take_along_axis(parts, order, axis=1)
    fresh = np.ones(values.shape, np.bool_)
    fresh[:, 1:] = values[:, 1:] != values[:, :-1]
    above = values - values[:, :1]
    chances = np.add.reduceat(parts.ravel(), np.flatnonzero(fresh))
    counts = np.fromiter(kinds.values(), np.int64, len(kinds))
    return above[fresh], chances, fresh.sum(axis=1), counts


_WavesOf = Callable[[RoundKinds, int], _Waves | None]


def _convolved(
    kinds: RoundKinds, known: SumMoments, limits: tuple[float, int], waves_of: _WavesOf
) -> ConvolvedSum | None:
    """Convolve the sum within the limits of an attempt; None if that fails.

    The circle holds all values if they are few, else those around the mean.
    """
    coarsest, most = limits
    reach = bernstein_reach(float(known.variance), known.furthest, _BEYOND / 2)
    span = min(2 * reach, known.greatest - known.least)
    factor = ceil(span / kinds.step / (0.9 * most))
    coarse, (least, greatest) = kinds.coarser(factor), kinds.lost(factor)
    if greatest - least > coarsest * sqrt(known.variance):
        return None
    points = _fast_length(ceil((span + greatest - least) / coarse.step) + 3)
    waves = waves_of(coarse, points)
    if waves is None:
        return None
    first = 0
    if span == 2 * reach:
        lowest = known.mean - known.least - Fraction(reach) - greatest
        first = floor(lowest / coarse.step)
    # Point 0 is the sum's least value: turn the circle so that it is `first`.
    waves *= _turns(points)[-first % points * np.arange(len(waves)) % points]
    sums = np.clip(np.cumsum(np.fft.irfft(waves, points)), 0.0, 1.0)
    doubt = _DOUBT + _ROUNDING * int(kinds.counts.sum())
    begin = known.least + first * coarse.step + least
    return ConvolvedSum(known, begin, coarse.step, greatest - least, sums, doubt)


def _fast_length(least: int) -> int:
    """Return a length that is quick to transform: a small odd number, doubled."""
    return min(odd << (-(-least // odd) - 1).bit_length() for odd in (1, 3, 5, 9, 15))


def _turns(points: int) -> _Waves:
    angles = np.arange(points) * (-2 * pi / points)
    turned = np.empty(points, np.complex128)
    turned.real, turned.imag = np.cos(angles), np.sin(angles)
    return turned


def _all_waves(kinds: RoundKinds, points: int) -> _Waves:
    """Return all waves of the circle, by a Fourier transform of each kind."""
    waves = np.ones(points // 2 + 1, np.complex128)
    ends = kinds.begins + kinds.sizes
    for begin, end, count in zip(kinds.begins, ends, kinds.counts, strict=True):
        places = kinds.values[begin:end] % points
        chances = np.bincount(places, kinds.chances[begin:end], points)
        waves *= np.fft.rfft(chances) ** count
    return waves


def _chosen_waves(kinds: RoundKinds, points: int) -> _Waves | None:
    """Return the waves, with negligible ones as 0; None if too many remain."""
    places = not_shown_negligible(kinds, points)
    if len(places) * len(kinds.values) > _MOST_CELLS:
        return None
    if len(kinds.counts) * points < len(places) * len(kinds.values):
        return _all_waves(kinds, points)
    waves = np.zeros(points // 2 + 1, np.complex128)
    waves[0] = 1.0
    turns, values = _turns(points), kinds.values % points
    some = max(_CELLS_AT_ONCE // len(values), 1)
    for begin in range(0, len(places), some):
        at = places[begin : begin + some]
        turned = turns[values * at[:, np.newaxis] % points] * kinds.chances
        each = np.add.reduceat(turned, kinds.begins, axis=1) ** kinds.counts
        waves[at] = np.multiply.reduce(each, axis=1)
    return waves


def not_shown_negligible(kinds: RoundKinds, points: int) -> Integers:
    """Return the places of the waves that are not proven to be negligible."""
    apart, likely = kinds.apart()
    by_point = np.bincount(apart % points, likely, points)
    every = float(likely.sum())
    nats = every - np.fft.rfft(by_point).real
    # Rounding is far less than a billionth of the sum over all pairs.
    return np.flatnonzero(nats[1:] < -log(_NEGLIGIBLE) + 1e-9 * every) + 1


def chernoff_tail(shapes: _Shapes, known: SumMoments, value: int) -> float:
    """Bound the probability of the value or one further from the mean.

    This is Chernoff's inequality at nearly its best exponent; it holds at any.
    """
    kinds = RoundKinds.of(shapes)
    apart = float(value - known.mean) / kinds.step
    place = (value - known.least) / kinds.step
    sizes = kinds.sizes

    def nats(tilt: float) -> float:
        powers = kinds.values * tilt
        most = np.maximum.reduceat(powers, kinds.begins)
        shares = kinds.chances * np.exp(powers - np.repeat(most, sizes))
        each = np.log(np.add.reduceat(shares, kinds.begins)) + most
        return float(np.sum(kinds.counts * each)) - tilt * place

    # The nats are convex in the tilt; their rounding error is far below a millionth.
    best = min(0.0, *_descent(nats, apart * kinds.step**2 / float(known.variance)))
    return exp(best * (1 - 1e-6))


def _descent(convex: Callable[[float], float], tilt: float) -> list[float]:
    """Return the values met in a search for the minimum, from 0 towards `tilt`."""
    far = tilt
    while convex(2 * far) < convex(far):
        far *= 2
    begin, end = 0.0, 2 * far
    found: list[float] = []
    for _ in range(40):
        one, two = begin + (end - begin) / 3, end - (end - begin) / 3
        values = convex(one), convex(two)
        found += values
        begin, end = (begin, two) if values[0] < values[1] else (one, end)
    return found
