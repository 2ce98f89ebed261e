"""Tables: what everybody sees of them, and how the staff run them."""

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
from croupier.house.connection import views
from croupier.house.connection.listeners import Audience, Listener
from croupier.house.floor.exposure import (
    LayoutExposure,
    SettlementPreview,
    layout_exposure,
    preview_settlement,
)
from croupier.house.floor.table import FloorTable
from croupier.house.people import dealers
from croupier.house.people.authority import HouseAct
from croupier.journal.events.plan import TablePlan, WheelSource
from croupier.protocol import answers as say
from croupier.rules.commands import Settle
from croupier.rules.reasons import Reason
from croupier.rules.round import Phase
from croupier.table.commands import ChangeTerms, RecordInterpretation
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
    """A table as a list of tables shows it."""

    name: str
    game: str
    title: str
    document: str
    wheel: WheelSource
    wheel_label: str | None
    """Shown beside a wheel that is none of the document's."""
    is_open: bool
    phase: Phase
    round: int
    limits: tuple[say.LimitsView, ...]
    dealer: str | None
    automatic_dealer: bool
    seats: int
    terminals: int
    """How many terminals are connected."""
    is_unserved: bool = False
    """No node serves it just now: it is being taken over, and nothing is known of its
    play."""


@api("GET /api/tables")
async def list_tables(request: HouseRequest) -> list[TableShown]:
    """List the tables of the house."""
    floor, state = request.floor, request.record.state
    tables = floor.tables.values()
    shown = [_shown(table, state.dealers.get(table.name)) for table in tables]
    for others in await request.gather(list[TableShown]):
        shown += others
    if floor.nodes is not None and not request.is_carried:
        served = {each.name for each in shown}
        shown += (_unserved(e) for e in state.tables.values() if e.name not in served)
    return request.in_order(shown, lambda each: each.name)


def _unserved(plan: TablePlan) -> TableShown:
    """Return a table of which only its plan is known."""
    game = find_game(plan.game)
    return TableShown(
        name=plan.name,
        game=game.name,
        title=game.title,
        document=game.document,
        wheel=plan.wheel,
        wheel_label=_label(plan),
        is_open=False,
        phase=Phase.ENDED,
        round=0,
        limits=(),
        dealer=None,
        automatic_dealer=plan.automatic_dealer,
        seats=plan.seats,
        terminals=0,
        is_unserved=True,
    )


def _label(plan: TablePlan) -> str | None:
    return VIRTUAL_LABEL if plan.wheel is WheelSource.VIRTUAL else None


def _shown(table: FloorTable, dealer: str | None) -> TableShown:
    plan, state = table.plan, table.state
    return TableShown(
        name=table.name,
        game=table.game.name,
        title=table.game.title,
        document=table.game.document,
        wheel=plan.wheel,
        wheel_label=_label(plan),
        is_open=state.is_open,
        phase=views.phase_of(state),
        round=state.series.last,
        limits=views.limits_shown(table.game, state.series.limits),
        dealer=dealer,
        automatic_dealer=plan.automatic_dealer,
        seats=plan.seats,
        terminals=table.listeners.terminals,
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


class TermsShown(msgspec.Struct, frozen=True):
    """Limits and settings as lines of a transcript's head."""

    limits: tuple[str, ...]
    settings: tuple[str, ...]


@api("GET /api/tables/{table}/terms")
async def show_terms(request: HouseRequest, *, table: Name) -> TermsShown:
    """Show the terms that the next round will be judged by."""
    terms = request.floor.terms_of(table)
    return TermsShown(terms.limits, terms.settings)


class TermsBody(Body, frozen=True):
    """In force with the next round: `straight_up 5 100`, `complete_dozen inside`."""

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


class InterpretationBody(Body, frozen=True):
    """A question about the rules, how it is decided, and for which rounds."""

    id: SentId
    question: Annotated[str, Meta(min_length=1, max_length=400)]
    answer: Annotated[str, Meta(min_length=1, max_length=400)]
    rounds: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=2**53)], ...],
        Meta(min_length=1, max_length=100),
    ]


