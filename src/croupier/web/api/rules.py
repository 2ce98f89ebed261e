"""The operator's approved rules file of a table."""

from __future__ import annotations

import asyncio
from pathlib import PurePath
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from croupier.house.configuration.rules_files import content_of, rules_of
from croupier.web.api.base import HouseRequest, Name, TagApi

api = TagApi("tables")
_BYTES = "application/octet-stream"


class RulesShown(msgspec.Struct, frozen=True):
    """Which file is attached, by its name, hash and date."""

    name: str
    sha256: str
    dated_ms: int


@api.get(
    "/api/tables/{table}/rules",
    summary="The operator's approved rules file: its name, hash and date.",
    errors=(404,),
)
async def show_rules(request: HouseRequest, *, table: Name) -> RulesShown:
    attached = rules_of(request.caller.floor.record, table)
    name = PurePath(attached.file).name
    return RulesShown(name, attached.digest, attached.dated_ms)


@api.get(
    "/api/tables/{table}/rules/file",
    summary="The operator's approved rules file itself.",
    errors=(404, 409),
    media_type=_BYTES,
)
async def fetch_rules(request: HouseRequest, *, table: Name) -> Response:
    attached = rules_of(request.caller.floor.record, table)
    content = await asyncio.to_thread(content_of, attached)
    name = quote(PurePath(attached.file).name)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(content, media_type=_BYTES, headers=headers)
