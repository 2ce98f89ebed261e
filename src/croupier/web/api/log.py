"""The log of significant events, and who has seen them."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta

from croupier.house.people.authority import HouseAct
from croupier.house.records import day_report
from croupier.house.records.significant_events import (
    LogPage,
    LogPosition,
    SignificantKind,
    acknowledge,
    read_log,
)
from croupier.journal.store import HOUSE_STREAM
from croupier.web.api.base import HouseApi, Name, Number, TimeMs
from croupier.web.endpoint import Body
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("log", STAFF)


@api("GET /api/log")
async def show_log(
    request: HouseRequest,
    *,
    after: Annotated[str, Meta(min_length=1, max_length=100)] | None = None,
    from_ms: TimeMs | None = None,
    count: Annotated[int, Meta(ge=1, le=500)] = 100,
    kind: SignificantKind | None = None,
    table: Name | None = None,
) -> LogPage:
    """List significant events in the order of time.

    They begin after a place (`after` of a page before), at a moment, or with the
    gaming day that runs.
    """
    request.must(HouseAct.INSPECT)
    floor = request.floor
    await floor.caught_up()
    if after is not None:
        start = LogPosition.read(after)
    elif from_ms is not None:
        start = LogPosition(from_ms)
    else:
        settings = floor.record.settings
        today = settings.gaming_day(floor.clock())
        start = LogPosition(day_report.bounds(settings, today)[0])
    streams = [HOUSE_STREAM, *floor.tables] if table is None else [table]
    if table is not None:
        floor.table(table)
    return await asyncio.to_thread(
        read_log, floor.store, streams, start, kind=kind, count=count
    )


class AlarmBody(Body, frozen=True):
    """An alarm of the log, by its table (none: the house's own) and number."""

    sequence: Number
    table: Name | None = None


@api("POST /api/log/acknowledge")
async def acknowledge_alarm(request: HouseRequest, body: AlarmBody) -> None:
    """Say that an alarm has been seen."""
    if body.table is not None:
        request.floor.table(body.table)
    await request.in_house(acknowledge, body.table, body.sequence)
