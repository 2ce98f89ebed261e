"""Tables: their public state, and the acts of the staff who run them."""

from __future__ import annotations

import asyncio
from pathlib import PurePath
from typing import Annotated
from urllib.parse import quote

import msgspec
from msgspec import Meta
from starlette.responses import Response

from croupier.games import find_game
from croupier.house.configuration.setup import content_of, rules_of
from croupier.house.floor.exposure import (
    LayoutExposure,
    SettlementPreview,
    layout_exposure,
    preview_settlement,
)
from croupier.house.floor.owned_tables import TableStatus
from croupier.house.floor.table import FloorTable
from croupier.house.people import dealers
from croupier.house.people.authority import HouseAct
from croupier.house.views import parts
from croupier.house.views.listeners import Audience, prefix_of
from croupier.journal.events.plan import TablePlan, WheelSource
from croupier.protocol.answers import LimitsView, TableSnapshot, WagerView
from croupier.rules.commands import Settle
from croupier.rules.round import Phase
from croupier.rules.terms import read_limits
from croupier.table.commands import ChangeTerms
from croupier.web.api.base import (
    CommandBody,
    DoneShown,
    HouseApi,
    Name,
    SentId,
    accepted,
    deals_at,
)
from croupier.web.api.seat import own_seat
from croupier.web.endpoint import Body
from croupier.web.security.authentication import (
    STAFF,
    STAFF_OR_DEVICE,
    HouseRequest,
)

api = HouseApi("tables")
VIRTUAL_LABEL = "virtual wheel: for practice, no document's wheel"
_BYTES = "application/octet-stream"
Line = Annotated[str, Meta(min_length=1, max_length=300)]


class TableShown(msgspec.Struct, frozen=True):
    """A table in the list of tables."""

    name: str
    game: str
    title: str
    document: str
    wheel: WheelSource
    wheel_label: str | None
    """A note to show if no document describes the wheel."""
    is_open: bool
    phase: Phase
    round: int
    limits: tuple[LimitsView, ...]
    dealer: str | None
    automatic_dealer: bool
    seats: int
    terminals: int
    """The number of connected terminals."""
    is_unserved: bool = False
    """No node serves it just now, so its state of play is unknown."""


@api("GET /api/tables")
async def list_tables(request: HouseRequest) -> list[TableShown]:
    """List the tables of the house."""
    state, known = request.record.state, request.floor.summaries()
    return [
        _shown(plan, known.get(name), state.dealers.get(name))
        for name, plan in state.tables.items()
    ]


def _shown(
    plan: TablePlan, summary: TableStatus | None, dealer: str | None
) -> TableShown:
    """Return a table by its node's summary, or by its plan if no node serves it."""
    game = find_game(plan.game)
    limits = () if summary is None else summary.limits
    return TableShown(
        name=plan.name,
        game=game.name,
        title=game.title,
        document=game.document,
        wheel=plan.wheel,
        wheel_label=VIRTUAL_LABEL if plan.wheel is WheelSource.VIRTUAL else None,
        is_open=summary is not None and summary.is_open,
        phase=Phase.ENDED if summary is None else summary.phase,
        round=0 if summary is None else summary.round,
        limits=parts.limits_shown(game, read_limits(limits, game)),
        dealer=None if summary is None else dealer,
        automatic_dealer=plan.automatic_dealer,
        seats=plan.seats,
        terminals=0 if summary is None else summary.terminals,
        is_unserved=summary is None,
    )


@api("POST /api/tables/{table}/open", auth=STAFF)
async def open_table(
    request: HouseRequest, body: CommandBody, *, table: Name
) -> DoneShown:
    """Open a closed table for play."""
    return await _open_or_close(request, body, table, opens=True)


@api("POST /api/tables/{table}/close", auth=STAFF)
async def close_table(
    request: HouseRequest, body: CommandBody, *, table: Name
) -> DoneShown:
    """Close a table between rounds."""
    return await _open_or_close(request, body, table, opens=False)


async def _open_or_close(
    request: HouseRequest, body: CommandBody, table: str, *, opens: bool
) -> DoneShown:
    member = request.member
    answer = await request.floor.open_or_close(member, table, body.id, opens=opens)
    return DoneShown(body.id, accepted(answer).last)


