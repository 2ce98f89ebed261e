"""A session's result: its ends, its cost, and the Player's bankroll.

Figures say what they may be off by. In float64 every number of a forward walk is a sum
of products of numbers that are not negative, so that no digits cancel. Each rounding
changes a number by a factor between 1 - u and 1 + u with u = 2⁻⁵³; after k roundings it
is off by at most k·u/(1 - k·u) of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

from croupier.lab.sessions.chain import ChainEnd
from croupier.lab.sessions.request import Lattice, SessionRequest
from croupier.lab.sessions.strategy import name_of
from croupier.numeric.figure import Figure as Figure  # noqa: PLC0414
from croupier.odds.model import Model
from croupier.rules.cents import write_cents
from croupier.tabular import Plot

if TYPE_CHECKING:
    from croupier.lab.sessions.durations import SessionDurations
    from croupier.lab.sessions.extremes import ExtremeDistribution


@dataclass(frozen=True)
class SessionResult:
    """The figures of a session; each says what it may be off by."""

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
        return name_of(self.request.strategy)

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
        """The probability that the stop-loss does; it comes before the strategy."""
        stopped = self.solved.ended[ChainEnd.STOPPED]
        after = self.lattice.first_at(self.request.floor_cents + 1)
        return self._mass({p: c for p, c in stopped.items() if p < after})

    @property
    def playing(self) -> Figure:
        """The probability that the session is still going on after its rounds."""
        return self._mass(self.solved.playing)

    @property
    def ahead(self) -> Figure:
        """The probability of more than the bankroll at the end, or after the rounds."""
        start = self.request.bankroll_cents
        return self.probability(lambda cents: cents > start)

    @property
    def rounds_played(self) -> Figure:
        """Expected."""
        return self._expected(self.solved.rounds, self.solved.lost_rounds)

    @property
    def staked_cents(self) -> Figure:
        """Expected, over the whole session."""
        units = self._expected(self.solved.units, self.solved.lost_units)
        return units.times(self.request.wager.stake_cents)

    @property
    def net_cents(self) -> Figure:
        """Expected: what was staked, times what the House keeps of it."""
        return self.staked_cents.times(-self.request.wager.edge)

    @cached_property
    def net_variance(self) -> Figure:
        """Of the net result, in square cents."""
        start = self.request.bankroll_cents
        squares = exact_sum(
            chance * (cents - start) ** 2 for cents, chance in self.bankrolls.items()
        )
        farthest = self._farthest_cents if self.solved.lost_mass else 0
        second = self._expected(squares, self.solved.lost_mass * farthest**2)
        mean = self.net_cents
        doubt = mean.error * (2 * abs(mean.value) + mean.error)
        return Figure(second.value - mean.value**2, second.error + doubt).not_negative

    @property
    def net_deviation_cents(self) -> Figure:
        """The standard deviation of the net result."""
        return self.net_variance.root()

    @property
    def _farthest_cents(self) -> Fraction:
        """How far from the bankroll a session can end that is not accounted for."""
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
        """The cents at the end, or after the rounds, with their probabilities."""
        every = together([*self.solved.ended.values(), self.solved.playing])
        return {self.lattice.cents(point): chance for point, chance in every.items()}

    def probability(self, holds: Callable[[int], bool]) -> Figure:
        """Return how likely a bankroll is of which this holds."""
        return self._mass({c: p for c, p in self.bankrolls.items() if holds(c)})

    @property
    def quantiles(self) -> Mapping[Fraction, int]:
        """The least bankroll that is not exceeded with each of these probabilities."""
        weights = self.bankrolls.items()
        found = quantile_points(weights, sum(self.bankrolls.values()))
        return dict(zip(LEVELS, found, strict=True))

    @property
    def quantile_bounds(self) -> Mapping[Fraction, tuple[int, int]]:
        """Between which bankrolls each quantile lies; they differ where it is close."""
        return quantile_bounds(self.bankrolls.items(), self._error_of)

    @property
    def nets(self) -> Mapping[int, Fraction]:
        """The net results in cents, with their probabilities."""
        start = self.request.bankroll_cents
        return {cents - start: chance for cents, chance in self.bankrolls.items()}

    @cached_property
    def snapshots(self) -> tuple[SessionSnapshot, ...]:
        """How it stands after up to a hundred of its rounds; calculated when asked.

        Raises `SessionError`.
        """
        from croupier.lab.sessions.solver import course_of

        return course_of(self)

    @cached_property
    def durations(self) -> SessionDurations:
        """How many rounds it takes; calculated when asked. Raises `SessionError`."""
        from croupier.lab.sessions.durations import find_durations

        return find_durations(self.request, self.rounds_played)

    @cached_property
    def peak(self) -> ExtremeDistribution:
        """The highest bankroll; calculated when asked. Raises `SessionError`."""
        from croupier.lab.sessions.extremes import find_peak

        return find_peak(self)

    @cached_property
    def drawdown(self) -> ExtremeDistribution:
        """The deepest fall below it; calculated when asked. Raises `SessionError`."""
        from croupier.lab.sessions.extremes import find_drawdown

        return find_drawdown(self)

    @property
    def error(self) -> Fraction:
        """The most that any probability here is off by; 0 where it is exact."""
        relative = self.solved.relative_error
        return relative / (1 - relative) + self.solved.lost_mass

    def _mass(self, chances: Mapping[int, Fraction]) -> Figure:
        chance = self._expected(exact_sum(chances.values()), self.solved.lost_mass)
        # Rounding can make a sum of probabilities a little more than 1.
        return replace(chance, value=min(chance.value, Fraction(1)))

    def _expected(self, value: Fraction, lost: Fraction) -> Figure:
        """Return a sum that was rounded, and from which something may be missing."""
        return Figure(value, self._rounded_off(value) + lost)

    def _rounded_off(self, value: Fraction) -> Fraction:
        relative = self.solved.relative_error
        return value * relative / (1 - relative)

    def _error_of(self, chance: Fraction) -> Fraction:
        return self._rounded_off(chance) + self.solved.lost_mass

    def json(
        self, *, durations: bool = False, peak: bool = False, drawdown: bool = False
    ) -> dict[str, Any]:
        """Return what `croupier session --json` prints."""
        from croupier.lab.sessions.report import session_json

        return session_json(self, Details(durations, peak, drawdown))

    def plot(self, *, peak: bool = False, drawdown: bool = False) -> Plot:
        """Draw the bankroll's fan, the curves of the ends, and amounts of money."""
        from croupier.lab.sessions.report import plot_session

        return Plot(plot_session(self, Details(peak=peak, drawdown=drawdown)))

    def __repr__(self) -> str:
        from croupier.lab.sessions.figure_formats import percent

        asked = self.request
        return (
            f"<Session of {asked.wager.text} by {self.strategy} from"
            f" {write_cents(asked.bankroll_cents)}: ruined {percent(self.ruined)},"
            f" ahead {percent(self.ahead)}>"
        )

    def __str__(self) -> str:
        from croupier.lab.sessions.report import session_table

        return str(session_table(self))

    def _repr_html_(self) -> str:
        from croupier.lab.sessions.report import session_table

        return session_table(self)._repr_html_()


