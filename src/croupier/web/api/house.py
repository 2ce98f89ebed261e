"""The house: its public facts, its version, its file and its health."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier import __version__
from croupier.games.readings import READINGS, Reading
from croupier.house.configuration import changes
from croupier.house.configuration.changes import (
    apply_plan,
    check_by_one,
    check_may_apply,
    plan_of,
    terms_change,
    with_new_terms,
)
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
from croupier.house.floor.day_close import running_day
from croupier.house.floor.floor import Floor
from croupier.house.floor.nodes import Nodes
from croupier.house.floor.owned_tables import OwnedTables
from croupier.house.people.authority import HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.fingerprint import (
    CodeFiles,
    TableTerms,
    game_digests,
    read_code,
)
from croupier.journal.events.plan import HousePlan, Money
from croupier.journal.store import WriterConflict
from croupier.web.api.base import HouseApi, ProofBody, accepted, in_trouble, show_as
from croupier.web.api.proposals import ProposalShown, proposed_by
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
    """Terminals may offer it."""
    reality_check_minutes: int
    """The default time after which a Player is asked to pause; 0: never."""
    help_text: str | None
    """About responsible gambling, and where to find help."""
    at_ms: int
    """The server's time."""
    version: str


@api("GET /api/house", errors={503})
async def show_house(request: HouseRequest) -> HouseShown:
    """Show the house's name, money, gaming day and time."""
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


@api("GET /api/readings")
async def list_readings(request: HouseRequest) -> tuple[Reading, ...]:  # noqa: ARG001
    """List our readings of open questions in the documents."""
    return READINGS


class VersionShown(msgspec.Struct, frozen=True):
    """The running software: SHA-256 of texts that anyone can reproduce."""

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
    plans, known = request.record.state.tables, request.floor.summaries()
    return VersionShown(
        version=__version__,
        code=code.digest,
        packages=code.packages,
        games=games,
        tables={
            name: TableTerms(plans[name].game, each.limits, each.settings).digest
            for name, each in known.items()
        },
    )


@cache
def _fingerprint() -> tuple[CodeFiles, dict[str, str]]:
    return read_code(), game_digests()


class HouseFileBody(Body, frozen=True):
    """A house file; without `apply` the differences are only shown."""

    text: Annotated[str, Meta(max_length=MOST_CHARACTERS)]
    apply: bool = False


class ChangesShown(msgspec.Struct, frozen=True):
    applied: bool
    changes: list[Difference]


@api("POST /api/house/file", auth=STAFF)
async def apply_house_file(request: HouseRequest, body: HouseFileBody) -> ChangesShown:
    """Show what an edited house file changes, or apply it; its staff are ignored."""
    floor, by = request.floor, request.member
    request.must(HouseAct.CHANGE_TERMS)
    plan = await floor.in_house(lambda: _read(body.text))
    current = await request.look_back(plan_of)
    plan = replace(plan, staff=current.staff)
    try:
        changed = differences(current, plan)
        if body.apply:
            check_may_apply(by, plan, current)
            check_by_one(plan, current)
            await floor.in_house(
                lambda: apply_plan(floor.record, plan, current, by.name)
            )
            await _put_in_force(floor, with_new_terms(plan, current))
    except ImpossibleChange as error:
        raise ApiError(409, reason_of(error)) from error
    return ChangesShown(body.apply, list(changed))


class HouseFileProposalBody(ProofBody, frozen=True):
    """A house file; a second person confirms its changes of the house and tables."""

    text: Annotated[str, Meta(max_length=MOST_CHARACTERS)]


@api("POST /api/house/file/proposals", auth=STAFF, status=201)
async def propose_house_file(
    request: HouseRequest, body: HouseFileProposalBody
) -> ProposalShown:
    """Propose the changes of a house file that take two people.

    Staff, and the limits and settings of existing tables, are not part of it.
    """
    request.must(HouseAct.CHANGE_TERMS)
    plan = await request.floor.in_house(lambda: _read(body.text))
    try:
        return await proposed_by(request, body, changes.propose, plan=plan)
    except ImpossibleChange as error:
        raise ApiError(409, reason_of(error)) from error


