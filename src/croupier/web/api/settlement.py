"""What settling would do now: for the Dealer's hands, Player by Player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.house.connection import views
from croupier.house.floor.table import FloorTable
from croupier.protocol.answers import SettledWagerView
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Refusal
from croupier.rules.operator import Person
from croupier.rules.wheel import Number
from croupier.table import Submission
from croupier.table.decisions import Surroundings, judge
from croupier.web.api.base import HouseRequest, Name, TagApi, person_at
from croupier.web.openapi import ApiError
from croupier.web.security.authentication import STAFF

api = TagApi("tables")
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


@api.get(
    "/api/tables/{table}/settlement",
    summary="What settling would collect, pay and return, before it is done.",
    auth=STAFF,
    errors=(409,),
)
async def show_settlement(request: HouseRequest, *, table: Name) -> SettlementShown:
    found = request.caller.floor.table(table)
    settled = _rehearsed(found, person_at(request.caller, found))
    current = found.state.series.current
    board = current.board.in_order()
    chips = {wager.wager_id for wager in board if wager.terminal is None}
    laid = [each for each in settled.wagers if each.wager_id in chips]
    others = [each for each in settled.wagers if each.wager_id not in chips]
    return SettlementShown(
        round=current.number,
        winning_number=settled.winning_number,
        by_hand=tuple(_by_hand(laid, found.defined.chips)),
        wagers_at_terminals=len(others),
        paid_at_terminals_cents=sum(
            piece.paid_cents for each in others for piece in each.pieces
        ),
    )


def _rehearsed(table: FloorTable, person: Person) -> ev.RoundSettled:
    submission = Submission("rehearsal", (person,), do.Settle())
    verdict = judge(table.state, submission, _NO_CHANCE)
    if isinstance(verdict, Refusal):
        raise ApiError(409, str(verdict.reason), clause=verdict.clause.number)
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
    """As few chips as the denominations allow, largest first, and what is left."""
    stacks = []
    for chip in sorted(chips, reverse=True):
        count, cents = divmod(cents, chip)
        if count:
            stacks.append((chip, count))
    return tuple(stacks), cents