@dataclass(frozen=True, slots=True)
class Details:
    """Details of a session that are calculated only if asked for: they take longer."""

    durations: bool = False
    peak: bool = False
    drawdown: bool = False

    def extremes(self, result: SessionResult) -> dict[str, ExtremeDistribution]:
        """Return the peak and the drawdown, by name, as far as they are asked for."""
        found = {}
        if self.peak:
            found["peak"] = result.peak
        if self.drawdown:
            found["drawdown"] = result.drawdown
        return found


NO_DETAILS = Details()
UNIT = Fraction(1, 2**53)
UNDERFLOW = Fraction(1, 2**1022)
"""A result below it may have lost digits: at most so much for each rounding."""
LEVELS = (
    Fraction(1, 20),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(3, 4),
    Fraction(19, 20),
)
"""The levels of the quantiles that are kept of bankrolls."""
Progress = Callable[[int, int], None]
"""Told how much has been done, and of how much."""


def relative_bound(roundings: int) -> Fraction:
    """Return how far a sum of products can be off after so many roundings in a row."""
    assert roundings * UNIT < Fraction(1, 2), "the bound would say nothing"
    return roundings * UNIT / (1 - roundings * UNIT)


def silent(_done: int, _of: int) -> None:
    """Show no progress."""


@unique
class Arithmetic(Enum):
    """How the figures were calculated."""

    EXACT = "exact"
    FLOAT64 = "float64"
    DECIMAL = "decimal"
    """In decimals of as many digits as it takes; nobody can ask for it."""


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """How the session stands after so many rounds."""

    round: int
    ruined: Fraction
    reached: Fraction
    stopped: Fraction
    points: tuple[int, ...]
    """The bankrolls at `LEVELS`."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The chances of a session's ends, in points, and what it takes on average."""

    arithmetic: Arithmetic
    ended: Mapping[ChainEnd, Mapping[int, Fraction]]
    """The points at which it has ended, with their probabilities."""
    playing: Mapping[int, Fraction]
    """The points at which it is still going on after the last round."""
    rounds: Fraction
    units: Fraction
    """Expected, in units of the base wager."""
    snapshots: tuple[SessionSnapshot, ...] = ()
    relative_error: Fraction = Fraction(0)
    """Of every probability and expectation, as a part of it."""
    lost_mass: Fraction = Fraction(0)
    """Probability that is not accounted for, at most."""
    lost_rounds: Fraction = Fraction(0)
    lost_units: Fraction = Fraction(0)


