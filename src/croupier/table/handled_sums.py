"""Sums that a person of the staff has moved alone, at all tables; pure.

They are folded from the payments on record, so that they are the house's: another seat,
another table, another node or a gaming day closed early begins none again. A payment
that a second person has confirmed is taken off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from croupier.journal.events.codec import JournalEvent, decode
from croupier.journal.events.plan import ThresholdAct
from croupier.journal.events.table import SumConfirmed
from croupier.journal.tables import EventRow
from croupier.ledger import money
from croupier.rules.operator import Person, Role

_ACTS: Mapping[type[JournalEvent], ThresholdAct] = {
    money.BoughtIn: ThresholdAct.BUY_IN,
    money.ColourChipsBought: ThresholdAct.BUY_IN,
    money.ClaimPaid: ThresholdAct.BUY_IN,
    money.CashedOut: ThresholdAct.CASH_OUT,
    money.ColourChipsBoughtBack: ThresholdAct.CASH_OUT,
    money.VoucherPaid: ThresholdAct.CASH_OUT,
    money.VoucherIssued: ThresholdAct.VOUCHER,
    money.Filled: ThresholdAct.FILL,
    money.CreditTaken: ThresholdAct.FILL,
    money.Adjusted: ThresholdAct.ADJUSTMENT,
    money.OwedPaid: ThresholdAct.HAND_PAY,
    money.FloatCounted: ThresholdAct.FLOAT_COUNT,
}
HANDLED_EVENTS = frozenset({*_ACTS, SumConfirmed})
"""Events that change the sums; the stores have an index of them."""
HANDLED_FOR_MS = 24 * 60 * 60 * 1000
"""A payment counts for so long."""
HandledSums = Mapping[tuple[str, str], int]
"""Cents by act and by whose money it was, as `Movement` names it."""


class Movement(NamedTuple):
    """Money that a person moved: by which act, whose, and how much."""

    act: ThresholdAct
    by: Person
    whose: str
    """A seat, a Player, a voucher as it may be seen, or empty for the float."""
    cents: int


def movement_of(event: JournalEvent) -> Movement | None:
    """Return the money that an event moved, if a threshold can be set for that."""
    act = _ACTS.get(type(event))
    if act is None:
        return None
    moved = cast(Any, event)
    by = moved.initiator if isinstance(event, money.Adjusted) else moved.by
    whose: str = getattr(moved, "seat", "") or getattr(moved, "player", "")
    cents: int = moved.cents
    if isinstance(event, money.VoucherPaid):
        whose = money.masked_code(event.code)
    if isinstance(event, money.FloatCounted):
        cents -= event.booked_cents
    return Movement(act, by, whose, abs(cents))


def handled(rows: Iterable[EventRow], person: str, here: str) -> HandledSums:
    """Return the sums of a person after these events, as the table `here` sees them.

    The float of another table has that table's name.
    """
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        event = decode(row.schema, row.kind, row.body)
        table = "" if row.stream == here else row.stream
        if isinstance(event, SumConfirmed):
            if event.initiator.name == person:
                sums[event.act, event.whose or table] -= event.cents
            continue
        movement = movement_of(event)
        if movement is None or movement.by.role is Role.PLAYER:
            continue
        if movement.by.name == person:
            sums[movement.act.value, movement.whose or table] += movement.cents
    return sums
