"""Bounds: within what a sum over rounds lies at a fair game, with 95 and 99 %.

Each tail has half of what is left over. Where the rounds are few enough, the bounds are
true quantiles, found by convolution on the lattice of the amounts: float64, but a sum
closer to the tail than rounding could bring it counts as inside, so that rounding never
narrows them.
Beyond that Bernstein's inequality gives bounds that hold whatever the distribution is,
from the exact variance and range: too wide, never too narrow. Normal bounds are told
beside them, as the approximation that they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from math import ceil, floor, gcd, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from croupier.audit.report_sums import RoundSums
from croupier.audit.wheel_record import Real, Whole
from croupier.odds.sums import DOUBT

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
class Method(Enum):
    CONVOLUTION = "convolution"
    BERNSTEIN = "Bernstein"


@dataclass(frozen=True, slots=True)
class Bound:
    """Below `low` a sum is as rarely as above `high`: half of what the level leaves."""

    level: int
    low: int
    high: int
    method: Method
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
        return Bound(level, *curve.ends(tail), Method.CONVOLUTION, normal)
    reach = _reach(float(sums.variance), sums.furthest, tail)
    low = max(sums.least, floor(sums.mean - Fraction(reach)))
    high = min(sums.greatest, ceil(sums.mean + Fraction(reach)))
    return Bound(level, low, high, Method.BERNSTEIN, normal)


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
    chances: Real
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


def _shapes(sums: RoundSums) -> Iterator[tuple[tuple[int, ...], Whole, list[int]]]:
    """By weights: the values of each kind of round, and how many there are of it."""
    assert sums.shapes is not None
    for weights, kinds in sums.shapes.items():
        values = np.frombuffer(b"".join(kinds), np.int64).reshape(len(kinds), -1)
        yield weights, values, list(kinds.values())


def _kinds(sums: RoundSums, step: int) -> Iterator[tuple[Whole, Real, int]]:
    """Of each kind of round: the places of its values, their chances, how many."""
    for weights, values, counts in _shapes(sums):
        total = sum(weights)
        chances = np.array([weight / total for weight in weights])
        places = (values - values.min(axis=1, keepdims=True)) // step
        for of_kind, count in zip(places, counts, strict=True):
            yield of_kind, chances, count
