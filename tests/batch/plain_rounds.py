"""Rounds of play at a practice table, and the same wagers as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from croupier.rules.cents import write_cents
from croupier.rules.clause import Rule, RuleViolation
from croupier.rules.game import Game
from croupier.transcript import PracticeTable

Money = tuple[int, int, int]
"""Paid, collected, returned."""
DRAWN = "1 2 5 9 13 17 21 25 29 33"


@dataclass(frozen=True)
class Act:
    """A wager laid, or an increase of one that was laid before."""

    player: str
    wager: str
    cents: int
    increases: int | None = None
    """The place in the round of the act it increases."""


@dataclass(frozen=True)
class PlayedRound:
    """The acts of a round and its outcome; None is a void round."""

    acts: tuple[Act, ...]
    outcome: str | None


def play_out(
    game: Game,
    limits: Sequence[str],
    rounds: Sequence[PlayedRound],
    settings: Sequence[str] = (),
) -> list[dict[int, Money | None]]:
    """By round, what became of each wager, by its first act; None: it was refused.

    An increase that was refused is told as a wager of its own; one that was not is
    a part of the wager it increases.
    """
    table = PracticeTable(game, limits=limits, settings=settings)
    played = []
    for place, each in enumerate(rounds):
        if place:
            table.begin_round()
        played.append(_play_round(table, each))
    return played


def _play_round(table: PracticeTable, played: PlayedRound) -> dict[int, Money | None]:
    table.act("Dealer: place your bets")
    found: dict[int, Money | None] = {}
    for place, act in enumerate(played.acts):
        try:
            table.act(_line(table.game, place, act))
        except RuleViolation:
            found[place] = None
    table.act("Dealer: spin")
    table.act("Dealer: no more bets")
    if table.game.provides(Rule.BONUS_DRAW):
        table.act(f"RNG: bonus numbers {DRAWN}")
    if played.outcome is None:
        table.act("Dealer: irregularity foreign_object")
    else:
        table.act(f"Dealer: outcome {played.outcome}")
    table.act("Dealer: settle")
    assert table.state.settled is not None
    for wager in table.state.settled.wagers:
        sums: Counter[str] = Counter()
        for piece in wager.pieces:
            sums["paid"] += piece.paid_cents
            sums["collected"] += piece.collected_cents
            sums["returned"] += piece.returned_cents
        found[int(wager.wager_id.removeprefix("w"))] = (
            sums["paid"],
            sums["collected"],
            sums["returned"],
        )
    return found


def _line(game: Game, place: int, act: Act) -> str:
    money = write_cents(act.cents)
    if act.increases is not None:
        return f"{act.player}: increase w{act.increases} {money}"
    word = "lay" if game.provides(Rule.CHIPS_ON_LAYOUT) else "place"
    return f"{act.player}: {word} {act.wager} {money} as w{place}"
