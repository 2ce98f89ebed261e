"""Results of a played transcript: as JSON, and as text for a person to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from croupier.rules.cents import write_cents
from croupier.rules.clause import Refusal
from croupier.rules.events import SettledPiece, SettledWager
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import colour_of, in_layout_order
from croupier.transcript.playback import (
    PlayedLine,
    PlayedTranscript,
    settled_wagers,
    status_of,
)

Json = dict[str, Any]

_SUMS = ("stake_cents", "paid_cents", "collected_cents", "returned_cents")


def played_json(played: PlayedTranscript) -> Json:
    """Return one object for a transcript."""
    rounds = [
        round_json(state, lines)
        for state, lines in zip(played.rounds, played.lines, strict=True)
    ]
    return {"game": played.series.game.name, "rounds": rounds}


def round_json(state: RoundOfPlay, lines: Iterable[PlayedLine]) -> Json:
    status = status_of(state)
    wagers = settled_wagers(state)
    shown_number = status in {"settled", "referred"}
    round_object: Json = {
        "round": state.number,
        "status": status,
        "winning_number": state.winning_number if shown_number else None,
        "bonus_numbers": list(in_layout_order(state.facts.bonus_numbers or ())),
        "wagers": [wager_json(wager) for wager in wagers],
        "players": _players(wagers),
        "refused": [_refused(line) for line in lines if _is_refused(line)],
    }
    if status in {"void", "referred"} and state.standing is not None:
        round_object["clause"] = state.standing.clause.number
    return round_object


def wager_json(wager: SettledWager) -> Json:
    return {
        "id": wager.wager_id,
        "player": wager.player,
        "wager": wager.wager,
        **totals(wager.pieces),
        "pieces": [_piece(piece) for piece in wager.pieces],
    }


def _piece(piece: SettledPiece) -> Json:
    return {"area": piece.area, **{name: getattr(piece, name) for name in _SUMS}}


def totals(pieces: Iterable[SettledPiece]) -> Mapping[str, int]:
    """Sum up stake, paid, collected and returned over the pieces."""
    all_pieces = list(pieces)
    return {name: sum(getattr(piece, name) for piece in all_pieces) for name in _SUMS}


def _players(wagers: Iterable[SettledWager]) -> Json:
    pieces: dict[str, list[SettledPiece]] = {}
    for wager in wagers:
        pieces.setdefault(wager.player, []).extend(wager.pieces)
    return {player: totals(own) for player, own in pieces.items()}


def _is_refused(line: PlayedLine) -> bool:
    return isinstance(line.answer, Refusal)


def _refused(line: PlayedLine) -> Json:
    assert isinstance(line.answer, Refusal)
    return {
        "line": line.line.number,
        "act": line.line.words,
        "wager": line.line.wager_id,
        "clause": line.answer.clause.number,
        "reason": str(line.answer.reason),
    }


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A line of the story; headings are not plain."""

    text: str
    plain: bool = True


def result_lines(played: PlayedTranscript) -> Iterator[ResultLine]:
    """Yield the acts of each round, what was refused and why, and who won what."""
    game = played.series.game
    yield ResultLine(f"{game.document}, in effect from {game.effective}", plain=False)
    for state, lines in zip(played.rounds, played.lines, strict=True):
        yield ResultLine("")
        yield ResultLine(f"Round {state.number}", plain=False)
        for line in lines:
            yield from _act_lines(line)
        yield ResultLine("")
        yield ResultLine(f"  {_ending(state)}", plain=False)
        for wager in settled_wagers(state):
            yield from _wager_lines(wager, over=status_of(state) in {"settled", "void"})
        yield from _net_lines(state)


def _act_lines(played: PlayedLine) -> Iterator[ResultLine]:
    yield ResultLine(f"  {played.line.number:>4}  {played.line.text}")
    if isinstance(played.answer, Refusal):
        refusal = played.answer
        yield ResultLine(f"        ✗ refused: {refusal.reason} [{refusal.clause}]")


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


def _wager_lines(wager: SettledWager, *, over: bool) -> Iterator[ResultLine]:
    sums = totals(wager.pieces)
    stake = write_cents(sums["stake_cents"])
    text = f"    {wager.player:<8} {wager.wager:<22} {stake:>10}"
    if not over:
        yield ResultLine(text)
        return
    clauses = ", ".join(dict.fromkeys(piece.clause for piece in wager.pieces))
    parts = [
        f"{word} {write_cents(sums[f'{word}_cents'])}"
        for word in ("paid", "collected", "returned")
        if sums[f"{word}_cents"]
    ]
    yield ResultLine(f"{text}   {', '.join(parts)} [{clauses}]")


def _net_lines(state: RoundOfPlay) -> Iterator[ResultLine]:
    if status_of(state) not in {"settled", "void"}:
        return
    net: dict[str, int] = {}
    for wager in settled_wagers(state):
        sums = totals(wager.pieces)
        won = sums["paid_cents"] - sums["collected_cents"]
        net[wager.player] = net.get(wager.player, 0) + won
    if net:
        said = ", ".join(f"{player} {_signed(cents)}" for player, cents in net.items())
        yield ResultLine(f"  Net: {said}")


def _signed(cents: int) -> str:
    return f"+{write_cents(cents)}" if cents > 0 else write_cents(cents)
