"""Changes by an edited house file: applied by one person, or proposed to a second."""

from __future__ import annotations

from dataclasses import replace

from croupier.house.configuration.differences import (
    ChangedBy,
    Difference,
    changers,
    changes_of,
    differences,
)
from croupier.house.people import proposals
from croupier.house.people.authority import Caller, HouseAct, caller
from croupier.house.people.limited_accounts import check_are_two
from croupier.house.people.second_factor import IdentityCheck, Proof
from croupier.house.people.staff import check_definition, defined
from croupier.house.reasons import HouseReason
from croupier.house.records.fingerprint import terms_in_force
from croupier.house.records.house_record import (
    Clock,
    HouseRecord,
    NotDone,
    read_house_state,
)
from croupier.house.records.house_state import HouseState
from croupier.journal.events.house import (
    HouseDefined,
    HouseEvent,
    Proposed,
    StaffRemoved,
    TableDefined,
    TableRetired,
)
from croupier.journal.events.plan import HousePlan, SensitiveAct
from croupier.journal.events.two_person_acts import HouseChange
from croupier.journal.store import Store
from croupier.ledger.accounts import LAYOUT, is_players
from croupier.rules.game import Game
from croupier.table import Submission
from croupier.table.commands import ChangeTerms


def recorded_plan(state: HouseState) -> HousePlan:
    """Return the plan that the house's own stream records."""
    if state.house is None:
        raise NotDone(HouseReason.NO_HOUSE_YET())
    tables, staff = tuple(state.tables.values()), tuple(state.staff.values())
    return HousePlan(house=state.house, tables=tables, staff=staff)


def plan_of(store: Store) -> HousePlan:
    """Return the current plan of the house, with the tables' current terms."""
    plan, terms = recorded_plan(read_house_state(store)), terms_in_force(store)
    tables = (
        replace(table, limits=now.limits, settings=now.settings)
        if (now := terms.get(table.name))
        else table
        for table in plan.tables
    )
    return replace(plan, tables=tuple(tables))


def with_new_terms(plan: HousePlan, current: HousePlan) -> list[str]:
    """Return the tables whose limits or settings a plan changes."""
    before = {table.name: (table.limits, table.settings) for table in current.tables}
    return [
        table.name
        for table in plan.tables
        if before.get(table.name) not in {None, (table.limits, table.settings)}
    ]


def apply_file(
    store: Store, clock: Clock, plan: HousePlan, by: str
) -> tuple[Difference, ...]:
    """Record an edited file as the act of a person, while no server runs.

    Tables put their new terms in force when they open.
    """
    record, current = HouseRecord(store, clock), plan_of(store)
    check_may_apply(caller(record.state, by, clock()), plan, current)
    return apply_plan(record, plan, current, by)


def terms_change(
    state: HouseState, name: str, game: Game, at_ms: int
) -> Submission | None:
    """Return the command for the terms that the last house file gave a table.

    Its id stays the same, so it takes effect once. None if no file changed them.
    """
    change = state.terms.get(name)
    if change is None:
        return None
    person = caller(state, change.by, at_ms).person(game, None, deals=False)
    table = state.tables[name]
    terms = ChangeTerms(table.limits, table.settings)
    return Submission(f"file:{change.number}", (person,), terms)


def apply_plan(
    record: HouseRecord, plan: HousePlan, current: HousePlan, by: str
) -> tuple[Difference, ...]:
    """Record the changes of a plan, and return them.

    Terms of open tables change in their own streams, not here. Raises
    `ImpossibleChange`.
    """
    changed = differences(current, plan)
    events = _definitions(record, plan, current, by)
    people = {member.name: member for member in current.staff}
    for member in plan.staff:
        if member != people.pop(member.name, None):
            check_definition(record.state, member)
            events += defined(record.state, by, member)
    events += [StaffRemoved(by, name) for name in people]
    if events:
        record.write(*events)
    return changed


