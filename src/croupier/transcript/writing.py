"""Played rounds as JSON: the object that the contract describes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from croupier.rules.clause import Refusal
from croupier.rules.events import SettledPiece, SettledWager
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import in_layout_order
from croupier.transcript.playing import (
    Played,
    PlayedLine,
    settled_wagers,
    status_of,
)

Json = dict[str, Any]

_SUMS = ("stake_cents", "paid_cents", "collected_cents", "returned_cents")


def played_json(played: Played) -> Json:
    """One object for a transcript."""
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
    """Stake, paid, collected and returned over the pieces."""
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
        "reason": line.answer.reason,
    }