def quantile_points(
    weights: Iterable[tuple[int, Fraction | float]], total: Fraction | float
) -> tuple[int, ...]:
    """Return the least points not exceeded with each of `LEVELS`; points rise."""
    wanted = [level * total for level in LEVELS]
    found: list[int] = []
    below: Fraction | float = 0
    last = 0
    for last, weight in weights:
        below += weight
        while len(found) < len(wanted) and below >= wanted[len(found)]:
            found.append(last)
    return (*found, *[last] * (len(wanted) - len(found)))


def quantile_bounds(
    weights: Iterable[tuple[int, Fraction]], error_of: Callable[[Fraction], Fraction]
) -> dict[Fraction, tuple[int, int]]:
    """Return between which points each quantile of `LEVELS` lies; points rise.

    `error_of` says what a probability may be off by.
    """
    least: list[int] = []
    greatest: list[int] = []
    last = 0
    for last, below in _cumulated(weights):
        off = error_of(below)
        for found, bound in ((least, below + off), (greatest, below - off)):
            while len(found) < len(LEVELS) and bound >= LEVELS[len(found)]:
                found.append(last)
    for found in (least, greatest):
        found.extend([last] * (len(LEVELS) - len(found)))
    return dict(zip(LEVELS, zip(least, greatest, strict=True), strict=True))


def _cumulated(
    weights: Iterable[tuple[int, Fraction]],
) -> Iterator[tuple[int, Fraction]]:
    below = Fraction(0)
    for point, weight in weights:
        below += weight
        yield point, below


def exact_sum(values: Iterable[Fraction]) -> Fraction:
    """Return the sum of many fractions; one denominator for all is quick."""
    terms = list(values)
    whole = lcm(*{term.denominator for term in terms})
    sums = sum(term.numerator * (whole // term.denominator) for term in terms)
    return Fraction(sums, whole)


def together(parts: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """Return the sum of several mappings, by rising points."""
    sums: dict[int, Fraction] = {}
    for part in parts:
        for point, chance in part.items():
            sums[point] = sums.get(point, Fraction(0)) + chance
    return dict(sorted(sums.items()))


def checkpoints(rounds: int, most: int = 100) -> Sequence[int]:
    """Return rounds at which to look, evenly spread, the last among them."""
    count = min(rounds, most)
    return [rounds * place // count for place in range(1, count + 1)]
