"""A house on a journal: begun from its file, or changed as an edited file says.

The operator's approved rules files are attached to tables with their hash and date. Who
logs on needs an enrolled device, and who enrols one must have logged on: the first
passwords and the first station of a house are given at the machine of its journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from secrets import token_hex

from croupier.house.configuration.differences import (
    ChangedBy,
    Difference,
    changers,
    changes_of,
    differences,
    named_table,
)
from croupier.house.configuration.house_file import is_below, read_house
from croupier.house.people.authority import Caller, HouseAct, caller
from croupier.house.people.devices import invite_unasked
from croupier.house.people.log_on import choose_password, keep_password
from croupier.house.people.names import check_new_name
from croupier.house.people.passwords import check_password
from croupier.house.people.staff import check_alone, check_definition, defined
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    Clock,
    HouseRecord,
    NotDone,
    NotThere,
    read_house_state,
)
from croupier.house.records.house_state import DeviceKind, HouseState
from croupier.journal.events import house as ev
from croupier.journal.events.house import RulesAttached
from croupier.journal.events.plan import DEFAULT_HOUSE, HousePlan, Money, TablePlan
from croupier.journal.sharing import HouseSharing
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.ledger.accounts import LAYOUT, is_players
from croupier.rules.notation import shown
from croupier.rules.terms import write_limits, write_settings
from croupier.table import Refused, Submission, Table
from croupier.table.commands import ChangeTerms
from croupier.table.replay import recover

SEEDED_BY = "house file"
DEMONSTRATION_PASSWORD = "demonstration"  # noqa: S105 - it is printed for everybody


def demonstration_plan() -> HousePlan:
    """Return a house with a table of each game, virtual wheels, automatic dealers."""
    return read_house(demonstration_text(), "demonstration.toml")


def demonstration_text() -> str:
    return (files("croupier.house") / "demonstration.toml").read_text("utf-8")


def has_house(store: Store) -> bool:
    return store.head(HOUSE_STREAM) is not None and (
        read_house_state(store).house is not None
    )


def prepare(
    store: Store,
    clock: Clock,
    plan: HousePlan | None,
    folder: Path | None = None,
    sharing: HouseSharing | None = None,
) -> tuple[Difference, ...]:
    """Make sure that there is a house to open, and return how its file differs from it.

    The rules files that the house names are looked for in `folder`, and attached.
    Raises `NotDone` where there is no house, and `ImpossibleChange` where the file is
    that of another one.
    """
    if not has_house(store):
        if plan is None:
            raise NotDone(HouseReason.HOUSE_FILE_NEEDED())
        record = HouseRecord(store, clock, sharing=sharing)
        with record.lock:
            if record.state.house is None:  # another node may have begun it
                _seed(record, plan, folder)
        return ()
    if plan is None:
        return ()
    changed = differences(plan_of(store), plan)
    if folder is not None:
        attach_rules(HouseRecord(store, clock, sharing=sharing), folder)
    return changed


def _seed(record: HouseRecord, plan: HousePlan, folder: Path | None) -> None:
    """Begin the house in one commit: it is all there, or not at all."""
    passwords = []
    if plan.house.money is Money.DEMONSTRATION:
        passwords = [
            keep_password(record, SEEDED_BY, member.name, DEMONSTRATION_PASSWORD)
            for member in plan.staff
        ]
    record.write(
        ev.HouseDefined(SEEDED_BY, plan.house),
        *(ev.TableDefined(SEEDED_BY, table) for table in plan.tables),
        *(ev.StaffDefined(SEEDED_BY, member) for member in plan.staff),
        *passwords,
        *(_attached(plan.tables, folder, {}) if folder is not None else ()),
    )


def plan_of(store: Store) -> HousePlan:
    """Return the house as it stands, with the terms that its tables have now."""
    state = read_house_state(store)
    begun = [name for name in state.tables if _has_begun(store, name)]
    return current_plan(state, {name: _terms_in_journal(store, name) for name in begun})


def _has_begun(store: Store, table: str) -> bool:
    """Return whether a table has events; a start cut short may have claimed it."""
    head = store.head(table)
    return head is not None and head.sequence > 0


def current_plan(state: HouseState, terms: Mapping[str, ChangeTerms]) -> HousePlan:
    """Return the house as a plan; `terms` has those of the tables that have begun."""
    if state.house is None:
        raise NotDone(HouseReason.NO_HOUSE_YET())
    return HousePlan(
        house=state.house,
        tables=tuple(
            replace(table, **asdict(terms[name])) if name in terms else table
            for name, table in state.tables.items()
        ),
        staff=tuple(state.staff.values()),
    )


def _terms_in_journal(store: Store, table: str) -> ChangeTerms:
    series = recover(store, table, DEFAULT_HOUSE).state.series
    return ChangeTerms(write_limits(series.limits), write_settings(series.settings))


def apply_file(
    store: Store, clock: Clock, plan: HousePlan, by: str
) -> tuple[Difference, ...]:
    """Record an edited file as the act of somebody of the staff."""
    record = HouseRecord(store, clock)
    person = caller(record.state, by, clock())
    current = plan_of(store)
    check_may_apply(person, plan, current)
    changed = apply_plan(record, plan, current, by)
    for name, terms in changed_terms(plan, current).items():
        if not _has_begun(store, name):
            continue
        table = Table(store, name, clock=clock, house=record.settings)
        who = person.person(table.state.series.game, None, deals=False)
        [answer] = table.handle([Submission(f"file:{token_hex(8)}", (who,), terms)])
        if isinstance(answer, Refused):
            raise NotDone(
                HouseReason.TABLE_REFUSES(table=name, reason=answer.refusal.reason)
            )
    return changed


def apply_plan(
    record: HouseRecord, plan: HousePlan, current: HousePlan, by: str
) -> tuple[Difference, ...]:
    """Record what a plan changes of the house, and return it as text.

    Tables in play keep their terms in their own streams: `changed_terms` says which
    change. Raises `ImpossibleChange` where the file asks for what can't change.
    """
    changed = differences(current, plan)
    events = definitions(record, plan, current, by)
    people = {member.name: member for member in current.staff}
    for member in plan.staff:
        if member != people.pop(member.name, None):
            check_definition(record.state, member)
            events += defined(record.state, by, member)
    events += [ev.StaffRemoved(by, name) for name in people]
    if events:
        record.write(*events)
    return changed


def definitions(
    record: HouseRecord, plan: HousePlan, current: HousePlan, by: str
) -> list[ev.HouseEvent]:
    """Return the events that make the house and its tables what a plan says.

    Raises `NotDone` if a table that goes has money on it.
    """
    events: list[ev.HouseEvent] = []
    house, tables = current.house, {table.name: table for table in current.tables}
    if plan.house != house:
        changes = changes_of("house", house, plan.house)
        events.append(ev.HouseDefined(by, plan.house, changes))
    for table in plan.tables:
        before = tables.pop(table.name, None)
        changes = ()
        if before is not None:
            changes = changes_of(named_table(table.name), before, table)
        if table != before:
            events.append(ev.TableDefined(by, table, changes))
    for name in tables:
        _check_empty(record, name)
        events.append(ev.TableRetired(by, name))
    return events


def check_may_apply(by: Caller, plan: HousePlan, current: HousePlan) -> None:
    """Raise `Denied` where a change of the file is not theirs to make."""
    if changed_terms(plan, current):
        by.must(HouseAct.CHANGE_TERMS)
    is_same_table = plan.house.authority == current.house.authority
    if plan.staff != current.staff or not is_same_table:
        by.must(HouseAct.MANAGE_STAFF)
    if replace(plan, staff=()) != replace(current, staff=()):
        by.must(HouseAct.RUN_TABLE)


def check_by_one(by: Caller, plan: HousePlan, current: HousePlan) -> None:
    """Raise `NotDone` where a file changes what one person alone may not.

    That is what keeps them from acting alone, and what others are given. It is asked
    where somebody logged on applies it, not at the machine itself.
    """
    check_not_at_the_machine(plan, current)
    for what, who in changers(current, plan):
        if who is ChangedBy.TWO:
            raise NotDone(HouseReason.CHANGE_TAKES_TWO(what=what))
    people = {member.name: member for member in current.staff}
    for member in plan.staff:
        before = people.pop(member.name, None)
        if member != before:
            check_alone(by, before, member)
    if by.name in people:
        raise NotDone(HouseReason.NOBODY_REMOVES_THEMSELVES())


def check_not_at_the_machine(plan: HousePlan, current: HousePlan) -> None:
    """Raise `NotDone` if a file changes what nobody changes who is logged on."""
    for what, who in changers(current, plan):
        if who is ChangedBy.MACHINE:
            raise NotDone(HouseReason.AT_THE_MACHINE(what=what))


def changed_terms(plan: HousePlan, current: HousePlan) -> dict[str, ChangeTerms]:
    """Return, by table, the limits and settings that the file has otherwise."""
    before = {table.name: terms_of(table) for table in current.tables}
    return {
        table.name: terms_of(table)
        for table in plan.tables
        if before.get(table.name) not in {None, terms_of(table)}
    }


def terms_of(table: TablePlan) -> ChangeTerms:
    return ChangeTerms(table.limits, table.settings)


def _check_empty(record: HouseRecord, table: str) -> None:
    """Refuse to retire a table on which Players have money."""
    balances = record.store.balances(table)
    if any(cents for account, cents in balances.items() if _is_players(account)):
        raise NotDone(HouseReason.TABLE_HAS_MONEY(table=table))


def _is_players(account: str) -> bool:
    return is_players(account) or account == LAYOUT


_LARGEST = 20_000_000


def attach_rules(record: HouseRecord, folder: Path) -> None:
    """Record the tables' rules files where they are new or have changed."""
    with record.lock:
        attached = _attached(record.state.tables.values(), folder, record.state.rules)
        if attached:
            record.write(*attached)


