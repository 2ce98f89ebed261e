"""The distribution of a sum over rounds, by its waves on a circle.

The values of a sum lie on a lattice, and next to none of its probability lies further
from the mean than Bernstein's inequality allows. So the lattice is wound about a circle
of that length, and the sum is told by its waves, the Fourier coefficients: each is the
product of those of the rounds. Of thousands of rounds a few dozen waves are left that
are not negligible, and how far apart a round's values are tells which: of a round with
the wave w, -log|w| is at least (1 - |w|²)/2, the sum over its pairs of values, by their
chances, of one less the cosine of what lies between them. So one Fourier transform of
all pairs of all rounds has a bound of every wave. A product never grows: once some
rounds have made a wave negligible, the others need not be asked.

Laws of this file:
- a sum's probability is enclosed: it lies between two numbers, rounding and what was
  left out included;
- few rounds are added one by one; then, and where all waves of the circle are known,
  the enclosure is as narrow as rounding;
- where they are too many, Selberg's polynomials, which have no wave beyond those that
  were looked at, lie above and below the step that a probability is the mean of
  (Montgomery, Ten Lectures, chapter 1);
- angles are reduced in whole numbers, so that they are as exact as a float can be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, floor, log, pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from croupier.audit.report.round_kinds import Floats, RoundKinds, Shapes
from croupier.batch.compiled import Integers
from croupier.numeric.probability import bernstein_reach

Waves = np.ndarray[Any, np.dtype[np.complex128]]

MOST_CELLS = 4_000_000
"""So many waves times values of rounds are looked at for one sum."""
_MOST_ADDED = 400_000
"""So many points times values of rounds are added sooner than waves are found."""
_FEWEST_WAVES = 2_000
_MOST_PAIRS = 4_000_000
"""So many pairs of values of rounds are looked at to find the negligible waves."""
_MOST_TURNS_KEPT = 1 << 19
"""Those of a longer circle take as much memory as a processor has near it."""
_MOST_POINTS = 1 << 22
"""A longer circle is not unwound point by point."""
_BEYOND = 1e-13
"""So little lies outside the circle."""
_NEGLIGIBLE = 1e-12
"""A wave smaller than this adds less than itself over its place to a probability."""
_ROUNDING = 1e-13
"""So much, and far less, can each round add to what is wrong with a wave."""
_DOUBT = 1e-10
"""More than all negligible waves, and rounding in sums over waves, come to."""
_ENOUGH_NATS = 50.0
"""Rounds that shrink a usual wave by so much leave next to none of them."""
_LOOK_EVERY = 8
_FEW_WAVES = 300
"""So many are looked up one by one: sooner done than all side by side."""
_VALUES_AT_FIRST = 200
_CELLS_AT_ONCE = 20_000
"""So many turns stay in a core's cache."""
_SMALL_PRODUCT = 40_000
"""A product of matrices of so few steps is not shared out among threads, which would
wait for cores that others keep busy.
"""


