"""Sums over rounds at a fair game: exact mean, variance and range, and their bounds.

The chips lie as they lay. Then each round has a known distribution, rounds do not
depend on one another, and their sum has an exact mean and variance. The distributions
themselves are kept as long as they are few enough to be convolved.

Bounds are for 95 and 99 %, with half of the rest in each tail. Where the rounds are few
enough, they are true quantiles, found by convolution on the lattice of the amounts, in
float64; a sum closer to the tail than rounding could bring it counts as inside, so that
rounding never narrows them. Beyond that Bernstein's inequality gives bounds that hold
for every distribution, from the exact variance and range: too wide, never too narrow.
Normal bounds stand beside them, as the approximation that they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, unique
from fractions import Fraction
from math import ceil, floor, gcd, log, nextafter, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from croupier.audit.report.rounds import GameTable
from croupier.batch.columns import Floats, Integers
from croupier.odds.probability import DOUBT

MOST_SHAPES = 10_000
"""So many different rounds of one group are kept; a sum of more is not convolved."""
_SAFE_SQUARE = 3_000_000_000
"""A whole number up to this has a square that int64 holds."""
_LOW_BITS = 32
_OVERHEAD = 150
"""Bytes of memory for one kind of round, besides its values."""


@dataclass(slots=True)
class _Moments:
    """Sums over rounds of one game, in whole numbers; S is weighted by the cases."""

    first: int = 0
    first_squared: int = 0
    second: int = 0


@dataclass(slots=True)
class RoundSums:
    """Gathers rounds, each with what it gives in every case of its game."""

    least: int = 0
    greatest: int = 0
    furthest: float = 0.0
    """The furthest that one round can be from its own mean; never too small."""
    shapes: dict[tuple[int, ...], Counter[bytes]] | None = field(default_factory=dict)
    """By weights, the values of each kind of round; None: they became too many."""
    _by_weights: dict[tuple[int, ...], _Moments] = field(default_factory=dict)

    def add(self, table: GameTable, values: Integers) -> None:
        """Rounds of a game: `values` by round, then by case."""
        if not len(values):
            return
        lowest, highest = values.min(axis=1), values.max(axis=1)
        self.least += _whole_sum(lowest)
        self.greatest += _whole_sum(highest)
        moments = self._by_weights.setdefault(table.weights, _Moments())
        firsts = _weighted(values, table.weights)
        moments.first += sum(firsts)
        moments.first_squared += sum(first * first for first in firsts)
        moments.second += _squares(values, table.weights)
        self._reach(firsts, table.total, lowest, highest)
        self._keep(table, values)

    def _reach(
        self, firsts: list[int], total: int, low: Integers, high: Integers
    ) -> None:
        means = np.array([first / total for first in firsts])
        apart = float(np.maximum(high - means, means - low).max())
        # The mean was rounded, so was the difference.
        furthest = nextafter(apart * (1 + 1e-12), np.inf)
        self.furthest = max(self.furthest, furthest)

    def _keep(self, table: GameTable, values: Integers) -> None:
        if self.shapes is None:
            return
        if len(set(table.weights)) == 1:
            values = np.sort(values, axis=1)
        width = values.shape[1] * values.itemsize
        every = np.ascontiguousarray(values).tobytes()
        kinds = self.shapes.setdefault(table.weights, Counter())
        kinds.update(every[at : at + width] for at in range(0, len(every), width))
        if sum(map(len, self.shapes.values())) > MOST_SHAPES:
            self.shapes = None

    @property
    def kept_bytes(self) -> int:
        """About how much memory the kinds of rounds take."""
        kept = (self.shapes or {}).items()
        return sum(len(kinds) * (8 * len(w) + _OVERHEAD) for w, kinds in kept)

    @property
    def mean(self) -> Fraction:
        parts = (Fraction(m.first, sum(w)) for w, m in self._by_weights.items())
        return sum(parts, Fraction())

    @property
    def variance(self) -> Fraction:
        parts = (
            Fraction(sum(w) * m.second - m.first_squared, sum(w) ** 2)
            for w, m in self._by_weights.items()
        )
        return sum(parts, Fraction())


def _whole_sum(values: Integers) -> int:
    return sum(values.tolist())


def _weighted(values: Integers, weights: tuple[int, ...]) -> list[int]:
    """By round, the sum of the cases' values times their weights, exactly."""
    largest = int(np.abs(values).max())
    if largest * sum(weights) < 2**63:
        return (values @ np.array(weights, np.int64)).tolist()  # type: ignore[no-any-return]
    return (values.astype(object) @ np.array(weights, object)).tolist()  # type: ignore[no-any-return]


def _squares(values: Integers, weights: tuple[int, ...]) -> int:
    """The sum over rounds and cases of the values' squares times weights, exactly."""
    if int(np.abs(values).max()) > _SAFE_SQUARE:
        by_case = (values.astype(object) ** 2).sum(axis=0).tolist()
    else:
        squares = values * values
        high = (squares >> _LOW_BITS).sum(axis=0).tolist()
        low = (squares & ((1 << _LOW_BITS) - 1)).sum(axis=0).tolist()
        by_case = [(h << _LOW_BITS) + e for h, e in zip(high, low, strict=True)]
    return sum(w * square for w, square in zip(weights, by_case, strict=True))


LEVELS = (95, 99)
"""Per cent."""
_BEYOND = 1e-13
"""So little lies outside the circle on which a sum is convolved."""
_MOST_CELLS = 20_000_000
"""Above so many points times kinds of rounds a sum is not convolved."""
_MOST_POINTS = 1 << 22
_ROUNDING = 1e-13
"""So much, and far less, can each round add to what is wrong with a sum."""


