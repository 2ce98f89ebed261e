"""A session as a Markov chain on points: a row of bankrolls for each state.

Bankrolls lie on a lattice, whose points are counted from the smallest that can be
reached. A row has the points at which its state goes on playing; the last three rows
hold the points at which a session ends. Whatever happens to a whole interval of points
alike is one move, so that a chain is small however long its rows are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import accumulate
from typing import Any

from croupier.lab.sessions.advice import too_long
from croupier.lab.sessions.exploration import (
    MAXIMUM_POSITIONS,
    MAXIMUM_STATES,
    MOST_STEPS,
    StateWalk,
    TooManyStates,
    TooManySteps,
    WalkRules,
)
from croupier.lab.sessions.request import Lattice, SessionRequest
from croupier.lab.sessions.strategy import (
    PlayedState,
    SessionError,
    Shortfall,
    has_few_states,
    name_of,
)
from croupier.odds.distribution import Distribution

TOO_MANY = "the session has too many bankrolls and states to calculate"
_QUICK_STEPS = 20_000
"""So many steps of a walk take some tenths of a second at most."""
_FEW = 128
"""So few states are taken with every bankroll."""
_FEW_STEPS = 1_500_000
"""Of a walk that does so: it takes a second or two."""
_MOST_UNTIL_THE_END = 1_100_000
"""Positions of more than one state, where no rounds end them: see `linear_solver`."""
_MOST_ROOM = 4


class ChainEnd(IntEnum):
    """How a session ends; the place of its row, counted from the end."""

    RUINED = -3
    """The bankroll can't pay the next wager."""
    REACHED = -2
    """The target has been reached, or passed."""
    STOPPED = -1
    """The strategy or the stop-loss has left the table, with a unit or more."""


@dataclass(frozen=True, slots=True)
class Row:
    """The points `low ≤ point < high` of one state, or of one end."""

    state: Any
    low: int
    high: int

    @property
    def length(self) -> int:
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Run:
    """Points of a row at which so many units are staked."""

    row: int
    low: int
    high: int
    units: int


@dataclass(frozen=True, slots=True)
class Move:
    """Where one outcome takes an interval of points: `point + shift` of the target."""

    source: int
    low: int
    high: int
    outcome: int
    target: int
    shift: int


@dataclass(frozen=True)
class Chain:
    """Rows and moves; `numerators` over `denominator` are the outcomes' chances."""

    lattice: Lattice
    numerators: tuple[int, ...]
    denominator: int
    rows: tuple[Row, ...]
    runs: tuple[Run, ...]
    moves: tuple[Move, ...]
    start: tuple[int, int]
    """The first row, and the point in it."""

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """For each row what is added to a point to number it among all positions."""
        starts = accumulate((row.length for row in self.rows), initial=0)
        return tuple(s - row.low for s, row in zip(starts, self.rows, strict=False))

    @cached_property
    def size(self) -> int:
        """How many positions there are, live and ended."""
        return sum(row.length for row in self.rows)

    @cached_property
    def live_size(self) -> int:
        return sum(row.length for row in self.rows[: ChainEnd.RUINED])

    @cached_property
    def edges(self) -> int:
        """How many single steps the moves are made of."""
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
    def start_position(self) -> int:
        row, point = self.start
        return self.offsets[row] + point

    def place(self, position: int) -> tuple[int, int]:
        """Return the row and the point of a position."""
        row = bisect_right(self._starts, position) - 1
        return row, position - self.offsets[row]

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        pairs = zip(self.offsets, self.rows, strict=True)
        return tuple(offset + row.low for offset, row in pairs)

    def steps(self, position: int) -> tuple[tuple[int, int], ...]:
        """Return what follows a live position: numerators, and where they lead."""
        row, point = self.place(position)
        bounds, cells = self._cells[row]
        together = cells[bisect_right(bounds, point) - 1]
        return tuple(
            (
                self.numerators[move.outcome],
                self.offsets[move.target] + point + move.shift,
            )
            for move in together
        )

    def units(self, position: int) -> int:
        """Return what is staked at a live position."""
        row, point = self.place(position)
        bounds, runs = self._runs[row]
        return runs[bisect_right(bounds, point) - 1].units

    @cached_property
    def _runs(self) -> list[tuple[list[int], list[Run]]]:
        """By row: its runs in order, after the points at which they begin."""
        by_row: list[list[Run]] = [[] for _ in self.rows]
        for run in sorted(self.runs, key=lambda run: run.low):
            by_row[run.row].append(run)
        return [([run.low for run in runs], runs) for runs in by_row]

    @cached_property
    def _cells(self) -> list[tuple[list[int], list[list[Move]]]]:
        """By row: intervals of points that take the same moves."""
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
    """Return the greatest number of intervals that have a point in common."""
    bounds = sorted(
        bound for low, high in intervals for bound in ((low, 1), (high, -1))
    )
    return max(accumulate(change for _, change in bounds), default=0)


