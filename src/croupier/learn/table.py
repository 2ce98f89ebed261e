"""A practice table with simulated Players, for the drills."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from croupier.learn.question import PlayerHeap
from croupier.rules.clause import Clause, Rule, RuleViolation
from croupier.rules.game import Game
from croupier.rules.layout import INSIDE, BettingArea
from croupier.rules.wheel import Number
from croupier.transcript.playback import settled_wagers, status_of
from croupier.transcript.practice import PracticeTable
from croupier.transcript.results import net_by_player

PLAYERS = {"Anna": "blue", "Ben": "orange", "Chen": "violet"}
"""The simulated Players with the colours of their chips."""


def laying(game: Game) -> str:
    """Return the verb for a Player's wager: `lay`, or `place` at a terminal."""
    return "lay" if game.provides(Rule.CHIPS_ON_LAYOUT) else "place"


def amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}" if cents % 100 else str(cents // 100)


def draw_bonus(game: Game, random: Random) -> tuple[Number, ...]:
    """Draw Bonus Numbers for a question; no money depends on them."""
    if not game.provides(Rule.BONUS_DRAW):
        return ()
    return tuple(random.sample(game.numbers, game.row(Rule.BONUS_DRAW).amount))


def inside_areas(game: Game, number: Number) -> list[BettingArea]:
    return [
        area
        for area in game.areas
        if area.wager_type in INSIDE and number in area.numbers
    ]


def wager_lines(game: Game, heaps: Sequence[PlayerHeap]) -> list[str]:
    return [
        f"{heap.player}: {laying(game)} {heap.area} {amount(heap.cents)} as w{place}"
        for place, heap in enumerate(heaps, 1)
    ]


def course(winning: Number, bonus: Iterable[Number]) -> list[str]:
    """Return the acts that complete a round from open betting on."""
    numbers = " ".join(bonus)
    return [
        "Dealer: spin",
        "Dealer: no more bets",
        *([f"RNG: bonus numbers {numbers}"] if numbers else []),
        f"Dealer: ball at rest {winning}",
        f"Dealer: outcome {winning}",
        "Dealer: settle",
    ]


def replay(table: PracticeTable, lines: Iterable[str]) -> list[str]:
    """Do the acts; return those that the rules accepted."""
    taken = []
    for line in lines:
        try:
            table.act(line)
        except RuleViolation:
            continue
        taken.append(line)
    return taken


def ending(table: PracticeTable) -> tuple[str, Number | None, Mapping[str, int]]:
    """Return the round's status, its number, and each Player's result."""
    nets = net_by_player(settled_wagers(table.state))
    return status_of(table.state), table.state.winning_number, nets


def heaps_on(table: PracticeTable) -> tuple[PlayerHeap, ...]:
    """Return the chips that lie on the layout."""
    return tuple(
        PlayerHeap(area.name, wager.player, cents, PLAYERS.get(wager.player))
        for wager in table.state.board.in_order()
        for area, cents in zip(wager.areas, wager.piece_cents, strict=True)
    )


def standing_clause(table: PracticeTable) -> Clause | None:
    standing = table.state.standing
    return None if standing is None else standing.clause