def _definitions(
    record: HouseRecord, plan: HousePlan, current: HousePlan, by: str
) -> list[HouseEvent]:
    """Return the events that change the house and its tables to a plan.

    Raises `NotDone` if a removed table has money on it.
    """
    events: list[HouseEvent] = []
    house, tables = current.house, {table.name: table for table in current.tables}
    new_terms = with_new_terms(plan, current)
    if plan.house != house:
        events.append(HouseDefined(by, plan.house, changes_of(house, plan.house)))
    for table in plan.tables:
        name, before = table.name, tables.pop(table.name, None)
        if before is None:
            events.append(TableDefined(by, table))
        elif table != before:
            changes = changes_of(before, table)
            events.append(TableDefined(by, table, changes, name in new_terms))
    for name in tables:
        balances = record.store.balances(name).items()
        if any(cents for a, cents in balances if is_players(a) or a == LAYOUT):
            raise NotDone(HouseReason.TABLE_HAS_MONEY(table=name))
        events.append(TableRetired(by, name))
    return events


def check_may_apply(by: Caller, plan: HousePlan, current: HousePlan) -> None:
    """Raise `Denied` unless the caller may make every change."""
    if with_new_terms(plan, current):
        by.must(HouseAct.CHANGE_TERMS)
    is_same_table = plan.house.authority == current.house.authority
    if plan.staff != current.staff or not is_same_table:
        by.must(HouseAct.MANAGE_STAFF)
    if replace(plan, staff=()) != replace(current, staff=()):
        by.must(HouseAct.RUN_TABLE)


def check_by_one(plan: HousePlan, current: HousePlan) -> None:
    """Raise `NotDone` if a change takes two people, or is made only at the machine."""
    _check_not_at_the_machine(plan, current)
    for what, who in changers(current, plan):
        if who is ChangedBy.TWO:
            raise NotDone(HouseReason.CHANGE_TAKES_TWO(what=what))


def _check_not_at_the_machine(plan: HousePlan, current: HousePlan) -> None:
    for what, who in changers(current, plan):
        if who is ChangedBy.MACHINE:
            raise NotDone(HouseReason.AT_THE_MACHINE(what=what))


def propose(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    plan: HousePlan,
) -> Proposed:
    """Propose a plan's changes of the house and its tables to a second person.

    Staff and the terms of existing tables do not change. Raises `NotDone` or
    `ImpossibleChange`.
    """
    by.must(HouseAct.CHANGE_TERMS)
    identity.check(by.name, proof, SensitiveAct.PROPOSE)
    with record.lock:
        current, known = recorded_plan(record.state), record.state.tables
        terms = [known.get(table.name, table) for table in plan.tables]
        tables = tuple(
            replace(table, limits=kept.limits, settings=kept.settings)
            for table, kept in zip(plan.tables, terms, strict=True)
        )
        wanted = replace(plan, tables=tables, staff=current.staff)
        changes = tuple(map(str, differences(current, wanted)))
        _check_not_at_the_machine(wanted, current)
        if all(who is not ChangedBy.TWO for _, who in changers(current, wanted)):
            raise NotDone(HouseReason.NOTHING_FOR_TWO())
        _definitions(record, wanted, current, by.name)
        act = HouseChange(wanted.house, wanted.tables, changes)
        return proposals.propose_in_house(record, by, act)


def events_by_two(
    record: HouseRecord, proposed: Proposed, second: str
) -> tuple[HouseEvent, ...]:
    """Return the events of a confirmed change; raise `NotDone` if it is outdated."""
    act = proposed.act
    assert isinstance(act, HouseChange)
    check_are_two(record.state, proposed.by, second)
    current = recorded_plan(record.state)
    wanted = replace(current, house=act.house, tables=act.tables)
    if tuple(map(str, differences(current, wanted))) != act.changes:
        raise NotDone(HouseReason.PROPOSAL_OUTDATED())
    return tuple(_definitions(record, wanted, current, proposed.by))