def compile_chain(request: SessionRequest) -> Chain:
    """Return the chain of the session; raise `SessionError` where there is none."""
    if not any(request.wager.result.values):
        raise SessionError(
            f"{request.wager.text} neither wins nor loses, so the session never ends"
        )
    try:
        walk = _explored(request)
    except TooManyStates as error:
        name = f"the strategy {name_of(request.strategy)}"
        many = f"{name} has more than {MAXIMUM_STATES:,} states at these bankrolls"
        raise too_long(request, many, waiting_helps=False) from error
    except TooManySteps as error:
        raise too_long(request, TOO_MANY) from error
    size: int = sum(each.points.high - each.points.low for each in walk.found)
    most = MAXIMUM_POSITIONS if request.rounds else most_until_the_end(request)
    if len(walk.found) > 1 and size > most:
        raise too_long(request, TOO_MANY)
    return _ChainCompiler(walk, request.wager.result).compile()


def most_until_the_end(request: SessionRequest) -> int:
    """Return how many positions a session has at most that no rounds end.

    Whoever is patient gives it memory as well, some gigabytes at most.
    """
    return _MOST_UNTIL_THE_END * min(request.patience, _MOST_ROOM)


def _explored(request: SessionRequest) -> StateWalk:
    """Return the walk of an exact session.

    Where the states are few, whatever the bankroll, no points are looked for: a state
    has all that can play on. Otherwise they are followed one by one: round by round if
    that takes no time, since fewer are met in a number of rounds than at all.
    """
    most_units, longer = request.wager.maximum_units, request.patience
    if has_few_states(request.strategy):
        rules = WalkRules(
            patience=0,
            most_states=_FEW,
            most_steps=_FEW_STEPS * longer,
            most_units=most_units,
        )
        walk = StateWalk(request, rules)
        if walk.stays_flat():
            return _flat(walk, request.rounds)
        if _is_near(walk) and _is_followed(walk, request.rounds):
            return walk
    rules = WalkRules(
        one_by_one=True, most_steps=MOST_STEPS * longer, most_units=most_units
    )
    walk = StateWalk(request, rules)
    if request.rounds is None and not _is_near(walk):
        raise TooManySteps
    if not _is_near(walk):
        # With no target, or a far one, bankrolls end only with the rounds.
        assert request.rounds is not None
        walk.follow_rounds(request.rounds)
    elif request.rounds is None or not walk.follow_rounds(request.rounds, _QUICK_STEPS):
        walk = StateWalk(request, rules)
        walk.follow_oldest(request.rounds)
    return walk


def _is_near(walk: StateWalk) -> bool:
    """Return whether there is a target, with no more points below than can be kept."""
    return walk.target is not None and walk.target <= MAXIMUM_POSITIONS


def _is_followed(walk: StateWalk, rounds: int | None) -> bool:
    """Follow the walk, if its states are few enough to have them with all bankrolls."""
    try:
        walk.follow_oldest(rounds)
    except TooManyStates:
        return False
    size: int = sum(each.points.high - each.points.low for each in walk.found)
    return size <= MAXIMUM_POSITIONS


def _flat(walk: StateWalk, rounds: int | None) -> StateWalk:
    """Leave the only state with the points that it can come to in so many rounds."""
    [first] = walk.found
    if rounds is not None:
        low, high = walk.reach(rounds, first.played.units)
        first.points = first.points.moved(0, low, high + 1)
    return walk


