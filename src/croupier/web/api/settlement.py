"""What the House would pay for what lies on a layout: on settling, and at worst."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.house.connection import views
from croupier.house.floor.exposure import exposure_at
from croupier.house.floor.table import FloorTable
from croupier.house.people.authority import HouseAct
from croupier.protocol.answers import SettledWagerView
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Refusal
from croupier.rules.operator import Person
from croupier.rules.wheel import Number
from croupier.table import Submission
from croupier.table.decisions import Surroundings, judge
from croupier.web.api.base import HouseApi, Name, forbidden, person_at
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("tables", STAFF)
_NO_CHANCE = Surroundings(draw=lambda _: (), spin=lambda _: Number("0"))
"""Settling draws nothing."""


class HandSettlementShown(msgspec.Struct, frozen=True):
    """What a Dealer does with one Player's chips on the layout."""

    player: str
    wagers: tuple[SettledWagerView, ...]
    collected_cents: int
    paid_cents: int
    returned_cents: int
    paid_in: tuple[tuple[int, int], ...]
    """Chips of the table, largest first: cents and how many."""
    rest_cents: int
    """What no chip of the table is small enough for."""


class SettlementShown(msgspec.Struct, frozen=True):
    """A settlement that has not been made yet."""

    round: int
    winning_number: str | None
    by_hand: tuple[HandSettlementShown, ...]
    """Chips on the layout, in the order in which the Players came."""
    wagers_at_terminals: int
    paid_at_terminals_cents: int


@api("GET /api/tables/{table}/settlement", errors={409})
async def show_settlement(request: HouseRequest, *, table: Name) -> SettlementShown:
    """Show what settling would collect, pay and return, before it is done."""
    found = request.floor.table(table)
    settled = _rehearsed(found, person_at(request, found))
    current = found.state.series.current
    board = current.board.in_order()
    chips = {wager.wager_id for wager in board if wager.terminal is None}
    laid = [each for each in settled.wagers if each.wager_id in chips]
    others = [each for each in settled.wagers if each.wager_id not in chips]
    return SettlementShown(
        round=current.number,
        winning_number=settled.winning_number,
        by_hand=tuple(_by_hand(laid, found.plan.chips)),
        wagers_at_terminals=len(others),
        paid_at_terminals_cents=sum(
            piece.paid_cents for each in others for piece in each.pieces
        ),
    )


def _rehearsed(table: FloorTable, person: Person) -> ev.RoundSettled:
    submission = Submission("rehearsal", (person,), do.Settle())
    verdict = judge(table.state, submission, _NO_CHANCE)
    if isinstance(verdict, Refusal):
        raise forbidden(verdict)
    events = [numbered.event for numbered in verdict]
    [settled] = [each for each in events if isinstance(each, ev.RoundSettled)]
    return settled


def _by_hand(
    wagers: Sequence[ev.SettledWager], chips: Sequence[int]
) -> Iterable[HandSettlementShown]:
    for player in dict.fromkeys(wager.player for wager in wagers):
        own = views.settled_shown(each for each in wagers if each.player == player)
        paid = sum(each.paid_cents for each in own)
        paid_in, rest = in_chips(paid, chips)
        yield HandSettlementShown(
            player=player,
            wagers=own,
            collected_cents=sum(each.collected_cents for each in own),
            paid_cents=paid,
            returned_cents=sum(each.returned_cents for each in own),
            paid_in=paid_in,
            rest_cents=rest,
        )


def in_chips(
    cents: int, chips: Iterable[int]
) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return as few chips as the denominations allow, largest first, and the rest."""
    stacks = []
    for chip in sorted(chips, reverse=True):
        count, cents = divmod(cents, chip)
        if count:
            stacks.append((chip, count))
    return tuple(stacks), cents


class ExposureShown(msgspec.Struct, frozen=True):
    """By number what the House pays less what it collects; below zero it wins."""

    round: int
    stake_cents: int
    worst_number: str | None
    """None where no round of play has begun."""
    pays_cents: int
    by_number: dict[str, int]


@api("GET /api/tables/{table}/exposure")
async def show_exposure(request: HouseRequest, *, table: Name) -> ExposureShown:
    """Show what the House would pay at each outcome, and at the worst."""
    request.must(HouseAct.WATCH)
    series = request.floor.table(table).state.series
    if not series.last:
        return ExposureShown(0, 0, None, 0, {})
    current = series.current
    by_number = exposure_at(current)
    worst = max(by_number, key=lambda number: by_number[number])
    return ExposureShown(
        round=series.last,
        stake_cents=current.board.stake_cents,
        worst_number=worst,
        pays_cents=by_number[worst],
        by_number={str(number): cents for number, cents in by_number.items()},
    )
