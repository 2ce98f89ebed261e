"""Tables: what everybody sees of them, and how the staff run them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.connection import views
from croupier.house.connection.listeners import Audience, Listener
from croupier.house.floor.table import FloorTable
from croupier.house.people.authority import HouseAct
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind
from croupier.journal.events import table as hap
from croupier.journal.events.plan import WheelSource
from croupier.protocol import answers as say
from croupier.table.commands import ChangeTerms
from croupier.web.api.base import (
    CommandBody,
    DoneShown,
    HouseRequest,
    Name,
    SentId,
    TagApi,
    accepted_as,
    deals_at,
)
from croupier.web.openapi import Body
from croupier.web.security.authentication import STAFF, STAFF_OR_DEVICE, Requester

api = TagApi("tables")
VIRTUAL_LABEL = "virtual wheel: for practice, no document's wheel"
Line = Annotated[str, Meta(min_length=1, max_length=300)]


class TableShown(msgspec.Struct, frozen=True):
    """A table as a list of tables shows it."""

    name: str
    game: str
    title: str
    document: str
    wheel: str
    wheel_label: str | None
    """Shown beside a wheel that is none of the document's."""
    is_open: bool
    phase: str
    round: int
    limits: tuple[say.LimitsView, ...]
    dealer: str | None
    automatic_dealer: bool
    seats: int
    terminals: int
    """How many terminals are connected."""


@api.get("/api/tables", summary="The tables of the house.")
async def list_tables(request: HouseRequest) -> list[TableShown]:
    floor = request.caller.floor
    dealers = floor.record.state.dealers
    tables = floor.tables.values()
    return [_shown(table, dealers.get(table.name)) for table in tables]


def _shown(table: FloorTable, dealer: str | None) -> TableShown:
    defined, state = table.defined, table.state
    is_virtual = defined.wheel is WheelSource.VIRTUAL
    return TableShown(
        name=table.name,
        game=table.game.name,
        title=table.game.title,
        document=table.game.document,
        wheel=defined.wheel.value,
        wheel_label=VIRTUAL_LABEL if is_virtual else None,
        is_open=state.is_open,
        phase=views.phase_of(state).value,
        round=state.series.last,
        limits=views.limits_shown(state, state.series.limits),
        dealer=dealer,
        automatic_dealer=defined.automatic_dealer,
        seats=defined.seats,
        terminals=table.listeners.terminals,
    )


@api.post(
    "/api/tables/{table}/open",
    summary="Open a closed table for play.",
    auth=STAFF,
    errors=(409,),
)
async def open_table(
    request: HouseRequest, body: CommandBody, *, table: Name
) -> DoneShown:
    return await _open_or_close(request, body, table, opens=True)


@api.post(
    "/api/tables/{table}/close",
    summary="Close a table between rounds.",
    auth=STAFF,
    errors=(409,),
)
async def close_table(
    request: HouseRequest, body: CommandBody, *, table: Name
) -> DoneShown:
    return await _open_or_close(request, body, table, opens=False)


async def _open_or_close(
    request: HouseRequest, body: CommandBody, table: str, *, opens: bool
) -> DoneShown:
    asker = request.caller
    answer = await asker.floor.open_or_close(asker.member, table, body.id, opens=opens)
    given, _ = accepted_as(answer, hap.TableOpened if opens else hap.TableClosed)
    return DoneShown(body.id, given.last)


class TermsShown(msgspec.Struct, frozen=True):
    """Limits and settings as lines of a transcript's head."""

    limits: tuple[str, ...]
    settings: tuple[str, ...]


@api.get(
    "/api/tables/{table}/terms",
    summary="The terms that the next round will be judged by.",
)
async def show_terms(request: HouseRequest, *, table: Name) -> TermsShown:
    terms = request.caller.floor.terms_of(table)
    return TermsShown(terms.limits, terms.settings)


class TermsBody(Body, frozen=True):
    """In force with the next round: `straight_up 5 100`, `complete_dozen inside`."""

    id: SentId
    limits: Annotated[tuple[Line, ...], Meta(max_length=50)]
    settings: Annotated[tuple[Line, ...], Meta(max_length=50)]


@api.put(
    "/api/tables/{table}/terms",
    summary="Change limits and settings, in force with the next round.",
    auth=STAFF,
    errors=(409,),
)
async def change_terms(
    request: HouseRequest, body: TermsBody, *, table: Name
) -> DoneShown:
    asker = request.caller
    terms = ChangeTerms(body.limits, body.settings)
    answer = await asker.floor.change_terms(asker.member, table, terms, body.id)
    given, _ = accepted_as(
        answer, hap.TermsChanged, limits=body.limits, settings=body.settings
    )
    return DoneShown(body.id, given.last)


class DealerShown(msgspec.Struct, frozen=True):
    table: str
    dealer: str | None


@api.post(
    "/api/tables/{table}/dealer",
    summary="Take over a table as its Dealer.",
    auth=STAFF,
    errors=(409,),
)
async def come_to_table(request: HouseRequest, *, table: Name) -> DealerShown:
    floor, by = request.caller.floor, request.caller.member
    await floor.in_house(lambda: floor.come_to_table(by, table))
    return DealerShown(table, by.name)


@api.delete(
    "/api/tables/{table}/dealer",
    summary="Go from a table as its Dealer.",
    auth=STAFF,
    errors=(409,),
)
async def go_from_table(request: HouseRequest, *, table: Name) -> DealerShown:
    floor, by = request.caller.floor, request.caller.member
    floor.table(table)
    await floor.in_house(lambda: floor.go_from_table(by, table))
    return DealerShown(table, None)


@api.get(
    "/api/tables/{table}/state",
    summary="The table as the staff see it.",
    auth=STAFF,
)
async def show_state(request: HouseRequest, *, table: Name) -> say.TableSnapshot:
    return table_to_watch(request.caller, table).views.snapshot(_listener(None, None))


@api.get(
    "/api/tables/{table}/wagers",
    summary="What lies on the layout: all of it, or a terminal's own.",
    auth=STAFF_OR_DEVICE,
)
async def list_wagers(
    request: HouseRequest, *, table: Name
) -> tuple[say.WagerView, ...]:
    asker = request.caller
    if asker.device is None:
        return table_to_watch(asker, table).views.view(_listener(None, None)).wagers
    found, device = asker.floor.table(table), asker.device
    if device.kind is not DeviceKind.TERMINAL or device.table != table:
        raise Denied(f"{device.name} is no terminal of {table}")
    seat = asker.floor.seat_at(table, device.name)
    return found.views.view(_listener(seat, device.name)).wagers


def table_to_watch(asker: Requester, name: str) -> FloorTable:
    """The table, for who deals there, has a position, or may see the pit."""
    table, member = asker.floor.table(name), asker.member
    if not deals_at(asker, table) and not member.positions:
        member.must(HouseAct.WATCH)
    return table


def _listener(seat: str | None, device: str | None) -> Listener:
    audience = Audience.STAFF if seat is None else Audience.SEAT
    return Listener(audience, seat, device, _NoSink())


class _NoSink:
    """For who looks once and does not listen."""

    def put(self, message: bytes) -> None: ...

    def dismiss(self, reason: str, *, come_back: bool) -> None: ...