class SumRange(NamedTuple):
    """Exact facts of a sum over rounds of any kinds."""

    mean: Fraction
    variance: Fraction
    least: int
    greatest: int
    furthest: float
    """The furthest that one round can be from its own mean."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A probability lies between these two."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class SumCurve:
    """The distribution of a sum, on so many points of its lattice."""

    known: SumRange
    first: int
    """The value at point 0."""
    step: int
    points: int
    doubt: float
    """More than rounding, and what lies beyond the points, come to."""
    heights: PointSums | WaveSums

    @property
    def is_exact(self) -> bool:
        """Whether its probabilities are as exact as rounding lets them be."""
        return isinstance(self.heights, PointSums)

    def at_most(self, value: int) -> Enclosure:
        """Return the probability that the sum is at most the value."""
        if value < self.known.least:
            return Enclosure(0.0, 0.0)
        if value >= self.known.greatest:
            return Enclosure(1.0, 1.0)
        point = (value - self.first) // self.step
        if point < 0:
            return Enclosure(0.0, self.doubt)
        if point >= self.points - 1:
            return Enclosure(1.0 - self.doubt, 1.0)
        low, high = self.heights.at_most(point)
        return Enclosure(max(low - self.doubt, 0.0), min(high + self.doubt, 1.0))

    def at_least(self, value: int) -> Enclosure:
        """Return the probability that the sum is the value or more."""
        less = self.at_most(value - 1)
        return Enclosure(1.0 - less.high, 1.0 - less.low)

    def ends(self, tail: float) -> tuple[int, int]:
        """Return the values that a sum is below, and above, at most so rarely."""
        low = self._first(lambda value: self.at_most(value).high > tail)
        high = self._first(lambda value: self.at_least(value + self.step).high <= tail)
        return max(low, self.known.least), min(high, self.known.greatest)

    def _first(self, holds: Callable[[int], bool]) -> int:
        """Return the least value of the lattice of which it holds."""
        before, at = -1, self.points - 1
        while at - before > 1:
            middle = (before + at) // 2
            found = holds(self.first + middle * self.step)
            before, at = (before, middle) if found else (middle, at)
        return self.first + at * self.step


@dataclass(frozen=True, slots=True, eq=False)
class PointSums:
    """By point the probability of a sum up to there."""

    sums: Floats

    def at_most(self, point: int) -> tuple[float, float]:
        return float(self.sums[point]), float(self.sums[point])


@dataclass(frozen=True, slots=True, eq=False)
class WaveSums:
    """The waves of a sum on a circle of so many points, some of which are unknown."""

    points: int
    looked_at: int
    """The waves 1 … `looked_at` are in `waves`, or negligible."""
    places: Integers
    waves: Waves
    """Those that count, by `places`."""

    def unwound(self) -> PointSums:
        """Return all points, where all waves were looked at."""
        circle = np.zeros(self.points // 2 + 1, np.complex128)
        circle[0] = 1.0
        circle[self.places] = self.waves.conj()
        return PointSums(np.cumsum(np.fft.irfft(circle, self.points)))

    def at_most(self, point: int) -> tuple[float, float]:
        """Return Selberg's bounds of the step from point 0 to this one."""
        begin, end = -0.5 / self.points, (point + 0.5) / self.points
        degree = self.looked_at + 1
        share = self.places / degree
        saw = (-(1 - share) / np.tan(pi * share) - 1 / pi) / degree
        fejer = (1 - share) / degree
        up = self.waves * np.exp(-2j * pi * self.places * end)
        down = self.waves * np.exp(-2j * pi * self.places * begin)
        middle = end - begin + float(np.sum(saw * (up.imag - down.imag)))
        apart = 1 / degree + float(np.sum(fejer * (up.real + down.real)))
        return middle - apart, middle + apart


def curve_of(shapes: Shapes, known: SumRange, cells: int = MOST_CELLS) -> SumCurve:
    """Return the curve of a sum over rounds of these kinds; no more cells are taken."""
    kinds = RoundKinds.of(shapes)
    if kinds is None:
        return SumCurve(known, known.least, 1, 1, 0.0, PointSums(np.ones(1)))
    doubt = _DOUBT + _ROUNDING * int(kinds.counts.sum())
    every = (known.greatest - known.least) // kinds.step + 1
    if every * int(kinds.counts @ kinds.sizes) <= min(_MOST_ADDED, cells):
        points = PointSums(np.cumsum(_added(kinds, every)))
        return SumCurve(known, known.least, kinds.step, every, doubt, points)
    length, first = _circle(known, kinds.step)
    circle = _Circle(length)
    places, waves, looked_at = _waves_of(kinds, circle, cells)
    assert np.all(np.abs(waves) <= 1 + doubt)
    # Of a sum that is its least value at point 0; turned so that `first` is there.
    waves *= circle.turns(places, np.array([-first % length]))
    found = WaveSums(length, looked_at, places, waves)
    heights = found.unwound() if looked_at >= length // 2 else found
    begin = known.least + first * kinds.step
    return SumCurve(known, begin, kinds.step, length, doubt, heights)


