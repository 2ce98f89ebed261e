"""Reports: the gaming day, the meters, and the journal's verification."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

import msgspec

from croupier.house.floor.floor import Floor
from croupier.house.people.authority import HouseAct
from croupier.house.records.day_report import DayReport, TableOfDay, day_report, of_day
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.verification import VerificationReport, verify
from croupier.table.meters import Meters
from croupier.table.replay import recover
from croupier.web.api.base import Day, HouseRequest, TagApi
from croupier.web.api.games import returns_of
from croupier.web.api.vouchers import person_of
from croupier.web.openapi import ApiError
from croupier.web.security.authentication import STAFF, Requester

api = TagApi("reports")


@api.post(
    "/api/gaming-day/close",
    summary="Close the gaming day that runs, or a past one; answers its report.",
    auth=STAFF,
    errors=(409,),
)
async def close_gaming_day(
    request: HouseRequest, *, day: Day | None = None
) -> DayReport:
    asker = request.caller
    floor, by = asker.floor, asker.must(HouseAct.CLOSE_DAY)

    def close() -> str:
        with floor.record.lock:
            key = asker.options.signing_key
            closed = floor.record.book.close_gaming_day(person_of(by), key, day)
            return closed.gaming_day

    return await _report(floor, await floor.in_house(close))


@api.get(
    "/api/gaming-day/{day}",
    summary="A gaming day: play, money and the float, table by table.",
    auth=STAFF,
)
async def show_gaming_day(request: HouseRequest, *, day: Day) -> DayReport:
    request.caller.must(HouseAct.INSPECT)
    return await _report(request.caller.floor, day)


async def _report(floor: Floor, day: str) -> DayReport:
    meters = {name: table.state.meters for name, table in floor.tables.items()}
    store, settings = floor.store, floor.record.settings

    def report() -> DayReport:
        return day_report(store, settings, day, meters | _retired(floor, meters))

    return await asyncio.to_thread(report)


def _retired(floor: Floor, known: dict[str, Meters]) -> dict[str, Meters]:
    """The meters of tables that are no longer on the floor."""
    streams = [head.stream for head in floor.store.heads() if head.sequence]
    return {
        stream: recover(floor.store, stream, floor.record.settings).state.meters
        for stream in streams
        if stream not in known and stream != HOUSE_STREAM
    }


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
    """What was played at a table: rounds, and cents."""

    table: str
    rounds: int
    voids: int
    staked_cents: int
    won_cents: int
    hold_cents: int
    actual_return: str
    theoretical_return: str
    """Of the wagers that were placed here: each type by what was staked on it."""
    by_type: tuple[TypeMetersShown, ...]


@api.get(
    "/api/meters",
    summary="The meters of every table, since it began or on a gaming day.",
    auth=STAFF,
)
async def show_meters(
    request: HouseRequest, *, day: Day | None = None
) -> list[TableMetersShown]:
    request.caller.must(HouseAct.INSPECT)
    tables = request.caller.floor.tables.values()
    shown = []
    for each in tables:
        returns = await asyncio.to_thread(returns_of, each.game)
        shown.append(_meters(of_day(each.state.meters, each.name, day), returns))
    return shown


def _meters(sums: TableOfDay, returns: Mapping[str, Fraction]) -> TableMetersShown:
    expected = sum(
        (each.staked_cents * returns[each.wager_type] for each in sums.by_type),
        Fraction(0),
    )
    return TableMetersShown(
        table=sums.table,
        rounds=sums.rounds,
        voids=sums.voids,
        staked_cents=sums.staked_cents,
        won_cents=sums.won_cents,
        hold_cents=sums.hold_cents,
        actual_return=_percent(sums.staked_cents - sums.hold_cents, sums.staked_cents),
        theoretical_return=_percent(expected, sums.staked_cents),
        by_type=tuple(
            TypeMetersShown(
                wager_type=each.wager_type,
                staked_cents=each.staked_cents,
                won_cents=each.won_cents,
                hold_cents=each.hold_cents,
                actual_return=_percent(
                    each.staked_cents - each.hold_cents, each.staked_cents
                ),
                theoretical_return=_percent(returns[each.wager_type], 1),
            )
            for each in sums.by_type
        ),
    )


def _percent(part: Fraction | int, whole: int) -> str:
    return f"{float(Fraction(part) / whole):.2%}" if whole else "–"


class FindingShown(msgspec.Struct, frozen=True):
    table: str
    """Of the database."""
    stream: str
    sequence: int | None
    problem: str


class VerificationShown(msgspec.Struct, frozen=True):
    """The journal held against its own events and heads."""

    is_clean: bool
    findings: tuple[FindingShown, ...]
    more_findings: int
    checked: dict[str, int]
    """How many rows of each table of the database were looked at."""
    house_head: str
    unproven: tuple[str, ...]
    """What can't be proven from here."""


@api.post(
    "/api/journal/verify",
    summary="Verify the whole journal; one verification at a time.",
    auth=STAFF,
    errors=(409,),
)
async def verify_journal(request: HouseRequest) -> VerificationShown:
    asker = request.caller
    asker.must(HouseAct.INSPECT)
    if asker.shared.verifying.locked():
        raise ApiError(409, "a verification is running already")
    async with asker.shared.verifying:
        report = await asyncio.to_thread(_verified, asker)
    return VerificationShown(
        is_clean=report.is_clean,
        findings=tuple(
            FindingShown(each.table, each.stream, each.sequence, each.problem)
            for each in report.findings
        ),
        more_findings=report.more_findings,
        checked=dict(report.checked),
        house_head=report.house_head,
        unproven=report.unproven,
    )


def _verified(asker: Requester) -> VerificationReport:
    with _reading(asker) as store:
        return verify(store)


@contextmanager
def _reading(asker: Requester) -> Iterator[Store]:
    """A connection of its own, so that the tables play on meanwhile."""
    open_again = asker.options.open_again
    if open_again is None:
        yield asker.floor.store
        return
    with open_again() as store:
        yield store
