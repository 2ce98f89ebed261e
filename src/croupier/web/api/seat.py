"""A seat, for the terminal of it alone: what its chips would bring at each number."""

from __future__ import annotations

from croupier.house.floor.seat_results import SeatResults, seat_results
from croupier.house.floor.table import FloorTable
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind
from croupier.web.api.base import HouseApi, Name
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
