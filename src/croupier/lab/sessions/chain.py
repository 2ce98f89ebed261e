"""A session as a Markov chain; each state of the strategy has a row of bankrolls.

Bankrolls lie on a lattice, and points count its steps from the smallest bankroll. A row
holds the points at which its state plays on; the last three rows hold the points at
which a session ends. A move covers a whole interval of points, so a chain stays small
even if its rows are long.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, reduce
from itertools import accumulate
from typing import TypeVar

from croupier.lab.sessions.exploration import (
    MAXIMUM_POSITIONS,
    MAXIMUM_STATES,
    MOST_STEPS,
    TOO_MANY,
    FoundState,
    PointSpan,
    StateWalk,
    TooManyStates,
    WalkRules,
)
from croupier.lab.sessions.request import Lattice, SessionRequest
from croupier.lab.sessions.strategy import (
    PlayedState,
    SessionError,
    Shortfall,
    too_long,
)
from croupier.odds.distribution import Distribution

_FEW = 128
"""With at most this number of states, each gets every bankroll."""
_FEW_STEPS = 1_500_000
"""The steps of such a walk; they take a second or two."""
_MOST_UNTIL_THE_END = 1_100_000
"""Positions of a session of several states until its end: see `linear_solver`."""
_MOST_ROOM = 4

Value = TypeVar("Value")


class ChainEnd(IntEnum):
    """The ends of a session; a value is the index of the row, counted from the last."""

    RUINED = -3
    """The bankroll can't pay the next wager."""
    REACHED = -2
    """The target has been reached, or passed."""
    STOPPED = -1
    """The strategy or the stop-loss has left the table, with a unit or more."""


@dataclass(frozen=True, slots=True)
class Move:
    """One outcome on an interval of points: it leads to `point + shift` in `target`."""

    source: int
    low: int
    high: int
    units: int
    """The units staked on the interval."""
    outcome: int
    target: int
    shift: int


@dataclass(frozen=True)
class Chain:
    """Rows and moves; the chances of the outcomes are `numerators` / `denominator`."""

    lattice: Lattice
    numerators: tuple[int, ...]
    denominator: int
    rows: tuple[PointSpan, ...]
    moves: tuple[Move, ...]
    start: tuple[int, int]
    """The first row, and the point in it."""

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """By row, the difference between a point and its position number."""
        starts = accumulate((row.length for row in self.rows), initial=0)
        return tuple(s - row.low for s, row in zip(starts, self.rows, strict=False))

    @cached_property
    def size(self) -> int:
        return sum(row.length for row in self.rows)

    @cached_property
    def live_size(self) -> int:
        return sum(row.length for row in self.rows[: ChainEnd.RUINED])

    @cached_property
    def edges(self) -> int:
        """The number of single steps in all moves."""
        return sum(move.high - move.low for move in self.moves)

    @cached_property
    def in_degree(self) -> int:
        """The greatest number of single steps that lead to one position."""
        arrivals = [
            (first + move.low, first + move.high)
            for move in self.moves
            for first in (self.offsets[move.target] + move.shift,)
        ]
        return _most_shared(arrivals)

    @property
    def is_flat(self) -> bool:
        if len(self.rows) > 1 + len(ChainEnd):
            return False
        return len({move.units for move in self.moves}) == 1

    @property
    def flat_steps(self) -> list[tuple[int, int]]:
        """Shift and numerator of each outcome; for flat play only."""
        shifts = {move.outcome: move.shift for move in self.moves}
        return [(shift, self.numerators[each]) for each, shift in shifts.items()]

    def flat_ends(
        self, chances: Mapping[int, Value]
    ) -> dict[ChainEnd, dict[int, Value]]:
        """Return the values of ended points by end and point, in rising order."""
        return {
            end: {at: each for at, each in sorted(chances.items()) if at in range(*row)}
            for end, row in zip(ChainEnd, self.rows[ChainEnd.RUINED :], strict=True)
        }

    def by_end(self, chances: Mapping[int, Value]) -> dict[ChainEnd, dict[int, Value]]:
        """Return the values of ended positions by end and point, in rising order."""
        ended: dict[ChainEnd, dict[int, Value]] = {end: {} for end in ChainEnd}
        for position, chance in sorted(chances.items()):
            row, point = self.place(position)
            ended[ChainEnd(row - len(self.rows))][point] = chance
        return ended

    @property
    def start_position(self) -> int:
        row, point = self.start
        return self.offsets[row] + point

    def place(self, position: int) -> tuple[int, int]:
        row = bisect_right(self._starts, position) - 1
        return row, position - self.offsets[row]

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        pairs = zip(self.offsets, self.rows, strict=True)
        return tuple(offset + row.low for offset, row in pairs)

    def steps(self, position: int) -> tuple[tuple[int, int], ...]:
        """Return numerator and target of each step from a live position."""
        _, point = self.place(position)
        return tuple(
            (
                self.numerators[move.outcome],
                self.offsets[move.target] + point + move.shift,
            )
            for move in self._moves_at(position)
        )

    def units(self, position: int) -> int:
        return self._moves_at(position)[0].units

    def _moves_at(self, position: int) -> list[Move]:
        row, point = self.place(position)
        bounds, cells = self._cells[row]
        return cells[bisect_right(bounds, point) - 1]

    @cached_property
    def _cells(self) -> list[tuple[list[int], list[list[Move]]]]:
        """By row, the intervals of points with the same moves."""
        by_row: list[list[Move]] = [[] for _ in self.rows]
        for move in self.moves:
            by_row[move.source].append(move)
        return [_cut(moves) for moves in by_row]


