"""Estimates from sessions: a value, its interval, and the exact answer beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from msgspec import Struct

from croupier.lab.sessions import Figure
from croupier.lab.simulator.intervals import Moments, mean_interval
from croupier.lab.simulator.plan import SessionTally
from croupier.numeric.probability import proportion_interval
from croupier.odds.distribution import root


@dataclass(frozen=True, slots=True)
class Estimate:
    """A probability or an expectation from random sessions, with its interval."""

    value: float
    low: float
    high: float
    exact: Figure | None = None
    deviation: float | None = None
    """The standard deviation of single sessions, if the value is a mean."""

    @property
    def is_inside(self) -> bool | None:
        """Whether the interval has the exact answer; None if that is unknown."""
        if self.exact is None:
            return None
        return self.exact.greatest >= self.low and self.exact.least <= self.high

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.6g}"


class QuantileEstimate(Struct, frozen=True, rename={"cents": "bankroll_cents"}):
    """A quantile of the bankroll in cents, with its interval by ranks."""

    cents: int
    low_cents: int
    high_cents: int
    exact_cents: int | None = None

    @property
    def is_inside(self) -> bool | None:
        """Whether the interval has the exact answer; None if that is unknown."""
        if self.exact_cents is None:
            return None
        return self.low_cents <= self.exact_cents <= self.high_cents


def proportion(count: int, trials: int, level: float, exact: Figure | None) -> Estimate:
    low, high = proportion_interval(count, trials, level)
    return Estimate(count / trials, low, high, exact)


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of one figure over the sessions, from its sums."""

    mean: Fraction
    variance: Fraction
    """The variance of these sessions, not an estimate for all sessions."""
    trials: int
    bounds: tuple[float, float]
    """All sessions but a negligible part lie between these."""

    @classmethod
    def of(
        cls, total: int, squares: Fraction, trials: int, bounds: tuple[float, float]
    ) -> Mean:
        mean = Fraction(total, trials)
        return cls(mean, max(squares / trials - mean**2, Fraction(0)), trials, bounds)

    @property
    def deviation(self) -> float:
        """The estimated deviation of a single session."""
        return root(self.variance * self.trials / max(self.trials - 1, 1))

    @property
    def moments(self) -> Moments:
        return Moments(float(self.mean), root(self.variance), *self.bounds)

    def times(self, factor: int) -> Mean:
        low, high = self.bounds
        return replace(
            self,
            mean=self.mean * factor,
            variance=self.variance * factor**2,
            bounds=(low * factor, high * factor),
        )

    def plus(self, number: int) -> Mean:
        low, high = self.bounds
        bounds = low + number, high + number
        return replace(self, mean=self.mean + number, bounds=bounds)

    def estimate(self, level: float, exact: Figure | None) -> Estimate:
        low, high = mean_interval(self.moments, self.trials, level)
        return Estimate(float(self.mean), low, high, exact, self.deviation)


def squares_of(tally: SessionTally, what: int, shift: int) -> Fraction:
    """Return the sum of the squares; lost low bits count as if evenly spread."""
    squares = Fraction(tally.squares(what))
    if shift == 0:
        return squares
    size = 1 << shift
    lost, lost_squared = Fraction(size - 1, 2), Fraction((size - 1) * (2 * size - 1), 6)
    kept = (tally.total(what) - tally.sessions * lost) / size
    return squares * size**2 + 2 * size * lost * kept + tally.sessions * lost_squared
