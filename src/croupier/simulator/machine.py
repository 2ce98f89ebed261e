"""From a strategy to a table of states that an engine can play by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from croupier.odds.sessions import SessionError
from croupier.odds.sessions.exploration import (
    MAXIMUM_STATES,
    FoundState,
    SessionTerms,
    StateWalk,
    TooManyStates,
    WalkRules,
)
from croupier.odds.sessions.strategy import goes_by_sign
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

_Row = list[int | None]
"""By kind of result the place of what follows; None where nothing can."""


@dataclass(frozen=True, slots=True)
class Explored:
    """A strategy as a table, and how far it goes."""

    machine: Machine
    summit_cents: int
    """No bankroll is above this."""
    positions: int
    """Pairs of a state and a bankroll, at most."""


def explore_strategy(terms: SessionTerms, floor_cents: int) -> Explored:
    """Return the strategy as a table, for as many rounds as the session has.

    At `floor_cents` and below the session stops. Raises `SessionError`.
    """
    assert terms.rounds is not None
    walk = _MachineWalk(terms, floor_cents)
    try:
        walk.follow_rounds(terms.rounds)
    except TooManyStates as error:
        raise SessionError(
            f"{walk.played.name} has more than {MAXIMUM_STATES:,} states in"
            f" {terms.rounds:,} rounds: give the table a maximum, the session a"
            " target or fewer rounds, or let it come back to states it has been in"
        ) from error
    return Explored(
        _machine(walk),
        walk.lattice.cents(walk.highest),
        sum(found.points.high for found in walk.found),
    )


class _MachineWalk(StateWalk):
    """A walk that need not be exact: bankrolls too many may be met, none too few."""

    def __init__(self, terms: SessionTerms, floor_cents: int) -> None:
        rules = WalkRules(
            patience=_PATIENCE,
            most_units=min(terms.wager.maximum_units or MOST_UNITS, MOST_UNITS),
            floor_cents=floor_cents,
            keeps_unpaid=True,
        )
        self._by_sign = goes_by_sign(terms.strategy)
        self._cuts = 0
        super().__init__(terms, rules)

    def hasten(self) -> None:
        if self.target is not None and self.steps > _HASTE:
            self.meet_everywhere(self.played.first)

    def cut_stakes(self, fewest: int, most: int) -> Iterable[int]:
        """Return a few stakes for all where only winning or losing counts.

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
            raise self.too_many_cuts()
        return range(fewest, most + 1)

    def too_many_cuts(self) -> SessionError:
        return SessionError(
            f"{self.played.name} has too many stakes that the bankroll may cut: let it"
            " stop or start again there (over_bankroll), or stake a larger unit"
        )


def _machine(walk: _MachineWalk) -> Machine:
    rows: list[_Row] = []
    extra: list[_Row] = []
    short: list[int] = []
    nothing: _Row = [None] * len(walk.nets)
    for found in walk.found:
        by_units = dict(_rows(walk, found))
        together = _together(by_units.values(), len(walk.nets))
        if together is None:
            rows.append(by_units.pop(found.played.units, nothing))
            short.append(len(walk.found) + len(extra))
            most = max(by_units, default=0)
            extra.extend(by_units.get(u, nothing) for u in range(1, most + 1))
        else:
            rows.append(together)
            short.append(-1)
        if len(extra) > MAXIMUM_SHORT_ROWS:
            raise walk.too_many_cuts()
    after = tuple(tuple(place or 0 for place in row) for row in (*rows, *extra))
    units = tuple(_units(walk, found) for found in walk.found)
    return Machine(units, after, tuple(short), walk.over_bankroll)


def _units(walk: StateWalk, found: FoundState) -> int:
    """Return what the state asks for; of what no bankroll pays, so much as tells."""
    highest = walk.lattice.cents(found.points.high - 1)
    return min(found.played.units, highest // walk.unit_cents + 1)


def _rows(walk: StateWalk, found: FoundState) -> Iterator[tuple[int, _Row]]:
    """Yield what follows each stake, by kind of result."""
    span = found.followed
    for units, _, _ in walk.stakes(found.played, span.low, span.high):
        afters = [walk.after(found, units * net) for net in walk.nets]
        yield units, [walk.places.get(state.state) for state in afters]


def _together(rows: Iterable[_Row], kinds: int) -> _Row | None:
    """Return the one row that says all that these say; None where they differ."""
    merged: _Row = [None] * kinds
    for row in rows:
        for kind, place in enumerate(row):
            if place is not None and merged[kind] not in {None, place}:
                return None
            merged[kind] = merged[kind] if place is None else place
    return merged
