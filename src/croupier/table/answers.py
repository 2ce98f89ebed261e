"""The answer to a command: what it recorded, or why it was refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct

from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent, decode
from croupier.journal.store import Store
from croupier.journal.tables import AnswerRow, EventRow
from croupier.rules.clause import Refusal


class Accepted(Struct, frozen=True, gc=False):
    """Registered: the events are on disk under these sequence numbers."""

    command_id: str
    first: int
    last: int
    events: tuple[JournalEvent, ...]
    rounds: tuple[int, ...]
    """The round that each event belongs to."""
    sent: str = ""
    """Digest of the first command under this id, as `Submission` has it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Judged, recorded as refused, and nothing else changed."""

    command_id: str
    refusal: Refusal
    sequence: int
    """Of the event that records it."""
    sent: str = ""


Answer = Accepted | Refused


def answer_of(row: AnswerRow, rows: Sequence[EventRow]) -> Answer:
    """Return the answer that the events of a command amount to."""
    rows = [each for each in rows if each.kind != hap.SnapshotTaken.__name__]
    sent = rows[0].command_id.removeprefix(row.command_id)[1:]
    kept = tuple(event_of(each) for each in rows)
    match kept:
        case (hap.ActRefused(clause=clause, reason=reason),):
            return Refused(row.command_id, Refusal(clause, reason), row.first, sent)
    rounds = tuple(each.round_number for each in rows)
    return Accepted(row.command_id, row.first, row.last, kept, rounds, sent)


def stored_answer(store: Store, stream: str, command_id: str) -> Answer | None:
    """Return the first answer to a command that has been judged before."""
    row = store.answer(stream, command_id)
    if row is None:
        return None
    return answer_of(row, store.few_events(stream, row.first, row.last))


def event_of(row: EventRow) -> JournalEvent:
    return decode(row.schema, row.kind, row.body)
