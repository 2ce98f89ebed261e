"""The House's payments for a layout: on settling, and at worst; pure.

The exposure looks at what is on each area, over all Players: chips beyond the limits,
which a settlement would cut (v3 5.15, 5.16), count in full, so the figure is never too
low.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from croupier.house.connection import views
from croupier.house.records.house_record import RulesForbid
from croupier.protocol.answers import SettledWagerView
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Game
from croupier.rules.operator import Person
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import Number
from croupier.table import Submission
from croupier.table.decisions import OutsideFacts, judge
from croupier.table.state import TableState

_NO_CHANCE = OutsideFacts(draw=lambda _: (), spin=lambda _: Number("0"))
"""Settling draws nothing."""


class HandSettlement(Struct, frozen=True):
    """A Dealer's part in settling one Player's chips on the layout."""

    player: str
    wagers: tuple[SettledWagerView, ...]
    collected_cents: int
    paid_cents: int
    returned_cents: int
    paid_in: tuple[tuple[int, int], ...]
    """Chips of the table, largest first: cents and how many."""
    rest_cents: int
    """The rest that no chip of the table is small enough for."""


class SettlementPreview(Struct, frozen=True):
    """A settlement that has not been made yet."""

    round: int
    winning_number: str | None
    by_hand: tuple[HandSettlement, ...]
    """Chips on the layout, in the order in which the Players came."""
    wagers_at_terminals: int
    paid_at_terminals_cents: int


def preview_settlement(
    state: TableState, person: Person, chips: Sequence[int]
) -> SettlementPreview:
    """Return what settling would do; raise `RulesForbid` where it is refused."""
    verdict = judge(state, Submission("rehearsal", (person,), do.Settle()), _NO_CHANCE)
    if isinstance(verdict, Refusal):
        raise RulesForbid(verdict)
    events = [each.event for each in verdict]
    held = next((each for each in events if isinstance(each, ev.RoundHeld)), None)
    if held is not None:
        raise RulesForbid(Refusal(held.clause, held.reason))
    [settled] = [each for each in events if isinstance(each, ev.RoundSettled)]
    current = state.series.current
    board = current.board.in_order()
    by_hand = {wager.wager_id for wager in board if wager.terminal is None}
    laid = [each for each in settled.wagers if each.wager_id in by_hand]
    others = [each for each in settled.wagers if each.wager_id not in by_hand]
    return SettlementPreview(
        round=current.number,
        winning_number=settled.winning_number,
        by_hand=tuple(_by_hand(laid, chips)),
        wagers_at_terminals=len(others),
        paid_at_terminals_cents=sum(
            piece.paid_cents for each in others for piece in each.pieces
        ),
    )


def _by_hand(
    wagers: Sequence[ev.SettledWager], chips: Sequence[int]
) -> Iterator[HandSettlement]:
    for player in dict.fromkeys(wager.player for wager in wagers):
        own = views.settled_shown(each for each in wagers if each.player == player)
        paid = sum(each.paid_cents for each in own)
        paid_in, rest = in_chips(paid, chips)
        yield HandSettlement(
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


class LayoutExposure(Struct, frozen=True):
    """By number what the House pays less what it collects; below zero it wins."""

    round: int
    stake_cents: int
    worst_number: str | None
    """None where no round of play has begun."""
    pays_cents: int
    by_number: dict[str, int]


def layout_exposure(state: TableState) -> LayoutExposure:
    """Return what the House would pay at each outcome, and at the worst."""
    series = state.series
    if not series.last:
        return LayoutExposure(0, 0, None, 0, {})
    by_number = exposure_at(series.current)
    worst = max(by_number, key=lambda number: by_number[number])
    return LayoutExposure(
        round=series.last,
        stake_cents=series.current.board.stake_cents,
        worst_number=worst,
        pays_cents=by_number[worst],
        by_number={str(number): cents for number, cents in by_number.items()},
    )


def exposure_at(current: RoundOfPlay) -> dict[Number, int]:
    """Return by number what the House pays at worst, less what it collects."""
    on_area: dict[str, int] = {}
    for (_, area), cents in current.board.player_cents.items():
        on_area[area] = on_area.get(area, 0) + cents
    drawn = current.facts.bonus_numbers
    game, staked = current.game, sum(on_area.values())
    return {
        number: max(
            _net(winning_areas(game, outcome), on_area, staked)
            for outcome in _outcomes(game, number, drawn)
        )
        for number in game.numbers
    }


def _net(pays: Mapping[str, int], on_area: Mapping[str, int], staked: int) -> int:
    paid = sum(cents * pays[area] for area, cents in on_area.items() if area in pays)
    kept = sum(cents for area, cents in on_area.items() if area in pays)
    return paid - (staked - kept)


def _outcomes(
    game: Game, number: Number, drawn: tuple[Number, ...] | None
) -> Iterator[Outcome]:
    """Yield the number with the draw that was made, or with each kind of draw."""
    if drawn is not None:
        yield Outcome(number, frozenset(drawn))
    else:
        for draw in _kinds_of_draw(game, number):
            yield Outcome(number, draw)


@cache
def _kinds_of_draw(game: Game, number: Number) -> tuple[frozenset[Number], ...]:
    """None of it lit; its link lit whole; one of every link, its own among them."""
    if not game.provides(Rule.BONUS_DRAW):
        return (frozenset(),)
    links = game.layout.links
    whole = frozenset(n for link in links if number in link for n in link)
    scattered = frozenset(number if number in link else min(link) for link in links)
    apart = frozenset(next(n for n in sorted(link) if n != number) for link in links)
    return frozenset(), whole, scattered, apart
