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
from croupier.web.api.base import HouseRequest, Name, TagApi, TimeMs
from croupier.web.openapi import Body
from croupier.web.security.authentication import STAFF

api = TagApi("log")


@api.get(
    "/api/log",
    summary="Significant events of the house and its tables, in the order of time.",
    auth=STAFF,
    errors=(404,),
)
async def show_log(
    request: HouseRequest,
    *,
    after: Annotated[str, Meta(min_length=1, max_length=100)] | None = None,
    from_ms: TimeMs | None = None,
    count: Annotated[int, Meta(ge=1, le=500)] = 100,
    kind: SignificantKind | None = None,
    table: Name | None = None,
) -> LogPage:
    """From a place (`after` of a page before), a moment, or the gaming day's begin."""
    request.caller.must(HouseAct.INSPECT)
    await request.caller.floor.caught_up()
    floor = request.caller.floor
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

    sequence: Annotated[int, Meta(ge=1, le=2**53)]
    table: Name | None = None


@api.post(
    "/api/log/acknowledge",
    summary="Say that an alarm has been seen.",
    auth=STAFF,
    errors=(404,),
)
async def acknowledge_alarm(request: HouseRequest, body: AlarmBody) -> None:
    floor, by = request.caller.floor, request.caller.member
    if body.table is not None:
        floor.table(body.table)
    await floor.in_house(
        lambda: acknowledge(floor.record, by, body.table, body.sequence)
    )
