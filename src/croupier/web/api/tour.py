"""The visitor's tour of the demonstration house: which of its steps were done.

The journal has the first three; that it was verified since, this server has seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from croupier.games import find_game
from croupier.house.floor.automatic_dealer import DEALER
from croupier.house.floor.floor import Floor
from croupier.journal.events.plan import TablePlan
from croupier.journal.store import Store
from croupier.rules import events as ev
from croupier.rules.clause import Rule
from croupier.table.answers import event_of
from croupier.web.api.base import HouseApi, Name, Number
from croupier.web.api.log_on import demonstration_floor
from croupier.web.problems import ApiError
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import HouseRequest

api = HouseApi("demonstration")
_MOST_ROUNDS = 100
_STEPS = frozenset(
    kind.__name__
    for kind in (ev.OutcomeAnnounced, ev.OutcomeCorrected, ev.RoundSettled)
)


class TourShown(msgspec.Struct, frozen=True):
    """The table of the tour, and the rounds in which its steps were done there."""

    table: str
    round: int
    """The last one there."""
    played: int | None
    """In which the seat had a wager that was settled."""
    dealt: int | None
    """Whose outcome somebody of the staff announced, and which was settled."""
    proposed: int | None
    """The number of a proposal that waits there for a second person."""
    corrected: int | None
    """Whose outcome two people put right."""
    verified: int | None
    """The same, once the inspector had the journal verified and nothing was found."""


@api("GET /api/demonstration/tour")
async def show_tour(
    request: HouseRequest,
    *,
    table: Name | None = None,
    seat: Name | None = None,
    since: Number = 1,
) -> TourShown:
    """Show what the journal has of a tour that began with a round."""
    floor = demonstration_floor(request)
    found = floor.table(_table_of_tour(floor) if table is None else table)
    last = found.state.series.last
    first = max(since, last - _MOST_ROUNDS + 1)
    done = await asyncio.to_thread(_done, floor.store, found.name, seat, first, last)
    nothing = _Step(None, 0)
    corrected = done.get("corrected", nothing)
    clean_from_ms = request.resources.verifications.clean_from_ms
    is_verified = clean_from_ms is not None and corrected.at_ms <= clean_from_ms
    now, proposals = floor.clock(), floor.record.state.proposals.values()
    waiting = (
        each.number
        for each in proposals
        if each.table == found.name and now < each.until_ms
    )
    return TourShown(
        table=found.name,
        round=last,
        played=done.get("played", nothing).round,
        dealt=done.get("dealt", nothing).round,
        proposed=next(waiting, None),
        corrected=corrected.round,
        verified=corrected.round if is_verified else None,
    )


def _table_of_tour(floor: Floor) -> str:
    """Return a table where every step can be done, or the next best.

    Every node of a house chooses the same: whether a table is open, only its own knows.
    """
    plans = floor.record.state.tables.values()
    if not plans:
        raise ApiError(404, WebReason.NOTHING_HERE())

    def lacks(plan: TablePlan) -> tuple[bool, ...]:
        is_closed = floor.nodes is None and not floor.table(plan.name).state.is_open
        can_correct = find_game(plan.game).provides(Rule.CORRECTION)
        is_dealt = plan.name in floor.record.state.dealers  # by another visitor
        return is_closed, not can_correct, not plan.automatic_dealer, is_dealt

    return min(plans, key=lacks).name


class _Step(NamedTuple):
    """A step that was done: in which round, and when."""

    round: int | None
    at_ms: int


def _done(
    store: Store, table: str, seat: str | None, first: int, last: int
) -> dict[str, _Step]:
    """Return the last round in which each step was done."""
    done: dict[str, _Step] = {}
    for number in range(first, last + 1):
        for step, at_ms in _steps_of(store, table, seat, number):
            done[step] = _Step(number, at_ms)
    return done


def _steps_of(
    store: Store, table: str, seat: str | None, number: int
) -> Iterator[tuple[str, int]]:
    is_announced = False
    for row in store.events(table, round_number=number):
        if row.kind not in _STEPS:
            continue
        match event_of(row):
            case ev.OutcomeAnnounced(by=by):
                is_announced = by != DEALER
            case ev.OutcomeCorrected():
                yield "corrected", row.at_ms
            case ev.RoundSettled(wagers=wagers):
                if is_announced:
                    yield "dealt", row.at_ms
                if any(wager.player == seat for wager in wagers):
                    yield "played", row.at_ms
