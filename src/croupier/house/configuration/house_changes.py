"""Changes of the house and its tables that one person proposes and another confirms."""

from __future__ import annotations

from dataclasses import replace

from croupier.house.configuration.differences import (
    ChangedBy,
    changers,
    differences,
)
from croupier.house.configuration.setup import (
    check_not_at_the_machine,
    current_plan,
    definitions,
)
from croupier.house.people import proposals
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.limited_accounts import check_are_two
from croupier.house.people.second_factor import IdentityCheck, Proof
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotDone
from croupier.house.records.house_state import HouseState
from croupier.journal.events import house as ev
from croupier.journal.events.plan import HousePlan, SensitiveAct
from croupier.journal.events.two_person_acts import HouseChange
from croupier.journal.store import HOUSE_STREAM
from croupier.table.answers import Answer


def propose(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    plan: HousePlan,
) -> ev.Proposed:
    """Wait for a second person; nothing is done yet.

    Staff, and the limits and settings of tables that are there, stay as they are.
    Raises `NotDone`, or `ImpossibleChange`.
    """
    by.must(HouseAct.CHANGE_TERMS)
    identity.check(by.name, proof, SensitiveAct.PROPOSE)
    with record.lock:
        current = current_plan(record.state, {})
        wanted = _with_terms_and_staff(record.state, plan)
        changes = _changes(current, wanted)
        check_not_at_the_machine(wanted, current)
        if all(who is not ChangedBy.TWO for _, who in changers(current, wanted)):
            raise NotDone(HouseReason.NOTHING_FOR_TWO())
        definitions(record, wanted, current, by.name)
        position, acting = by.standing
        return proposals.record_proposed(
            record,
            by=by.name,
            position=position,
            acting=acting,
            table=HOUSE_STREAM,
            act=HouseChange(wanted.house, wanted.tables, changes),
        )


def confirm(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    number: int,
) -> Answer:
    """Make the change now, and return the answer of the house's own stream."""
    by.must(HouseAct.CHANGE_TERMS)
    identity.check(by.name, proof, SensitiveAct.CONFIRM)
    with record.lock:
        proposed = proposals.find_confirmable(record, by, number)
        act = proposed.act
        assert isinstance(act, HouseChange)
        check_are_two(record.state, proposed.by, by.name)
        if number not in record.state.answered:
            current = current_plan(record.state, {})
            wanted = replace(current, house=act.house, tables=act.tables)
            if _changes(current, wanted) != act.changes:
                raise NotDone(HouseReason.PROPOSAL_OUTDATED())
            position, acting = by.standing
            record.write(
                ev.ConfirmationGiven(number, by.name, position, acting),
                *definitions(record, wanted, current, proposed.by),
                ev.ProposalConfirmed(number, by.name, position),
                command_id=proposals.command_id_of(number),
            )
        return proposals.answer_of_house(record, proposed)


def _with_terms_and_staff(state: HouseState, plan: HousePlan) -> HousePlan:
    """Return the plan with the terms and the staff that are on record."""
    known = state.tables
    tables = tuple(
        replace(
            each, limits=known[each.name].limits, settings=known[each.name].settings
        )
        if each.name in known
        else each
        for each in plan.tables
    )
    return replace(plan, tables=tables, staff=tuple(state.staff.values()))


def _changes(current: HousePlan, wanted: HousePlan) -> tuple[str, ...]:
    return tuple(map(str, differences(current, wanted)))
