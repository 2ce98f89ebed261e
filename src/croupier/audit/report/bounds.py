"""A figure and its distribution at a fair game: bounds and a p-value.

Each tail outside the bounds has the probability (1 - level) / 2; a p-value is twice the
smaller tail. So a figure is outside the bounds if its p-value is at most 1 - level. The
bounds are never too narrow, and the p-value lies between two ends. Below one in a
million Chernoff's inequality bounds it.

If the rounds can't be convolved, the ends come from the exact moments: too wide, never
too narrow. A figure inside such bounds is not shown to be outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from math import sqrt
from statistics import NormalDist

from croupier.audit.report.round_sums import RoundSums
from croupier.numeric.figure import BoundedValue
from croupier.numeric.probability import holm
from croupier.numeric.sums import (
    BoundedSum,
    ConvolvedSum,
    SumMethod,
    chernoff_tail,
    sum_of,
)

LEVELS = (95, 99)
"""The default levels of bounds, in per cent."""
_FAR_OUT = 1e-6
"""A p-value below this is bounded by Chernoff's inequality as well."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Bounds of a sum, with equal probability below `low` and above `high`."""

    level: float
    low: int
    high: int
    method: SumMethod
    normal_low: float
    """This end and the next are approximations, by the normal distribution."""
    normal_high: float

    @property
    def left(self) -> float:
        return 1 - self.level / 100


@dataclass(frozen=True, slots=True)
class Judgement:
    """A figure, its bounds, and the two ends of its p-value."""

    value: int
    is_below: bool
    """Whether it is below the expected value."""
    bounds: tuple[Bound, ...]
    """The narrowest first."""
    p_value: BoundedValue

    @property
    def says(self) -> str:
        """The verdict: within a level, below or above all, or not proven outside."""
        for bound in self.bounds:
            if self.p_value.low > bound.left:
                return f"within {bound.level} %"
            if self.p_value.high > bound.left:
                return f"not shown to be outside {bound.level} %"
        return f"{'below' if self.is_below else 'above'} {self.bounds[-1].level} %"

    @property
    def is_outside(self) -> bool:
        return self.p_value.high <= self.bounds[-1].left


def judge(value: int, sums: RoundSums, levels: Sequence[float] = LEVELS) -> Judgement:
    """Judge a figure by the distribution of its sum; the levels ascend."""
    total = sum_of(sums.shapes, sums.moments)
    bounds = tuple(_bound(sums, total, level) for level in levels)
    p_value = _p_value(value, sums, total)
    return Judgement(value, value < sums.mean, bounds, p_value)


def _bound(sums: RoundSums, total: ConvolvedSum | BoundedSum, level: float) -> Bound:
    tail = (1 - level / 100) / 2
    mean, deviation = float(sums.mean), sqrt(sums.variance)
    half = -NormalDist().inv_cdf(tail) * deviation
    return Bound(level, *total.ends(tail), mean - half, mean + half)


def _p_value(
    value: int, sums: RoundSums, total: ConvolvedSum | BoundedSum
) -> BoundedValue:
    below, less = total.at_most(value), total.at_most(value - 1)
    low = min(1.0, 2 * min(below.low, 1 - less.high))
    high = min(1.0, 2 * min(below.high, 1 - less.low))
    if 0 < high < _FAR_OUT and sums.shapes and isinstance(total, ConvolvedSum):
        high = min(high, 2 * chernoff_tail(sums.shapes, total.known, value))
    about = 2 * min(below.value, 1 - less.value)
    return BoundedValue(min(max(about, low), high), min(low, high), high)


def holm_enclosed(p_values: Sequence[BoundedValue]) -> list[BoundedValue]:
    """Return the p-values after Holm's correction for their number, with both ends."""
    # Corrected values rise with the p-values, so each end can be corrected by itself.
    ends = ([each.value, each.low, each.high] for each in p_values)
    return list(
        starmap(BoundedValue, zip(*map(holm, zip(*ends, strict=True)), strict=True))
    )
