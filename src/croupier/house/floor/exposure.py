"""The House's payments for a layout: a rehearsed settlement, and the exposure; pure.

The exposure sums the chips on each area over all Players. Chips beyond the limits,
which a settlement would cut (v3 5.15, 5.16), count in full, so the figure is never too
low.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from croupier.house.records.house_record import RulesForbid
from croupier.house.views import parts
from croupier.odds.model import cases_of, model_of
from croupier.protocol.answers import SettledWagerView
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.clause import Refusal
from croupier.rules.commands import Settle
from croupier.rules.events import RoundHeld, RoundSettled, SettledWager
from croupier.rules.game import Game
from croupier.rules.operator import Person
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import Number
from croupier.table import Submission
from croupier.table.decisions import NO_CHANCE, judge
from croupier.table.state import TableState


class HandSettlement(Struct, frozen=True):
    """The settlement of one Player's chips on the layout, for the Dealer's hands."""

    player: str
    wagers: tuple[SettledWagerView, ...]
    collected_cents: int
    paid_cents: int
    returned_cents: int
    paid_in: tuple[tuple[int, int], ...]
    """Chips of the table, largest first: value in cents, and number."""
    rest_cents: int
    """The remainder below the table's smallest chip."""


class SettlementPreview(Struct, frozen=True):
    """A settlement before it is recorded."""

    round: int
    winning_number: str | None
    by_hand: tuple[HandSettlement, ...]
    """Chips on the layout, in the order of the Players' first wagers."""
    wagers_at_terminals: int
    paid_at_terminals_cents: int


def preview_settlement(
    state: TableState, person: Person, chips: Sequence[int]
) -> SettlementPreview:
    """Rehearse the settlement; raise `RulesForbid` if the rules would refuse it."""
    verdict = judge(state, Submission("rehearsal", (person,), Settle()), NO_CHANCE)
    if isinstance(verdict, Refusal):
        raise RulesForbid(verdict)
    events = [each.event for each in verdict]
    held = next((each for each in events if isinstance(each, RoundHeld)), None)
    if held is not None:
        raise RulesForbid(Refusal(held.clause, held.reason))
    [settled] = [each for each in events if isinstance(each, RoundSettled)]
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
    wagers: Sequence[SettledWager], chips: Sequence[int]
) -> Iterator[HandSettlement]:
    for player in dict.fromkeys(wager.player for wager in wagers):
        own = parts.settled_shown(each for each in wagers if each.player == player)
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
    """The House's net payment by number; below zero it wins."""

    round: int
    stake_cents: int
    worst_number: str | None
    """None if no round of play has begun."""
    pays_cents: int
    by_number: dict[str, int]


def layout_exposure(state: TableState) -> LayoutExposure:
    """Return the House's payment at each outcome, and at the worst."""
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
    """Return the House's largest net payment at each number."""
    on_area: dict[str, int] = {}
    for (_, area), cents in current.board.player_cents.items():
        on_area[area] = on_area.get(area, 0) + cents
    game, staked = current.game, sum(on_area.values())
    nets: dict[Number, list[int]] = {number: [] for number in game.numbers}
    for number, pays in _cases(game, current.facts.bonus_numbers):
        won = ((cents, pays[area]) for area, cents in on_area.items() if area in pays)
        nets[number].append(sum(cents * (odds + 1) for cents, odds in won) - staked)
    return {number: max(found) for number, found in nets.items()}


def _cases(
    game: Game, drawn: tuple[Number, ...] | None
) -> Iterator[tuple[Number, Mapping[str, int]]]:
    """Yield each number with the odds of its winning areas, for each possible draw."""
    if drawn is None:
        for case in cases_of(model_of(game)):
            yield case.number, case.winning
    else:
        for number in game.numbers:
            yield number, winning_areas(game, Outcome(number, frozenset(drawn)))
