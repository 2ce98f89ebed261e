"""A seat, for the terminal of it alone: its rounds, and what its chips would bring."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.seat_results import SeatResults, seat_results
from croupier.house.floor.table import FloorTable
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind
from croupier.house.records.seat_play import PlayedRound, Stay, rounds_played
from croupier.protocol.answers import SessionView
from croupier.web.api.base import HouseApi, Name, Number
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import DEVICE, HouseRequest

api = HouseApi("seat", DEVICE)


def own_seat(request: HouseRequest, table: str) -> tuple[FloorTable, str]:
    """Return the table and who sits at the terminal that asks; raise `Denied`."""
    found, device = request.floor.table(table), request.device
    if device is None:
        raise Denied(WebReason.DEVICE_TOKEN_NEEDED())
    if device.kind is not DeviceKind.TERMINAL or device.table != table:
        raise Denied(WebReason.NOT_A_TERMINAL_OF(device=device.name, table=table))
    return found, request.floor.seat_at(table, device.name)


@api("GET /api/tables/{table}/seat/results")
async def show_results(request: HouseRequest, *, table: Name) -> SeatResults:
    """Show what the seat's chips would bring at each number, and their exact edge."""
    found, seat = own_seat(request, table)
    if not found.state.series.last:
        return SeatResults(0)
    current = found.state.series.current
    return seat_results(current, found.transient.lying(seat, current.board))


class SeatPlay(msgspec.Struct, frozen=True):
    """What the seat has played in the session that is on: nobody else's rounds."""

    table: str
    seat: str
    player: str | None
    """The named Player who sits there."""
    session: SessionView
    rounds: tuple[PlayedRound, ...]
    """The latest first."""
    has_more: bool


@api("GET /api/tables/{table}/seat/rounds")
async def list_own_rounds(
    request: HouseRequest,
    *,
    table: Name,
    before: Number | None = None,
    count: Annotated[int, Meta(ge=1, le=50)] = 20,
) -> SeatPlay:
    """List the rounds of the seat's session, with pieces, clauses and corrections."""
    found, seat = own_seat(request, table)
    session = found.views.session(seat)
    stay = Stay(seat, found.state.stay_at(seat), session.began_ms)
    rounds, has_more = await asyncio.to_thread(
        lambda: rounds_played(
            request.floor.store, table, stay, before=before, count=count
        )
    )
    player = seat if seat in request.record.state.players else None
    return SeatPlay(table, seat, player, session, tuple(rounds), has_more)
