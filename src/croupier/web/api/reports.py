"""Reports: the gaming day, the meters, the verification, the log of events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.day_close import close_day, report_day
from croupier.house.people.authority import HouseAct
from croupier.house.records.day_report import (
    DayReport,
    TableOfDay,
    TypeOfDay,
    bounds,
    of_day,
)
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.significant_events import (
    LogPage,
    LogPosition,
    SignificantKind,
    acknowledge,
    read_latest,
    read_log,
)
from croupier.journal.store import HOUSE_STREAM
from croupier.journal.verification import VerificationReport, verify
from croupier.protocol.answers import StatedReason, stated
from croupier.rules.reasons import Reason
from croupier.web.api.base import (
    Day,
    HouseApi,
    Name,
    Number,
    TimeMs,
    check_table,
    person_of,
    show_as,
)
from croupier.web.api.games import returns_of
from croupier.web.endpoint import Body
from croupier.web.problems import ApiError
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("reports", STAFF)


@api("POST /api/gaming-day/close")
async def close_gaming_day(
    request: HouseRequest, *, day: Day | None = None, early: bool = False
) -> DayReport:
    """Close the gaming day that runs, or a past one, and return its report.

    One that is not over is closed only `early`: what follows is of the next day.
    """
    person = person_of(request.must(HouseAct.CLOSE_DAY))
    key = request.options.signing_key
    return await close_day(request.floor, person, key, day, is_early=early)


@api("GET /api/gaming-day/{day}")
async def show_gaming_day(request: HouseRequest, *, day: Day) -> DayReport:
    """Report a gaming day: play, money and the float, table by table."""
    request.must(HouseAct.INSPECT)
    return await report_day(request.floor, day)


class TypeMetersShown(msgspec.Struct, frozen=True):
    """One wager type, with its actual return against the theoretical one."""

    wager_type: str
    staked_cents: int
    won_cents: int
    hold_cents: int
    actual_return: str
    """Of what was staked, what the House did not hold; rounded for reading."""
    theoretical_return: str


class TableMetersShown(msgspec.Struct, frozen=True):
    """The meters of a table: rounds, and cents."""

    table: str
    rounds: int
    voids: int
    staked_cents: int
    won_cents: int
    hold_cents: int
    actual_return: str
    theoretical_return: str
    """Of the wagers that were placed here: each type by what was staked on it."""
    drop_cents: int
    """Money that Players put in here: cash, vouchers, colour chips."""
    hold_of_drop: str
    """The House's win as a part of that; rounded for reading."""
    by_type: tuple[TypeMetersShown, ...]


@api("GET /api/meters")
async def show_meters(
    request: HouseRequest, *, day: Day | None = None
) -> list[TableMetersShown]:
    """Show the meters of every table, since it began or on a gaming day."""
    request.must(HouseAct.INSPECT)
    shown = []
    for each in tuple(request.floor.tables.values()):  # one may move meanwhile
        returns = await asyncio.to_thread(returns_of, each.game)
        shown.append(_meters(of_day(each.state.meters, each.name, day), returns))
    for others in await request.gather(list[TableMetersShown]):
        shown += others
    return request.in_order(shown, lambda each: each.table)


def _meters(sums: TableOfDay, returns: Mapping[str, Fraction]) -> TableMetersShown:
    expected = sum(
        (each.staked_cents * returns[each.wager_type] for each in sums.by_type),
        Fraction(0),
    )
    return show_as(
        TableMetersShown,
        sums,
        actual_return=_actual_return(sums),
        theoretical_return=_percent(expected, sums.staked_cents),
        hold_of_drop=_percent(sums.hold_cents, sums.drop_cents),
        by_type=tuple(
            show_as(
                TypeMetersShown,
                each,
                actual_return=_actual_return(each),
                theoretical_return=_percent(returns[each.wager_type], 1),
            )
            for each in sums.by_type
        ),
    )


def _actual_return(sums: TableOfDay | TypeOfDay) -> str:
    return _percent(sums.staked_cents - sums.hold_cents, sums.staked_cents)


def _percent(part: Fraction | int, whole: int) -> str:
    return f"{float(Fraction(part) / whole):.2%}" if whole else "–"


class FindingShown(msgspec.Struct, frozen=True):
    table: str
    """Of the database."""
    stream: str
    sequence: int | None
    problem: str
    """In English."""
    reason: Reason
    """The same as data."""


class VerificationShown(msgspec.Struct, frozen=True):
    """The journal held against its own events and heads."""

    is_clean: bool
    findings: tuple[FindingShown, ...]
    more_findings: int
    checked: Mapping[str, int]
    """How many rows of each table of the database were looked at."""
    house_head: str
    unproven: tuple[StatedReason, ...]
    """Claims that can't be proven from here."""


@api("POST /api/journal/verify")
async def verify_journal(request: HouseRequest) -> VerificationShown:
    """Verify the whole journal; one verification at a time."""
    request.must(HouseAct.INSPECT)
    verifications = request.resources.verifications
    if verifications.running.locked():
        raise ApiError(409, WebReason.VERIFICATION_RUNNING())
    async with verifications.running:
        began_ms = request.floor.clock()
        report = await asyncio.to_thread(_verify, request)
        if report.is_clean:
            verifications.clean_from_ms = began_ms
    findings = tuple(show_as(FindingShown, each) for each in report.findings)
    unproven = tuple(stated(each) for each in report.unproven)
    return show_as(VerificationShown, report, findings=findings, unproven=unproven)


def _verify(request: HouseRequest) -> VerificationReport:
    """Verify over a connection of its own, so that the tables play on meanwhile."""
    open_again = request.options.open_again
    if open_again is None:
        return verify(request.floor.store, folds=house_folds())
    with open_again() as store:
        return verify(store, folds=house_folds())


@api("GET /api/log", tag="log")
async def show_log(
    request: HouseRequest,
    *,
    after: Annotated[str, Meta(min_length=1, max_length=100)] | None = None,
    from_ms: TimeMs | None = None,
    count: Annotated[int, Meta(ge=1, le=500)] = 100,
    kind: SignificantKind | None = None,
    table: Name | None = None,
    newest: bool = False,
) -> LogPage:
    """List significant events in the order of time, or the newest first.

    They begin after a place (`after` of a page before), at a moment, or with the
    gaming day that runs. The newest come first from the latest on, and go back to that
    moment, or as far as there are any.
    """
    request.must(HouseAct.INSPECT)
    floor = request.floor
    await floor.caught_up()
    place = None if after is None else LogPosition.read(after)
    if newest:
        start = LogPosition(from_ms or 0)
    elif place is not None:
        start = place
    elif from_ms is not None:
        start = LogPosition(from_ms)
    else:
        settings = floor.record.settings
        today = settings.gaming_day(floor.clock())
        start = LogPosition(bounds(settings, today)[0])
    streams = [table or HOUSE_STREAM]
    if table is None:
        streams += floor.record.state.tables
    else:
        check_table(request, table)
    if newest:
        return await asyncio.to_thread(
            read_latest, floor.store, streams, start, place, kind=kind, count=count
        )
    return await asyncio.to_thread(
        read_log, floor.store, streams, start, kind=kind, count=count
    )


class AlarmBody(Body, frozen=True):
    """An alarm of the log, by its table (none: the house's own) and number."""

    sequence: Number
    table: Name | None = None


@api("POST /api/log/acknowledge", tag="log")
async def acknowledge_alarm(request: HouseRequest, body: AlarmBody) -> None:
    """Say that an alarm has been seen."""
    if body.table is not None:
        check_table(request, body.table)
    await request.in_house(acknowledge, body.table, body.sequence)
