"""One walk over the states of a strategy: those that a session can come to.

States are followed from the first one, each with the bankrolls at which it is met. So a
strategy is asked about a state only where it can be met, and one that goes on for ever
has no more states than the bankroll pays for. Bankrolls are points of a lattice. An
exact session keeps them one by one, as bits; a simulated one, or one of few states,
keeps the span from the lowest to the highest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, NamedTuple

from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.strategy import (
    PlayedState,
    PlayedStates,
    Shortfall,
    rule_over_bankroll,
)

MAXIMUM_STATES = 50_000
MAXIMUM_POSITIONS = 8_000_000
MOST_STEPS = 500_000
"""Of a walk point by point: it takes a second or two."""
_WIDE = 20_000
"""To copy so many points takes about as long as a step: they are 2.5 kB."""
_NO_TOP = 1 << 80
"""Stands above every point where there is no target."""


Points = Any
"""`PointSpan` or `PointBits`, the same for a whole walk."""


_made = tuple.__new__
"""Makes a span without a call in Python; a walk makes hundreds of thousands."""


class PointSpan(NamedTuple):
    """All points from `low` up to, but not including, `high`."""

    low: int
    high: int

    def moved(self, by: int, low: int, high: int) -> PointSpan | None:
        """Return the points shifted, as far as they lie between the two."""
        first, after = self
        first += by
        after += by
        if first >= low and after <= high:
            return _made(PointSpan, (first, after)) if by else self
        first, after = max(first, low), min(after, high)
        return _made(PointSpan, (first, after)) if first < after else None

    def joined(self, other: PointSpan) -> PointSpan:
        (low, high), (other_low, other_high) = self, other
        if other_low <= low and high <= other_high:
            return other
        return _made(PointSpan, (min(low, other_low), max(high, other_high)))

    def fresh(self, other: PointSpan) -> PointSpan | None:
        """Return the joined span if the other goes beyond this one."""
        (low, high), (other_low, other_high) = self, other
        if low <= other_low and other_high <= high:
            return None
        return self.joined(other)


class PointBits(NamedTuple):
    """Single points: the bits of a whole number, the lowest of which is `offset`."""

    offset: int
    bits: int

    @property
    def low(self) -> int:
        return self.offset + (self.bits & -self.bits).bit_length() - 1

    @property
    def high(self) -> int:
        return self.offset + self.bits.bit_length()

    def moved(self, by: int, low: int, high: int) -> PointBits | None:
        """Return the points shifted, as far as they lie between the two."""
        offset, kept = self.offset + by, self.bits
        if high - offset < kept.bit_length():
            kept &= (1 << max(high - offset, 0)) - 1
        if low > offset:
            kept >>= low - offset
            offset = low
        return PointBits(offset, kept) if kept else None

    def joined(self, other: PointBits) -> PointBits:
        offset = min(self.offset, other.offset)
        return PointBits(offset, self._bits_from(offset) | other._bits_from(offset))

    def _bits_from(self, offset: int) -> int:
        if self.high - offset > MAXIMUM_POSITIONS:
            raise TooManySteps
        return self.bits << (self.offset - offset)

    def fresh(self, other: PointBits) -> PointBits | None:
        """Return the other's points that are not among these."""
        above = other.offset - self.offset
        known = self.bits >> above if above >= 0 else self.bits << -above
        bits = other.bits & ~known
        return PointBits(other.offset, bits) if bits else None


class TooManyStates(Exception):
    """The strategy has more states than the walk may find."""


class TooManySteps(Exception):
    """The walk takes more steps than it may."""


