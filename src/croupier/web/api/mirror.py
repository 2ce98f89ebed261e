"""The journal for its mirrors, part by part."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind
from croupier.journal.mirror import JournalPart, MirrorPlace, read_part
from croupier.web.api.base import HouseApi
from croupier.web.endpoint import Body
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import DEVICE, HouseRequest

api = HouseApi("house", DEVICE)
Count = Annotated[int, Meta(ge=0, le=2**53)]


class PlaceBody(Body, frozen=True):
    """The part of the journal that a mirror has: events by stream, and the log."""

    streams: dict[str, Count]
    log_size: Count
    checkpoints: Count


@api("POST /api/journal/part")
async def follow_journal(request: HouseRequest, body: PlaceBody) -> JournalPart:
    """Return the next events and log entries for a mirror."""
    device = request.device
    if device is None:
        raise Denied(WebReason.DEVICE_TOKEN_NEEDED())
    if device.kind is not DeviceKind.MIRROR:
        raise Denied(WebReason.NOT_A_MIRROR(device=device.name))
    place = msgspec.convert(msgspec.to_builtins(body), MirrorPlace)
    return await request.look_back(read_part, place)
