"""Changes of a seat's credit that were no act of the Player's, from the journal."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from croupier.house.records.past_rounds import sequence_before
from croupier.house.records.seat_play import CORRECTING, SeatStay, explanation_of
from croupier.journal.events.codec import JournalEvent
from croupier.journal.store import Store
from croupier.journal.tables import EventRow
from croupier.ledger import accounts as acc
from croupier.protocol.answers import StatedReason
from croupier.rules import events as ev
from croupier.rules.operator import Role
from croupier.table.answers import event_of

_MOST_SCANNED = 50_000
_OWN = (ev.WagerPlaced, ev.WagerIncreased)


class CreditChange(Struct, frozen=True):
    """One change of a seat's credit: what, why, by which clause, before and after."""

    sequence: int
    """The place in the table's journal of the event that says why."""
    event: str
    """Such as `BoughtIn` or `OutcomeCorrected`; `RoundSettled` for the first time."""
    round: int | None
    at_ms: int
    before_cents: int
    after_cents: int
    clause: str | None = None
    reason: StatedReason | None = None
    because: str = ""
    """The reason given by the people who did it; empty: none."""
    number_before: str | None = None
    number_after: str | None = None
    """Of a round: None where it is void."""


def credit_changes(
    store: Store, stream: str, stay: SeatStay, *, after: int, until: int, cents: int
) -> list[CreditChange]:
    """Return the changes of a stay's credit after an event, oldest first.

    `cents` is the credit after the event `until`. Only the latest events are looked at.
    """
    began = sequence_before(store, stream, stay.began_ms)
    account, moved = acc.seat(stay.seat), Counter[int]()
    start = max(after, began, until - _MOST_SCANNED)
    for sequence, _, entry in store.entries(stream, after=start):
        if sequence > until:
            break
        if entry.account == account:
            moved[sequence] += entry.cents
    before = cents - moved.total()
    changes: list[CreditChange] = []
    for sequence, change in moved.items():
        [row] = store.few_events(stream, sequence, sequence)
        if change and not _is_own(event_of(row)):
            changes.append(_explained(store, row, before, before + change))
        before += change
    return changes


def _explained(store: Store, row: EventRow, before: int, after: int) -> CreditChange:
    """Return the change with its reason."""
    event = event_of(row)
    if isinstance(event, ev.RoundSettled):
        return _of_round(store, row, event, before, after)
    return CreditChange(
        row.sequence,
        row.kind,
        row.round_number or None,
        row.at_ms,
        before,
        after,
        because=getattr(event, "reason", ""),
    )


def _is_own(event: JournalEvent) -> bool:
    """Return whether the Player did it."""
    by = getattr(event, "by", None)
    return isinstance(event, _OWN) or getattr(by, "role", None) is Role.PLAYER


def _of_round(
    store: Store, row: EventRow, settled: ev.RoundSettled, before: int, after: int
) -> CreditChange:
    """Return what a settlement changed, by what corrected or voided the round."""
    why, former = row, None
    for each in store.events(row.stream, round_number=row.round_number):
        if each.sequence == row.sequence:
            break
        if each.kind in CORRECTING:
            why = each
        elif each.kind == row.kind:
            former = event_of(each)
    is_void = settled.winning_number is None
    is_told = former or is_void or why.kind == ev.OutcomeDecided.__name__
    clause, reason, because = explanation_of(event_of(why if is_told else row))
    return CreditChange(
        why.sequence if former else row.sequence,
        why.kind if former else row.kind,
        row.round_number,
        row.at_ms,
        before,
        after,
        clause,
        reason,
        because,
        former.winning_number if isinstance(former, ev.RoundSettled) else None,
        settled.winning_number,
    )
