"""Reports: the gaming day, meters, verification, and the log of significant events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.games import find_game
from croupier.house.floor.day_close import close_day, meters_of, report_day
from croupier.house.floor.wheel_watch import WheelEvidence
from croupier.house.history.day_report import (
    DayReport,
    TableOfDay,
    TypeOfDay,
    bounds,
    of_day,
)
from croupier.house.history.event_actions import SignificantKind
from croupier.house.history.life_meters import TerminalMeters, life_meters
from croupier.house.history.significant_events import (
    LogPage,
    acknowledge,
    read_log,
    read_moment,
)
from croupier.house.people.authority import HouseAct, person_of
from croupier.house.records.house_snapshot import house_folds
from croupier.journal.tables import Moment
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
    """Close the current gaming day, or a past one, and return its report.

    A day that is not over closes only with `early`; the next day then begins.
    """
    person = person_of(request.must(HouseAct.CLOSE_DAY))
    key = request.resources.signing_key
    return await close_day(request.floor, person, key, day, is_early=early)


@api("GET /api/gaming-day/{day}")
async def show_gaming_day(request: HouseRequest, *, day: Day) -> DayReport:
    """Report a gaming day by table: play, money and the float."""
    request.must(HouseAct.INSPECT)
    return await report_day(request.floor, day)


class TypeMetersShown(msgspec.Struct, frozen=True):
    """One wager type, with its actual and its theoretical return."""

    wager_type: str
    staked_cents: int
    won_cents: int
    hold_cents: int
    actual_return: str
    """The part of the stakes that the House did not hold, rounded."""
    theoretical_return: str


class TableMetersShown(msgspec.Struct, frozen=True):
    """The meters of a table."""

    table: str
    rounds: int
    voids: int
    staked_cents: int
    won_cents: int
    hold_cents: int
    actual_return: str
    theoretical_return: str
    """Of the wagers placed here, weighted by the stakes on each type."""
    drop_cents: int
    """Cash, vouchers and colour chips that Players put in here."""
    hold_of_drop: str
    """The House's win as a part of the drop, rounded."""
    by_type: tuple[TypeMetersShown, ...]
    terminals: tuple[TerminalMeters, ...]
    """Since the table began, regardless of `day`; only on request."""
    wheel: WheelEvidence
    """The watch over the wheel, regardless of `day`."""


@api("GET /api/meters")
async def show_meters(
    request: HouseRequest, *, day: Day | None = None, terminals: bool = False
) -> list[TableMetersShown]:
    """Show the meters of every table, since it began or on a gaming day.

    With `terminals`, also the life meters of each terminal.
    """
    request.must(HouseAct.INSPECT)
    plans, known = request.record.state.tables, request.floor.summaries()
    meters = await meters_of(request.floor, known)
    shown = []
    for name in known:
        returns = await asyncio.to_thread(returns_of, find_game(plans[name].game))
        lives: tuple[TerminalMeters, ...] = ()
        if terminals:
            lives = await asyncio.to_thread(life_meters, request.floor.history, name)
        others = {"wheel": known[name].wheel, "terminals": lives}
        shown.append(_meters(of_day(meters[name], name, day), returns, **others))
    return shown


def _meters(
    sums: TableOfDay, returns: Mapping[str, Fraction], **others: object
) -> TableMetersShown:
    expected = sum(
        (each.staked_cents * returns[each.wager_type] for each in sums.by_type),
        Fraction(0),
    )
    return show_as(
        TableMetersShown,
        sums,
        **others,
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
    """A table of the database."""
    stream: str
    sequence: int | None
    problem: str
    """In English."""
    reason: Reason
    """The same as data."""


class VerificationShown(msgspec.Struct, frozen=True):
    """The result of a verification of the journal."""

    is_clean: bool
    findings: tuple[FindingShown, ...]
    more_findings: int
    checked: Mapping[str, int]
    """The number of checked rows, by table of the database."""
    house_head: str
    unproven: tuple[StatedReason, ...]
    """Claims that the journal can't prove by itself."""


@api("POST /api/journal/verify")
async def verify_journal(request: HouseRequest) -> VerificationShown:
    """Verify the whole journal; one verification at a time."""
    request.must(HouseAct.INSPECT)
    resources = request.resources
    if resources.verification.locked():
        raise ApiError(409, WebReason.VERIFICATION_RUNNING())
    async with resources.verification:
        began_ms = request.floor.clock()
        report = await asyncio.to_thread(_verify, request)
        if report.is_clean:
            resources.clean_from_ms = began_ms
    findings = tuple(show_as(FindingShown, each) for each in report.findings)
    unproven = tuple(stated(each) for each in report.unproven)
    return show_as(VerificationShown, report, findings=findings, unproven=unproven)


def _verify(request: HouseRequest) -> VerificationReport:
    """Verify on another connection, so that tables play on meanwhile."""
    open_again = request.resources.open_again
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
    """List significant events in order of time, or the newest first.

    They begin after a place (`after` of an earlier page), at `from_ms`, or with the
    current gaming day. With `newest` they go back from the latest, or from the place,
    to `from_ms` or the first.
    """
    request.must(HouseAct.INSPECT)
    floor = request.floor
    await floor.caught_up()
    place = None if after is None else read_moment(after)
    if from_ms is None and not newest:
        today = floor.record.settings.gaming_day(floor.clock())
        from_ms, _ = bounds(floor.record.settings, today)
    start, end = Moment(from_ms or 0), None
    if newest:
        end = place
    elif place is not None:
        start = place
    if table is not None:
        check_table(request, table)
    return await request.look_back(
        read_log,
        start,
        end,
        kind=kind,
        table=table,
        count=count,
        newest=newest,
    )


class AlarmBody(Body, frozen=True):
    """An alarm of the log, by its table (null: the house itself) and number."""

    sequence: Number
    table: Name | None = None


@api("POST /api/log/acknowledge", tag="log")
async def acknowledge_alarm(request: HouseRequest, body: AlarmBody) -> None:
    """Acknowledge an alarm."""
    if body.table is not None:
        check_table(request, body.table)
    await request.in_house(acknowledge, body.table, body.sequence)
