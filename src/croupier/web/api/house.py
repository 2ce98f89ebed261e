"""The house: what everybody may know of it, its version, its file and its health."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from functools import cache
from typing import Annotated
from urllib.parse import quote

import msgspec
from msgspec import Meta

from croupier import __version__
from croupier.games.readings import READINGS
from croupier.house.configuration import house_changes
from croupier.house.configuration.differences import (
    Difference,
    ImpossibleChange,
    differences,
)
from croupier.house.configuration.house_file import (
    MOST_CHARACTERS,
    HouseFileError,
    read_house,
)
from croupier.house.configuration.setup import (
    apply_plan,
    check_by_one,
    check_may_apply,
    current_plan,
    terms_of,
)
from croupier.house.floor.day_close import running_day
from croupier.house.floor.floor import Floor
from croupier.house.floor.table import FloorTable
from croupier.house.nodes.membership import Nodes, TableElsewhere
from croupier.house.nodes.orders import clock_off
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.second_factor import Proof
from croupier.house.reasons import HouseReason
from croupier.house.records.fingerprint import (
    CodeFiles,
    TableTerms,
    game_digests,
    read_code,
)
from croupier.house.records.house_record import Denied
from croupier.journal.events.plan import HousePlan, Money
from croupier.journal.store import WriterConflict
from croupier.rules.terms import write_limits, write_settings
from croupier.table.commands import ChangeTerms
from croupier.web.api.base import HouseApi, Secret, accepted, in_trouble, show_as
from croupier.web.api.proposals import ProposalShown
from croupier.web.api.second_factor import SecondFactorCode
from croupier.web.endpoint import Body
from croupier.web.problems import ApiError, BadRequest, reason_of
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("house")


class HouseShown(msgspec.Struct, frozen=True):
    name: str
    operator: str
    money: Money
    currency: str
    time_zone: str
    gaming_day: str
    gaming_day_begins: int
    """The hour."""
    autoplay: bool
    """Whether terminals may offer it."""
    reality_check_minutes: int
    """A Player who has chosen no other time pauses after these; 0: never."""
    at_ms: int
    """The server's time."""
    version: str


@api("GET /api/house", errors={503})
async def show_house(request: HouseRequest) -> HouseShown:
    """Tell what the house is, and its time."""
    floor = request.floor
    house = floor.record.state.house
    if house is None:
        raise ApiError(503, HouseReason.NO_HOUSE_YET())
    now = floor.clock()
    return show_as(
        HouseShown,
        house,
        gaming_day=running_day(floor),
        at_ms=now,
        version=__version__,
    )


class ReadingShown(msgspec.Struct, frozen=True):
    """A reading of a document where it is silent, garbled or open."""

    id: str
    question: str
    answer: str
    setting: str | None


@api("GET /api/readings")
async def list_readings(request: HouseRequest) -> list[ReadingShown]:  # noqa: ARG001
    """List how the documents are read where they are open."""
    return [
        show_as(ReadingShown, each, setting=each.setting or None) for each in READINGS
    ]


class VersionShown(msgspec.Struct, frozen=True):
    """The software that runs here: SHA-256 of text that anyone can write again."""

    version: str
    code: str
    packages: dict[str, str]
    games: dict[str, str]
    tables: dict[str, str]
    """The terms of each table's next round."""


@api("GET /api/version")
async def show_version(request: HouseRequest) -> VersionShown:
    """Show hashes of code, game data and settings in force."""
    code, games = await asyncio.to_thread(_fingerprint)
    here = request.floor.tables.items()
    tables = {name: _terms(each).digest for name, each in here}
    for others in await request.gather(VersionShown):
        tables |= others.tables
    return VersionShown(
        version=__version__,
        code=code.digest,
        packages=code.packages,
        games=games,
        tables={name: tables[name] for name in request.in_order(tables)},
    )


@cache
def _fingerprint() -> tuple[CodeFiles, dict[str, str]]:
    """Read once: a running program stays what it was loaded as."""
    return read_code(), game_digests()


def _terms(table: FloorTable) -> TableTerms:
    series = table.state.series
    limits, settings = write_limits(series.limits), write_settings(series.settings)
    return TableTerms(series.game.name, limits, settings)


class HouseFileBody(Body, frozen=True):
    """A house file; without `apply` the differences are only shown."""

    text: Annotated[str, Meta(max_length=MOST_CHARACTERS)]
    apply: bool = False


class ChangesShown(msgspec.Struct, frozen=True):
    applied: bool
    changes: list[Difference]


@api("POST /api/house/file", auth=STAFF)
async def apply_house_file(request: HouseRequest, body: HouseFileBody) -> ChangesShown:
    """Show what an edited house file changes, or apply it."""
    floor, by = request.floor, request.member
    if not by.may(HouseAct.MANAGE_STAFF) and not by.may(HouseAct.CHANGE_TERMS):
        raise Denied(WebReason.HOUSE_FILE_NOT_THEIRS(name=by.name))
    plan = await floor.in_house(lambda: _read(body.text))
    current = await _current(request)
    try:
        changed = differences(current, plan)
        if body.apply:
            check_may_apply(by, plan, current)
            check_by_one(by, plan, current)
            await floor.in_house(lambda: _apply(floor, by, plan, current))
            await _send_terms(request, plan, f"file:{request.request_id}")
    except ImpossibleChange as error:
        raise ApiError(409, reason_of(error)) from error
    return ChangesShown(body.apply, list(changed))


