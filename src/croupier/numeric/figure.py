"""Values with their proven errors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt


@dataclass(frozen=True, slots=True)
class BoundedValue:
    """A float, and two bounds between which the true value lies."""

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

    def over(self, divisor: Figure) -> Figure:
        """Return the quotient; the divisor is above zero."""
        value = self.value / divisor.value
        return Figure(value, (self.error + abs(value) * divisor.error) / divisor.least)

    @property
    def clipped(self) -> Figure:
        """The figure with its value limited to 0 to 1."""
        return Figure(min(max(self.value, Fraction(0)), Fraction(1)), self.error)

    def variance(self, mean: Figure) -> Figure:
        """Return the variance of a variable; this figure is its expected square."""
        doubt = mean.error * (2 * abs(mean.value) + mean.error)
        found = Figure(self.value - mean.value**2, self.error + doubt)
        if found.value >= 0:
            return found
        return Figure(Fraction(0), max(found.greatest, Fraction(0)))

    def root(self) -> Figure:
        """Return the square root; the true value is known not to be negative."""
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
