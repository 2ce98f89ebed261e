"""Estimates from sessions: a value, its interval, and the exact answer beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from msgspec import Struct

from croupier.lab.sessions import Figure
from croupier.lab.simulator.intervals import Moments, mean_interval
from croupier.lab.simulator.plan import SessionTally, SimulationPlan
from croupier.numeric.probability import proportion_interval
from croupier.odds.distribution import root


@dataclass(frozen=True, slots=True)
class Estimate:
    """A probability or an expectation as it was drawn, with its interval."""

    value: float
    low: float
    high: float
    exact: Figure | None = None
    deviation: float | None = None
    """Of single sessions, where it is a mean."""

    @property
    def is_inside(self) -> bool | None:
        """Whether the exact answer lies inside; None where it is not known."""
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
        """Whether the exact answer lies inside; None where it is not known."""
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
    """Of these sessions, as if there were no others."""
    trials: int
    bounds: tuple[float, float]
    """No session lies outside of these, to speak of."""

    @classmethod
    def of_values(cls, values: Sequence[int], bounds: tuple[float, float]) -> Mean:
        """Return the mean of whole numbers, one for each session."""
        trials, mean = len(values), Fraction(sum(values), len(values))
        squares = Fraction(sum(value * value for value in values), trials)
        return cls(mean, squares - mean**2, trials, bounds)

    @classmethod
    def of(
        cls,
        tally: SessionTally,
        plan: SimulationPlan,
        what: int,
        bounds: tuple[float, float],
    ) -> Mean:
        """Return the mean of rounds, units staked, or grains of the bankroll."""
        trials, total = tally.sessions, tally.total(what)
        mean = Fraction(total, trials)
        squares = _squares(tally, what, plan.shifts[what])
        variance = max(squares / trials - mean**2, Fraction(0))
        return cls(mean, variance, trials, bounds)

    @property
    def deviation(self) -> float:
        """Of single sessions, as these let one expect it of others."""
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


def _squares(tally: SessionTally, what: int, shift: int) -> Fraction:
    """Return the sum of the squares; bits that were lost count as if even."""
    squares = Fraction(tally.squares(what))
    if shift == 0:
        return squares
    size = 1 << shift
    lost, lost_squared = Fraction(size - 1, 2), Fraction((size - 1) * (2 * size - 1), 6)
    kept = (tally.total(what) - tally.sessions * lost) / size
    return squares * size**2 + 2 * size * lost * kept + tally.sessions * lost_squared
