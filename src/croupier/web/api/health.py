"""Whether the process lives, and whether it can take commands."""

from __future__ import annotations

import asyncio

import msgspec

from croupier.journal.store import JournalError
from croupier.web.api.base import HouseRequest, TagApi
from croupier.web.openapi import ApiError

api = TagApi("health")


class HealthShown(msgspec.Struct, frozen=True):
    alive: bool


@api.get("/health", summary="Whether the process lives.")
async def show_health(request: HouseRequest) -> HealthShown:  # noqa: ARG001
    return HealthShown(alive=True)


class ReadyShown(msgspec.Struct, frozen=True):
    ready: bool
    tables: int


@api.get("/ready", summary="Whether commands can be taken and kept.", errors=(503,))
async def show_ready(request: HouseRequest) -> ReadyShown:
    asker = request.caller
    floor = asker.floor
    if floor.is_stopping:
        raise ApiError(503, "the house is stopping")
    for name, table in floor.tables.items():
        if table.table.failure is not None:
            raise ApiError(503, f"the table {name} takes nothing any more")
    try:
        await asyncio.to_thread(asker.shared.probe.check)
    except JournalError as error:
        raise ApiError(503, "the journal can't be written") from error
    return ReadyShown(ready=True, tables=len(floor.tables))
