"""Past rounds: counts for information, the list, any one in full, wagers in dispute."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.table import FloorTable
from croupier.house.people.authority import HouseAct
from croupier.house.records import past_rounds
from croupier.house.records.house_record import NotThere
from croupier.journal.store import JournalError, JournalFailed
from croupier.protocol.answers import (
    PastRound,
)
from croupier.rules import wheel
from croupier.rules.layout import INSIDE
from croupier.table.replay import recall
from croupier.web.api.base import HouseApi, Name, Number, TimeMs
from croupier.web.endpoint import EVERYBODY
from croupier.web.problems import reason_of
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("rounds", STAFF)
LABEL = "Information only: each spin is independent of the spins before it."
_FEW = 5
_DAY_MS = 24 * 60 * 60 * 1000


class CountShown(msgspec.Struct, frozen=True):
    number: str
    times: int


class HistoryShown(msgspec.Struct, frozen=True):
    """The last rounds, and how often each number and box came in them."""

    label: str
    rounds: tuple[PastRound, ...]
    """Oldest first; without a number: void."""
    decided: int
    """How many of them had a number."""
    numbers: tuple[CountShown, ...]
    hot: tuple[CountShown, ...]
    cold: tuple[CountShown, ...]
    boxes: dict[str, int]
    """By the outside area: `red`, `dozen:2`, `column:1` …"""
    colours: dict[str, int]


@api("GET /api/tables/{table}/history", auth=EVERYBODY, tag="tables")
async def show_history(request: HouseRequest, *, table: Name) -> HistoryShown:
    """Show the last 200 rounds with their counts, for information only."""
    found = request.floor.table(table)
    rounds = found.history.rounds
    came = Counter(wheel.Number(each.number) for each in rounds if each.number)
    counted = [CountShown(number, came[number]) for number in found.game.numbers]
    often = sorted(counted, key=lambda each: -each.times)
    return HistoryShown(
        label=LABEL,
        rounds=rounds,
        decided=came.total(),
        numbers=tuple(counted),
        hot=tuple(often[:_FEW]) if came else (),
        cold=tuple(often[: -_FEW - 1 : -1]) if came else (),
        boxes={
            area.name: sum(came[number] for number in area.numbers)
            for area in found.game.areas
            if area.wager_type not in INSIDE and area.numbers
        },
        colours=dict(Counter(each.colour for each in rounds if each.colour)),
    )


def _table_to_inspect(request: HouseRequest, name: str) -> FloorTable:
    request.must(HouseAct.INSPECT)
    return request.floor.table(name)


@api("GET /api/tables/{table}/rounds")
async def list_rounds(
    request: HouseRequest,
    *,
    table: Name,
    before: Number | None = None,
    count: Annotated[int, Meta(ge=1, le=100)] = 20,
) -> list[past_rounds.RoundSummary]:
    """List past rounds in brief, the latest first."""
    last = _table_to_inspect(request, table).state.series.last
    first = last + 1 if before is None else min(before, last + 1)
    store = request.floor.store
    return await asyncio.to_thread(
        past_rounds.rounds_before, store, table, first, count
    )


@api("GET /api/tables/{table}/rounds/{number}")
async def recall_round(
    request: HouseRequest, *, table: Name, number: Number
) -> past_rounds.RoundShown:
    """Show a round in full: who did what when, and what became of the money."""
    _table_to_inspect(request, table)
    store = request.floor.store

    def recalled() -> past_rounds.RoundShown:
        try:
            return past_rounds.round_shown(recall(store, table, number))
        except JournalFailed:
            raise
        except JournalError as error:
            raise NotThere(reason_of(error)) from error

    return await asyncio.to_thread(recalled)


@api("GET /api/search/wagers")
async def search_wagers(
    request: HouseRequest,
    *,
    table: Name,
    seat: Name | None = None,
    round: Number | None = None,  # noqa: A002 - the documents' own word
    from_ms: TimeMs | None = None,
    to_ms: TimeMs | None = None,
) -> past_rounds.WagerSearch:
    """Find a wager in dispute: by round, or by time; of a seat, or of all."""
    _table_to_inspect(request, table)
    store = request.floor.store
    until = request.floor.clock() + 1 if to_ms is None else to_ms
    since = max(until - _DAY_MS, 0) if from_ms is None else from_ms

    def search() -> past_rounds.WagerSearch:
        rounds, has_more = [round or 0], False
        if round is None:
            rounds, has_more = past_rounds.rounds_between(store, table, since, until)
        return past_rounds.search_wagers(
            store, table, seat=seat, rounds=rounds, has_more=has_more
        )

    return await asyncio.to_thread(search)


Seal = Annotated[str, Meta(max_length=100, pattern=r"^([0-9A-Fa-f][ \-]*){8,64}\Z")]
"""As it is printed or typed: whole, or how it begins."""


@api("GET /api/search/seals")
async def search_seals(
    request: HouseRequest, *, table: Name, seal: Seal
) -> list[past_rounds.SealedRound]:
    """Find the round of a receipt by its seal, or by how the seal begins."""
    _table_to_inspect(request, table)
    typed = "".join(filter(str.isalnum, seal)).lower()
    store = request.floor.store
    return await asyncio.to_thread(past_rounds.rounds_sealed, store, table, typed)
