"""The close of a gaming day: every table begins the next one, then the house closes it.

Whatever is recorded at a table after that belongs to the next day, whatever the clock
says, and so the report that the close puts on record stays true. A close that is cut
short is asked for again: what the tables have recorded of it stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from croupier.house.floor.table import FloorTable
from croupier.house.reasons import HouseReason
from croupier.house.records.day_report import DayReport, bounds, day_report
from croupier.house.records.house_record import NotDone
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


def running_day(floor: Floor) -> str:
    """Return the gaming day that runs: the next one already, where one was closed."""
    by_clock = floor.record.settings.gaming_day(floor.clock())
    return max([by_clock, *(each.state.begun_day for each in floor.tables.values())])


def begin_missed_day(tables: Iterable[FloorTable]) -> None:
    """Have a table begin the day that the others have begun, as a new one must."""
    all_of_them = list(tables)
    latest = max(each.state.begun_day for each in all_of_them)
    for table in all_of_them:
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
        await _begin_everywhere(floor, day_after(day))
        text = msgspec.json.encode(await report_day(floor, day)).decode()
    await floor.in_house(lambda: floor.record.close_gaming_day(by, key, day, text))
    return await report_day(floor, day)


async def _begin_everywhere(floor: Floor, day: str) -> None:
    tables = [each for each in floor.tables.values() if each.state.begun_day < day]
    await asyncio.gather(*(table.submit(_begin(day)) for table in tables))


async def report_day(floor: Floor, day: str) -> DayReport:
    """Report a gaming day of all tables there are or were."""
    meters = {name: table.state.meters for name, table in floor.tables.items()}
    store, settings = floor.store, floor.record.settings

    def report() -> DayReport:
        return day_report(store, settings, day, meters | _retired(floor, meters))

    return await asyncio.to_thread(report)


def _retired(floor: Floor, known: dict[str, Meters]) -> dict[str, Meters]:
    """Return the meters of tables that are no longer on the floor."""
    streams = [head.stream for head in floor.store.heads() if head.sequence]
    return {
        stream: recover(floor.store, stream, floor.record.settings).state.meters
        for stream in streams
        if stream not in known and stream != HOUSE_STREAM
    }
