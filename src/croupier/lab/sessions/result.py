"""A session's result: its ends, its stakes, and the Player's bankroll.

Every figure has an error bound. In float64 every number of a forward walk is a sum of
products of numbers that are not negative, so no digits cancel. Each rounding changes a
number by a factor between 1 - u and 1 + u with u = 2⁻⁵³; after k roundings the relative
error is at most k·u/(1 - k·u).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Any

from croupier.errors import plain_int
from croupier.lab.sessions.chain import ChainEnd
from croupier.lab.sessions.request import Lattice, SessionRequest
from croupier.lab.sessions.strategy import SessionError
from croupier.numeric.figure import Figure
from croupier.odds.model import Model
from croupier.rules.cents import write_cents
from croupier.tabular import Plot, Tabled, TextTable, data_frame
from croupier.tabular.figure_formats import figure_percent

if TYPE_CHECKING:
    from croupier.lab.sessions.durations import SessionDurations
    from croupier.lab.sessions.extremes import ExtremeDistribution


@dataclass(frozen=True, repr=False)
class SessionResult(Tabled):
    """The figures of a session, each with its error bound."""

    request: SessionRequest
    solved: Solution

    @property
    def model(self) -> Model:
        return self.request.model

    @property
    def lattice(self) -> Lattice:
        return self.request.lattice

    @property
    def strategy(self) -> str:
        return self.request.strategy.name

    @property
    def arithmetic(self) -> Arithmetic:
        return self.solved.arithmetic

    @property
    def is_exact(self) -> bool:
        return self.arithmetic is Arithmetic.EXACT

    @property
    def ruined(self) -> Figure:
        """The probability that the bankroll can't pay the next wager."""
        return self._mass(self.solved.ended[ChainEnd.RUINED])

    @property
    def reached(self) -> Figure:
        """The probability that the target is reached, or passed."""
        return self._mass(self.solved.ended[ChainEnd.REACHED])

    @property
    def stopped(self) -> Figure:
        """The probability that the strategy or the stop-loss leaves the table."""
        return self._mass(self.solved.ended[ChainEnd.STOPPED])

    @property
    def stopped_by_loss(self) -> Figure:
        """The probability that the stop-loss, not the strategy, leaves the table."""
        stopped = self.solved.ended[ChainEnd.STOPPED]
        after = self.lattice.first_at(self.request.floor_cents + 1)
        return self._mass({p: c for p, c in stopped.items() if p < after})

    @property
    def playing(self) -> Figure:
        """The probability that the session has not ended after the last round."""
        return self._mass(self.solved.playing)

    @property
    def ahead(self) -> Figure:
        """The probability of a final bankroll above the first one."""
        start = self.request.bankroll_cents
        return self.probability(lambda cents: cents > start)

    @property
    def rounds_played(self) -> Figure:
        """The expected number of rounds."""
        return self._expected(self.solved.rounds, self.solved.lost_rounds)

    @property
    def staked_cents(self) -> Figure:
        units = self._expected(self.solved.units, self.solved.lost_units)
        return units.times(self.request.wager.stake_cents)

    @property
    def net_cents(self) -> Figure:
        """The expected net result: minus the house edge of the expected stakes."""
        return self.staked_cents.times(-self.request.wager.edge)

    @cached_property
    def net_variance(self) -> Figure:
        """The variance of the net result, in square cents."""
        start = self.request.bankroll_cents
        squares = exact_sum(
            chance * (cents - start) ** 2 for cents, chance in self.bankrolls.items()
        )
        farthest = self._farthest_cents if self.solved.lost_mass else 0
        second = self._expected(squares, self.solved.lost_mass * farthest**2)
        return second.variance(self.net_cents)

    @property
    def net_deviation_cents(self) -> Figure:
        return self.net_variance.root()

    @property
    def _farthest_cents(self) -> Fraction:
        """The greatest distance from the bankroll to an end that `lost_mass` omits."""
        request, solved = self.request, self.solved
        best = Fraction(max(request.nets), request.wager.stake_cents)
        if request.target_cents is None:
            units = solved.lost_units / solved.lost_mass
            won = units * request.wager.stake_cents * best
        else:
            won = request.target_cents * (1 + best)
        return max(Fraction(request.bankroll_cents), won)

    @cached_property
    def bankrolls(self) -> Mapping[int, Fraction]:
        """The final bankrolls in cents, with their probabilities."""
        sums: dict[int, Fraction] = {}
        for part in (*self.solved.ended.values(), self.solved.playing):
            for point, chance in part.items():
                sums[point] = sums.get(point, Fraction(0)) + chance
        return {self.lattice.cents(point): sums[point] for point in sorted(sums)}

    def probability(self, holds: Callable[[int], bool]) -> Figure:
        return self._mass({c: p for c, p in self.bankrolls.items() if holds(c)})

    @property
    def quantiles(self) -> Mapping[Fraction, int]:
        """By level, the least bankroll that is not exceeded with that probability."""
        weights = self.bankrolls.items()
        found = quantile_points(weights, sum(self.bankrolls.values()))
        return dict(zip(LEVELS, found, strict=True))

    @property
    def quantile_bounds(self) -> Mapping[Fraction, tuple[int, int]]:
        """The bankrolls that bound each quantile; they differ if it is in doubt."""
        return quantile_bounds(self.bankrolls.items(), self._error_of)

    @property
    def nets(self) -> Mapping[int, Fraction]:
        """The net results in cents, with their probabilities."""
        start = self.request.bankroll_cents
        return {cents - start: chance for cents, chance in self.bankrolls.items()}

    @cached_property
    def snapshots(self) -> tuple[SessionSnapshot, ...]:
        """The session after up to a hundred of its rounds; calculated on demand.

        Raises `SessionError`.
        """
        from croupier.lab.sessions.solver import course_of

        return course_of(self)

    @cached_property
    def durations(self) -> SessionDurations:
        """The number of rounds; calculated on demand. Raises `SessionError`."""
        from croupier.lab.sessions.durations import find_durations

        return find_durations(self.request, self.rounds_played)

    @cached_property
    def peak(self) -> ExtremeDistribution:
        """The highest bankroll; calculated on demand. Raises `SessionError`."""
        from croupier.lab.sessions.extremes import find_peak

        return find_peak(self)

    @cached_property
    def drawdown(self) -> ExtremeDistribution:
        """The deepest fall below the highest bankroll so far, like `peak`."""
        from croupier.lab.sessions.extremes import find_drawdown

        return find_drawdown(self)

    @property
    def error(self) -> Fraction:
        """The greatest error of any probability; 0 if it is exact."""
        relative = self.solved.relative_error
        return relative / (1 - relative) + self.solved.lost_mass

    def _mass(self, chances: Mapping[int, Fraction]) -> Figure:
        return self._expected(
            exact_sum(chances.values()), self.solved.lost_mass
        ).clipped

    def _expected(self, value: Fraction, lost: Fraction) -> Figure:
        """Return a rounded sum; `lost` bounds the part that may be missing."""
        return Figure(value, self._rounded_off(value) + lost)

    def _rounded_off(self, value: Fraction) -> Fraction:
        relative = self.solved.relative_error
        return value * relative / (1 - relative)

    def _error_of(self, chance: Fraction) -> Fraction:
        return self._rounded_off(chance) + self.solved.lost_mass

    def by_hour(self, rounds: int) -> Mapping[str, Figure]:
        """Return the hours of the session, and the stakes and net result of an hour.

        `rounds` is the number of rounds in an hour. Raises `SessionError`.
        """
        pace = plain_int(rounds)
        if type(pace) is not int or pace < 1:
            raise SessionError(f"an hour has one round or more, not {rounds!r:.40}")
        hours = self.rounds_played.times(Fraction(1, pace))
        return {
            "hours": hours,
            "staked_cents": self.staked_cents.over(hours),
            "net_cents": self.net_cents.over(hours),
        }

    def to_frame(self) -> Any:
        """Return a Polars frame: the final bankrolls and their probabilities."""
        start = self.request.bankroll_cents
        return data_frame(
            {
                "bankroll_cents": cents,
                "net_cents": cents - start,
                "probability": chance,
                "error": self._error_of(chance),
            }
            for cents, chance in self.bankrolls.items()
        )

    def details(
        self, *, durations: bool = False, peak: bool = False, drawdown: bool = False
    ) -> list[SessionDurations | ExtremeDistribution]:
        """Return the chosen details; each takes longer than the session."""
        wanted = {"durations": durations, "peak": peak, "drawdown": drawdown}
        return [getattr(self, name) for name, is_wanted in wanted.items() if is_wanted]

    def json(
        self, *, durations: bool = False, peak: bool = False, drawdown: bool = False
    ) -> dict[str, Any]:
        """Return the JSON document of `croupier session --json`."""
        from croupier.lab.sessions.report import session_json

        details = self.details(durations=durations, peak=peak, drawdown=drawdown)
        return session_json(self, details)

    def plot(self, *, peak: bool = False, drawdown: bool = False) -> Plot:
        """Draw the fan of the bankroll, the curves of the ends, and the amounts."""
        from croupier.lab.sessions.report import plot_session

        extremes: Any = self.details(peak=peak, drawdown=drawdown)
        return Plot(plot_session(self, extremes))

    def __repr__(self) -> str:
        asked = self.request
        return (
            f"<Session of {asked.wager.text} by {self.strategy} from"
            f" {write_cents(asked.bankroll_cents)}: ruined"
            f" {figure_percent(self.ruined)}, ahead {figure_percent(self.ahead)}>"
        )

    def table(self) -> TextTable:
        from croupier.lab.sessions.report import session_table

        return session_table(self)