@dataclass(slots=True)
class FoundState:
    """A state that is met, and the points at which it is."""

    played: PlayedState
    place: int
    depth: int
    """After how many rounds it can be met."""
    points: Points
    fresh: Points | None
    """Those that have not been followed yet."""
    followed: Points | None = None
    """Those that were followed last; a span is all that were."""
    afters: dict[int, PlayedState] = field(default_factory=dict)
    """By the cents won, the state that follows."""

    def take_fresh(self) -> Points:
        self.followed, self.fresh = self.fresh, None
        return self.followed


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkRules:
    """How a walk keeps its bankrolls, and how far it goes."""

    one_by_one: bool = False
    """Keep single points and not spans."""
    patience: int = 1 << 62
    """After so many steps a state is taken with every bankroll."""
    most_states: int = MAXIMUM_STATES
    most_steps: int = 1 << 62
    most_units: int | None = None
    keeps_unpaid: bool = False
    """Keep states also where the bankroll does not pay for them."""


class StateWalk:
    """Finds the states that are met, and the points at which they are.

    Raises `TooManyStates` and `TooManySteps`, and `SessionError` for what the strategy
    does wrong.
    """

    def __init__(self, request: SessionRequest, rules: WalkRules) -> None:
        self._rules = rules
        self._patience, self._keeps_unpaid = rules.patience, rules.keeps_unpaid
        self.unit_cents = request.wager.stake_cents
        self.nets, self.lattice = request.nets, request.lattice
        self.step = self.lattice.step_cents
        self.played = PlayedStates(request.strategy, rules.most_units)
        self.played.check_bankroll(request.bankroll_cents // self.unit_cents)
        self.over_bankroll = rule_over_bankroll(request.strategy)
        self._starts_again = self.over_bankroll is Shortfall.START_AGAIN
        goal = request.target_cents
        self.target = None if goal is None else self.lattice.first_at(goal)
        self.least_played = self.lattice.first_at(
            max(self.unit_cents, request.floor_cents + 1)
        )
        self.start = self.lattice.first_at(request.bankroll_cents)
        self._top = self._first_beyond(request.rounds)
        self.highest = self.start
        """The highest point that is met, also beyond the target."""
        self.found: list[FoundState] = []
        self.places: dict[PlayedState, int] = {}
        self._floors: dict[int, int] = {}
        """By the units of a state."""
        self._open: list[int] = []
        self.steps = 0
        start = PointSpan(self.start, self.start + 1)
        first = PointBits(self.start, 1) if rules.one_by_one else start
        self._meet(self.played.first, first, 0)

    def _first_beyond(self, rounds: int | None) -> int:
        """Return the first point at which no session plays on."""
        if self.target is not None:
            return self.target
        most = self._rules.most_units
        if rounds is None or most is None:
            return _NO_TOP
        return self.reach(rounds, most)[1] + 1

    def point(self, units: int) -> int:
        """Return the first point that pays for so many units."""
        return self.lattice.first_at(units * self.unit_cents)

    def floor(self, state: PlayedState) -> int:
        """Return the first point at which the state is played itself."""
        known = self._floors.get(state.units)
        if known is None:
            is_short = self.over_bankroll is Shortfall.STAKE_ALLOWED
            known = self.point(1 if is_short else state.units)
            self._floors[state.units] = known
        return known

    def stays_flat(self) -> bool:
        """Return whether the first state is followed by itself, whatever the result."""
        first = self.found[0]
        units = first.played.units
        afters = {self.after(first, units * net) for net in self.nets}
        return self.floor(first.played) == self.point(units) and afters == {
            first.played
        }

    def reach(self, rounds: int, units: int) -> tuple[int, int]:
        """Return the lowest and the highest point that so many units can come to."""
        lost, won = min(*self.nets, 0), max(*self.nets, 0)
        low = self.start + rounds * units * lost // self.step
        return low, self.start + rounds * units * won // self.step

    def follow_oldest(self, rounds: int | None) -> None:
        """Follow fresh points, those of the oldest state first, until none is left."""
        while self._open:
            found = self.found[heappop(self._open)]
            fresh = found.take_fresh()
            if rounds is None or found.depth < rounds:
                self._follow(found, fresh)

    def follow_rounds(self, rounds: int, most_steps: int | None = None) -> bool:
        """Follow fresh points round by round; whether so many steps were enough."""
        for _ in range(rounds):
            self.hasten()
            batch, self._open = [self.found[place] for place in self._open], []
            if not batch:
                break
            if most_steps is not None and self.steps > most_steps:
                return False
            taken = [found.take_fresh() for found in batch]
            for found, fresh in zip(batch, taken, strict=True):
                self._follow(found, fresh)
        return True

    def hasten(self) -> None:
        """Do nothing before a round; a walk in a hurry can widen its points here."""

    def _follow(self, found: FoundState, fresh: Points) -> None:
        """Meet the states that follow, at what is left or won of the points."""
        depth, step = found.depth + 1, self.step
        one_by_one = self._rules.one_by_one
        least_played, top = self.least_played, self._top
        first, after = fresh.low, fresh.high
        for units, low, high in self.stakes(found.played, first, after):
            is_whole = low == first and high == after
            part = fresh if is_whole else fresh.moved(0, low, high)
            if part is None:
                continue
            self._count(len(self.nets) + one_by_one * (high - low) // _WIDE)
            part_high = part.high
            for net in self.nets:
                won = units * net
                shift = won // step
                if part_high + shift > self.highest:
                    self.highest = part_high + shift - 1
                # To clip what is not too low would copy many bits.
                least = 0 if low + shift >= least_played else least_played
                points = part.moved(shift, least, top)
                if points is None:
                    continue
                state = self.after(found, won)
                self._meet(state, points, depth)
                if self._starts_again and points.low < (floor := self.floor(state)):
                    unpaid = points.moved(0, 0, floor)
                    self._meet(self.played.first, unpaid, depth)

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self._rules.most_steps:
            raise TooManySteps

    def meet_everywhere(self, state: PlayedState) -> None:
        """Take a state with every bankroll that plays on."""
        self._meet(state, PointSpan(self.least_played, self._top), 0)

    def _meet(self, state: PlayedState, points: Points, depth: int) -> None:
        """Add the points to those of the state."""
        if self._patience <= self.steps:
            points = PointSpan(self.least_played, self._top)
        if not self._keeps_unpaid:
            floor = self.floor(state)
            if floor > self.least_played:
                points = points.moved(0, floor, self._top)
            if points is None or state.units == 0:
                return
        place = self.places.get(state)
        if place is None:
            self._add(state, points, depth)
            return
        found = self.found[place]
        fresh = found.points.fresh(points)
        if fresh is not None:
            found.points = found.points.joined(points)
            if self._rules.one_by_one:
                self._count((found.points.high - found.points.offset) // _WIDE)
        if depth < found.depth:
            found.depth, fresh = depth, found.points
        if fresh is not None:
            self._open_at(found, fresh)

    def _open_at(self, found: FoundState, fresh: Points) -> None:
        if found.fresh is None:
            found.fresh = fresh
            heappush(self._open, found.place)
        else:
            found.fresh = found.fresh.joined(fresh)

    def _add(self, state: PlayedState, points: Points, depth: int) -> None:
        if len(self.found) == self._rules.most_states:
            raise TooManyStates
        place = self.places[state] = len(self.found)
        self.found.append(FoundState(state, place, depth, points, points))
        heappush(self._open, place)

    def after(self, found: FoundState, won: int) -> PlayedState:
        """Return the state that follows after so many cents; each is asked once."""
        known = found.afters.get(won)
        if known is None:
            net = Fraction(won, self.unit_cents)
            known = found.afters[won] = self.played.after(found.played.state, net)
        return known

    def stakes(
        self, state: PlayedState, low: int, high: int
    ) -> Iterator[tuple[int, int, int]]:
        """Divide points by the units that are staked: all, or what these pay for."""
        most, unit = state.units, self.unit_cents
        base, step = self.lattice.base_cents, self.step
        if most == 0 or low >= high:
            return
        # As `point` has it, without a call for each stake.
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
        """Return the stakes to look at between these, which a bankroll has cut."""
        return range(fewest, most + 1)
