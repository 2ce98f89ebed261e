"""From a strategy, a base wager and a bankroll to the chain of the session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import gcd
from typing import Any

from croupier.odds.sessions.chain import Chain, ChainEnd, Lattice, Move, Row, Run
from croupier.odds.sessions.strategy import (
    PlayedState,
    PlayedStates,
    SessionError,
    Shortfall,
    Strategy,
    has_few_states,
    rule_over_bankroll,
)
from croupier.odds.sessions.unit_wager import UnitWager

MAXIMUM_STATES = 50_000
MAXIMUM_POSITIONS = 20_000_000
_FEW = 128
"""So few states are taken with every bankroll."""


@dataclass(frozen=True, slots=True)
class SessionTerms:
    """What a session is about: where it starts, and what ends it."""

    bankroll_cents: int
    target_cents: int | None
    rounds: int | None
    wager: UnitWager
    strategy: Strategy


@dataclass(slots=True)
class _Found:
    """A row while it is being explored: the points at which it is reached, as bits."""

    seat: PlayedState
    place: int
    points: int = 0
    fresh: int = 0
    """Those that have not been followed yet."""
    depth: int = 0
    """After how many rounds it can be reached."""

    def take_fresh(self) -> int:
        fresh, self.fresh = self.fresh, 0
        return fresh

    @property
    def low(self) -> int:
        return (self.points & -self.points).bit_length() - 1

    @property
    def high(self) -> int:
        return self.points.bit_length()


def compile_chain(terms: SessionTerms) -> Chain:
    """The chain of the session; raises `SessionError` where there is none."""
    return _Compiler(terms).compile()


class _Compiler:
    """Finds the states that are reached, and the bankrolls they are reached at."""

    def __init__(self, terms: SessionTerms) -> None:
        self._terms = terms
        self._strategy = terms.strategy
        self._unit_cents = terms.wager.stake_cents
        self._nets = [int(value) for value in terms.wager.result.values]
        self._step = gcd(*self._nets)
        if self._step == 0:
            raise SessionError(
                f"{terms.wager.text} neither wins nor loses, so the session never ends"
            )
        self._lattice = Lattice(terms.bankroll_cents % self._step, self._step)
        goal = terms.target_cents
        self._target = None if goal is None else self._lattice.first_at(goal)
        self._over_bankroll = rule_over_bankroll(self._strategy)
        self._places: dict[Any, int] = {}
        self._afters: dict[
            tuple[Any, int], list[tuple[PlayedState | ChainEnd, int]]
        ] = {}
        self._found: list[_Found] = []
        self._open: list[int] = []
        self._is_whole = self._target is not None and has_few_states(self._strategy)
        self._seats = PlayedStates(self._strategy, terms.wager.maximum_units)
        self._first = self._seats.first

    def compile(self) -> Chain:
        start = self._lattice.first_at(self._terms.bankroll_cents)
        self._seats.check_bankroll(self._terms.bankroll_cents // self._unit_cents)
        _check_size(max(start, self._target or 0))
        self._explore(start)
        runs = [
            run
            for found in self._found
            for run in self._runs(found, found.low, found.high)
        ]
        moves = [move for run in runs for move in self._moves(run)]
        return self._chain(runs, moves, (0, start))

    def _chain(
        self, runs: list[Run], moves: list[Move], start: tuple[int, int]
    ) -> Chain:
        rows = [Row(found.seat.state, found.low, found.high) for found in self._found]
        _check_size(sum(row.length for row in rows))
        ends = [
            _end_row(end, moves, len(rows) + len(ChainEnd) + end) for end in ChainEnd
        ]
        result = self._terms.wager.result
        return Chain(
            self._lattice,
            result.numerators,
            result.denominator,
            (*rows, *ends),
            tuple(runs),
            tuple(moves),
            start,
        )

    def _point(self, units: int) -> int:
        """The first point that pays for so many units."""
        return self._lattice.first_at(units * self._unit_cents)

    def _floor(self, seat: PlayedState) -> int:
        """The first point at which the seat's own row goes on."""
        is_short = self._over_bankroll is Shortfall.STAKE_ALLOWED
        return self._point(1 if is_short else seat.units)

    def _explore(self, start: int) -> None:
        """The rows that are reached, each with its points.

        Where the states are few, whatever the bankroll, no points are looked for: a
        row has all that can play on. Otherwise they are followed one by one.
        """
        if self._is_whole:
            self._reach(self._first, start, 1, 0)
            self._follow()
            if len(self._found) <= _FEW:
                return
        self._is_whole = False
        self._places.clear()
        self._found.clear()
        self._open.clear()
        self._reach(self._first, start, 1, 0)
        if self._target is None:
            assert self._terms.rounds is not None
            self._follow_rounds(self._terms.rounds)
        else:
            self._follow()

    def _reach(self, seat: PlayedState, low: int, points: int, depth: int) -> None:
        """The seat is reached at these points, the lowest bit for `low`."""
        place = self._places.get(seat.state)
        if place is None:
            place = self._places[seat.state] = len(self._found)
            self._found.append(_Found(seat, place, depth=depth))
        found = self._found[place]
        _check_size(low + points.bit_length())
        points <<= low
        if self._is_whole and self._target is not None and not found.points:
            floor = self._floor(seat)
            points = ((1 << self._target - floor) - 1) << floor
        fresh = points & ~found.points
        if depth < found.depth:
            found.depth, fresh = depth, found.points | points
        if fresh:
            if not found.fresh:
                heappush(self._open, place)
            found.fresh |= fresh
            found.points |= points

    def _follow(self) -> None:
        """Goes on from the points that are fresh, the oldest row first."""
        rounds = self._terms.rounds
        while self._open:
            found = self._found[heappop(self._open)]
            fresh = found.take_fresh()
            if rounds is None or found.depth < rounds:
                self._follow_row(found, fresh)
            if self._is_whole and len(self._found) > _FEW:
                return

    def _follow_rounds(self, rounds: int) -> None:
        """Goes on round by round: without a target bankrolls only end with them."""
        for _ in range(rounds):
            batch, self._open = [self._found[place] for place in self._open], []
            taken = [found.take_fresh() for found in batch]
            for found, fresh in zip(batch, taken, strict=True):
                self._follow_row(found, fresh)

    def _follow_row(self, found: _Found, fresh: int) -> None:
        low, high = (fresh & -fresh).bit_length() - 1, fresh.bit_length()
        for run in self._runs(found, low, high):
            self._follow_run(run, fresh)
        if len(self._found) > MAXIMUM_STATES:
            raise SessionError(
                f"{self._seats.name} never ends: it has more than"
                f" {MAXIMUM_STATES:,} states; let it come back to states it has been in"
            )

    def _follow_run(self, run: Run, fresh: int) -> None:
        points = (fresh >> run.low) & ((1 << run.high - run.low) - 1)
        if not points:
            return
        depth = self._found[run.row].depth + 1
        for outcome, net in enumerate(self._nets):
            first = run.low + run.units * net // self._step
            for seat, low, high in self._arrivals(run, outcome):
                if isinstance(seat, PlayedState):
                    part = (points >> low - first) & ((1 << high - low) - 1)
                    if part:
                        self._reach(seat, low, part, depth)

    def _runs(self, found: _Found, low: int, high: int) -> Iterator[Run]:
        """Points of the row by what is staked at them."""
        most = found.seat.units
        full = max(self._point(most), low)
        if full < high:
            yield Run(found.place, full, high, most)
        if self._over_bankroll is not Shortfall.STAKE_ALLOWED:
            return
        fewest = max(1, self._lattice.cents(low) // self._unit_cents)
        for units in range(fewest, most):
            first = max(self._point(units), low)
            after = min(self._point(units + 1), high)
            if first >= high:
                return
            if first < after:
                yield Run(found.place, first, after, units)

    def _moves(self, run: Run) -> Iterator[Move]:
        """The moves of a run; what lies beyond the last round is left out."""
        for outcome, net in enumerate(self._nets):
            shift = run.units * net // self._step
            for seat, low, high in self._arrivals(run, outcome):
                target, first, after = self._known(seat, low, high)
                if first < after:
                    yield Move(
                        run.row, first - shift, after - shift, outcome, target, shift
                    )

    def _known(
        self, seat: PlayedState | ChainEnd, low: int, high: int
    ) -> tuple[int, int, int]:
        """The place of a seat or an end, and what of the points is known of it."""
        if isinstance(seat, ChainEnd):
            return len(self._found) + len(ChainEnd) + seat, low, high
        place = self._places.get(seat.state)
        if place is None:
            return 0, low, low
        found = self._found[place]
        return place, max(low, found.low), min(high, found.high)

    def _arrivals(
        self, run: Run, outcome: int
    ) -> Iterator[tuple[PlayedState | ChainEnd, int, int]]:
        """Where an outcome takes the run's points, by what becomes of them there."""
        won = run.units * self._nets[outcome]
        shift = won // self._step
        low, high = run.low + shift, run.high + shift
        if self._target is not None and high > self._target:
            yield ChainEnd.REACHED, max(low, self._target), high
            high = self._target
        if low >= high:
            return
        for seat, floor in self._after(self._found[run.row].seat, won):
            if low < high and high > floor:
                yield seat, max(low, floor), high
                high = max(low, floor)

    def _after(
        self, seat: PlayedState, won: int
    ) -> list[tuple[PlayedState | ChainEnd, int]]:
        """What becomes of the seat after so many cents, by floors."""
        key = seat.state, won
        known = self._afters.get(key)
        if known is None:
            after = self._seats.after(seat.state, Fraction(won, self._unit_cents))
            known = self._afters[key] = self._floors(after)
        return known

    def _floors(self, seat: PlayedState) -> list[tuple[PlayedState | ChainEnd, int]]:
        """What becomes of a seat from these points on, from the top down."""
        unit, ruined = self._point(1), (ChainEnd.RUINED, self._lattice.first_at(0))
        if seat.units == 0:
            return [(ChainEnd.STOPPED, unit), ruined]
        floors: list[tuple[PlayedState | ChainEnd, int]] = [
            (seat, self._floor(seat)),
            ruined,
        ]
        if self._over_bankroll is Shortfall.START_AGAIN and seat is not self._first:
            floors.insert(1, (self._first, self._point(self._first.units)))
        if self._over_bankroll is Shortfall.STOP:
            floors.insert(1, (ChainEnd.STOPPED, unit))
        return floors


def _check_size(points: int) -> None:
    if points > MAXIMUM_POSITIONS:
        raise SessionError(
            "the session has too many bankrolls to reckon with: stake a larger unit,"
            " or set a nearer target"
        )


def _end_row(end: ChainEnd, moves: list[Move], place: int) -> Row:
    arrived = [
        (move.low + move.shift, move.high + move.shift)
        for move in moves
        if move.target == place
    ]
    low = min((low for low, _ in arrived), default=0)
    return Row(end, low, max((high for _, high in arrived), default=low))
