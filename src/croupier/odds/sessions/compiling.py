"""From a strategy, a base wager and a bankroll to the chain of the session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any

from croupier.odds.sessions.chain import Chain, End, Lattice, Move, Row, Run
from croupier.odds.sessions.strategy import (
    SessionError,
    Shortfall,
    Strategy,
    name_of,
    rule_over_bankroll,
    rule_over_maximum,
)
from croupier.odds.sessions.unit_wager import UnitWager

MAXIMUM_STATES = 50_000
MAXIMUM_POSITIONS = 20_000_000
_GROWTHS = 8
"""A row that has grown so often goes round a loop that wins: it grows to the target."""


@dataclass(frozen=True, slots=True)
class SessionTerms:
    """What a session is about: where it starts, and what ends it."""

    bankroll_cents: int
    target_cents: int | None
    rounds: int | None
    wager: UnitWager
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class _Seat:
    """A state as it is played: by itself, or as the first one after a rule."""

    state: Any
    units: int
    """After the rule for the table's maximum; 0 leaves the table."""


@dataclass(slots=True)
class _Grown:
    """A row while it is being explored: it is reached below `high`."""

    seat: _Seat
    place: int
    high: int
    explored: int = 0
    growths: int = 0

    def grow(self, high: int, target: int | None) -> bool:
        """Whether it has grown; one that goes on growing grows to the target."""
        if high <= self.high:
            return False
        self.growths += 1
        is_climbing = target is not None and self.growths > _GROWTHS
        self.high = target if is_climbing and target is not None else high
        return True


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
        self._over_maximum = rule_over_maximum(self._strategy)
        self._over_bankroll = rule_over_bankroll(self._strategy)
        self._seats: dict[Any, _Seat] = {}
        self._places: dict[Any, int] = {}
        self._grown: list[_Grown] = []
        self._changed: dict[int, None] = {}
        self._points = 0
        self._first = self._first_seat()

    def compile(self) -> Chain:
        start = self._lattice.first_at(self._terms.bankroll_cents)
        if start < self._floor(self._first):
            raise SessionError("the bankroll does not pay for the first wager")
        self._grow(self._first, start + 1)
        if self._target is not None:
            self._grow(self._first, self._target)
        self._explore()
        runs = [run for grown in self._grown for run in self._runs(grown)]
        moves = [move for run in runs for move in self._moves(run)]
        return self._chain(runs, moves, (0, start))

    def _chain(
        self, runs: list[Run], moves: list[Move], start: tuple[int, int]
    ) -> Chain:
        rows = [
            Row(grown.seat.state, self._floor(grown.seat), grown.high)
            for grown in self._grown
        ]
        ends = [_end_row(end, moves) for end in End]
        every = (*rows, *ends)
        placed = [
            replace(move, target=move.target % len(every))  # ends count from the end
            for move in moves
        ]
        result = self._terms.wager.result
        return Chain(
            self._lattice,
            result.numerators,
            result.denominator,
            every,
            tuple(runs),
            tuple(placed),
            start,
        )

    def _first_seat(self) -> _Seat:
        state = self._strategy.start
        units = self._asked(state)
        most = self._terms.wager.maximum_units
        if units == 0:
            raise SessionError(f"{self._name} stakes nothing at the start")
        if most is not None and units > most:
            if self._over_maximum is not Shortfall.STAKE_ALLOWED:
                raise SessionError(
                    f"{self._name} begins with {units} units, and the table's limits"
                    f" allow {most}"
                )
            units = most
        seat = _Seat(state, units)
        self._seats[state] = seat
        return seat

    @property
    def _name(self) -> str:
        return f"the strategy {name_of(self._strategy)}"

    def _asked(self, state: Any) -> int:
        units = self._strategy.stake(state)
        if type(units) is not int or units < 0:
            raise SessionError(
                f"{self._name} must stake whole units, 0 or more, not {units!r:.40}"
            )
        return units

    def _seat(self, state: Any) -> _Seat:
        """The state as it is played under the table's maximum."""
        try:
            found = self._seats.get(state)
        except TypeError as error:
            raise SessionError(
                f"{self._name} has a state that can't be kept in a set: {error}"
            ) from error
        if found is None:
            found = self._seats[state] = self._new_seat(state)
        return found

    def _new_seat(self, state: Any) -> _Seat:
        units, most = self._asked(state), self._terms.wager.maximum_units
        if most is None or units <= most:
            return _Seat(state, units)
        if self._over_maximum is Shortfall.START_AGAIN:
            return self._first
        is_stopping = self._over_maximum is Shortfall.STOP
        return _Seat(state, 0 if is_stopping else most)

    def _point(self, units: int) -> int:
        """The first point that pays for so many units."""
        return self._lattice.first_at(units * self._unit_cents)

    def _floor(self, seat: _Seat) -> int:
        """The first point at which the seat's own row goes on."""
        is_short = self._over_bankroll is Shortfall.STAKE_ALLOWED
        return self._point(1 if is_short else seat.units)

    def _grow(self, seat: _Seat, high: int) -> None:
        """The seat is reached below `high`."""
        place = self._places.get(seat.state)
        if place is None:
            place = self._places[seat.state] = len(self._grown)
            self._grown.append(_Grown(seat, place, self._floor(seat)))
        grown = self._grown[place]
        before = grown.high
        if grown.grow(high, self._target):
            self._points += grown.high - before
            self._changed[place] = None

    def _explore(self) -> None:
        """Round by round, the rows that are reached; until none of them grows."""
        rounds = self._terms.rounds
        while self._changed and (rounds is None or rounds > 0):
            changed, self._changed = list(self._changed), {}
            for place in changed:
                grown = self._grown[place]
                low, grown.explored = grown.explored, grown.high
                for run in self._runs(grown, low):
                    self._reach(run)
                self._check_size()
            rounds = None if rounds is None else rounds - 1

    def _check_size(self) -> None:
        if len(self._grown) > MAXIMUM_STATES:
            raise SessionError(
                f"{self._name} never ends: it has more than {MAXIMUM_STATES:,} states;"
                " let it come back to states it has been in"
            )
        if self._points > MAXIMUM_POSITIONS:
            raise SessionError(
                "the session has too many bankrolls to reckon with: stake a larger"
                " unit, or set a nearer target"
            )

    def _runs(self, grown: _Grown, above: int = 0) -> Iterator[Run]:
        """The row's points by what is staked at them; those from `above` on."""
        high, most = grown.high, grown.seat.units
        full = max(self._point(most), above)
        if full < high:
            yield Run(grown.place, full, high, most)
        if self._over_bankroll is not Shortfall.STAKE_ALLOWED:
            return
        first = max(1, self._lattice.cents(above) // self._unit_cents)
        for units in range(first, most):
            low = max(self._point(units), above)
            after = min(self._point(units + 1), high)
            if low >= high:
                return
            if low < after:
                yield Run(grown.place, low, after, units)

    def _reach(self, run: Run) -> None:
        for outcome in range(len(self._nets)):
            for seat, _, high in self._arrivals(run, outcome):
                if isinstance(seat, _Seat):
                    self._grow(seat, high)

    def _moves(self, run: Run) -> Iterator[Move]:
        """The moves of a run; what lies beyond the last round is left out."""
        for outcome, net in enumerate(self._nets):
            shift = run.units * net // self._step
            for seat, low, high in self._arrivals(run, outcome):
                if isinstance(seat, End):
                    target, known = int(seat), high
                elif seat.state in self._places:
                    target = self._places[seat.state]
                    known = min(high, self._grown[target].high)
                else:
                    continue
                if low < known:
                    yield Move(
                        run.row, low - shift, known - shift, outcome, target, shift
                    )

    def _arrivals(
        self, run: Run, outcome: int
    ) -> Iterator[tuple[_Seat | End, int, int]]:
        """Where an outcome takes the run's points, by what becomes of them there."""
        won = run.units * self._nets[outcome]
        shift = won // self._step
        low, high = run.low + shift, run.high + shift
        if self._target is not None and high > self._target:
            yield End.REACHED, max(low, self._target), high
            high = self._target
        if low >= high:
            return
        state = self._grown[run.row].seat.state
        net = Fraction(won, self._unit_cents)
        for seat, floor in self._floors(self._seat(self._strategy.after(state, net))):
            if low < high and high > floor:
                yield seat, max(low, floor), high
                high = max(low, floor)

    def _floors(self, seat: _Seat) -> list[tuple[_Seat | End, int]]:
        """What becomes of a seat from these points on, from the top down."""
        unit, ruined = self._point(1), (End.RUINED, self._lattice.first_at(0))
        if seat.units == 0:
            return [(End.STOPPED, unit), ruined]
        floors: list[tuple[_Seat | End, int]] = [(seat, self._floor(seat)), ruined]
        if self._over_bankroll is Shortfall.START_AGAIN and seat is not self._first:
            floors.insert(1, (self._first, self._point(self._first.units)))
        if self._over_bankroll is Shortfall.STOP:
            floors.insert(1, (End.STOPPED, unit))
        return floors


def _end_row(end: End, moves: list[Move]) -> Row:
    arrived = [
        (move.low + move.shift, move.high + move.shift)
        for move in moves
        if move.target == end
    ]
    low = min((low for low, _ in arrived), default=0)
    return Row(end, low, max((high for _, high in arrived), default=low))
