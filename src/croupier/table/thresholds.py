"""Thresholds of the house: money that one person of the staff does not move alone."""

from __future__ import annotations

from collections.abc import Callable

from croupier.journal.events.plan import HouseSettings, ThresholdAct
from croupier.journal.events.table import SumConfirmed
from croupier.rules.clause import Refusal
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table.cashier import handles_money, refuse
from croupier.table.handled_sums import HandledSums, Movement, movement_of
from croupier.table.judgements import Judgement, TableRecord
from croupier.table.reasons import TableReason
from croupier.table.state import TableState

HandledBy = Callable[[str], HandledSums]
"""Finds the sums that a person has moved alone in the last 24 hours."""


def confirm_sums(
    state: TableState,
    people: tuple[Person, ...],
    judged: Judgement,
    house: HouseSettings,
    handled_by: HandledBy,
) -> Judgement:
    """Refuse a payment that lacks its second person; record who confirmed one.

    A Player's own voucher is held against the threshold by itself: it is their credit.
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
        above = _above(movement, house, handled_by)
        if second is None and above is not None:
            return refuse(state, above)
        is_adjustment = movement.act is ThresholdAct.ADJUSTMENT
        if second is not None and (above is not None or not is_adjustment):
            limit = house.thresholds.of(movement.act)
            confirmed = _confirmed(movement, second, limit)
            found.append(TableRecord(record.round_number, confirmed))
    return tuple(found)


def _above(
    movement: Movement, house: HouseSettings, handled_by: HandledBy
) -> Reason | None:
    """Return the threshold that a payment goes above, as a reason to refuse it."""
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
    for person in others:
        if person.name != first.name and handles_money(state, person):
            return person
    return None


def _confirmed(movement: Movement, second: Person, limit: int | None) -> SumConfirmed:
    act, first, whose, cents = movement
    return SumConfirmed(first, second, act.value, whose, cents, limit)