def _cut(moves: list[Move]) -> tuple[list[int], list[list[Move]]]:
    bounds = sorted({bound for move in moves for bound in (move.low, move.high)})
    cells: list[list[Move]] = [[] for _ in bounds]
    places = {bound: place for place, bound in enumerate(bounds)}
    for move in moves:
        for place in range(places[move.low], places[move.high]):
            cells[place].append(move)
    return bounds, cells


def _most_shared(intervals: list[tuple[int, int]]) -> int:
    """Return the greatest number of intervals that share a point."""
    bounds = sorted(
        bound for low, high in intervals for bound in ((low, 1), (high, -1))
    )
    return max(accumulate(change for _, change in bounds), default=0)


def compile_chain(request: SessionRequest) -> Chain:
    """Return the chain of the session; raise `SessionError` if it is too large."""
    if not any(request.wager.result.values):
        raise SessionError(
            f"{request.wager.text} neither wins nor loses, so the session never ends"
        )
    try:
        walk = _explored(request)
    except TooManyStates as error:
        name = f"the strategy {request.strategy.name}"
        many = f"{name} has more than {MAXIMUM_STATES:,} states at these bankrolls"
        raise too_long(many) from error
    most = MAXIMUM_POSITIONS if request.rounds else most_until_the_end(request)
    if len(walk.found) > 1 and walk.size > most:
        raise too_long(TOO_MANY)
    return _ChainCompiler(walk).compile(request.wager.result)


def most_until_the_end(request: SessionRequest) -> int:
    """Return the greatest number of positions of a session until its end.

    Patience allows more memory too, up to some gigabytes.
    """
    return _MOST_UNTIL_THE_END * min(request.patience, _MOST_ROOM)


def _explored(request: SessionRequest) -> StateWalk:
    """Return the walk of an exact session.

    If the states are few, each gets all points at which a session plays on. Otherwise a
    state gets the points between the lowest and the highest at which it is met; a
    number of rounds reduces these.
    """
    most_units, longer = request.wager.maximum_units, request.patience
    if request.strategy.few_states:
        rules = WalkRules(
            patience=0,
            most_states=_FEW,
            most_steps=_FEW_STEPS * longer,
            most_units=most_units,
        )
        walk = StateWalk(request, rules)
        if walk.stays_flat():
            if request.rounds is not None:
                first = walk.found[0]
                low, high = walk.reach(request.rounds, first.played.units)
                first.points = first.points.within(low, high + 1)
            return walk
        if _is_near(walk):
            with suppress(TooManyStates):
                walk.follow_rounds(request.rounds)
                if walk.size <= MAXIMUM_POSITIONS:
                    return walk
    rules = WalkRules(most_steps=MOST_STEPS * longer, most_units=most_units)
    walk = StateWalk(request, rules)
    if request.rounds is None and not _is_near(walk):
        # Only a number of rounds could end the session.
        raise too_long(TOO_MANY)
    walk.follow_rounds(request.rounds)
    return walk


