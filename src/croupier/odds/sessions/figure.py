"""A figure with what it may be off by: nothing, where it was reckoned exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


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
