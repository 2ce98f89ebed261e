"""The log of a house over HTTP in the C2SP format, and the page that checks receipts.

All of it is static: a full tile never changes, and a partial one only grows.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from croupier.audit.receipt_page import page_policy, receipt_page
from croupier.journal.log.notes import VerifierKey, log_key
from croupier.journal.log.publishing import cosigned, last_checkpoint, origin_of
from croupier.journal.log.stored_log import TILE_WIDTH, StoredLog

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.journal.store import Store

_PLACE = re.compile(r"((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
_MOST_LEVELS = 8
_FOR_GOOD = "public, max-age=31536000, immutable"
_SHORTLY = "no-cache"
_BYTES = "application/octet-stream"


def log_routes(floor: Floor) -> list[Route]:
    """Return the routes of a public log."""
    return [
        Route("/log/checkpoint", _in_thread(floor, _checkpoint)),
        Route("/log/tile/entries/{place:path}", _in_thread(floor, _entries)),
        Route("/log/tile/{level:int}/{place:path}", _in_thread(floor, _tile)),
    ]


def verify_route(floor: Floor, witnesses: Sequence[VerifierKey]) -> Route:
    """Return the route of the page that checks receipts."""

    def page(store: Store, _: Request) -> Response:
        state = floor.record.state
        origin = origin_of(store, state.incarnation)
        taken = state.signing_keys.values()
        keys = (log_key(origin, each.public_key) for each in taken)
        text = receipt_page([*keys, *witnesses])
        policy = {"Content-Security-Policy": page_policy(text)}
        return HTMLResponse(text, headers={"Cache-Control": _SHORTLY, **policy})

    return Route("/verify", _in_thread(floor, page))


def _in_thread(
    floor: Floor, answer: Callable[[Store, Request], Response | None]
) -> Callable[[Request], object]:
    async def answered(request: Request) -> Response:
        found = await asyncio.to_thread(answer, floor.history, request)
        return found or PlainTextResponse("the log has no such part", 404)

    return answered


def _checkpoint(store: Store, _: Request) -> Response | None:
    note = cosigned(store)
    if note is None:
        return None
    return PlainTextResponse(note.whole, headers={"Cache-Control": _SHORTLY})


def _tile(store: Store, request: Request) -> Response | None:
    level = int(request.path_params["level"])
    place = _read_place(request.path_params["place"])
    if place is None or level >= _MOST_LEVELS:
        return None
    number, width = place
    first, log = number * TILE_WIDTH, StoredLog(store)
    if not _is_signed(store, level, first + width):
        return None
    return _static(b"".join(log.hashes(level, first, width)))


def _entries(store: Store, request: Request) -> Response | None:
    place = _read_place(request.path_params["place"])
    if place is None:
        return None
    number, width = place
    first = number * TILE_WIDTH
    if not _is_signed(store, 0, first + width):
        return None
    texts = [row.entry.encode() for row in store.log_entries(first, width)]
    return _static(b"".join(len(text).to_bytes(2, "big") + text for text in texts))


def _is_signed(store: Store, level: int, end: int) -> bool:
    last = last_checkpoint(store)
    return last is not None and end << 8 * level <= last.size


def _static(content: bytes) -> Response:
    return Response(content, media_type=_BYTES, headers={"Cache-Control": _FOR_GOOD})


def _read_place(text: str) -> tuple[int, int] | None:
    """Return the number and the width of a tile from its path."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    number, width = found.group(1).replace("x", "").replace("/", ""), found.group(2)
    if width is not None and int(width) >= TILE_WIDTH:
        return None
    return int(number), TILE_WIDTH if width is None else int(width)
