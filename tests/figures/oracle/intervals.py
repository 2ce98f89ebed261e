"""Intervals of a mean that hold for rare large values, as the documentation has them.

All the deviation is put down to values at the furthest that is possible: between that
and some nearer value the mean is a proportion, which has Clopper and Pearson's ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import count

from tests.figures.oracle.statistics import crossing


def beta(a: float, b: float, x: float) -> float:
    """Return how much of a beta distribution lies below x: its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x > 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta(b, a, 1 - x)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(scale + a * math.log(x) + b * math.log1p(-x)) / a
    over, under, found = 1.0, 0.0, 1.0
    for step in count():
        m = step // 2
        if step == 0:
            part = 1.0
        elif step % 2 == 0:
            part = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            part = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        under = 1 / (1 + part * under)
        over = 1 + part / over
        found *= over * under
        if step and abs(over * under - 1) < 1e-15:
            return front * (found - 1)
    raise AssertionError


def upper_end(
    mean: float, variance: float, greatest: float, sessions: int, tail: float
) -> float:
    """Return the upper end, if no value is above the greatest one."""
    if greatest <= mean:
        return mean
    nearer = mean - variance / (greatest - mean)
    there = sessions * (mean - nearer) / (greatest - nearer)
    if there >= sessions:
        return greatest
    part = crossing(lambda x: beta(there + 1, sessions - there, x), 1 - tail)
    return nearer + (greatest - nearer) * part


def lower_end(
    mean: float, variance: float, least: float, sessions: int, tail: float
) -> float:
    return -upper_end(-mean, variance, -least, sessions, tail)


def furthest(values: Mapping[int, Fraction], rarer_than: Fraction) -> tuple[int, int]:
    """Return the least and the greatest value, but for tails that are rarer."""
    ends = []
    for order in (sorted(values), sorted(values, reverse=True)):
        so_far = Fraction(0)
        for value in order:
            so_far += values[value]
            if so_far >= rarer_than:
                ends.append(value)
                break
    return ends[0], ends[1]
