"""A seat, for its own terminal: its rounds, and the cost and results of its chips."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.seat_results import SeatResults, seat_results
from croupier.house.floor.table import FloorTable
from croupier.house.history.past_rounds import RoundShown
from croupier.house.history.seat_play import (
    CreditChange,
    SeatStay,
    credit_changes,
    rounds_played,
)
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind
from croupier.ledger import accounts
from croupier.ledger.commands import BuyIn
from croupier.protocol.answers import SessionView, StatedReason, stated
from croupier.rules.clause import Refusal
from croupier.rules.commands import PlaceWager
from croupier.rules.events import WagerPlaced
from croupier.rules.operator import Person, Role
from croupier.table import Submission
from croupier.table.commands import Together, sent_digest
from croupier.web.api.base import (
    Cents,
    CommandBody,
    DoneShown,
    HouseApi,
    Name,
    Number,
    accepted,
)
from croupier.web.api.demonstration import (
    GUEST_CENTS,
    GUESTS_CASHIER,
    demonstration_floor,
)
from croupier.web.api.games import PieceShown
from croupier.web.endpoint import Body
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import DEVICE, HouseRequest

api = HouseApi("seat", DEVICE)


def own_seat(request: HouseRequest, table: str) -> tuple[FloorTable, str]:
    """Return the table and the seat of the calling terminal; raise `Denied`."""
    found, device = request.floor.table(table), request.device
    if device is None:
        raise Denied(WebReason.DEVICE_TOKEN_NEEDED())
    if device.kind is not DeviceKind.TERMINAL or device.table != table:
        raise Denied(WebReason.NOT_A_TERMINAL_OF(device=device.name, table=table))
    return found, request.floor.seat_at(table, device.name)


def stay_of(table: FloorTable, seat: str) -> SeatStay:
    began_ms = table.views.session(seat).began_ms
    return SeatStay(seat, table.state.stay_at(seat), began_ms)


@api("GET /api/tables/{table}/seat/results")
async def show_results(request: HouseRequest, *, table: Name) -> SeatResults:
    """Show the result of the seat's chips for each number, and their exact edge."""
    found, seat = own_seat(request, table)
    if not found.state.series.last:
        return SeatResults(0)
    current = found.state.series.current
    lying = tuple(found.transient.lying(seat, current.board))
    return await asyncio.to_thread(seat_results, current, lying)


class SeatPlay(msgspec.Struct, frozen=True):
    """The seat's own rounds in the current session."""

    table: str
    seat: str
    player: str | None
    """The named Player who sits there."""
    session: SessionView
    rounds: tuple[RoundShown, ...]
    """Latest first."""
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
    session, stay = found.views.session(seat), stay_of(found, seat)
    rounds, has_more = await request.look_back(
        rounds_played, table, stay, before=before, count=count
    )
    player = seat if seat in request.record.state.players else None
    return SeatPlay(table, seat, player, session, tuple(rounds), has_more)


class CreditChanges(msgspec.Struct, frozen=True):
    """Changes of the seat's credit by others than the Player."""

    changes: tuple[CreditChange, ...]
    """Oldest first."""
    sequence: int
    """The last event of the table that was read."""


@api("GET /api/tables/{table}/seat/changes")
async def list_own_changes(
    request: HouseRequest,
    *,
    table: Name,
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0,
) -> CreditChanges:
    """List changes of the seat's credit by others since an event."""
    found, seat = own_seat(request, table)
    stay, until, cents = stay_of(found, seat), found.told, found.state.credit(seat)
    changes = await request.look_back(
        credit_changes, table, stay, after=after, until=until, cents=cents
    )
    return CreditChanges(tuple(changes), until)


class NewChips(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wager in notation, and the stake on each piece."""

    wager: Annotated[str, Meta(min_length=1, max_length=120)]
    stake_cents: Cents | None = None
    """None for a complete maximum wager."""


class WagersBody(Body, frozen=True):
    """Wagers to be placed together in the current round."""

    wagers: Annotated[tuple[NewChips, ...], Meta(min_length=1, max_length=200)]


class RehearsalShown(msgspec.Struct, frozen=True):
    """The pieces and the cost of wagers if they were placed now, or their refusal."""

    refusal: StatedReason | None = None
    """The reason of a refusal; there are no pieces then."""
    pieces: tuple[PieceShown, ...] = ()
    total_cents: int = 0
    credit_after_cents: int | None = None


@api("POST /api/tables/{table}/seat/rehearsal")
async def rehearse_wagers(
    request: HouseRequest, body: WagersBody, *, table: Name
) -> RehearsalShown:
    """Judge wagers of the seat without placing them."""
    found, seat = own_seat(request, table)
    device = request.device
    placings = tuple(
        PlaceWager(
            f"rehearsal.{place}",
            seat,
            found.read_wager(new.wager),
            new.stake_cents,
            electronic=True,
            terminal=device.name if device else None,
        )
        for place, new in enumerate(body.wagers)
    )
    command = placings[0] if len(placings) == 1 else Together(placings)
    submission = Submission("rehearsal", (Person(seat, Role.PLAYER),), command)
    judged = await asyncio.to_thread(found.preview, submission)
    if isinstance(judged, Refusal):
        return RehearsalShown(stated(judged.reason, judged.clause.number))
    placed = [each.event for each in judged if isinstance(each.event, WagerPlaced)]
    pieces = tuple(
        PieceShown(piece.area, piece.cents) for each in placed for piece in each.pieces
    )
    moved = sum(
        entry.cents
        for each in judged
        for entry in each.entries
        if entry.account == accounts.seat(seat)
    )
    return RehearsalShown(
        pieces=pieces,
        total_cents=sum(each.stake_cents for each in pieces),
        credit_after_cents=found.state.credit(seat) + moved,
    )


@api("POST /api/tables/{table}/seat/credit")
async def add_credit(
    request: HouseRequest, body: CommandBody, *, table: Name
) -> DoneShown:
    """Add credit to a seat of the demonstration house."""
    demonstration_floor(request)
    found, seat = own_seat(request, table)
    command_id = request.command_id(body.id)
    buy_in = BuyIn(seat, GUEST_CENTS)
    sent = sent_digest(buy_in, (request.device and request.device.token) or "")
    answer = await found.submit(
        Submission(command_id, (GUESTS_CASHIER,), buy_in, sent=sent)
    )
    given = accepted(answer)
    return DoneShown(body.id, given.last)
