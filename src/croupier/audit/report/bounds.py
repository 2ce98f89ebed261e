"""A figure held against its distribution at a fair game: bounds and a p-value.

Bounds leave half of what their level leaves in each tail; a p-value is twice the
smaller tail, so that a figure is outside a level's bounds where its p-value is no more
than what the level leaves. Both come from the curve of the sum, whose probabilities
are enclosed: the bounds are never too narrow, and the p-value lies between two ends.
Far out, where the curve's doubt counts, Chernoff's inequality bounds it.

Where the rounds are too many for a curve, Bernstein's inequality gives what holds for
every distribution, from the exact variance and range: too wide, never too narrow. A
figure inside such bounds is not shown to be outside, and nothing more is said of it.
Normal bounds stand beside them, as the approximation that they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from math import ceil, exp, floor, sqrt
from statistics import NormalDist

from croupier.audit.report.round_kinds import Shapes
from croupier.audit.report.round_sums import RoundSums
from croupier.audit.report.sum_curve import (
    MOST_CELLS,
    Enclosure,
    SumCurve,
    SumRange,
    chernoff_tail,
    curve_of,
)
from croupier.numeric.probability import bernstein_reach, holm

LEVELS = (95, 99)
"""Per cent; what bounds are for unless another level is asked for."""
_FAR_OUT = 1e-6
"""A p-value below this is bounded by Chernoff's inequality as well."""
_TOO_WIDE = 0.01
"""Where a p-value is not known to such a part of it, more waves are looked at."""
_WIDER = 16


@unique
class BoundMethod(Enum):
    CONVOLUTION = "convolution"
    ENCLOSURE = "enclosure"
    BERNSTEIN = "Bernstein"


@dataclass(frozen=True, slots=True)
class Bound:
    """Below `low` a sum is as rarely as above `high`: half of what the level leaves."""

    level: float
    low: int
    high: int
    method: BoundMethod
    normal_low: float
    """By the normal distribution, here and below: an approximation."""
    normal_high: float

    @property
    def left(self) -> float:
        """The probability that the level leaves outside."""
        return 1 - self.level / 100


@dataclass(frozen=True, slots=True)
class Judgement:
    """A figure, its bounds, and between which two ends its p-value lies."""

    value: int
    is_below: bool
    """Whether it is below what is expected."""
    bounds: tuple[Bound, ...]
    """The narrowest first."""
    p_value: Enclosure

    @property
    def says(self) -> str:
        """Say where it lies: within a level, below or above all, or not shown."""
        for bound in self.bounds:
            if self.p_value.low > bound.left:
                return f"within {bound.level} %"
            if self.p_value.high > bound.left:
                return f"not shown to be outside {bound.level} %"
        return f"{'below' if self.is_below else 'above'} {self.bounds[-1].level} %"

    @property
    def is_outside(self) -> bool:
        """Whether it is outside the widest of its bounds."""
        return self.p_value.high <= self.bounds[-1].left


def judge(value: int, sums: RoundSums, levels: Sequence[float] = LEVELS) -> Judgement:
    """Hold a figure against the sum that it is one of; the levels ascend."""
    curve, p_value = None, Enclosure(0.0, min(1.0, 2 * _bernstein_tail(value, sums)))
    if sums.shapes is not None:
        known = _range(sums)
        curve = curve_of(sums.shapes, known)
        p_value = _p_value(value, sums.shapes, curve)
        if p_value.high - p_value.low > _TOO_WIDE * p_value.high > _TOO_WIDE * _FAR_OUT:
            curve = curve_of(sums.shapes, known, _WIDER * MOST_CELLS)
            p_value = _p_value(value, sums.shapes, curve)
    bounds = tuple(_bound(sums, curve, level) for level in levels)
    return Judgement(value, value < sums.mean, bounds, p_value)


def _range(sums: RoundSums) -> SumRange:
    return SumRange(sums.mean, sums.variance, sums.least, sums.greatest, sums.furthest)


def _bound(sums: RoundSums, curve: SumCurve | None, level: float) -> Bound:
    tail = (1 - level / 100) / 2
    mean, deviation = float(sums.mean), sqrt(sums.variance)
    half = -NormalDist().inv_cdf(tail) * deviation
    normal = (mean - half, mean + half)
    if curve is not None:
        exact = BoundMethod.CONVOLUTION
        method = exact if curve.is_exact else BoundMethod.ENCLOSURE
        return Bound(level, *curve.ends(tail), method, *normal)
    reach = bernstein_reach(float(sums.variance), sums.furthest, tail)
    low = max(sums.least, floor(sums.mean - Fraction(reach)))
    high = min(sums.greatest, ceil(sums.mean + Fraction(reach)))
    return Bound(level, low, high, BoundMethod.BERNSTEIN, *normal)


def _p_value(value: int, shapes: Shapes, curve: SumCurve) -> Enclosure:
    below, above = curve.at_most(value), curve.at_least(value)
    low = min(1.0, 2 * min(below.low, above.low))
    high = min(1.0, 2 * min(below.high, above.high))
    if 0 < high < _FAR_OUT:
        high = min(high, 2 * chernoff_tail(shapes, curve.known, value))
    return Enclosure(min(low, high), high)


def _bernstein_tail(value: int, sums: RoundSums) -> float:
    """Return what a sum is as far from its mean as the value with, at most."""
    apart = abs(float(value - sums.mean))
    if apart == 0:
        return 1.0
    spread = 2 * (float(sums.variance) + sums.furthest * apart / 3)
    # The difference was rounded, and so was the quotient.
    return min(1.0, exp(-(apart**2) / spread * (1 - 1e-9)))


def holm_enclosed(p_values: Sequence[Enclosure]) -> list[Enclosure]:
    """Return p-values corrected for their number by Holm's method, enclosed again."""
    # A corrected p-value never falls where another one rises.
    lows = holm([each.low for each in p_values])
    highs = holm([each.high for each in p_values])
    return [Enclosure(low, high) for low, high in zip(lows, highs, strict=True)]