def _is_near(walk: StateWalk) -> bool:
    return walk.target is not None and walk.target <= MAXIMUM_POSITIONS


_After = PlayedState | ChainEnd


@dataclass(frozen=True, slots=True)
class _ChainCompiler:
    """Turns the states of a walk into rows, and their outcomes into moves."""

    walk: StateWalk

    def compile(self, result: Distribution) -> Chain:
        rows = [each.points for each in self.walk.found]
        moves = [move for row in range(len(rows)) for move in self._moves(row)]
        ends = [_end_row(moves, self._place(end)) for end in ChainEnd]
        return Chain(
            self.walk.lattice,
            result.numerators,
            result.denominator,
            (*rows, *ends),
            tuple(moves),
            (0, self.walk.start),
        )

    def _place(self, end: ChainEnd) -> int:
        return len(self.walk.found) + len(ChainEnd) + end

    def _moves(self, row: int) -> Iterator[Move]:
        """Yield the moves of a row, without points beyond the last round."""
        walk, found = self.walk, self.walk.found[row]
        for units, low, high in walk.stakes(found.played, *found.points):
            for outcome, net in enumerate(walk.nets):
                won = units * net
                shift = won // walk.step
                after = PointSpan(low + shift, high + shift)
                for there, points in self._arrivals(found, after, won):
                    target, kept = self._met(there, points)
                    if kept.low < kept.high:
                        here = kept.low - shift, kept.high - shift
                        yield Move(row, *here, units, outcome, target, shift)

    def _met(self, there: _After, points: PointSpan) -> tuple[int, PointSpan]:
        """Return the row of a state or an end, and its part of the points."""
        if isinstance(there, ChainEnd):
            return self._place(there), points
        place = self.walk.places.get(there)
        if place is None:
            return 0, PointSpan(0, 0)
        return place, points.within(*self.walk.found[place].points)

    def _arrivals(
        self, found: FoundState, after: PointSpan, won: int
    ) -> Iterator[tuple[_After, PointSpan]]:
        """Yield the points after a result, divided by the following state or end."""
        (low, high), target = after, self.walk.target
        if target is not None and high > target:
            yield ChainEnd.REACHED, PointSpan(max(low, target), high)
            high = target
        if low >= high:
            return
        state = self.walk.after(found, won)
        for there, floor in self._floors(state):
            if low < high and high > floor:
                yield there, PointSpan(max(low, floor), high)
                high = max(low, floor)

    def _floors(self, state: PlayedState) -> Iterator[tuple[_After, int]]:
        """Yield the following states and ends with their lowest points, from the top.

        Below the stop-loss the strategy is not asked.
        """
        walk, first, least = self.walk, self.walk.played.first, self.walk.least_played
        if state.units:
            yield state, max(walk.floor(state), least)
            if walk.over_bankroll is Shortfall.START_AGAIN and state is not first:
                yield first, max(walk.point(first.units), least)
            if walk.over_bankroll is not Shortfall.STOP:
                yield ChainEnd.RUINED, least
        yield ChainEnd.STOPPED, walk.point(1)
        yield ChainEnd.RUINED, walk.lattice.first_at(0)


def _end_row(moves: list[Move], place: int) -> PointSpan:
    arrived = [
        PointSpan(move.low + move.shift, move.high + move.shift)
        for move in moves
        if move.target == place
    ]
    return reduce(PointSpan.joined, arrived) if arrived else PointSpan(0, 0)
