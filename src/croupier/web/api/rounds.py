"""Past rounds: counts for information, lists, one round in full, disputed wagers."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.table import FloorTable
from croupier.house.history import past_rounds
from croupier.house.people.authority import HouseAct
from croupier.house.records.house_record import NotThere
from croupier.protocol.answers import (
    PastRound,
)
from croupier.rules import wheel
from croupier.rules.layout import INSIDE
from croupier.table.reasons import StreamError
from croupier.web.api.base import HouseApi, Name, Number, TimeMs
from croupier.web.endpoint import PUBLIC
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("rounds", STAFF)
LABEL = "Information only: each spin is independent of the spins before it."
_FEW = 5
_DAY_MS = 24 * 60 * 60 * 1000


class CountShown(msgspec.Struct, frozen=True):
    number: str
    times: int


class HistoryShown(msgspec.Struct, frozen=True):
    """The latest rounds, and the counts of their numbers and boxes."""

    label: str
    rounds: tuple[PastRound, ...]
    """Oldest first; a void round has no number."""
    decided: int
    """The number of rounds that had a winning number."""
    numbers: tuple[CountShown, ...]
    hot: tuple[CountShown, ...]
    cold: tuple[CountShown, ...]
    boxes: dict[str, int]
    """By outside area, such as `red`, `dozen:2` or `column:1`."""
    colours: dict[str, int]


@api("GET /api/tables/{table}/history", auth=PUBLIC, tag="tables")
async def show_history(request: HouseRequest, *, table: Name) -> HistoryShown:
    """Show the latest 200 rounds with their counts, for information only."""
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
) -> list[past_rounds.RoundShown]:
    """List past rounds in brief, latest first."""
    last = _table_to_inspect(request, table).state.series.last
    first = last + 1 if before is None else min(before, last + 1)
    return await request.look_back(past_rounds.rounds_before, table, first, count)


@api("GET /api/tables/{table}/rounds/{number}")
async def recall_round(
    request: HouseRequest, *, table: Name, number: Number
) -> past_rounds.RoundInFull:
    """Show a round in full: its events with people and times, and its money."""
    _table_to_inspect(request, table)

    try:
        return await request.look_back(past_rounds.recall, table, number)
    except StreamError as error:
        raise NotThere(error.reason) from error


@api("GET /api/tables/{table}/search/wagers")
async def search_wagers(
    request: HouseRequest,
    *,
    table: Name,
    seat: Name | None = None,
    round: Number | None = None,  # noqa: A002 - the documents' own word
    from_ms: TimeMs | None = None,
    to_ms: TimeMs | None = None,
) -> past_rounds.WagerSearch:
    """Find disputed wagers by round or time, of one seat or of all."""
    _table_to_inspect(request, table)
    until = request.floor.clock() + 1 if to_ms is None else to_ms
    since = max(until - _DAY_MS, 0) if from_ms is None else from_ms

    rounds = [round or 0]
    if round is None:
        within = table, since, until
        rounds = await request.look_back(past_rounds.rounds_between, *within)
    return await request.look_back(past_rounds.search_wagers, table, rounds, seat=seat)


Seal = Annotated[str, Meta(max_length=100, pattern=r"^([0-9A-Fa-f][ \-]*){8,64}\Z")]
"""A whole seal or its beginning, as printed or typed."""


@api("GET /api/tables/{table}/search/seals")
async def search_seals(
    request: HouseRequest, *, table: Name, seal: Seal
) -> list[past_rounds.RoundShown]:
    """Find the round of a receipt by its seal, or by the beginning of the seal."""
    _table_to_inspect(request, table)
    typed = "".join(filter(str.isalnum, seal)).lower()
    return await request.look_back(past_rounds.rounds_sealed, table, typed)
