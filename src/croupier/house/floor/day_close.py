"""The close of a gaming day: every table begins the next one, then the house closes it.

Later records of a table belong to the next day, even if the clock says otherwise, so
the recorded report stays true. If a close is cut short, the staff close the day again:
the records of its tables stand.

If several nodes serve the house, its stream first says that the day ends. When a node
reads that, and when it takes a table over, it begins the next day at its tables. The
day is closed once the streams of all tables have the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from croupier.house.floor.owned_tables import TableElsewhere
from croupier.house.history.day_report import DayReport, bounds, day_report
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotDone
from croupier.house.records.vouchers_and_days import close_gaming_day, day_id
from croupier.journal.events.house import GamingDayEnding
from croupier.journal.events.plan import day_after
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.rules.operator import Person, Role
from croupier.table import Submission
from croupier.table.commands import BeginGamingDay
from croupier.table.replay import recover
from croupier.table.state import Meters

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from croupier.house.floor.floor import Floor

_HOUSE = Person("house", Role.SYSTEM)
_LOOK_S = 0.2
_NODES_WITHIN_S = 20.0
"""Longer than a dead node's tables stay without an owner."""


def running_day(floor: Floor) -> str:
    """Return the present gaming day: the next one if today's was closed early."""
    return max(floor.record.settings.gaming_day(floor.clock()), _latest_begun(floor))


def _latest_begun(floor: Floor) -> str:
    ending = floor.record.state.ending_day
    told = day_after(ending) if ending else ""
    return max([told, *(each.state.begun_day for each in floor.tables.values())])


def begin_missed_day(floor: Floor) -> None:
    """Begin the latest day at tables that have missed it, such as a new one."""
    latest = _latest_begun(floor)
    for table in floor.tables.values():
        if table.state.begun_day < latest:
            table.insist(_begin(latest))


def _begin(day: str) -> Submission:
    return Submission(day_id(day), (_HOUSE,), BeginGamingDay(day))


async def close_day(
    floor: Floor,
    by: Person,
    key: Ed25519PrivateKey | None,
    day: str | None,
    *,
    is_early: bool,
) -> DayReport:
    """Close a gaming day, by default today's, and return its report.

    Raises `NotDone` if the day is not over, unless `is_early`.
    """
    today = floor.record.settings.gaming_day(floor.clock())
    day = day or today
    bounds(floor.record.settings, day)
    is_closed = floor.store.answer(HOUSE_STREAM, day_id(day)) is not None
    text = ""
    if day <= today and not is_closed:
        if day == today and not is_early:
            raise NotDone(HouseReason.DAY_STILL_RUNS(day=day))
        await _begin_everywhere(floor, by, day)
        text = msgspec.json.encode(await report_day(floor, day)).decode()
    await floor.in_house(lambda: close_gaming_day(floor.record, by, key, day, text))
    return await report_day(floor, day)


async def _begin_everywhere(floor: Floor, by: Person, ending: str) -> None:
    if floor.nodes is not None:
        await floor.in_house(lambda: _tell_nodes(floor.record, by, ending))
        await _wait_for_nodes(floor, day_after(ending))
        return
    day = day_after(ending)
    tables = [each for each in floor.tables.values() if each.state.begun_day < day]
    await asyncio.gather(*(table.submit(_begin(day)) for table in tables))


def _tell_nodes(record: HouseRecord, by: Person, ending: str) -> None:
    with record.lock:
        if record.state.ending_day < ending:
            record.write(GamingDayEnding(by.name, ending))


async def _wait_for_nodes(floor: Floor, day: str) -> None:
    """Wait until all tables have begun the day, or raise `TableElsewhere`."""
    clock = asyncio.get_running_loop().time
    end = clock() + _NODES_WITHIN_S
    while True:
        missing = await asyncio.to_thread(_not_begun, floor, day)
        if not missing:
            return
        if clock() > end:
            raise TableElsewhere(missing[0])
        await asyncio.sleep(_LOOK_S)


def _not_begun(floor: Floor, day: str) -> list[str]:
    """Return the tables whose stream has begun neither the day nor a later one."""
    store, settings = floor.history, floor.record.settings
    return [
        table
        for table in sorted(_opened(store) & floor.record.state.tables.keys())
        if store.answer(table, day_id(day)) is None
        and recover(store, table, settings).state.begun_day < day
    ]


def _opened(store: Store) -> set[str]:
    """Return the tables that have events: a start cut short leaves empty streams."""
    return {head.stream for head in store.heads() if head.sequence} - {HOUSE_STREAM}


async def report_day(floor: Floor, day: str) -> DayReport:
    """Return the report of a gaming day over all present and past tables."""
    store, tables = floor.history, floor.record.state.tables
    opened = _opened(store)
    known = [name for name in tables if name in opened]
    ordered = dict.fromkeys([*known, *sorted(opened)])  # each node has this order
    meters = await meters_of(floor, ordered)
    return await asyncio.to_thread(
        day_report, store, floor.record.settings, day, meters
    )


async def meters_of(floor: Floor, tables: Iterable[str]) -> dict[str, Meters]:
    """Return the meters of tables; read those not served here from the journal."""
    here = {name: table.state.meters for name, table in floor.tables.items()}
    store, settings = floor.history, floor.record.settings

    def read(name: str) -> Meters:
        return here.get(name) or recover(store, name, settings).state.meters

    return await asyncio.to_thread(lambda: {name: read(name) for name in tables})
