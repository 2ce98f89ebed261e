"""A played transcript as a person would like to read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.rules.clause import Refusal
from croupier.rules.events import SettledWager
from croupier.rules.notation import write_cents
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import colour_of
from croupier.transcript.playing import (
    Played,
    PlayedLine,
    settled_wagers,
    status_of,
)
from croupier.transcript.writing import totals


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the story; headings are not plain."""

    text: str
    plain: bool = True


def tell(played: Played) -> Iterator[Told]:
    """The acts of each round, what was refused and why, and who won what."""
    game = played.series.game
    yield Told(f"{game.document}, in effect from {game.effective}", plain=False)
    for state, lines in zip(played.rounds, played.lines, strict=True):
        yield Told("")
        yield Told(f"Round {state.number}", plain=False)
        for line in lines:
            yield from _tell_line(line)
        yield Told("")
        yield Told(f"  {_ending(state)}", plain=False)
        for wager in settled_wagers(state):
            yield from _tell_wager(wager, over=status_of(state) in {"settled", "void"})
        yield from _tell_players(state)


def _tell_line(played: PlayedLine) -> Iterator[Told]:
    yield Told(f"  {played.line.number:>4}  {played.line.text}")
    if isinstance(played.answer, Refusal):
        refusal = played.answer
        yield Told(f"        ✗ refused: {refusal.reason} [{refusal.clause}]")


def _ending(state: RoundOfPlay) -> str:
    status, standing = status_of(state), state.standing
    if status == "settled":
        number = state.winning_number
        assert number is not None
        bonus = state.facts.bonus_numbers
        lit = f", Bonus Numbers {' '.join(bonus)}" if bonus else ""
        return f"Outcome {number} {colour_of(number).value}{lit}"
    if standing is not None and status == "void":
        return f"Void: {standing.reason} [{standing.clause}]"
    if standing is not None:
        return f"Held for a decision: {standing.reason} [{standing.clause}]"
    return "Not concluded"


def _tell_wager(wager: SettledWager, *, over: bool) -> Iterator[Told]:
    sums = totals(wager.pieces)
    stake = write_cents(sums["stake_cents"])
    text = f"    {wager.player:<8} {wager.wager:<22} {stake:>10}"
    if not over:
        yield Told(text)
        return
    clauses = ", ".join(dict.fromkeys(piece.clause for piece in wager.pieces))
    parts = [
        f"{word} {write_cents(sums[f'{word}_cents'])}"
        for word in ("paid", "collected", "returned")
        if sums[f"{word}_cents"]
    ]
    yield Told(f"{text}   {', '.join(parts)} [{clauses}]")


def _tell_players(state: RoundOfPlay) -> Iterator[Told]:
    if status_of(state) not in {"settled", "void"}:
        return
    net: dict[str, int] = {}
    for wager in settled_wagers(state):
        sums = totals(wager.pieces)
        won = sums["paid_cents"] - sums["collected_cents"]
        net[wager.player] = net.get(wager.player, 0) + won
    if net:
        said = ", ".join(f"{player} {_signed(cents)}" for player, cents in net.items())
        yield Told(f"  Net: {said}")


def _signed(cents: int) -> str:
    return f"+{write_cents(cents)}" if cents > 0 else write_cents(cents)