def _attached(
    tables: Iterable[TablePlan], folder: Path, known: Mapping[str, RulesAttached]
) -> list[RulesAttached]:
    """Return each table's file as it is now, where it is new or another one."""
    found = []
    for table in tables:
        if table.rules_file is None:
            continue
        path = folder / table.rules_file
        if not is_below(folder, table.rules_file):
            name = shown(table.rules_file)
            raise NotDone(HouseReason.RULES_FILE_ELSEWHERE(name=name))
        digest, before = sha256(_read(path)).hexdigest(), known.get(table.name)
        if before is None or (before.file, before.digest) != (str(path), digest):
            dated_ms = path.stat().st_mtime_ns // 1_000_000
            found.append(
                RulesAttached(SEEDED_BY, table.name, str(path), digest, dated_ms)
            )
    return found


def rules_of(record: HouseRecord, table: str) -> RulesAttached:
    attached = record.state.rules.get(table)
    if attached is None:
        raise NotThere(HouseReason.NO_RULES_FILE(table=shown(table)))
    return attached


def content_of(attached: RulesAttached) -> bytes:
    """Return the file, if it is still the one that was attached."""
    content = _read(Path(attached.file))
    if sha256(content).hexdigest() != attached.digest:
        raise NotDone(HouseReason.RULES_FILE_CHANGED())
    return content


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise NotDone(
            HouseReason.FILE_UNREADABLE(name=path.name, text=str(error.strerror))
        ) from error
    if len(content) > _LARGEST:
        raise NotDone(HouseReason.FILE_TOO_LARGE(name=path.name, size=f"{_LARGEST:,}"))
    return content


