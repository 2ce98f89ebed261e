"""Values with their proven errors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt


@dataclass(frozen=True, slots=True)
class BoundedValue:
    """A float, and two ends between which the true value lies."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A probability or an expectation: `value`, give or take `error`."""

    value: Fraction
    error: Fraction = Fraction(0)

    @property
    def is_exact(self) -> bool:
        return self.error == 0

    @property
    def least(self) -> Fraction:
        return self.value - self.error

    @property
    def greatest(self) -> Fraction:
        return self.value + self.error

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        return f"{float(self.value):.6g}"

    def times(self, factor: Fraction | int) -> Figure:
        size = factor if factor > 0 else -factor
        return Figure(self.value * factor, self.error * size)

    @property
    def not_negative(self) -> Figure:
        """The figure, of which it is known that it is not below zero."""
        if self.value >= 0:
            return self
        return Figure(Fraction(0), max(self.greatest, Fraction(0)))

    def root(self) -> Figure:
        """Return the square root of what can't be negative; it is rounded."""
        least, greatest = (
            _root(max(bound, Fraction(0))) for bound in (self.least, self.greatest)
        )
        off = _ROOT_STEP if greatest else Fraction(0)
        return Figure((least + greatest) / 2, (greatest - least) / 2 + off)


_ROOT_STEP = Fraction(1, 10**12)


def _root(value: Fraction) -> Fraction:
    """Return the square root, rounded down to a multiple of the step."""
    whole = value.numerator * _ROOT_STEP.denominator**2 // value.denominator
    return isqrt(whole) * _ROOT_STEP
