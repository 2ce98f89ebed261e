"""Receipts of rounds, for the seat's own terminal and for inspectors."""

from __future__ import annotations

from itertools import groupby
from urllib.parse import quote

import msgspec
import segno

from croupier.house.floor.table import FloorTable
from croupier.house.history.seat_play import SeatStay, rounds_played
from croupier.house.people.authority import HouseAct
from croupier.house.records.house_record import NotThere
from croupier.journal.log.receipts import LogProof, NoReceipt, make_receipt
from croupier.web.api.base import HouseApi, Name, Number
from croupier.web.api.seat import own_seat, stay_of
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import DEVICE, STAFF, HouseRequest

api = HouseApi("rounds", STAFF)
_DAY_MS = 24 * 3_600_000
_QUIET = 4
"""The width of the white margin around a code, in modules."""


class ReceiptShown(msgspec.Struct, frozen=True):
    """A receipt as a file, and a QR code for the page that checks it."""

    name: str
    receipt: str
    address: str
    """The address of that page; browsers send no part after the # to a server."""
    code_size: int
    """Modules on a side, with the margin."""
    code_path: str
    """The dark modules, as the path of an SVG."""


@api("GET /api/tables/{table}/seat/rounds/{number}/receipt", auth=DEVICE, tag="seat")
async def show_own_receipt(
    request: HouseRequest, *, table: Name, number: Number
) -> ReceiptShown:
    """Show the receipt of a round of the seat's session, once the log is signed."""
    found, seat = own_seat(request, table)
    stay = stay_of(found, seat)
    rounds, _ = await request.look_back(
        rounds_played, table, stay, before=number + 1, count=1
    )
    if not rounds or rounds[0].round != number:
        raise NotThere(WebReason.NO_RECEIPT(round=number))
    return await _shown(request, table, number, seat)


@api("GET /api/tables/{table}/seat/receipt", auth=DEVICE, tag="seat")
async def show_own_last_receipt(request: HouseRequest, *, table: Name) -> ReceiptShown:
    """Show the receipt of the seat's last round, for the slip of its voucher."""
    return await _last(request, *own_seat(request, table))


@api("GET /api/tables/{table}/seats/{seat}/receipt")
async def show_last_receipt(
    request: HouseRequest, *, table: Name, seat: Name
) -> ReceiptShown:
    """Show the receipt of a seat's last round, for the slip of its voucher."""
    request.must(HouseAct.HANDLE_MONEY)
    return await _last(request, request.floor.table(table), seat)


@api("GET /api/tables/{table}/rounds/{number}/receipts/{seat}")
async def show_receipt(
    request: HouseRequest, *, table: Name, number: Number, seat: Name
) -> ReceiptShown:
    """Show the receipt of any seat in a round, once the log is signed."""
    request.must(HouseAct.INSPECT)
    request.floor.table(table)
    return await _shown(request, table, number, seat)


async def _last(request: HouseRequest, table: FloorTable, seat: str) -> ReceiptShown:
    """Show the last round of today's last stay, which its last cash-out has ended."""
    stay = table.state.stays.get(seat)
    since_ms = table.views.clock() - _DAY_MS
    played = SeatStay(seat, None if stay is None else stay.number, since_ms)
    rounds, _ = await request.look_back(
        rounds_played, table.name, played, before=None, count=1
    )
    if not rounds:
        raise NotThere(WebReason.NO_RECEIPT(round=table.state.series.last))
    return await _shown(request, table.name, rounds[0].round, seat)


async def _shown(
    request: HouseRequest, table: str, number: int, seat: str
) -> ReceiptShown:
    try:
        receipt = await request.look_back(make_receipt, table, number, seat)
    except NoReceipt as error:
        raise NotThere(WebReason.NO_RECEIPT(round=number)) from error
    proof = LogProof.read(receipt.proof)
    origin = proof.note.checkpoint.origin
    named = ",".join(map(quote, (origin, str(proof.number), seat, receipt.salt)))
    address = f"{request.http.base_url}verify#{named}"
    size, path = _code(address)
    return ReceiptShown(
        name=f"round-{number}.receipt",
        receipt=receipt.text,
        address=address,
        code_size=size,
        code_path=path,
    )


def _code(address: str) -> tuple[int, str]:
    """Return the size of an address's QR code, and its dark modules as an SVG path."""
    matrix = segno.make_qr(address, error="m").matrix
    runs = []
    for y, row in enumerate(matrix):
        x = 0
        for is_dark, modules in groupby(row):
            count = len(list(modules))
            if is_dark:
                runs.append(f"M{x + _QUIET} {y + _QUIET}h{count}v1h-{count}z")
            x += count
    return len(matrix) + 2 * _QUIET, "".join(runs)
