"""A walk over the states of a strategy that a session can reach.

The walk follows the states from the first one. Each has a span of bankrolls, as points
of a lattice, between the lowest and the highest at which it is met. So the strategy is
only asked about states that can be met, and an endless strategy has no more states than
the bankroll pays for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.strategy import (
    PlayedState,
    PlayedStates,
    Shortfall,
    too_long,
)

TOO_MANY = "the session has too many bankrolls and states to calculate"
MAXIMUM_STATES = 50_000
MAXIMUM_POSITIONS = 8_000_000
MOST_STEPS = 500_000
"""Steps of a walk point by point; they take a second or two."""
MOST_SLIDING_STEPS = 48_000_000_000
"""Steps of long moves in all rounds; they take some seconds: see `float_solver`."""
_NO_TOP = 1 << 80
"""Above every point; used if there is no target."""


class PointSpan(NamedTuple):
    """All points from `low` up to, but not including, `high`."""

    low: int
    high: int

    @property
    def length(self) -> int:
        return self.high - self.low

    def within(self, low: int, high: int) -> PointSpan:
        """Return the points from `low` up to `high`; empty if `low ≥ high`."""
        return PointSpan(max(self.low, low), min(self.high, high))

    def moved(self, by: int, low: int, high: int) -> PointSpan | None:
        """Return the shifted points within `low` and `high`; None if there are none."""
        first, after = max(self.low + by, low), min(self.high + by, high)
        return PointSpan(first, after) if first < after else None

    def joined(self, other: PointSpan) -> PointSpan:
        return PointSpan(min(self.low, other.low), max(self.high, other.high))

    def fresh(self, other: PointSpan) -> PointSpan | None:
        """Return the points that `other` adds; None if it adds none.

        If it adds points on both sides, return the joined span.
        """
        (low, high), (other_low, other_high) = self, other
        if low <= other_low:
            return PointSpan(high, other_high) if high < other_high else None
        if other_high <= high:
            return PointSpan(other_low, low)
        return other


class TooManyStates(Exception):
    """The strategy has more states than the walk may find."""


@dataclass(slots=True)
class FoundState:
    """A state with the points at which it is met."""

    played: PlayedState
    points: PointSpan
    fresh: PointSpan | None
    """The points that have not been followed yet."""
    followed: PointSpan | None = None
    afters: dict[int, PlayedState] = field(default_factory=dict)
    """By the cents won, the following state."""

    def take_fresh(self) -> PointSpan:
        fresh, self.fresh = self.fresh, None
        assert fresh is not None
        before = self.followed
        self.followed = fresh if before is None else before.joined(fresh)
        return fresh


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkRules:
    """The limits of a walk."""

    patience: int = 1 << 62
    """After this number of steps, each state gets every bankroll."""
    most_states: int = MAXIMUM_STATES
    most_steps: int = 1 << 62
    most_units: int | None = None
    keeps_unpaid: bool = False
    """Keep states that the bankroll does not pay for."""


class StateWalk:
    """Finds the states that a session meets, and their points.

    Raises `TooManyStates`, and `SessionError` for too many steps or a faulty strategy.
    """

    def __init__(self, request: SessionRequest, rules: WalkRules) -> None:
        self._rules = rules
        self.unit_cents = request.wager.stake_cents
        self.nets, self.lattice = request.nets, request.lattice
        self.step = self.lattice.step_cents
        self.played = PlayedStates(request.strategy, rules.most_units)
        self.played.check_bankroll(request.bankroll_cents // self.unit_cents)
        self.over_bankroll = request.strategy.over_bankroll
        self._starts_again = self.over_bankroll is Shortfall.START_AGAIN
        goal = request.target_cents
        self.target = None if goal is None else self.lattice.first_at(goal)
        self.least_played = self.lattice.first_at(
            max(self.unit_cents, request.floor_cents + 1)
        )
        self.start = self.lattice.first_at(request.bankroll_cents)
        self._top = self._first_beyond(request.rounds)
        self.highest = self.start
        """The highest point that is met, even beyond the target."""
        self.found: list[FoundState] = []
        self.places: dict[PlayedState, int] = {}
        self._floors: dict[int, int] = {}
        """By a state's units, its first point."""
        self._open: list[FoundState] = []
        self.steps = 0
        self._meet(self.played.first, PointSpan(self.start, self.start + 1))

    def _first_beyond(self, rounds: int | None) -> int:
        """Return the first point above all at which a session plays on."""
        if self.target is not None:
            return self.target
        most = self._rules.most_units
        if rounds is None or most is None:
            return _NO_TOP
        return self.reach(rounds, most)[1] + 1

    def point(self, units: int) -> int:
        return self.lattice.first_at(units * self.unit_cents)

    def floor(self, state: PlayedState) -> int:
        """Return the first point at which the state is played without a shortfall."""
        known = self._floors.get(state.units)
        if known is None:
            is_short = self.over_bankroll is Shortfall.STAKE_ALLOWED
            known = self.point(1 if is_short else state.units)
            self._floors[state.units] = known
        return known

    def stays_flat(self) -> bool:
        """Return whether every result of the first state leads back to it."""
        first = self.found[0]
        units = first.played.units
        afters = {self.after(first, units * net) for net in self.nets}
        return self.floor(first.played) == self.point(units) and afters == {
            first.played
        }

    @property
    def size(self) -> int:
        return sum(each.points.length for each in self.found)

    def reach(self, rounds: int, units: int) -> tuple[int, int]:
        lost, won = min(*self.nets, 0), max(*self.nets, 0)
        low = self.start + rounds * units * lost // self.step
        return low, self.start + rounds * units * won // self.step

    def follow_rounds(self, rounds: int | None) -> None:
        """Follow fresh points for this number of rounds; None: until none are left."""
        done = 0
        while self._open and done != rounds:
            self.hasten()
            batch, self._open = self._open, []
            taken = [found.take_fresh() for found in batch]
            for found, fresh in zip(batch, taken, strict=True):
                self._follow(found, fresh)
            done += 1

    def hasten(self) -> None:
        """Do nothing before a round; a subclass may widen the points."""

    def _follow(self, found: FoundState, fresh: PointSpan) -> None:
        """Meet the following states, at the points after each result."""
        for units, low, high in self.stakes(found.played, *fresh):
            part = PointSpan(low, high)
            self._count(len(self.nets))
            for net in self.nets:
                won = units * net
                shift = won // self.step
                self.highest = max(self.highest, high + shift - 1)
                points = part.moved(shift, self.least_played, self._top)
                if points is not None:
                    state = self.after(found, won)
                    self._meet(state, points)
                    if self._starts_again:
                        self._meet(
                            self.played.first, points.moved(0, 0, self.floor(state))
                        )

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self._rules.most_steps:
            raise too_long(TOO_MANY)

    def meet_everywhere(self, state: PlayedState) -> None:
        self._meet(state, PointSpan(self.least_played, self._top))

    def _meet(self, state: PlayedState, points: PointSpan | None) -> None:
        """Add the points to those of the state."""
        if points is not None and self._rules.patience <= self.steps:
            points = PointSpan(self.least_played, self._top)
        if points is not None and not self._rules.keeps_unpaid:
            points = points.moved(0, self.floor(state), self._top)
        if points is None or (state.units == 0 and not self._rules.keeps_unpaid):
            return
        place = self.places.get(state)
        if place is None:
            if len(self.found) == self._rules.most_states:
                raise TooManyStates
            self.places[state] = len(self.found)
            self.found.append(FoundState(state, points, points))
            self._open.append(self.found[-1])
            return
        found = self.found[place]
        fresh = found.points.fresh(points)
        if fresh is None:
            return
        found.points = found.points.joined(points)
        if found.fresh is None:
            self._open.append(found)
        found.fresh = fresh if found.fresh is None else found.fresh.joined(fresh)

    def after(self, found: FoundState, won: int) -> PlayedState:
        """Return the state after a net result; the strategy is asked once for each."""
        known = found.afters.get(won)
        if known is None:
            net = Fraction(won, self.unit_cents)
            known = found.afters[won] = self.played.after(found.played.state, net)
        return known

    def stakes(
        self, state: PlayedState, low: int, high: int
    ) -> Iterator[tuple[int, int, int]]:
        """Divide points by stake: the state's units, or those its bankroll pays for."""
        most, unit = state.units, self.unit_cents
        base, step = self.lattice.base_cents, self.step
        if most == 0 or low >= high:
            return
        # Inlined `point`, to avoid a call for each stake.
        full = max(-((base - most * unit) // step), low)
        if full < high:
            yield most, full, high
        if full == low or self.over_bankroll is not Shortfall.STAKE_ALLOWED:
            return
        fewest = max(1, (base + low * step) // unit)
        last = min(most - 1, (base + (high - 1) * step) // unit)
        for units in self.cut_stakes(fewest, last):
            first = max(-((base - units * unit) // step), low)
            after = min(-((base - (units + 1) * unit) // step), high)
            if first < after:
                yield units, first, after

    def cut_stakes(self, fewest: int, most: int) -> Iterable[int]:
        """Return the reduced stakes to follow, from `fewest` to `most`."""
        return range(fewest, most + 1)
