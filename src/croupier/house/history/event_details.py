"""Events as inspectors and Players read them: their people, reasons and fields.

A voucher's code is money, so it is shown masked. It appears in full only when it is
issued, used, or paid by two people.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.house import Proposed
from croupier.journal.events.two_person_acts import ProposedAct, StaffAct
from croupier.journal.tables import EventRow
from croupier.ledger import money
from croupier.ledger.accounts import Entry
from croupier.ledger.commands import PayVoucher
from croupier.protocol.answers import StatedReason, stated
from croupier.rules.clause import Clause
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.table.answers import event_of


class EntryShown(Struct, frozen=True):
    account: str
    cents: int


class EventShown(Struct, frozen=True):
    """An event with its people and its entries."""

    sequence: int
    at_ms: int
    event: str
    by: str | None
    clause: str | None
    fields: dict[str, Any]
    entries: tuple[EntryShown, ...]
    hash: str
    """The seal of a Player's receipt; it covers all earlier events."""


def event_shown(row: EventRow, entries: list[Entry]) -> EventShown:
    """Return an event with its entries; a voucher's code is masked."""
    event = without_codes(event_of(row))
    clause = getattr(event, "clause", None)
    fields: dict[str, Any] = msgspec.to_builtins(event)
    reason = explanation_of(event)[1]
    if reason is not None:
        fields["reason"] = msgspec.to_builtins(reason)
    return EventShown(
        sequence=row.sequence,
        at_ms=row.at_ms,
        event=row.kind,
        by=_people_of(event),
        clause=None if clause is None else str(clause),
        fields=fields,
        entries=tuple(EntryShown(*entry) for entry in entries),
        hash=row.hash,
    )


def _people_of(event: JournalEvent) -> str | None:
    """Return the people of an event with their positions, or None if it names none."""
    people = getattr(event, "by", None) or getattr(event, "initiator", None)
    if isinstance(people, Person):
        people = (people,)
    if not isinstance(people, tuple):
        return None
    return " and ".join(
        f"{each.name} ({'acting ' if each.acting else ''}{each.role.value})"
        for each in people
    )


def clause_of(event: JournalEvent) -> str | None:
    clause = getattr(event, "clause", None)
    return clause.number if isinstance(clause, Clause) else None


def explanation_of(
    event: JournalEvent,
) -> tuple[str | None, StatedReason | None, str]:
    clause, reason = clause_of(event), getattr(event, "reason", None)
    said = stated(reason, clause) if isinstance(reason, Reason) else None
    return clause, said, getattr(event, "because", "")


def without_codes(event: JournalEvent) -> JournalEvent:
    """Return the event with its voucher code masked."""
    match event:
        case (
            money.VoucherIssued()
            | money.VoucherRedeemed()
            | money.VoucherPaid()
            | money.VoucherExpired()
            | money.VoucherReportedLost()
        ):
            return replace(event, code=money.masked_code(event.code))
        case Proposed(act=act):
            return msgspec.structs.replace(event, act=masked_act(act))
    return event


def masked_act(act: ProposedAct) -> ProposedAct:
    """Return a proposed act with its voucher code masked and its digest removed."""
    if isinstance(act, PayVoucher):
        return msgspec.structs.replace(act, code=money.masked_code(act.code))
    if isinstance(act, StaffAct):
        return msgspec.structs.replace(act, digest=None)
    return act
