"""An exact distribution: values and whole-number weights over one denominator.

Laws of this file:
- weights are whole numbers and always add up to the denominator;
- rational figures stay rational; only roots, for display, are floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import copysign, gcd, lcm, sqrt

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.tabular import Plot, TextTable
from croupier.tabular.figures import rounded

Value = int | Fraction


class OddsError(CroupierError, ValueError):
    """The request has no odds; the message says why."""


class Distribution(Struct, frozen=True, dict=True, cache_hash=True):
    """The possible values, each with its probability."""

    values: tuple[Value, ...]
    """Rising, each once."""
    numerators: tuple[int, ...]
    denominator: int

    def __post_init__(self) -> None:
        assert len(self.values) == len(self.numerators) > 0
        assert all(one < two for one, two in pairwise(self.values))
        assert min(self.numerators) > 0
        assert sum(self.numerators) == self.denominator

    @classmethod
    def of_weights(cls, weighted: Iterable[tuple[Value, int]]) -> Distribution:
        """Return the distribution of whole-number weights; equal values are joined."""
        together: dict[Value, int] = {}
        for value, weight in weighted:
            together[value] = together.get(value, 0) + weight
        kept = sorted((_whole(v), w) for v, w in together.items() if w)
        common = gcd(*(weight for _, weight in kept))
        numerators = tuple(weight // common for _, weight in kept)
        return cls(tuple(v for v, _ in kept), numerators, sum(numerators))

    @classmethod
    def of(cls, chances: Mapping[Value, Fraction]) -> Distribution:
        """Return the distribution of these probabilities; they must add up to 1."""
        common = lcm(*(chance.denominator for chance in chances.values()))
        weighted = [(v, int(chance * common)) for v, chance in chances.items()]
        if sum(weight for _, weight in weighted) != common:
            raise OddsError("the probabilities must add up to 1")
        if any(weight < 0 for _, weight in weighted):
            raise OddsError("a probability must be at least 0")
        return cls.of_weights(weighted)

    @cached_property
    def probabilities(self) -> tuple[Fraction, ...]:
        return tuple(Fraction(n, self.denominator) for n in self.numerators)

    @property
    def outcomes(self) -> tuple[tuple[Value, Fraction], ...]:
        return tuple(zip(self.values, self.probabilities, strict=True))

    @property
    def least(self) -> Value:
        return self.values[0]

    @property
    def greatest(self) -> Value:
        return self.values[-1]

    def expectation(self, of: Callable[[Value], Value]) -> Fraction:
        weighed = zip(self.values, self.numerators, strict=True)
        return Fraction(sum(of(v) * n for v, n in weighed)) / self.denominator

    @cached_property
    def mean(self) -> Fraction:
        return self.expectation(lambda value: value)

    @cached_property
    def variance(self) -> Fraction:
        return self.expectation(lambda value: value * value) - self.mean**2

    @cached_property
    def third_central_moment(self) -> Fraction:
        return self.expectation(lambda value: (value - self.mean) ** 3)

    @cached_property
    def standard_deviation(self) -> float:
        return root(self.variance)

    @cached_property
    def skewness(self) -> float:
        return signed_root(self.signed_square_of_skewness)

    @cached_property
    def signed_square_of_skewness(self) -> Fraction:
        """The square of the skewness, with its sign: a fraction."""
        if self.variance == 0:
            return Fraction(0)
        third = self.third_central_moment
        return third * abs(third) / self.variance**3

    def probability(self, holds: Callable[[Value], bool]) -> Fraction:
        weighed = zip(self.values, self.numerators, strict=True)
        return Fraction(sum(n for v, n in weighed if holds(v)), self.denominator)

    def quantile(self, level: Fraction | float | str) -> Value:
        """Return the least value not exceeded with at least this probability."""
        wanted = Fraction(level)
        if not 0 <= wanted <= 1:
            raise OddsError(f"a quantile's level is from 0 to 1, not {level}")
        below = 0
        for value, numerator in zip(self.values, self.numerators, strict=True):
            below += numerator
            if below >= wanted * self.denominator:
                return value
        raise AssertionError("the numerators add up to the denominator")

    def scaled(self, factor: Value) -> Distribution:
        weighed = zip(self.values, self.numerators, strict=True)
        return Distribution.of_weights((v * factor, n) for v, n in weighed)

    def plus_independent(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum with an independent variable."""
        return Distribution.of_weights(
            (one + two, weight * times)
            for one, weight in zip(self.values, self.numerators, strict=True)
            for two, times in zip(other.values, other.numerators, strict=True)
        )

    def after(self, rounds: int) -> Distribution:
        """Return the distribution of the sum over independent rounds."""
        if rounds < 1:
            raise OddsError("at least one round")
        if rounds == 1:
            return self
        half = self.after(rounds // 2)
        twice = half.plus_independent(half)
        return twice.plus_independent(self) if rounds % 2 else twice

    def plot(self, label: str = "The probability of each value") -> Plot:
        from croupier.odds.plots import distribution_bars

        return distribution_bars(self, label)

    def __repr__(self) -> str:
        return (
            f"<Distribution of {len(self.values)} values from {rounded(self.least)} to"
            f" {rounded(self.greatest)}, mean {rounded(self.mean)}>"
        )

    def _table(self, *headings: str) -> TextTable:
        mean, deviation = rounded(self.mean), f"{self.standard_deviation:.4f}"
        rows = [
            (rounded(value), f"{float(chance):.6f}", str(chance))
            for value, chance in self.outcomes
        ]
        return TextTable(f"mean {mean}, standard deviation {deviation}", headings, rows)

    def __str__(self) -> str:
        return "\n".join(self._table(">", "", "").lines())

    def _repr_html_(self) -> str:
        return self._table(">value", "probability", "exactly")._repr_html_()


def root(square: Fraction) -> float:
    """Return the root of a fraction that may not fit into a float."""
    if square == 0:
        return 0.0
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square / Fraction(4) ** shift
    return sqrt(scaled) * 2.0**shift


def signed_root(square: Fraction) -> float:
    """Return the root of `abs(square)`, with the sign of `square`."""
    return copysign(root(abs(square)), square)


def _whole(value: Value) -> Value:
    return value.numerator if value.denominator == 1 else value