@unique
class BoundMethod(Enum):
    CONVOLUTION = "convolution"
    BERNSTEIN = "Bernstein"


@dataclass(frozen=True, slots=True)
class Bound:
    """Below `low` a sum is as rarely as above `high`: half of what the level leaves."""

    level: int
    low: int
    high: int
    method: BoundMethod
    normal: tuple[float, float]
    """What the normal distribution says: an approximation."""

    def holds(self, value: int) -> bool:
        return self.low <= value <= self.high


def bounds_of(sums: RoundSums) -> tuple[Bound, ...]:
    """One for each level; the ends are whole, as the sums are."""
    curve = _convolved(sums)
    return tuple(_bound(sums, curve, level) for level in LEVELS)


def _bound(sums: RoundSums, curve: _Curve | None, level: int) -> Bound:
    tail = (1 - level / 100) / 2
    mean, deviation = float(sums.mean), sqrt(sums.variance)
    half = -NormalDist().inv_cdf(tail) * deviation
    normal = (mean - half, mean + half)
    if curve is not None:
        return Bound(level, *curve.ends(tail), BoundMethod.CONVOLUTION, normal)
    reach = _reach(float(sums.variance), sums.furthest, tail)
    low = max(sums.least, floor(sums.mean - Fraction(reach)))
    high = min(sums.greatest, ceil(sums.mean + Fraction(reach)))
    return Bound(level, low, high, BoundMethod.BERNSTEIN, normal)


def _reach(variance: float, furthest: float, tail: float) -> float:
    """How far from its mean the sum is with at most this probability, to one side."""
    nats = -log(tail)
    half = nats * furthest / 3
    return half + sqrt(half**2 + 2 * nats * variance)


@dataclass(frozen=True, slots=True)
class _Curve:
    """The probability of each point of the lattice, from the first on."""

    first: int
    step: int
    chances: Floats
    doubt: float

    def ends(self, tail: float) -> tuple[int, int]:
        below = np.cumsum(self.chances)
        above = np.cumsum(self.chances[::-1])
        low = int(np.searchsorted(below, tail - self.doubt))
        high = len(self.chances) - 1 - int(np.searchsorted(above, tail - self.doubt))
        return self.first + low * self.step, self.first + high * self.step


def _convolved(sums: RoundSums) -> _Curve | None:
    """None where there are too many kinds of rounds, or points."""
    if sums.shapes is None:
        return None
    step = _step(sums)
    if step == 0:
        return _Curve(sums.least, 1, np.ones(1), 0.0)
    points, first = _circle(sums, step)
    kinds = sum(map(len, sums.shapes.values()))
    if points > _MOST_POINTS or points * kinds > _MOST_CELLS:
        return None
    whole: np.ndarray[Any, np.dtype[np.complex128]] | None = None
    for places, chances, count in _kinds(sums, step):
        circle = np.bincount(places % points, weights=chances, minlength=points)
        turned = np.fft.rfft(circle) ** count
        whole = turned if whole is None else whole * turned
    assert whole is not None
    around = np.fft.irfft(whole, points)
    chances = np.maximum(np.roll(around, -(first % points)), 0.0)
    rounds = sum(kinds.total() for kinds in sums.shapes.values())
    doubt = DOUBT + _ROUNDING * rounds
    return _Curve(sums.least + first * step, step, chances, doubt)


def _circle(sums: RoundSums, step: int) -> tuple[int, int]:
    """How many points to convolve on, and the first of them, in steps from the least.

    All of them where they are few; else so many about the mean that next to nothing
    lies beyond, and what does comes round at the other end.
    """
    every = (sums.greatest - sums.least) // step + 1
    mean = (sums.mean - sums.least) / step
    reach = ceil(
        _reach(float(sums.variance) / step**2, sums.furthest / step, _BEYOND / 2)
    )
    if every <= 2 * reach + 1:
        return _quick(every), 0
    return _quick(2 * reach + 1), floor(mean) - reach


def _quick(points: int) -> int:
    """At least so many, of small factors: a transform of them is quick."""
    best = 1 << (points - 1).bit_length()
    for power in (3, 5, 9, 15):
        size = power
        while size < points:
            size *= 2
        best = min(best, size)
    return best


def _step(sums: RoundSums) -> int:
    """The greatest whole number that divides all differences; 0: nothing varies."""
    step = 0
    for _, values, _ in _shapes(sums):
        step = gcd(step, int(np.gcd.reduce(values - values[:, :1], axis=None)))
    return step


def _shapes(sums: RoundSums) -> Iterator[tuple[tuple[int, ...], Integers, list[int]]]:
    """By weights: the values of each kind of round, and how many there are of it."""
    assert sums.shapes is not None
    for weights, kinds in sums.shapes.items():
        values = np.frombuffer(b"".join(kinds), np.int64).reshape(len(kinds), -1)
        yield weights, values, list(kinds.values())


def _kinds(sums: RoundSums, step: int) -> Iterator[tuple[Integers, Floats, int]]:
    """Of each kind of round: the places of its values, their chances, how many."""
    for weights, values, counts in _shapes(sums):
        total = sum(weights)
        chances = np.array([weight / total for weight in weights])
        places = (values - values.min(axis=1, keepdims=True)) // step
        for of_kind, count in zip(places, counts, strict=True):
            yield of_kind, chances, count