@dataclass(frozen=True, slots=True)
class FirstLogOn:
    """The first people to log on, with their passwords, and their station."""

    passwords: Mapping[str, str]
    """By name; the first of them lets the others and their devices in."""
    station: str


def check_first(plan: HousePlan, first: FirstLogOn) -> None:
    """Raise `NotDone` where nobody could go on from there; nothing is changed yet."""
    staff = {member.name: member for member in plan.staff}
    state = HouseState(house=plan.house, staff=staff)
    people = [caller(state, name, 0) for name in first.passwords]
    people[0].must(HouseAct.MANAGE_STAFF)
    people[0].must(HouseAct.MANAGE_DEVICES)
    for name, password in first.passwords.items():
        check_password(password, name, plan.house.name)
    check_new_name(state, first.station)


def create_house(
    store: Store, clock: Clock, plan: HousePlan, folder: Path, first: FirstLogOn
) -> str:
    """Begin the house, and return the pairing code of its first station.

    The rules files that the plan names are looked for in `folder`. Raises `NotDone`
    where there is a house already.
    """
    check_first(plan, first)
    if has_house(store):
        raise NotDone(HouseReason.HOUSE_IS_THERE())
    prepare(store, clock, plan, folder)
    record = HouseRecord(store, clock)
    for name, password in first.passwords.items():
        choose_password(record, name, password)
    by = next(iter(first.passwords))
    return invite_unasked(record, by, first.station, DeviceKind.STATION, None)
