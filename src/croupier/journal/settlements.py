"""The settlements of a journal, and the Dealer of each round.

A correction settles a round again, and a round can be voided after it was settled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from croupier.journal.events.codec import JournalEvent, UnreadableEvent, decode
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.journal.tables import EventRow
from croupier.rules.events import (
    BallSpun,
    NoMoreBetsAnnounced,
    OutcomeAnnounced,
    PlaceYourBetsAnnounced,
    RoundSettled,
)
from croupier.rules.notation import shown
from croupier.rules.operator import Role
from croupier.rules.wheel import Number

_SETTLED = (RoundSettled.__name__,)


@dataclass(frozen=True, slots=True)
class RoundSettlement:
    """One settlement of a round; void rounds have no winning number."""

    document: str
    round_number: int
    settled: RoundSettled
    at_ms: int
    first_ms: int
    """The time of the round's first settlement."""
    before: RoundSettled | None
    """The settlement before it, if any."""
    is_last: bool

    @property
    def winning_number(self) -> Number | None:
        return self.settled.winning_number


def chosen_tables(store: Store, table: str | None) -> list[str]:
    """Return all tables, or the one that is named; raises `JournalError`."""
    tables = sorted(h.stream for h in store.heads() if h.stream != HOUSE_STREAM)
    if not tables:
        raise JournalError("there is no table in the journal")
    if table is None:
        return tables
    if table not in tables:
        raise JournalError(
            f"there is no table {shown(table)} in the journal; it has"
            f" {', '.join(tables)}"
        )
    return [table]


def settlements(store: Store, stream: str) -> Iterator[RoundSettlement]:
    """Return every settlement of a table, in order; raises `JournalError`."""
    again = {
        number: list(store.events(stream, round_number=number, kinds=_SETTLED))
        for number in store.rounds_with_several(stream, *_SETTLED)
    }
    for row in store.events(stream, kinds=_SETTLED):
        rows = again.get(row.round_number, [row])
        place = next(p for p, each in enumerate(rows) if each.sequence == row.sequence)
        yield RoundSettlement(
            row.document,
            row.round_number,
            _settled(row),
            row.at_ms,
            rows[0].at_ms,
            _settled(rows[place - 1]) if place else None,
            place == len(rows) - 1,
        )


def event_of(row: EventRow) -> JournalEvent:
    """Return the event of a row; raises `JournalError`."""
    try:
        return decode(row.schema, row.kind, row.body)
    except UnreadableEvent as error:
        raise JournalError(f"{_place(row)} can't be read: {error}") from error


def _settled(row: EventRow) -> RoundSettled:
    return cast(RoundSettled, event_of(row))


def _place(row: EventRow) -> str:
    return f"event {row.sequence} of {shown(row.stream)}"


_TELLING = (BallSpun, NoMoreBetsAnnounced, PlaceYourBetsAnnounced, OutcomeAnnounced)
"""Acts of a Dealer; the first of these kinds on record names a round's Dealer."""
_RANKS = {kind.__name__: rank for rank, kind in enumerate(_TELLING)}


def dealers_of(store: Store, stream: str) -> dict[int, str]:
    """Return the Dealer's name by round; raises `JournalError`.

    The Dealer of a round spun the ball. If a sensor reported the spin, the Dealer is
    the person who closed the bets, opened them or announced the outcome. A round in
    which no Dealer acted is absent.
    """
    found: dict[int, tuple[int, str]] = {}
    for row in store.events(stream, kinds=tuple(_RANKS)):
        rank = _RANKS[row.kind]
        event = event_of(row)
        assert isinstance(event, _TELLING)
        known = found.get(row.round_number)
        # The latest event of a kind counts: of two spins, the second.
        if event.by.role is Role.DEALER and (known is None or rank <= known[0]):
            found[row.round_number] = rank, event.by.name
    return {number: name for number, (_, name) in found.items()}
