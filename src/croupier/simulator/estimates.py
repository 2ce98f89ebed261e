"""Estimates from sessions: a value, its interval, and the exact answer beside it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from croupier.odds.distribution import root
from croupier.odds.probability import Interval, mean_interval, proportion_interval
from croupier.odds.sessions import Figure
from croupier.simulator.plan import SessionTally, SimulationPlan


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


@dataclass(frozen=True, slots=True)
class QuantileEstimate:
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
    """What was counted of one thing over the sessions, from its sums."""

    mean: Fraction
    deviation: float
    bounds: tuple[int, int]
    """No session can lie outside of these."""

    @classmethod
    def of(cls, tally: SessionTally, plan: SimulationPlan, what: int) -> Mean:
        """Return the mean of rounds, units staked, or grains of the bankroll."""
        trials, total = tally.sessions, tally.total(what)
        mean = Fraction(total, trials)
        bounds = 0, (plan.rounds, plan.most_staked, plan.highest)[what]
        if trials == 1:
            return cls(mean, 0.0, bounds)
        squares = _squares(tally, what, plan.shifts[what])
        variance = (squares - total * mean) / (trials - 1)
        return cls(mean, root(max(variance, Fraction(0))), bounds)

    def times(self, factor: int) -> Mean:
        low, high = self.bounds
        bounds = low * factor, high * factor
        return Mean(self.mean * factor, self.deviation * factor, bounds)

    def plus(self, number: int) -> Mean:
        low, high = self.bounds
        return Mean(self.mean + number, self.deviation, (low + number, high + number))

    def estimate(self, trials: int, level: float, exact: Figure | None) -> Estimate:
        low, high = self._interval(trials, level)
        return Estimate(float(self.mean), low, high, exact, self.deviation)

    def _interval(self, trials: int, level: float) -> Interval:
        mean = float(self.mean)
        if self.deviation:
            return mean_interval(mean, self.deviation, trials, level)
        # All sessions were alike: others may be as likely as one that was not seen.
        unseen = proportion_interval(0, trials, level)[1]
        low, high = self.bounds
        return mean - unseen * (mean - low), mean + unseen * (high - mean)


def _squares(tally: SessionTally, what: int, shift: int) -> Fraction:
    """Return the sum of the squares; bits that were lost count as if even."""
    squares = Fraction(tally.squares(what))
    if shift == 0:
        return squares
    size = 1 << shift
    lost, lost_squared = Fraction(size - 1, 2), Fraction((size - 1) * (2 * size - 1), 6)
    kept = (tally.total(what) - tally.sessions * lost) / size
    return squares * size**2 + 2 * size * lost * kept + tally.sessions * lost_squared
