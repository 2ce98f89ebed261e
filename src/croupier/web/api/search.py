"""A wager in dispute, found again in the journal."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from croupier.house.connection import views
from croupier.house.records import past_rounds
from croupier.journal.tables import EventRow
from croupier.protocol.answers import SettledWagerView
from croupier.table.answers import event_of
from croupier.web.api.base import HouseRequest, Name, RoundNumber, TagApi, TimeMs
from croupier.web.api.rounds import people_of, table_to_inspect
from croupier.web.security.authentication import STAFF

api = TagApi("rounds")
_DAY_MS = 24 * 60 * 60 * 1000


class WagerStepShown(msgspec.Struct, frozen=True):
    sequence: int
    at_ms: int
    event: str
    by: str | None
    fields: dict[str, Any]


class FoundWagerShown(msgspec.Struct, frozen=True):
    """A wager, what was done to it, and what became of it."""

    round: int
    id: str
    player: str
    terminal: str | None
    wager: str
    steps: tuple[WagerStepShown, ...]
    winning_number: str | None
    settled: SettledWagerView | None


class FoundRefusalShown(msgspec.Struct, frozen=True):
    round: int
    sequence: int
    at_ms: int
    player: str
    act: str
    clause: str
    reason: str


class SearchShown(msgspec.Struct, frozen=True):
    table: str
    wagers: tuple[FoundWagerShown, ...]
    refusals: tuple[FoundRefusalShown, ...]
    has_more: bool
    """The search was too wide for all of it."""


@api.get(
    "/api/search/wagers",
    summary="Find a wager in dispute: by round, or by time; of a seat, or of all.",
    auth=STAFF,
    errors=(404,),
)
async def search_wagers(
    request: HouseRequest,
    *,
    table: Name,
    seat: Name | None = None,
    round: RoundNumber | None = None,  # noqa: A002 - the documents' own word
    from_ms: TimeMs | None = None,
    to_ms: TimeMs | None = None,
) -> SearchShown:
    table_to_inspect(request, table)
    floor = request.caller.floor
    until = floor.clock() + 1 if to_ms is None else to_ms
    since = max(until - _DAY_MS, 0) if from_ms is None else from_ms

    def search() -> past_rounds.WagerSearch:
        rounds, has_more = [round or 0], False
        if round is None:
            found = past_rounds.rounds_between(floor.store, table, since, until)
            rounds, has_more = found
        return past_rounds.search_wagers(
            floor.store, table, seat=seat, rounds=rounds, has_more=has_more
        )

    found = await asyncio.to_thread(search)
    return SearchShown(
        table=table,
        wagers=tuple(_wager(each) for each in found.wagers),
        refusals=tuple(_refusal(each) for each in found.refusals),
        has_more=found.has_more,
    )


def _wager(found: past_rounds.FoundWager) -> FoundWagerShown:
    placed = found.placed
    settled = views.settled_shown([found.settled]) if found.settled else (None,)
    return FoundWagerShown(
        round=found.round,
        id=placed.wager_id,
        player=placed.player,
        terminal=placed.terminal,
        wager=placed.wager,
        steps=tuple(_step(row) for row in found.rows),
        winning_number=found.winning_number,
        settled=settled[0],
    )


def _step(row: EventRow) -> WagerStepShown:
    event = event_of(row)
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return WagerStepShown(row.sequence, row.at_ms, row.kind, people_of(event), fields)


def _refusal(found: past_rounds.FoundRefusal) -> FoundRefusalShown:
    row, refused = found.row, found.refused
    return FoundRefusalShown(
        round=row.round_number,
        sequence=row.sequence,
        at_ms=row.at_ms,
        player=refused.by.name,
        act=refused.act,
        clause=refused.clause.number,
        reason=str(refused.reason),
    )