@api("GET /api/tables/{table}/terms")
async def show_terms(request: HouseRequest, *, table: Name) -> ChangeTerms:
    """Show the terms of the next round."""
    return request.floor.terms_of(table)


class TermsBody(Body, frozen=True):
    """Lines such as `straight_up 5 100` and `complete_dozen inside`."""

    id: SentId
    limits: Annotated[tuple[Line, ...], Meta(max_length=50)]
    settings: Annotated[tuple[Line, ...], Meta(max_length=50)]


@api("PUT /api/tables/{table}/terms", auth=STAFF)
async def change_terms(
    request: HouseRequest, body: TermsBody, *, table: Name
) -> DoneShown:
    """Change limits and settings, in force with the next round."""
    terms = ChangeTerms(body.limits, body.settings)
    answer = await request.floor.change_terms(request.member, table, terms, body.id)
    return DoneShown(body.id, accepted(answer).last)


class DealerShown(msgspec.Struct, frozen=True):
    table: str
    dealer: str | None


@api("POST /api/tables/{table}/dealer", auth=STAFF)
async def come_to_table(request: HouseRequest, *, table: Name) -> DealerShown:
    """Take over a table as its Dealer; refused while it has another."""
    request.floor.table(table)
    await request.in_house(dealers.come_to_table, table)
    return DealerShown(table, request.member.name)


@api("DELETE /api/tables/{table}/dealer", auth=STAFF)
async def go_from_table(request: HouseRequest, *, table: Name) -> DealerShown:
    """Leave a table as its Dealer, or relieve its Dealer as a supervisor."""
    request.floor.table(table)
    await request.in_house(dealers.go_from_table, table)
    return DealerShown(table, None)


class RulesShown(msgspec.Struct, frozen=True):
    """The name, hash and date of the attached file."""

    name: str
    sha256: str
    dated_ms: int


@api("GET /api/tables/{table}/rules")
async def show_rules(request: HouseRequest, *, table: Name) -> RulesShown:
    """Show name, hash and date of the operator's approved rules file."""
    attached = rules_of(request.record, table)
    name = PurePath(attached.file).name
    return RulesShown(name, attached.digest, attached.dated_ms)


@api("GET /api/tables/{table}/rules/file", errors={409}, media_type=_BYTES)
async def fetch_rules(request: HouseRequest, *, table: Name) -> Response:
    """Return the operator's approved rules file."""
    attached = rules_of(request.record, table)
    content = await asyncio.to_thread(content_of, attached)
    name = quote(PurePath(attached.file).name)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(content, media_type=_BYTES, headers=headers)


@api("GET /api/tables/{table}/state", auth=STAFF)
async def show_state(request: HouseRequest, *, table: Name) -> TableSnapshot:
    """Show the table as the staff see it."""
    return _table_to_watch(request, table).views.snapshot(Audience.STAFF)


@api("GET /api/tables/{table}/wagers", auth=STAFF_OR_DEVICE)
async def list_wagers(request: HouseRequest, *, table: Name) -> tuple[WagerView, ...]:
    """List the wagers on the layout: all for staff, its own for a terminal."""
    device = request.device
    if device is None:
        return _table_to_watch(request, table).views.wagers()
    found, seat = own_seat(request, table)
    return found.views.wagers(seat, prefix_of(device.name))


@api("GET /api/tables/{table}/settlement", auth=STAFF, errors={409})
async def show_settlement(request: HouseRequest, *, table: Name) -> SettlementPreview:
    """Preview the sums that settling would collect, pay and return."""
    found = request.floor.table(table)
    person = found.person(request.member, Settle())
    return preview_settlement(found.state, person, found.plan.chips)


@api("GET /api/tables/{table}/exposure", auth=STAFF)
async def show_exposure(request: HouseRequest, *, table: Name) -> LayoutExposure:
    """Show the House's payments for each outcome, and the worst."""
    request.must(HouseAct.WATCH)
    return layout_exposure(request.floor.table(table).state)


def _table_to_watch(request: HouseRequest, name: str) -> FloorTable:
    """Return the table, for its Dealer, staff with a position or the right to watch."""
    table, member = request.floor.table(name), request.member
    if not deals_at(request, table) and not member.positions:
        member.must(HouseAct.WATCH)
    return table