@dataclass(frozen=True, slots=True)
class _ChainCompiler:
    """Writes down a walk's states as rows, and what happens to them as moves."""

    walk: StateWalk
    result: Distribution

    def compile(self) -> Chain:
        found = self.walk.found
        rows = [
            Row(each.played.state, each.points.low, each.points.high) for each in found
        ]
        runs = [
            Run(place, low, high, units)
            for place, (each, row) in enumerate(zip(found, rows, strict=True))
            for units, low, high in self.walk.stakes(each.played, row.low, row.high)
        ]
        moves = [move for run in runs for move in self._moves(run, rows)]
        ends = [_end_row(end, moves, self._place(end)) for end in ChainEnd]
        return Chain(
            self.walk.lattice,
            self.result.numerators,
            self.result.denominator,
            (*rows, *ends),
            tuple(runs),
            tuple(moves),
            (0, self.walk.start),
        )

    def _place(self, end: ChainEnd) -> int:
        return len(self.walk.found) + len(ChainEnd) + end

    def _moves(self, run: Run, rows: list[Row]) -> Iterator[Move]:
        """Yield the moves of a run; what lies beyond the last round is left out."""
        for outcome, net in enumerate(self.walk.nets):
            shift = run.units * net // self.walk.step
            for there, low, high in self._arrivals(run, net):
                target, first, after = self._known(there, low, high, rows)
                if first < after:
                    yield Move(
                        run.row, first - shift, after - shift, outcome, target, shift
                    )

    def _known(
        self, there: PlayedState | ChainEnd, low: int, high: int, rows: list[Row]
    ) -> tuple[int, int, int]:
        """Return the place of a state or an end, and what of the points it has."""
        if isinstance(there, ChainEnd):
            return self._place(there), low, high
        place = self.walk.places.get(there)
        if place is None:
            return 0, low, low
        return place, max(low, rows[place].low), min(high, rows[place].high)

    def _arrivals(
        self, run: Run, net: int
    ) -> Iterator[tuple[PlayedState | ChainEnd, int, int]]:
        """Yield where a result takes a run's points, by what becomes of them."""
        won, target = run.units * net, self.walk.target
        shift = won // self.walk.step
        low, high = run.low + shift, run.high + shift
        if target is not None and high > target:
            yield ChainEnd.REACHED, max(low, target), high
            high = target
        if low >= high:
            return
        for there, floor in self._floors(
            self.walk.after(self.walk.found[run.row], won)
        ):
            if low < high and high > floor:
                yield there, max(low, floor), high
                high = max(low, floor)

    def _floors(self, state: PlayedState) -> list[tuple[PlayedState | ChainEnd, int]]:
        """Return what becomes of a state from these points on, from the top down."""
        unit, least = self.walk.point(1), self.walk.least_played
        floors = self._floors_by_strategy(state)
        if least == unit:
            return floors
        # Below the stop-loss nobody asks the strategy.
        above = [(there, max(floor, least)) for there, floor in floors]
        ruined = (ChainEnd.RUINED, self.walk.lattice.first_at(0))
        return [*above, (ChainEnd.STOPPED, unit), ruined]

    def _floors_by_strategy(
        self, state: PlayedState
    ) -> list[tuple[PlayedState | ChainEnd, int]]:
        walk = self.walk
        unit, ruined = walk.point(1), (ChainEnd.RUINED, walk.lattice.first_at(0))
        if state.units == 0:
            return [(ChainEnd.STOPPED, unit), ruined]
        first = walk.played.first
        floors: list[tuple[PlayedState | ChainEnd, int]]
        floors = [(state, walk.floor(state)), ruined]
        if walk.over_bankroll is Shortfall.START_AGAIN and state is not first:
            floors.insert(1, (first, walk.point(first.units)))
        if walk.over_bankroll is Shortfall.STOP:
            floors.insert(1, (ChainEnd.STOPPED, unit))
        return floors


def _end_row(end: ChainEnd, moves: list[Move], place: int) -> Row:
    arrived = [
        (move.low + move.shift, move.high + move.shift)
        for move in moves
        if move.target == place
    ]
    low = min((low for low, _ in arrived), default=0)
    return Row(end, low, max((high for _, high in arrived), default=low))