def _waves_of(
    kinds: RoundKinds, circle: _Circle, cells: int
) -> tuple[Integers, Waves, int]:
    """Return the waves that are not negligible, their places, and how far they are all.

    All waves of the circle are known unless too many of them have to be looked at.
    """
    if circle.points <= _MOST_POINTS:
        places = not_shown_negligible(kinds, circle.points)
        if len(places) * len(kinds.values) <= cells:
            ones = np.ones(len(places), np.complex128)
            found = _one_by_one(kinds, circle, places, ones)
            return (*found, circle.points // 2)
    looked_at = _waves_to_look_at(kinds, circle.points, cells)
    return (*_product(kinds, circle, looked_at), looked_at)


def not_shown_negligible(kinds: RoundKinds, points: int) -> Integers:
    """Return the places of the waves that their rounds' pairs of values don't bound."""
    apart, likely = kinds.apart(_MOST_PAIRS)
    by_point = np.bincount(apart % points, likely, points)
    every = float(likely.sum())
    nats = every - np.fft.rfft(by_point).real
    # Rounding is far less than a billionth of the sum over all pairs.
    return np.flatnonzero(nats[1:] < -log(_NEGLIGIBLE) + 1e-9 * every) + 1


def _added(kinds: RoundKinds, points: int) -> Floats:
    """Return the probability of each point: one round after the other is added."""
    chances, length = np.zeros(points), 1
    chances[0] = 1.0
    for at, count in enumerate(kinds.counts.tolist()):
        one = kinds.at(at)
        for _ in range(count):
            before = chances[:length].copy()
            chances[:length] = 0.0
            for value, chance in zip(one.values.tolist(), one.chances, strict=True):
                chances[value : value + length] += chance * before
            length += int(one.values[-1])
    return chances


def _circle(known: SumRange, step: int) -> tuple[int, int]:
    """Return how long the circle is, and where it begins, in steps from the least.

    All values are on it where they are few; else so many about the mean that next to
    nothing lies beyond, and what does comes round at the other end.
    """
    every = _fast_length((known.greatest - known.least) // step + 1)
    mean = (known.mean - known.least) / step
    variance = float(known.variance) / step**2
    reach = ceil(bernstein_reach(variance, known.furthest / step, _BEYOND / 2)) + 1
    length = _fast_length(2 * reach + 1)
    return (every, 0) if every <= length else (length, floor(mean) - reach)


def _fast_length(least: int) -> int:
    """Return a length that is quick to transform: a small odd one, doubled."""
    return min(odd << (-(-least // odd) - 1).bit_length() for odd in (1, 3, 5, 9, 15))


def _waves_to_look_at(kinds: RoundKinds, points: int, cells: int) -> int:
    """Return all waves of the circle, or as many as can be looked at in time."""
    enough = int(np.searchsorted(kinds.nats, _ENOUGH_NATS)) + 1
    most = max(cells // len(kinds.first(enough).values), _FEWEST_WAVES)
    if points > _MOST_POINTS:
        most = min(most, _MOST_POINTS // 2)
    return min(points // 2, most)


def _product(kinds: RoundKinds, circle: _Circle, most: int) -> tuple[Integers, Waves]:
    """Return the waves from 1 to `most` that are not negligible, and their places.

    All of them are multiplied by the waves of one kind after the other, until few are
    left; those are looked up one by one.
    """
    waves = np.ones(most, np.complex128)
    done = 0
    while done < len(kinds):
        waves *= _power(_side_by_side(kinds.at(done), circle, most), kinds.counts[done])
        done += 1
        if done % _LOOK_EVERY == 0:
            left = np.abs(waves) > _NEGLIGIBLE
            if np.count_nonzero(left) < _FEW_WAVES:
                break
    places = np.flatnonzero(np.abs(waves) > _NEGLIGIBLE) + 1
    return _one_by_one(kinds.after(done), circle, places, waves[places - 1])


def _one_by_one(
    kinds: RoundKinds, circle: _Circle, places: Integers, waves: Waves
) -> tuple[Integers, Waves]:
    """Multiply the waves at these places by all kinds; drop what becomes negligible.

    Some kinds are taken at a time, first few, so that most waves are soon dropped.
    """
    values = _VALUES_AT_FIRST
    while len(kinds) and len(places):
        some = max(int(np.searchsorted(kinds.begins, values)) - 1, 1)
        now, kinds = kinds.first(some), kinds.after(some)
        waves = waves * _waves_at(now, circle, places)
        left = np.abs(waves) > _NEGLIGIBLE
        places, waves = places[left], waves[left]
        values *= 4
    return places, waves


def _waves_at(kinds: RoundKinds, circle: _Circle, places: Integers) -> Waves:
    """Return the product of the kinds' waves at each place."""
    found = np.empty(len(places), np.complex128)
    some = max(_CELLS_AT_ONCE // len(kinds.values), 1)
    for begin in range(0, len(places), some):
        at = places[begin : begin + some, np.newaxis]
        turned = circle.turns(kinds.values, at) * kinds.chances
        waves = _power(np.add.reduceat(turned, kinds.begins, axis=1), kinds.counts)
        found[begin : begin + some] = np.multiply.reduce(waves, axis=1)
    return found


def _side_by_side(one: RoundKinds, circle: _Circle, most: int) -> Waves:
    """Return the waves 1 … `most` of one kind: small turns times large ones."""
    small = ceil(sqrt(most))
    near = circle.turns(one.values[:, np.newaxis], np.arange(1, small + 1))
    far = circle.turns(one.values[:, np.newaxis], np.arange(0, most, small))
    far *= one.chances[:, np.newaxis]
    waves = np.empty((far.shape[1], small), np.complex128)
    rows = max(_SMALL_PRODUCT // near.size, 1)
    for begin in range(0, len(waves), rows):
        np.matmul(far[:, begin : begin + rows].T, near, out=waves[begin : begin + rows])
    every: Waves = waves.ravel()
    return every[:most]


class _Circle:
    """Turns by steps, of so many to the circle."""

    def __init__(self, points: int) -> None:
        self.points = points
        self._every: Waves | None = None
        if points <= _MOST_TURNS_KEPT:
            small = ceil(sqrt(points))
            near = _turned(np.arange(small), points)
            far = _turned(np.arange(0, points, small), points)
            self._every = np.multiply.outer(far, near).ravel()

    def turns(self, one: Integers, two: Integers) -> Waves:
        """Return what turns by the products of steps."""
        steps = one * two % self.points
        if self._every is None:
            return _turned(steps, self.points)
        kept: Waves = self._every[steps]
        return kept


def _turned(steps: Integers, points: int) -> Waves:
    angles = steps * (2 * pi / points)
    turned = np.empty(angles.shape, np.complex128)
    turned.real, turned.imag = np.cos(angles), np.sin(angles)
    return turned


def _power(waves: Waves, counts: Any) -> Waves:
    """Return waves to the power of counts, by squares: faster than the logarithm."""
    left = np.asarray(counts)
    if left.size and left.max() == 1:
        return waves
    power, square = np.ones_like(waves), waves
    while True:
        power = np.where(left & 1, power * square, power)
        left = left >> 1
        if not left.any():
            return power
        square = square * square


def chernoff_tail(shapes: Shapes, known: SumRange, value: int) -> float:
    """Return a bound on the probability of the value or what is further from the mean.

    It is Chernoff's inequality, at nearly its best exponent; any exponent would do.
    """
    kinds = RoundKinds.of(shapes)
    if kinds is None:
        return 1.0
    apart = float(value - known.mean) / kinds.step
    place = (value - known.least) / kinds.step
    sizes = kinds.sizes

    def nats(tilt: float) -> float:
        powers = kinds.values * tilt
        most = np.maximum.reduceat(powers, kinds.begins)
        shares = kinds.chances * np.exp(powers - np.repeat(most, sizes))
        each = np.log(np.add.reduceat(shares, kinds.begins)) + most
        return float(np.sum(kinds.counts * each)) - tilt * place

    # The nats are convex in the tilt; rounding is far less than a millionth of them.
    best = min(0.0, *_descent(nats, apart * kinds.step**2 / float(known.variance)))
    return exp(best * (1 - 1e-6))


def _descent(convex: Callable[[float], float], tilt: float) -> list[float]:
    """Return values of a function on the way to its least, from 0 this way."""
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
