"""Thresholds of the house: sums that staff move only with a second person.

The sums that a person has moved alone are folded from the recorded payments of the
whole house: a change of seat, table or node, or an early close of the day, starts no
new sum. Payments that a second person has confirmed do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, cast

from croupier.journal.events.codec import JournalEvent, decode
from croupier.journal.events.plan import HouseSettings, ThresholdAct
from croupier.journal.events.table import SumConfirmed
from croupier.journal.tables import EventRow
from croupier.ledger import money
from croupier.rules.clause import Refusal
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table.cashier import handles_money, refuse
from croupier.table.judgements import Judgement, TableRecord
from croupier.table.reasons import TableReason
from croupier.table.state import TableState

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
"""Events that change the sums; the stores index them."""
HANDLED_FOR_MS = 24 * 60 * 60 * 1000
"""A payment counts for this long."""
HandledSums = Mapping[tuple[str, str], int]
"""Cents by act and `Movement.whose`."""


class Movement(NamedTuple):
    """A sum of money that a person moved."""

    act: ThresholdAct
    by: Person
    whose: str
    """The seat, Player or masked voucher; empty for the float."""
    cents: int


def movement_of(event: JournalEvent) -> Movement | None:
    """Return the money that an event moved, or None if no threshold applies."""
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
    """Return the sums of a person after these events.

    The float of the table `here` has an empty name; other floats have their table's.
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


HandledBy = Callable[[str], HandledSums]
"""Returns the sums that a person moved without a second one in the last 24 hours."""


def confirm_sums(
    state: TableState,
    people: tuple[Person, ...],
    judged: Judgement,
    house: HouseSettings,
    handled_by: HandledBy,
) -> Judgement:
    """Refuse a payment that lacks its second person; record the confirmation.

    A Player's own voucher counts by itself, not as part of a sum: it is their credit.
    """
    if isinstance(judged, Refusal):
        return judged
    second = _second(state, people)
    found: list[TableRecord] = []
    for record in judged:
        found.append(record)
        movement = movement_of(record.event)
        if movement is None or not movement.cents:
            continue
        above = reason_against(movement, house, handled_by)
        if second is None and above is not None:
            return refuse(state, above)
        is_adjustment = movement.act is ThresholdAct.ADJUSTMENT
        if second is not None and (above is not None or not is_adjustment):
            confirmed = confirmed_sum(movement, second, house)
            found.append(TableRecord(record.round_number, confirmed))
    return tuple(found)


def reason_against(
    movement: Movement, house: HouseSettings, handled_by: HandledBy
) -> Reason | None:
    """Return the reason to refuse a payment above a threshold, or None."""
    act, by, whose, cents = movement
    limit, most = house.thresholds.of(act), house.sums_by_person.of(act)
    if by.role is Role.PLAYER:
        if limit is None or cents <= limit:
            return None
        return TableReason.VOUCHER_BY_TWO(limit_cents=limit)
    if limit is None and most is None:
        return None
    sums, name = handled_by(by.name), by.name
    here = cents + sums.get((act.value, whose), 0)
    if limit is not None and here > limit:
        return TableReason.SECOND_PERSON_NEEDED(
            person=name, limit_cents=limit, sum_cents=here
        )
    everywhere = cents + sum(n for (each, _), n in sums.items() if each == act.value)
    if most is not None and everywhere > most:
        return TableReason.PERSON_SUM_REACHED(
            person=name, limit_cents=most, sum_cents=everywhere
        )
    return None


def _second(state: TableState, people: tuple[Person, ...]) -> Person | None:
    first, *others = people
    able = (each for each in others if handles_money(state, each))
    return next((each for each in able if each.name != first.name), None)


def confirmed_sum(
    movement: Movement, second: Person, house: HouseSettings
) -> SumConfirmed:
    act, first, whose, cents = movement
    limit = house.thresholds.of(act)
    return SumConfirmed(first, second, act.value, whose, cents, limit)
