"""A house file applied: a house seeded, or the differences recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from secrets import token_hex

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.plan import (
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
from croupier.house.configuration.rules_files import attach_rules
from croupier.house.people.authority import Caller, HouseAct, caller
from croupier.house.people.log_on import set_password
from croupier.house.records.house_record import (
    Clock,
    HouseRecord,
    NotDone,
    read_house_state,
)
from croupier.house.records.house_state import HouseState
from croupier.journal.events import house as ev
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.ledger.accounts import LAYOUT, is_seat
from croupier.rules.terms import write_limits, write_settings
from croupier.table import HouseSettings, Refused, Submission, Table
from croupier.table.commands import ChangeTerms
from croupier.table.replay import recover


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


SEEDED_BY = "house file"
DEMONSTRATION_PASSWORD = "demonstration"  # noqa: S105 - it is printed for everybody


def demonstration_plan() -> HousePlan:
    """A table of each game, virtual wheels, automatic dealers: ready to play."""
    return read_house(demonstration_text(), "demonstration.toml")


def demonstration_text() -> str:
    return (files("croupier.house") / "demonstration.toml").read_text("utf-8")


def has_house(store: Store) -> bool:
    return store.head(HOUSE_STREAM) is not None and (
        read_house_state(store).defined is not None
    )


def prepare(
    store: Store,
    clock: Clock,
    plan: HousePlan | None,
    folder: Path | None = None,
) -> dict[str, NewTerms]:
    """A house that can be opened; the terms that its new tables begin with.

    The rules files that the plan names are looked for in `folder`, and attached.
    Raises `NotDone` where there is no house, or another than the file's.
    """
    terms = _prepare_house(store, clock, plan)
    if folder is not None and plan is not None:
        attach_rules(HouseRecord(store, clock), folder, SEEDED_BY)
    return terms


def _prepare_house(
    store: Store, clock: Clock, plan: HousePlan | None
) -> dict[str, NewTerms]:
    if not has_house(store):
        if plan is None:
            raise NotDone("this journal has no house yet: give it a house file")
        record = HouseRecord(store, clock)
        seed(record, plan, SEEDED_BY)
        if plan.money is Money.DEMONSTRATION:
            for member in plan.staff:
                set_password(record, SEEDED_BY, member.name, DEMONSTRATION_PASSWORD)
        return _terms(plan)
    if plan is None:
        return {}
    changed = differences(plan_of(store, _terms(plan)), plan)
    if changed:
        lines = "\n".join(f"  {each}" for each in changed)
        raise NotDone(f"the house differs from its file:\n{lines}")
    return _terms(plan)


def plan_of(store: Store, unopened: Mapping[str, NewTerms] | None = None) -> HousePlan:
    """The house as it stands; `unopened` has the terms of tables not yet begun."""
    state = read_house_state(store)
    terms = dict(unopened or {})
    for name in state.tables:
        if store.head(name) is not None:
            series = recover(store, name, HouseSettings()).state.series
            limits, settings = write_limits(series.limits), series.settings
            terms[name] = NewTerms(limits, write_settings(settings))
    return current_plan(state, terms)


def apply_file(
    store: Store, clock: Clock, plan: HousePlan, by: str
) -> tuple[Difference, ...]:
    """An edited file, recorded as the act of somebody of the staff."""
    record = HouseRecord(store, clock)
    person = caller(record.state, by, clock())
    current = plan_of(store, _terms(plan))
    terms = changed_terms(plan, current)
    check_may_apply(person, plan, current)
    changed = apply_plan(record, plan, current, by)
    for name, new in terms.items():
        table = Table(store, name, clock=clock, house=record.settings)
        who = person.person(table.state.series.game, None, deals=False)
        command = ChangeTerms(new.limits, new.settings)
        [answer] = table.handle([Submission(f"file:{token_hex(8)}", (who,), command)])
        if isinstance(answer, Refused):
            raise NotDone(f"{name}: {answer.refusal.reason}")
    return changed


def _terms(plan: HousePlan) -> dict[str, NewTerms]:
    return {table.name: NewTerms(table.limits, table.settings) for table in plan.tables}
