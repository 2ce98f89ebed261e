"""The evidence for a clause: its code, its tests, and both sides of its condition."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game

PAIRS = Path(__file__).with_name("pairs")
"""Transcripts on each side of a clause's condition: GAME/CLAUSE-SIDE.txt."""


@cache
def _table() -> dict[str, Any]:
    """Return the code and the tests that `tools.clause_sources` has found."""
    text = files("croupier.rulebook").joinpath("clauses.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def code_of(game: Game, row: ClauseRow) -> list[str]:
    own = [place for name in _names(row) for place in _table()["code"].get(name, ())]
    drawn = [place for each in _drawn(game, row) for place in code_of(game, each)]
    return list(dict.fromkeys([*own, *drawn]))


def leading_function(game: Game, row: ClauseRow) -> str:
    """Return the function to read first, or an empty text for a clause without code."""
    leading = [_table()["leading"].get(name, "") for name in _names(row)]
    drawn = [leading_function(game, each) for each in _drawn(game, row)]
    return next((each for each in [*leading, *drawn] if each), "")


def _names(row: ClauseRow) -> list[str]:
    """Return the names to look for in code that carries the row out."""
    # All wagers share the code of BETTING_AREA; only the wager type tells them apart.
    names = [f"Rule.{rule.name}" for rule in row.rules if rule != Rule.BETTING_AREA]
    if row.voids is not None:
        names.append(f"Irregularity.{row.voids.name}")
    if row.multiple is not None:
        names.append(type(row.multiple).__name__)
    return names + [f"WagerType.{kind.name}" for kind in row.areas]


def evidence_for(game: Game, row: ClauseRow) -> dict[str, list[Any]]:
    drawn = [evidence_for(game, each)["tests"][:1] for each in _drawn(game, row)]
    found = {"tests": [place for places in drawn for place in places], "pairs": []}
    return {**found, **_table()["tests"].get(f"{game.name} {row.number}", {})}


def transcripts_of_reading(game: Game, reading: str) -> list[str]:
    found = _table()["tests"].get(f"{game.name} {reading}", {})
    return [str(place) for place in found.get("tests", ())]


def _drawn(game: Game, row: ClauseRow) -> list[ClauseRow]:
    return [each for each in game.clauses if each.number in row.draws]
