"""The answer to a command: its events, or its refusal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct

from croupier.journal.events.codec import JournalEvent, decode
from croupier.journal.events.table import ActRefused, SnapshotTaken
from croupier.journal.store import Store
from croupier.journal.tables import AnswerRow, EventRow
from croupier.rules.clause import Refusal


class Accepted(Struct, frozen=True, gc=False):
    """A registered command: its events are on disk under these sequence numbers."""

    command_id: str
    first: int
    last: int
    events: tuple[JournalEvent, ...]
    rounds: tuple[int, ...]
    """The round that each event belongs to."""
    sent: str = ""
    """Digest of the first command with this id: see `Submission.sent`."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused command: only the refusal is on record."""

    command_id: str
    refusal: Refusal
    sequence: int
    """The sequence number of the recorded refusal."""
    sent: str = ""


Answer = Accepted | Refused


def answer_of(row: AnswerRow, rows: Sequence[EventRow]) -> Answer:
    """Return the answer to a command from its recorded events."""
    rows = [each for each in rows if each.kind != SnapshotTaken.__name__]
    sent = rows[0].command_id.removeprefix(row.command_id)[1:]
    kept = tuple(event_of(each) for each in rows)
    match kept:
        case (ActRefused(clause=clause, reason=reason),):
            return Refused(row.command_id, Refusal(clause, reason), row.first, sent)
    rounds = tuple(each.round_number for each in rows)
    return Accepted(row.command_id, row.first, row.last, kept, rounds, sent)


def stored_answer(store: Store, stream: str, command_id: str) -> Answer | None:
    """Return the first answer to a command; None if it was never judged."""
    row = store.answer(stream, command_id)
    if row is None:
        return None
    return answer_of(row, store.few_events(stream, row.first, row.last))


def event_of(row: EventRow) -> JournalEvent:
    return decode(row.schema, row.kind, row.body)
