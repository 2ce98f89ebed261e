"""The close of a gaming day: every table begins the next one, then the house closes it.

Whatever is recorded at a table after that belongs to the next day, whatever the clock
says, and so the report that the close puts on record stays true. A close that is cut
short is asked for again: what the tables have recorded of it stands.

Where several nodes serve the house, its stream says first that the day ends. Each node
has its own tables begin the next day as it hears that, or as it takes a table over; the
day is closed once all their streams have it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from croupier.house.nodes.membership import TableElsewhere
from croupier.house.reasons import HouseReason
from croupier.house.records.day_report import DayReport, bounds, day_report
from croupier.house.records.house_record import HouseRecord, NotDone
from croupier.journal.events.house import GamingDayEnding
from croupier.journal.events.plan import day_after
from croupier.journal.store import HOUSE_STREAM
from croupier.rules.operator import Person, Role
from croupier.table import Submission
from croupier.table import commands as ask
from croupier.table.house import begin_id, close_id
from croupier.table.replay import recover
from croupier.table.state import Meters

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from croupier.house.floor.floor import Floor

_HOUSE = Person("house", Role.SYSTEM)
_LOOK_S = 0.2
_NODES_WITHIN_S = 20.0
"""Longer than a node that has died keeps its tables."""


def running_day(floor: Floor) -> str:
    """Return the gaming day that runs: the next one already, where one was closed."""
    return max(floor.record.settings.gaming_day(floor.clock()), _latest_begun(floor))


def _latest_begun(floor: Floor) -> str:
    """Return the latest day that tables have begun or are to begin by somebody's word.

    It is empty where nobody has closed a day yet.
    """
    ending = floor.record.state.ending_day
    told = day_after(ending) if ending else ""
    return max([told, *(each.state.begun_day for each in floor.tables.values())])


def begin_missed_day(floor: Floor) -> None:
    """Have a table begin the day that the others have begun, as a new one must."""
    latest = _latest_begun(floor)
    for table in floor.tables.values():
        if table.state.begun_day < latest:
            table.insist(_begin(latest))


def _begin(day: str) -> Submission:
    return Submission(begin_id(day), (_HOUSE,), ask.BeginGamingDay(day))


async def close_day(
    floor: Floor,
    by: Person,
    key: Ed25519PrivateKey | None,
    day: str | None,
    *,
    is_early: bool,
) -> DayReport:
    """Close the day that runs by the clock, or a past one, and return its report.

    Raises `NotDone` where the day is not over and nobody says that this is early.
    """
    today = floor.record.settings.gaming_day(floor.clock())
    day = day or today
    bounds(floor.record.settings, day)
    is_closed = floor.store.answer(HOUSE_STREAM, close_id(day)) is not None
    text = ""
    if day <= today and not is_closed:
        if day == today and not is_early:
            raise NotDone(HouseReason.DAY_STILL_RUNS(day=day))
        await _begin_everywhere(floor, by, day)
        text = msgspec.json.encode(await report_day(floor, day)).decode()
    await floor.in_house(lambda: floor.record.close_gaming_day(by, key, day, text))
    return await report_day(floor, day)


async def _begin_everywhere(floor: Floor, by: Person, ending: str) -> None:
    """Have every table begin the day after."""
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
    """Wait until each table has begun the day at its node, whichever that is.

    Raises `TableElsewhere` where one does not in time: the close is asked for again.
    """
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
    """Return the tables of all nodes whose stream has not begun the day or a later.

    One that nobody has opened yet has nothing of any day.
    """
    store, settings = floor.store, floor.record.settings
    opened = {head.stream for head in store.heads() if head.sequence}
    return [
        table
        for table in sorted(opened & floor.record.state.tables.keys())
        if store.answer(table, begin_id(day)) is None
        and recover(store, table, settings).state.begun_day < day
    ]


async def report_day(floor: Floor, day: str) -> DayReport:
    """Report a gaming day of all tables there are or were."""
    meters = {name: table.state.meters for name, table in floor.tables.items()}
    store, settings = floor.store, floor.record.settings

    def report() -> DayReport:
        every = meters | _recovered(floor, meters)
        known = [name for name in floor.record.state.tables if name in every]
        ordered = {name: every[name] for name in known}  # the same at each node
        return day_report(store, settings, day, ordered | every)

    return await asyncio.to_thread(report)


def _recovered(floor: Floor, known: dict[str, Meters]) -> dict[str, Meters]:
    """Return the meters of tables that are retired, or at another node."""
    streams = [head.stream for head in floor.store.heads() if head.sequence]
    return {
        stream: recover(floor.store, stream, floor.record.settings).state.meters
        for stream in streams
        if stream not in known and stream != HOUSE_STREAM
    }
