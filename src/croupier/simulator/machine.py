"""From a strategy to a table of states: those that a session can come to.

States are followed round by round, each with the least and the greatest bankroll at
which it can be reached. So a strategy is asked about a state only where it can be met,
and one that goes on for ever has no more states than the bankroll pays for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from croupier.odds.sessions import SessionError, Shortfall
from croupier.odds.sessions.exploration import MAXIMUM_STATES, SessionTerms
from croupier.odds.sessions.strategy import (
    PlayedState,
    PlayedStates,
    goes_by_sign,
    rule_over_bankroll,
)
from croupier.simulator.plan import Machine

MOST_UNITS = 2**36
"""The maximum where the table has none."""
MAXIMUM_SHORT_ROWS = 200_000
_HASTE = 20_000
"""After so many steps the first state is met with any bankroll below the target.

Series begin there again and again, each time with a little more.
"""
_PATIENCE = 500_000
"""After so many steps bankrolls are no longer followed: any may be met."""
_MAXIMUM_CUTS = 250_000

_Span = tuple[int, int]
"""The least and the greatest of some bankrolls, in cents."""
_Row = list[int | None]
"""By kind of result the place of what follows; None where nothing can."""


@dataclass(slots=True)
class _Found:
    """A state, and the bankrolls it has been reached and followed with."""

    seat: PlayedState
    span: _Span
    followed: _Span | None = None
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class Explored:
    """A strategy as a table, and how far it goes."""

    machine: Machine
    summit_cents: int
    """No bankroll is above this."""
    positions: int
    """Pairs of a state and a bankroll, at most."""


def explore_strategy(terms: SessionTerms, floor_cents: int) -> Explored:
    """The strategy as a table, for as many rounds as the session has.

    At `floor_cents` and below the session stops. Raises `SessionError`.
    """
    explorer = _Explorer(terms, floor_cents)
    explorer.explore()
    return explorer.explored()


class _Explorer:
    """Finds the states and the bankrolls, and writes them down as rows."""

    def __init__(self, terms: SessionTerms, floor_cents: int) -> None:
        wager = terms.wager
        assert terms.rounds is not None
        self._rounds: int = terms.rounds
        self._unit = wager.stake_cents
        self._nets = [int(value) for value in wager.result.values]
        most = min(wager.maximum_units or MOST_UNITS, MOST_UNITS)
        self._seats = PlayedStates(terms.strategy, most)
        self._seats.check_bankroll(terms.bankroll_cents // self._unit)
        self._by_sign = goes_by_sign(terms.strategy)
        self._rule = rule_over_bankroll(terms.strategy)
        self._start = terms.bankroll_cents
        gain = most * max(*self._nets, 0)
        # A session goes on between these.
        self._least = max(self._unit, floor_cents + 1)
        self._has_target = terms.target_cents is not None
        self._most = (
            self._start + self._rounds * gain
            if terms.target_cents is None
            else terms.target_cents - 1
        )
        self._places: dict[object, int] = {}
        self._found: list[_Found] = []
        self._open: list[_Found] = []
        self._afters: dict[tuple[int, int], PlayedState] = {}
        self._steps = self._cuts = 0
        self._summit = self._start

    def explore(self) -> None:
        self._reach(self._seats.first, (self._start, self._start))
        for _ in range(self._rounds):
            if self._has_target and self._steps > _HASTE:
                self._mark(self._seats.first, (self._least, self._most))
            batch, self._open = self._open, []
            if not batch:
                return
            for found in batch:
                found.is_open, found.followed = False, found.span
            for found in batch:
                self._follow(found)

    def _reach(self, seat: PlayedState, span: _Span) -> None:
        """The seat is met with bankrolls of this span."""
        self._summit = max(self._summit, span[1])
        self._mark(seat, span)
        if self._rule is Shortfall.START_AGAIN and seat.units:
            unpaid = min(span[1], seat.units * self._unit - 1)
            self._mark(self._seats.first, (span[0], unpaid))

    def _mark(self, seat: PlayedState, span: _Span) -> None:
        low, high = max(span[0], self._least), min(span[1], self._most)
        if low > high:
            return
        if self._steps > _PATIENCE:
            low, high = self._least, self._most
        place = self._places.get(seat.state)
        if place is None:
            self._add(seat, (low, high))
            return
        found = self._found[place]
        if low < found.span[0] or high > found.span[1]:
            found.span = min(low, found.span[0]), max(high, found.span[1])
            if not found.is_open:
                found.is_open = True
                self._open.append(found)

    def _add(self, seat: PlayedState, span: _Span) -> None:
        self._places[seat.state] = len(self._found)
        self._found.append(_Found(seat, span))
        self._open.append(self._found[-1])
        self._check_states()

    def _check_states(self) -> None:
        if len(self._found) > MAXIMUM_STATES:
            raise SessionError(
                f"{self._seats.name} has more than {MAXIMUM_STATES:,} states in"
                f" {self._rounds:,} rounds: give the table a maximum, the session a"
                " target or fewer rounds, or let it come back to states it has been in"
            )

    def _follow(self, found: _Found) -> None:
        for units, (low, high) in self._stakes(found):
            for net in self._nets:
                self._steps += 1
                won = units * net
                self._reach(self._after(found, won), (low + won, high + won))

    def _stakes(self, found: _Found) -> Iterator[tuple[int, _Span]]:
        """The units that are staked, with the bankrolls: all, or what these pay for."""
        units, span = found.seat.units, found.followed
        if span is None or units == 0:
            return
        low, high = span
        if high >= units * self._unit:
            yield units, (max(low, units * self._unit), high)
        if self._rule is not Shortfall.STAKE_ALLOWED:
            return
        for cut in self._cut(low // self._unit, min(units - 1, high // self._unit)):
            first = cut * self._unit
            yield cut, (max(low, first), min(high, first + self._unit - 1))

    def _cut(self, fewest: int, most: int) -> Iterable[int]:
        """Where only winning or losing counts, a few stand for all.

        The first and the last may have but a part of their bankrolls; so those next to
        them, which have all, can lead further.
        """
        if fewest > most:
            return ()
        if self._by_sign:
            beside = {fewest, fewest + 1, most - 1, most}
            return [units for units in beside if fewest <= units <= most]
        self._cuts += most + 1 - fewest
        if self._cuts > _MAXIMUM_CUTS:
            raise self._too_many()
        return range(fewest, most + 1)

    def _too_many(self) -> SessionError:
        return SessionError(
            f"{self._seats.name} has too many stakes that the bankroll may cut: let it"
            " stop or start again there (over_bankroll), or stake a larger unit"
        )

    def _after(self, found: _Found, won: int) -> PlayedState:
        key = self._places[found.seat.state], won
        known = self._afters.get(key)
        if known is None:
            net = Fraction(won, self._unit)
            known = self._afters[key] = self._seats.after(found.seat.state, net)
        return known

    def explored(self) -> Explored:
        step = gcd(*self._nets) or 1
        positions = sum(found.span[1] // step + 1 for found in self._found)
        return Explored(self._machine(), self._summit, positions)

    def _machine(self) -> Machine:
        rows: list[_Row] = []
        extra: list[_Row] = []
        short: list[int] = []
        for found in self._found:
            by_units = dict(self._rows(found))
            together = _together(by_units.values(), len(self._nets))
            if together is None:
                nothing: _Row = [None] * len(self._nets)
                rows.append(by_units.pop(found.seat.units, nothing))
                short.append(len(self._found) + len(extra))
                most = max(by_units, default=0)
                extra.extend(by_units.get(u, nothing) for u in range(1, most + 1))
            else:
                rows.append(together)
                short.append(-1)
            if len(extra) > MAXIMUM_SHORT_ROWS:
                raise self._too_many()
        after = tuple(tuple(place or 0 for place in row) for row in (*rows, *extra))
        return Machine(
            tuple(map(self._units, self._found)), after, tuple(short), self._rule
        )

    def _units(self, found: _Found) -> int:
        """What the state asks for; of what no bankroll pays, only so much as tells."""
        return min(found.seat.units, found.span[1] // self._unit + 1)

    def _rows(self, found: _Found) -> Iterator[tuple[int, _Row]]:
        for units, _ in self._stakes(found):
            afters = [self._after(found, units * net) for net in self._nets]
            yield units, [self._places.get(seat.state) for seat in afters]


def _together(rows: Iterable[_Row], kinds: int) -> _Row | None:
    """The one row that says all that these say; None where they differ."""
    merged: _Row = [None] * kinds
    for row in rows:
        for kind, place in enumerate(row):
            if place is not None and merged[kind] not in {None, place}:
                return None
            merged[kind] = merged[kind] if place is None else place
    return merged
