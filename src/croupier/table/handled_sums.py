"""Sums that each of the staff has moved alone on the gaming day that runs; pure.

They are kept by act, person and whose money it is, so that many small sums count as
the one that they make together. What a second person has confirmed is taken off again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import ThresholdAct
from croupier.journal.events.table import SumConfirmed
from croupier.ledger import money
from croupier.rules.operator import Person, Role

_ACTS: Mapping[type[JournalEvent], ThresholdAct] = {
    money.BoughtIn: ThresholdAct.BUY_IN,
    money.ColourChipsBought: ThresholdAct.BUY_IN,
    money.CashedOut: ThresholdAct.CASH_OUT,
    money.ColourChipsBoughtBack: ThresholdAct.CASH_OUT,
    money.VoucherPaid: ThresholdAct.CASH_OUT,
    money.VoucherIssued: ThresholdAct.VOUCHER,
    money.Filled: ThresholdAct.FILL,
    money.CreditTaken: ThresholdAct.FILL,
    money.Adjusted: ThresholdAct.ADJUSTMENT,
    money.OwedPaid: ThresholdAct.HAND_PAY,
}
HANDLED_EVENTS = frozenset({*_ACTS, SumConfirmed})
"""Events that change the sums."""
HandledSums = Mapping[str, int]
"""Cents by `day/act/person/whose`."""


class Movement(NamedTuple):
    """Money that somebody moved: by which act, whose, and how much."""

    act: ThresholdAct
    by: Person
    whose: str
    """A seat, a Player, a voucher as it may be seen, or empty for the float."""
    cents: int

    def key(self, day: str) -> str:
        """Return where the sums of the day have it."""
        return _key(day, self.act.value, self.by, self.whose)


def _key(day: str, act: str, by: Person, whose: str) -> str:
    return f"{day}/{act}/{by.name}/{whose}"


def movement_of(event: JournalEvent) -> Movement | None:
    """Return what an event moved, if a threshold can be set for that."""
    act = _ACTS.get(type(event))
    if act is None:
        return None
    moved = cast(Any, event)
    by = moved.initiator if isinstance(event, money.Adjusted) else moved.by
    whose: str = getattr(moved, "seat", "") or getattr(moved, "player", "")
    if isinstance(event, money.VoucherPaid):
        whose = money.masked_code(event.code)
    return Movement(act, by, whose, abs(moved.cents))


def handled(sums: HandledSums, event: JournalEvent, day: str) -> HandledSums:
    """Return the sums after one of `HANDLED_EVENTS`; those of other days are over."""
    if isinstance(event, SumConfirmed):
        key = _key(day, event.act, event.initiator, event.whose)
        cents = sums.get(key, 0) - event.cents
    else:
        movement = movement_of(event)
        if movement is None or movement.by.role is Role.PLAYER:
            return sums
        key = movement.key(day)
        cents = sums.get(key, 0) + movement.cents
    today = f"{day}/"
    after = {k: v for k, v in sums.items() if k.startswith(today) and k != key}
    return after if cents <= 0 else {**after, key: cents}