class HouseFileProposalBody(Body, frozen=True):
    """A house file of which a second person confirms the house and its tables."""

    text: Annotated[str, Meta(max_length=MOST_CHARACTERS)]
    password: Secret
    code: SecondFactorCode | None = None
    """Of their second factor, where the house asks for it."""


@api("POST /api/house/file/proposals", auth=STAFF, status=201)
async def propose_house_file(
    request: HouseRequest, body: HouseFileProposalBody
) -> ProposalShown:
    """Propose the changes of a house file that take two people.

    Staff, and the limits and settings of tables that are there, are not part of it.
    """
    floor, by = request.floor, request.must(HouseAct.CHANGE_TERMS)
    plan = await floor.in_house(lambda: _read(body.text))
    try:
        proposed = await floor.with_password(
            lambda: house_changes.propose(
                floor.record,
                floor.identity,
                by=by,
                proof=Proof(body.password, body.code),
                plan=plan,
            )
        )
    except ImpossibleChange as error:
        raise ApiError(409, reason_of(error)) from error
    return ProposalShown.of(proposed)


def _read(text: str) -> HousePlan:
    try:
        return read_house(text, "house file")
    except HouseFileError as error:
        raise BadRequest(reason_of(error)) from error


async def _current(request: HouseRequest) -> HousePlan:
    state = request.record.state
    terms = {name: await _terms_at(request, name) for name in state.tables}
    return current_plan(state, terms)


async def _terms_at(request: HouseRequest, table: str) -> ChangeTerms:
    """Return the terms of a table, also where another node serves it."""
    floor = request.floor
    try:
        return floor.terms_of(table)
    except TableElsewhere:
        route = f"GET {_terms_path(table)}"
        told = await request.relay.ask_owner(request.http, table, route)
    if told is None:
        return floor.terms_of(table)
    return msgspec.json.decode(told, type=ChangeTerms)


def _terms_path(table: str) -> str:
    return f"/api/tables/{quote(table, safe='')}/terms"


def _apply(floor: Floor, by: Caller, plan: HousePlan, current: HousePlan) -> None:
    apply_plan(floor.record, plan, current, by.name)
    for name in {each.name for each in current.staff} - set(floor.record.state.staff):
        floor.sessions.end_all_of(name, WebReason.REMOVED_FROM_STAFF())


async def _send_terms(request: HouseRequest, plan: HousePlan, command_id: str) -> None:
    """Change the terms of every table that the file has otherwise, new ones too."""
    for table in plan.tables:
        terms = terms_of(table)
        if await _terms_at(request, table.name) != terms:
            await _change_terms(request, table.name, terms, command_id)


async def _change_terms(
    request: HouseRequest, table: str, terms: ChangeTerms, command_id: str
) -> None:
    floor, by = request.floor, request.member
    try:
        accepted(await floor.change_terms(by, table, terms, command_id))
    except TableElsewhere:
        body = {"id": command_id, **asdict(terms)}
        route = f"PUT {_terms_path(table)}"
        told = await request.relay.ask_owner(request.http, table, route, body)
        if told is None:
            accepted(await floor.change_terms(by, table, terms, command_id))


class HealthShown(msgspec.Struct, frozen=True):
    alive: bool


@api("GET /health", tag="health")
async def show_health(request: HouseRequest) -> HealthShown:  # noqa: ARG001
    """Tell whether the process lives."""
    return HealthShown(alive=True)


class ReadyShown(msgspec.Struct, frozen=True):
    ready: bool
    tables: int
    doubt: str | None = None
    """The fault that a verification has found in the journal since the start."""
    rival: str | None = None
    """Which database servers can be written, if they are several."""
    node: str | None = None
    """Which node this is; null where one process serves the house."""
    following_ms: int | None = None
    """How far it is behind the house's stream."""
    takeovers: int | None = None
    """Tables that it has taken from nodes that were gone, since its start."""


def _expect_serving(nodes: Nodes) -> None:
    """Raise `ApiError` if this node may serve no tables now."""
    if not nodes.is_member:
        raise ApiError(503, HouseReason.NODE_CUT_OFF())
    if nodes.clock_off_ms:
        raise ApiError(503, clock_off(nodes.name, nodes.clock_off_ms))


@api("GET /ready", tag="health", errors={503})
async def show_ready(request: HouseRequest) -> ReadyShown:
    """Tell whether commands can be taken and kept, as it was found a second ago."""
    floor = request.floor
    if floor.is_stopping or floor.lost.done():
        raise ApiError(503, HouseReason.HOUSE_STOPPING())
    if floor.store.frozen is not None:
        raise ApiError(503, floor.store.frozen)
    if floor.nodes is not None:
        _expect_serving(floor.nodes)
    if not floor.record.is_current():
        raise ApiError(503, HouseReason.NODE_BEHIND())
    for name, table in floor.tables.items():
        if isinstance(table.table.failure, WriterConflict) or not table.is_alive:
            raise ApiError(503, WebReason.TABLE_TAKES_NOTHING(table=name))
    trouble = floor.watch.last_look()
    if trouble is not None:
        raise in_trouble(WebReason.JOURNAL_NOT_WRITABLE, trouble)
    shown = ReadyShown(
        True, len(floor.tables), floor.record.state.doubt, floor.store.rival
    )
    if floor.nodes is None:
        return shown
    here = floor.nodes
    return msgspec.structs.replace(
        shown,
        node=here.name,
        following_ms=None if floor.follower is None else floor.follower.lag_ms,
        takeovers=here.takeovers,
    )