def _read(text: str) -> HousePlan:
    try:
        return read_house(text, "house file")
    except HouseFileError as error:
        raise BadRequest(reason_of(error)) from error


async def _put_in_force(floor: Floor, tables: Iterable[str]) -> None:
    """Change the terms of this node's tables; other nodes change theirs themselves."""
    state = floor.record.state
    for name in tables:
        table = floor.tables.get(name)
        if table is not None:
            asked = terms_change(state, name, table.game, floor.clock())
            assert asked is not None
            accepted(await table.submit(asked))


class HealthShown(msgspec.Struct, frozen=True):
    alive: bool


@api("GET /health", tag="health")
async def show_health(request: HouseRequest) -> HealthShown:  # noqa: ARG001
    """Show that the process runs."""
    return HealthShown(alive=True)


class ReadyShown(msgspec.Struct, frozen=True):
    ready: bool
    tables: int
    doubt: str | None = None
    """A fault that a verification has found in the journal since the start."""
    rival: str | None = None
    """The writable database servers, if there are several."""
    witnesses_missing: int = 0
    """The witnesses that the last checkpoint of the log lacks for its quorum."""
    node: str | None = None
    """This node's name; null if one process serves the house."""


def _expect_serving(nodes: Nodes, owned: OwnedTables) -> None:
    """Raise `ApiError` if this node may serve no tables now."""
    if nodes.is_leaving:
        raise ApiError(503, HouseReason.HOUSE_STOPPING())
    if not nodes.is_member:
        raise ApiError(503, HouseReason.NODE_CUT_OFF())
    failed = owned.cannot_open()
    if failed is not None:
        raise ApiError(503, WebReason.TABLE_TAKES_NOTHING(table=failed))
    if nodes.clock_off_ms:
        seconds = round(nodes.clock_off_ms / 1000)
        reason = HouseReason.NODE_CLOCK_OFF(name=nodes.name, seconds=seconds)
        raise ApiError(503, reason)


@api("GET /ready", tag="health", errors={503})
async def show_ready(request: HouseRequest) -> ReadyShown:
    """Show whether commands can be taken and recorded, as checked within a second."""
    floor = request.floor
    if floor.is_stopping or floor.lost.done():
        raise ApiError(503, HouseReason.HOUSE_STOPPING())
    if floor.store.frozen is not None:
        raise ApiError(503, floor.store.frozen)
    if floor.nodes is not None and floor.owned is not None:
        _expect_serving(floor.nodes, floor.owned)
    if not floor.record.is_current():
        raise ApiError(503, HouseReason.NODE_BEHIND())
    for name, table in floor.tables.items():
        if isinstance(table.table.failure, WriterConflict) or not table.is_alive:
            raise ApiError(503, WebReason.TABLE_TAKES_NOTHING(table=name))
    trouble = floor.watch.last_look()
    if trouble is not None:
        raise in_trouble(WebReason.JOURNAL_NOT_WRITABLE, trouble)
    return ReadyShown(
        True,
        len(floor.tables),
        floor.record.state.doubt,
        floor.store.rival,
        floor.witnesses_missing,
        None if floor.nodes is None else floor.nodes.name,
    )


class NodeShown(msgspec.Struct, frozen=True):
    """A node, as recorded in the database; its own `/metrics` show more."""

    name: str
    version: str
    is_alive: bool
    silent_ms: int
    """The time since its last beat, by the database's clock."""
    tables: tuple[str, ...]
    """The tables that it serves."""


@api("GET /api/nodes", auth=STAFF, tag="nodes")
async def list_nodes(request: HouseRequest) -> list[NodeShown]:
    """List the nodes of the house; none if one process serves it."""
    request.must(HouseAct.WATCH)
    nodes = request.floor.nodes
    if nodes is None:
        return []
    owners = nodes.owners().values()
    return [
        show_as(
            NodeShown,
            node,
            tables=tuple(sorted(e.table for e in owners if e.node == node.name)),
        )
        for node in nodes.all()
    ]
