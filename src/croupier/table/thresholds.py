"""Thresholds of the house: money that one person of the staff does not move alone."""

from __future__ import annotations

from croupier.journal.events.plan import ThresholdAct, Thresholds
from croupier.journal.events.table import SumConfirmed
from croupier.rules.clause import Refusal
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table.cashier import handles_money, refuse
from croupier.table.handled_sums import Movement, movement_of
from croupier.table.judgements import Judgement, TableRecord
from croupier.table.reasons import TableReason
from croupier.table.state import TableState


def confirm_sums(
    state: TableState,
    people: tuple[Person, ...],
    judged: Judgement,
    thresholds: Thresholds,
    day: str,
) -> Judgement:
    """Refuse what needs a second person and has none; record whose word it has.

    What the same person has moved alone that day for the same seat counts with it. A
    Player's own voucher is held against the threshold by itself: it is their credit.
    """
    if isinstance(judged, Refusal):
        return judged
    second = _second(state, people)
    found: list[TableRecord] = []
    for record in judged:
        found.append(record)
        movement = movement_of(record.event)
        if movement is None:
            continue
        limit = thresholds.of(movement.act)
        is_above = limit is not None and limit < _sum(state, movement, day)
        if second is None and is_above:
            assert limit is not None
            return refuse(state, _reason(movement, limit))
        is_adjustment = movement.act is ThresholdAct.ADJUSTMENT
        if second is not None and (is_above or not is_adjustment):
            confirmed = _confirmed(movement, second, limit)
            found.append(TableRecord(record.round_number, confirmed))
    return tuple(found)


def _second(state: TableState, people: tuple[Person, ...]) -> Person | None:
    first, *others = people
    for person in others:
        if person.name != first.name and handles_money(state, person):
            return person
    return None


def _sum(state: TableState, movement: Movement, day: str) -> int:
    if movement.by.role is Role.PLAYER:
        return movement.cents
    return movement.cents + state.handled_sums.get(movement.key(day), 0)


def _reason(movement: Movement, limit: int) -> Reason:
    if movement.by.role is Role.PLAYER:
        return TableReason.VOUCHER_BY_TWO(limit_cents=limit)
    person = movement.by.name
    return TableReason.SECOND_PERSON_NEEDED(person=person, limit_cents=limit)


def _confirmed(movement: Movement, second: Person, limit: int | None) -> SumConfirmed:
    act, first, whose, cents = movement
    return SumConfirmed(first, second, act.value, whose, cents, limit)