UNIT = Fraction(1, 2**53)
UNDERFLOW = Fraction(1, 2**1022)
"""Smaller results may lose digits: at most this much in each rounding."""
LEVELS = (
    Fraction(1, 20),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(3, 4),
    Fraction(19, 20),
)
"""The levels of the bankroll's quantiles."""
Progress = Callable[[int, int], None]
"""Called with the work done and the whole work."""


def relative_bound(roundings: int) -> Fraction:
    """Bound the relative error of a sum of products after successive roundings."""
    assert roundings * UNIT < Fraction(1, 2), "the bound would say nothing"
    return roundings * UNIT / (1 - roundings * UNIT)


def rounded_off(value: Fraction, roundings: int) -> Fraction:
    """Bound the error of a rounded sum of nonnegative products."""
    relative = relative_bound(roundings)
    return value * relative / (1 - relative)


def silent(_done: int, _of: int) -> None:
    """Show no progress."""


@unique
class Arithmetic(Enum):
    """The arithmetic of the figures."""

    EXACT = "exact"
    FLOAT64 = "float64"
    DECIMAL = "decimal"
    """Decimals with as many digits as needed; not available as an argument."""


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """The chances of the ends after a number of rounds."""

    round: int
    ruined: Fraction
    reached: Fraction
    stopped: Fraction
    points: tuple[int, ...]
    """The bankrolls at `LEVELS`."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The probabilities of a session's ends, by point, and its expected cost."""

    arithmetic: Arithmetic
    ended: Mapping[ChainEnd, Mapping[int, Fraction]]
    """By end, the final points with their probabilities."""
    playing: Mapping[int, Fraction]
    """The points at which the session still goes on, with their probabilities."""
    rounds: Fraction
    units: Fraction
    """Expected units staked."""
    snapshots: tuple[SessionSnapshot, ...] = ()
    relative_error: Fraction = Fraction(0)
    """The relative error of every probability and expectation."""
    lost_mass: Fraction = Fraction(0)
    """A bound on the probability that is missing."""
    lost_rounds: Fraction = Fraction(0)
    lost_units: Fraction = Fraction(0)


