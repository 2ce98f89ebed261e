"""Recall of any past round in full: who did what when, and what became of the money."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.games import game_of_document
from croupier.journal.events.codec import JournalEvent
from croupier.journal.store import JournalError, Store
from croupier.ledger.accounts import Account, Entry, is_seat
from croupier.rules.round import RoundOfPlay
from croupier.table.answers import event_of
from croupier.table.recovery import recall_round


@dataclass(frozen=True, slots=True)
class RecalledEvent:
    """An event as it was recorded, with the entries it made."""

    sequence: int
    at_ms: int
    command_id: str
    event: JournalEvent
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class RecalledRound:
    stream: str
    document: str
    number: int
    state: RoundOfPlay
    """As it stands now, after every correction."""
    events: tuple[RecalledEvent, ...]
    """Acts, refusals, announcements, settlement and corrections, in order."""
    credit_before: dict[Account, int]
    credit_after: dict[Account, int]
    """Of every seat, before the round's first event and after its last so far."""


def recall(store: Store, stream: str, number: int) -> RecalledRound:
    """The round in full; raises `JournalError` where there is none."""
    rows = list(store.events(stream, round_number=number))
    if number < 1 or not rows:
        raise JournalError(f"{stream[:60]} has no round {number}")
    first, last = rows[0].sequence, rows[-1].sequence
    entries: dict[int, list[Entry]] = {row.sequence: [] for row in rows}
    after = dict(store.balances(stream))
    before = dict(after)
    for sequence, _, entry in store.entries(stream, after=first - 1):
        before[entry.account] -= entry.cents
        if sequence > last:
            after[entry.account] -= entry.cents
        if sequence in entries:
            entries[sequence].append(entry)
    events = tuple(
        RecalledEvent(
            row.sequence,
            row.at_ms,
            row.command_id,
            event_of(row),
            tuple(entries[row.sequence]),
        )
        for row in rows
    )
    document = rows[0].document
    state = recall_round(store, stream, game_of_document(document), number)
    return RecalledRound(
        stream, document, number, state, events, _seats(before), _seats(after)
    )


def _seats(balances: dict[Account, int]) -> dict[Account, int]:
    return {a: cents for a, cents in sorted(balances.items()) if is_seat(a)}
