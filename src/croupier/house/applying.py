"""A house file applied: a house seeded, or the differences recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from croupier.house.authority import Caller, HouseAct
from croupier.house.plan import (
    Difference,
    Duty,
    HousePlan,
    Lights,
    Money,
    StaffPlan,
    TablePlan,
    WheelSource,
    differences,
)
from croupier.house.record import HouseRecord, NotDone
from croupier.house.state import HouseState
from croupier.journal.events import house as ev
from croupier.ledger.accounts import LAYOUT, is_seat


@dataclass(frozen=True, slots=True)
class NewTerms:
    """Limits and settings as text, for tables that begin or change."""

    limits: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


def seed(record: HouseRecord, plan: HousePlan, by: str) -> None:
    """A house that was not there before."""
    if record.state.defined is not None:
        raise NotDone("this journal has a house already")
    events: list[ev.HouseEvent] = [_house_of(plan, by)]
    events += [_table_of(table, by) for table in plan.tables]
    events += [_staff_of(member, by) for member in plan.staff]
    record.write(*events)


def apply_plan(
    record: HouseRecord, plan: HousePlan, current: HousePlan, by: str
) -> tuple[Difference, ...]:
    """The house as the file has it from now on; what changed, recorded.

    Limits and settings are the tables' own: `changed_terms` says which change.
    Raises `ImpossibleChange` where the file asks for what can't change.
    """
    changed = differences(current, plan)
    events: list[ev.HouseEvent] = []
    if _house_of(plan, "") != _house_of(current, ""):
        events.append(_house_of(plan, by))
    before = {table.name: _table_of(table, "") for table in current.tables}
    events += [
        _table_of(table, by)
        for table in plan.tables
        if before.pop(table.name, None) != _table_of(table, "")
    ]
    for name in before:
        _check_empty(record, name)
    events += [ev.TableRetired(by, name) for name in before]
    staff = {member.name: _staff_of(member, "") for member in current.staff}
    events += [
        _staff_of(member, by)
        for member in plan.staff
        if staff.pop(member.name, None) != _staff_of(member, "")
    ]
    events += [ev.StaffRemoved(by, name) for name in staff]
    if events:
        record.write(*events)
    return changed


def check_may_apply(by: Caller, plan: HousePlan, current: HousePlan) -> None:
    """Raises `Denied` where a change of the file is not theirs to make."""
    if changed_terms(plan, current):
        by.must(HouseAct.CHANGE_TERMS)
    if plan.staff != current.staff:
        by.must(HouseAct.MANAGE_STAFF)
    if replace(plan, staff=()) != replace(current, staff=()):
        by.must(HouseAct.RUN_TABLE)


def _check_empty(record: HouseRecord, table: str) -> None:
    """A table is retired when nothing lies on it and nobody has credit there."""
    balances = record.store.balances(table)
    if any(cents for account, cents in balances.items() if _is_players(account)):
        raise NotDone(f"{table} can't be retired: Players have money there")


def _is_players(account: str) -> bool:
    return is_seat(account) or account == LAYOUT


def changed_terms(plan: HousePlan, current: HousePlan) -> dict[str, NewTerms]:
    """By table, the limits and settings that the file has otherwise."""
    before = {table.name: (table.limits, table.settings) for table in current.tables}
    return {
        table.name: NewTerms(table.limits, table.settings)
        for table in plan.tables
        if before.get(table.name) not in {None, (table.limits, table.settings)}
    }


def _house_of(plan: HousePlan, by: str) -> ev.HouseDefined:
    return ev.HouseDefined(
        by=by,
        name=plan.name,
        operator=plan.operator,
        money=plan.money.value,
        currency=plan.currency,
        time_zone=plan.time_zone,
        gaming_day_begins=plan.gaming_day_begins,
        voucher_days=plan.voucher_days,
        idle_minutes=plan.idle_minutes,
        proposal_minutes=plan.proposal_minutes,
    )


def _table_of(table: TablePlan, by: str) -> ev.TableDefined:
    return ev.TableDefined(
        by=by,
        table=table.name,
        game=table.game,
        wheel=table.wheel.value,
        lights=table.lights.value if table.lights else None,
        countdown_seconds=table.countdown_seconds,
        chips=table.chips,
        seats=table.seats,
        automatic_dealer=table.automatic_dealer,
        rules_file=table.rules_file,
    )


def _staff_of(member: StaffPlan, by: str) -> ev.StaffDefined:
    return ev.StaffDefined(
        by,
        member.name,
        tuple(position.value for position in member.positions),
        tuple(duty.value for duty in member.duties),
    )


def current_plan(state: HouseState, terms: Mapping[str, NewTerms]) -> HousePlan:
    """The house as a plan; `terms` has the limits and settings of each table."""
    if state.defined is None:
        raise NotDone("this journal has no house yet")
    defined = asdict(state.defined)
    del defined["by"]
    return HousePlan(
        **{**defined, "money": Money(state.defined.money)},
        tables=tuple(
            TablePlan(
                name=table.table,
                game=table.game,
                wheel=WheelSource(table.wheel),
                lights=Lights(table.lights) if table.lights else None,
                countdown_seconds=table.countdown_seconds,
                limits=terms.get(table.table, NewTerms()).limits,
                settings=terms.get(table.table, NewTerms()).settings,
                chips=table.chips,
                seats=table.seats,
                automatic_dealer=table.automatic_dealer,
                rules_file=table.rules_file,
            )
            for table in state.tables.values()
        ),
        staff=tuple(
            StaffPlan(
                member.name,
                member.positions,
                tuple(sorted(member.duties, key=list(Duty).index)),
            )
            for member in state.staff.values()
        ),
    )