@api("POST /api/tables/{table}/interpretations", auth=STAFF)
async def record_interpretation(
    request: HouseRequest, body: InterpretationBody, *, table: Name
) -> DoneShown:
    """Record how a question about the rules is decided (Triple Zero 5.10 b)."""
    command = RecordInterpretation(body.question, body.answer, body.rounds)
    answer = await request.floor.submit(request.member, table, command, body.id)
    return DoneShown(body.id, accepted(answer).last)


class DealerShown(msgspec.Struct, frozen=True):
    table: str
    dealer: str | None


@api("POST /api/tables/{table}/dealer", auth=STAFF)
async def come_to_table(request: HouseRequest, *, table: Name) -> DealerShown:
    """Take over a table as its Dealer, once it has no other."""
    request.floor.table(table)
    await request.in_house(dealers.come_to_table, table)
    return DealerShown(table, request.member.name)


@api("DELETE /api/tables/{table}/dealer", auth=STAFF)
async def go_from_table(request: HouseRequest, *, table: Name) -> DealerShown:
    """Go from a table as its Dealer, or relieve its Dealer as a supervisor."""
    request.floor.table(table)
    await request.in_house(dealers.go_from_table, table)
    return DealerShown(table, None)


class RulesShown(msgspec.Struct, frozen=True):
    """The attached file, by its name, hash and date."""

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
    """Fetch the operator's approved rules file itself."""
    attached = rules_of(request.record, table)
    content = await asyncio.to_thread(content_of, attached)
    name = quote(PurePath(attached.file).name)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(content, media_type=_BYTES, headers=headers)


@api("GET /api/tables/{table}/state", auth=STAFF)
async def show_state(request: HouseRequest, *, table: Name) -> say.TableSnapshot:
    """Show the table as the staff see it."""
    return _table_to_watch(request, table).views.snapshot(_listener(None, None))


@api("GET /api/tables/{table}/wagers", auth=STAFF_OR_DEVICE)
async def list_wagers(
    request: HouseRequest, *, table: Name
) -> tuple[say.WagerView, ...]:
    """List what lies on the layout: all of it, or a terminal's own."""
    device = request.device
    if device is None:
        return _table_to_watch(request, table).views.wagers()
    found, seat = own_seat(request, table)
    return found.views.own_wagers(_listener(seat, device.name))


@api("GET /api/tables/{table}/settlement", auth=STAFF, errors={409})
async def show_settlement(request: HouseRequest, *, table: Name) -> SettlementPreview:
    """Show what settling would collect, pay and return, before it is done."""
    found = request.floor.table(table)
    person = found.person(request.member, Settle())
    return preview_settlement(found.state, person, found.plan.chips)


@api("GET /api/tables/{table}/exposure", auth=STAFF)
async def show_exposure(request: HouseRequest, *, table: Name) -> LayoutExposure:
    """Show what the House would pay at each outcome, and at the worst."""
    request.must(HouseAct.WATCH)
    return layout_exposure(request.floor.table(table).state)


def _table_to_watch(request: HouseRequest, name: str) -> FloorTable:
    """Return the table, for who deals there, has a position, or may see the pit."""
    table, member = request.floor.table(name), request.member
    if not deals_at(request, table) and not member.positions:
        member.must(HouseAct.WATCH)
    return table


def _listener(seat: str | None, device: str | None) -> Listener:
    audience = Audience.STAFF if seat is None else Audience.SEAT
    return Listener(audience, seat, device, _NoSink())


class _NoSink:
    """The outlet of somebody who looks once and does not listen."""

    def put(self, message: bytes) -> None: ...

    def dismiss(self, reason: Reason, *, come_back: bool) -> None: ...
