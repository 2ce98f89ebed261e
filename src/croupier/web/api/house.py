"""The house: what everybody may know of it, its version, and its file applied."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier import __version__
from croupier.games.readings import READINGS
from croupier.house.configuration.differences import ImpossibleChange, differences
from croupier.house.configuration.house_file import (
    MOST_CHARACTERS,
    HouseFileError,
    read_house,
)
from croupier.house.configuration.setup import (
    apply_plan,
    check_may_apply,
    current_plan,
    terms_of,
)
from croupier.house.floor.floor import Floor
from croupier.house.floor.table import FloorTable
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.records.fingerprint import (
    CodeFiles,
    TableTerms,
    game_digests,
    read_code,
)
from croupier.house.records.house_record import Denied
from croupier.journal.events.plan import HousePlan
from croupier.rules.terms import write_limits, write_settings
from croupier.web.api.base import HouseRequest, TagApi, accepted
from croupier.web.openapi import ApiError, BadRequest, Body
from croupier.web.security.authentication import STAFF

api = TagApi("house")


class HouseShown(msgspec.Struct, frozen=True):
    name: str
    operator: str
    money: str
    """`demonstration` or `real`."""
    currency: str
    time_zone: str
    gaming_day: str
    gaming_day_begins: int
    """The hour."""
    at_ms: int
    """The server's time."""
    version: str


@api.get("/api/house", summary="What the house is, and its time.", errors=(503,))
async def show_house(request: HouseRequest) -> HouseShown:
    floor = request.caller.floor
    defined = floor.record.state.defined
    if defined is None:
        raise ApiError(503, "this journal has no house yet")
    now = floor.clock()
    return HouseShown(
        name=defined.name,
        operator=defined.operator,
        money=defined.money.value,
        currency=defined.currency,
        time_zone=defined.time_zone,
        gaming_day=floor.record.settings.gaming_day(now),
        gaming_day_begins=defined.gaming_day_begins,
        at_ms=now,
        version=__version__,
    )


class ReadingShown(msgspec.Struct, frozen=True):
    """How a document is read where it is silent, garbled or open."""

    id: str
    question: str
    answer: str
    setting: str | None


@api.get("/api/readings", summary="How the documents are read where they are open.")
async def list_readings(request: HouseRequest) -> list[ReadingShown]:  # noqa: ARG001
    return [
        ReadingShown(each.id, each.question, each.answer, each.setting or None)
        for each in READINGS
    ]


class VersionShown(msgspec.Struct, frozen=True):
    """What exactly runs here: SHA-256 of text that anyone can write again."""

    version: str
    code: str
    packages: dict[str, str]
    games: dict[str, str]
    tables: dict[str, str]
    """The terms of each table's next round."""


@api.get("/api/version", summary="Hashes of code, game data and settings in force.")
async def show_version(request: HouseRequest) -> VersionShown:
    code, games = await asyncio.to_thread(_fingerprint)
    tables = request.caller.floor.tables
    return VersionShown(
        version=__version__,
        code=code.digest,
        packages=code.packages,
        games=games,
        tables={name: _terms(each).digest for name, each in tables.items()},
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


class ChangeShown(msgspec.Struct, frozen=True):
    where: str
    before: str
    after: str


class ChangesShown(msgspec.Struct, frozen=True):
    applied: bool
    changes: list[ChangeShown]


@api.post(
    "/api/house/file",
    summary="Show what an edited house file changes, or apply it.",
    auth=STAFF,
    errors=(409,),
)
async def apply_house_file(request: HouseRequest, body: HouseFileBody) -> ChangesShown:
    floor, by = request.caller.floor, request.caller.member
    if not by.may(HouseAct.MANAGE_STAFF) and not by.may(HouseAct.CHANGE_TERMS):
        raise Denied(f"{by.name} may not see what a house file changes")
    plan = await floor.in_house(lambda: _read(body.text))
    current = _current(floor)
    try:
        changed = differences(current, plan)
        if body.apply:
            check_may_apply(by, plan, current)
            await floor.in_house(lambda: _apply(floor, by, plan, current))
            await _send_terms(floor, by, plan, f"file:{request.request_id}")
    except ImpossibleChange as error:
        raise ApiError(409, str(error)) from error
    shown = [ChangeShown(each.where, each.before, each.after) for each in changed]
    return ChangesShown(body.apply, shown)


def _read(text: str) -> HousePlan:
    try:
        return read_house(text, "house file")
    except HouseFileError as error:
        raise BadRequest(str(error)) from error


def _current(floor: Floor) -> HousePlan:
    terms = {name: floor.terms_of(name) for name in floor.tables}
    return current_plan(floor.record.state, terms)


def _apply(floor: Floor, by: Caller, plan: HousePlan, current: HousePlan) -> None:
    apply_plan(floor.record, plan, current, by.name)
    for name in {each.name for each in current.staff} - set(floor.record.state.staff):
        floor.sessions.end_all_of(name, "removed from the staff")


async def _send_terms(
    floor: Floor, by: Caller, plan: HousePlan, command_id: str
) -> None:
    """To every table whose next round the file has otherwise, new tables too."""
    for table in plan.tables:
        terms = terms_of(table)
        if floor.terms_of(table.name) != terms:
            accepted(await floor.change_terms(by, table.name, terms, command_id))
