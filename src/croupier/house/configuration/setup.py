"""Beginning a house on a journal, and attaching approved rules files to its tables.

A log-on needs an enrolled device, and enrolling one needs a log-on. So the first
passwords and the first station are set up at the journal's machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from croupier.house.configuration.changes import plan_of
from croupier.house.configuration.differences import Difference, differences
from croupier.house.configuration.house_file import read_house
from croupier.house.people.authority import HouseAct, caller
from croupier.house.people.devices import invite_unasked
from croupier.house.people.log_on import choose_password, keep_password
from croupier.house.people.names import check_new_name
from croupier.house.people.passwords import check_password
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    Clock,
    HouseRecord,
    NotDone,
    NotThere,
    read_house_state,
)
from croupier.house.records.house_state import DeviceKind, HouseState
from croupier.journal.events.house import (
    HouseDefined,
    RulesAttached,
    StaffDefined,
    TableDefined,
)
from croupier.journal.events.plan import HousePlan, Money, TablePlan
from croupier.journal.sharing import HouseSharing
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.rules.notation import shown

SEEDED_BY = "house file"
DEMONSTRATION_PASSWORD = "demonstration"  # noqa: S105 - it is public
_LARGEST = 20_000_000


def demonstration_plan() -> HousePlan:
    """Return a plan with a table of each game, virtual wheels, automatic dealers."""
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
    """Begin the house if there is none; return its differences from the plan.

    Rules files are attached from `folder`. Raises `NotDone` if there is neither a house
    nor a plan, `ImpossibleChange` if the plan is of another house.
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
    """Begin the house in one commit."""
    passwords = []
    if plan.house.money is Money.DEMONSTRATION:
        passwords = [
            keep_password(record, SEEDED_BY, member.name, DEMONSTRATION_PASSWORD)
            for member in plan.staff
        ]
    record.write(
        HouseDefined(SEEDED_BY, plan.house),
        *(TableDefined(SEEDED_BY, table) for table in plan.tables),
        *(StaffDefined(SEEDED_BY, member) for member in plan.staff),
        *passwords,
        *(_attached(plan.tables, folder, {}) if folder is not None else ()),
    )


@dataclass(frozen=True, slots=True)
class FirstLogOn:
    """The first people with their passwords, and their station."""

    passwords: Mapping[str, str]
    """By name; the first person adds the others and enrols their devices."""
    station: str


def check_first(plan: HousePlan, first: FirstLogOn) -> None:
    """Raise `NotDone` if the first person could not add staff and devices."""
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

    Raises `NotDone` if there is a house already.
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


def attach_rules(record: HouseRecord, folder: Path) -> None:
    """Record the tables' new and changed rules files."""
    with record.lock:
        attached = _attached(record.state.tables.values(), folder, record.state.rules)
        if attached:
            record.write(*attached)


def _attached(
    tables: Iterable[TablePlan], folder: Path, known: Mapping[str, RulesAttached]
) -> list[RulesAttached]:
    found = []
    for table in tables:
        if table.rules_file is None:
            continue
        path = folder / table.rules_file
        if not _is_below(folder, path):
            name = shown(table.rules_file)
            raise NotDone(HouseReason.RULES_FILE_ELSEWHERE(name=name))
        digest, before = sha256(_read(path)).hexdigest(), known.get(table.name)
        if before is None or (before.file, before.digest) != (str(path), digest):
            dated_ms = path.stat().st_mtime_ns // 1_000_000
            found.append(
                RulesAttached(SEEDED_BY, table.name, str(path), digest, dated_ms)
            )
    return found


def _is_below(folder: Path, path: Path) -> bool:
    """Return whether a path stays below a folder, without `..`; links are followed."""
    is_named_below = path.is_relative_to(folder) and ".." not in path.parts
    return is_named_below and path.resolve().is_relative_to(folder.resolve())


def rules_of(record: HouseRecord, table: str) -> RulesAttached:
    attached = record.state.rules.get(table)
    if attached is None:
        raise NotThere(HouseReason.NO_RULES_FILE(table=shown(table)))
    return attached


def content_of(attached: RulesAttached) -> bytes:
    """Return the file's content; raise `NotDone` if it has changed."""
    content = _read(Path(attached.file))
    if sha256(content).hexdigest() != attached.digest:
        raise NotDone(HouseReason.RULES_FILE_CHANGED())
    return content


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        text = str(error.strerror)
        raise NotDone(HouseReason.FILE_UNREADABLE(name=path.name, text=text)) from error
    if len(content) > _LARGEST:
        raise NotDone(HouseReason.FILE_TOO_LARGE(name=path.name, size=f"{_LARGEST:,}"))
    return content