def quantile_points(
    weights: Iterable[tuple[int, Fraction | float]], total: Fraction | float
) -> tuple[int, ...]:
    """Return by level the least point not exceeded; `weights` come by rising point."""
    points, each = zip(*weights, strict=True)
    wanted = [level * total for level in LEVELS]
    return tuple(_reached(points, accumulate(each), wanted))


def quantile_bounds(
    weights: Iterable[tuple[int, Fraction]], error_of: Callable[[Fraction], Fraction]
) -> dict[Fraction, tuple[int, int]]:
    """Return by level the points that bound a quantile; `weights` come by rising point.

    `error_of` returns the error of a probability.
    """
    points, each = zip(*weights, strict=True)
    sums = [(below, error_of(below)) for below in accumulate(each)]
    least = _reached(points, (below + off for below, off in sums), LEVELS)
    greatest = _reached(points, (below - off for below, off in sums), LEVELS)
    return dict(zip(LEVELS, zip(least, greatest, strict=True), strict=True))


def _reached(
    points: Sequence[int],
    sums: Iterable[Fraction | float],
    wanted: Sequence[Fraction | float],
) -> Sequence[int]:
    """Return the point at which each sum is first reached, or else the last point."""
    found: list[int] = []
    for point, below in zip(points, sums, strict=True):
        while len(found) < len(wanted) and below >= wanted[len(found)]:
            found.append(point)
    return [*found, *[points[-1]] * (len(wanted) - len(found))]


def exact_sum(values: Iterable[Fraction]) -> Fraction:
    """Return the sum of many fractions, quickly, over one common denominator."""
    terms = list(values)
    whole = lcm(*{term.denominator for term in terms})
    sums = sum(term.numerator * (whole // term.denominator) for term in terms)
    return Fraction(sums, whole)


def checkpoints(rounds: int, most: int = 100) -> Sequence[int]:
    """Return up to `most` evenly spread numbers of rounds, with the last one."""
    count = min(rounds, most)
    return [rounds * place // count for place in range(1, count + 1)]
