"""How far float64 can be off: bounds that hold, as fractions.

Every number in a forward walk is a sum of products of numbers that are not negative,
so that no digits cancel. Each rounding changes a number by a factor between 1 - u and
1 + u with u = 2⁻⁵³; after k roundings it is off by at most k·u/(1 - k·u) of itself.
"""

from __future__ import annotations

from fractions import Fraction

UNIT = Fraction(1, 2**53)
UNDERFLOW = Fraction(1, 2**1022)
"""A result below it may have lost digits: at most so much for each rounding."""


def relative_bound(roundings: int) -> Fraction:
    """How far a sum of products can be off after so many roundings in a row."""
    assert roundings * UNIT < Fraction(1, 2), "the bound would say nothing"
    return roundings * UNIT / (1 - roundings * UNIT)
