"""Roulette tables run as their rule documents say.

    >>> from croupier import PracticeTable
    >>> table = PracticeTable("mbs-roulette-v3")

Names are loaded when they are first used, so that importing the package is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.drawing import Theme, draw
    from croupier.games import UnknownGame, all_games, find_game
    from croupier.odds import (
        best_play,
        exposure_of,
        layout_odds,
        maximum_liability,
        odds_of,
        par_sheet,
        round_result,
        session,
    )
    from croupier.rules.clause import RuleViolation, WagerRefused
    from croupier.rules.game import Game
    from croupier.simulator import simulate
    from croupier.transcript import (
        PracticeTable,
        TranscriptError,
        play,
        read_transcript,
    )

__version__ = "0.1.0"
__all__ = [
    "Game",
    "PracticeTable",
    "RuleViolation",
    "Theme",
    "TranscriptError",
    "UnknownGame",
    "WagerRefused",
    "all_games",
    "best_play",
    "draw",
    "exposure_of",
    "find_game",
    "layout_odds",
    "maximum_liability",
    "odds_of",
    "par_sheet",
    "play",
    "read_transcript",
    "round_result",
    "session",
    "simulate",
]

_HOMES = {
    "Game": "croupier.rules.game",
    "PracticeTable": "croupier.transcript",
    "RuleViolation": "croupier.rules.clause",
    "Theme": "croupier.drawing",
    "TranscriptError": "croupier.transcript",
    "UnknownGame": "croupier.games",
    "WagerRefused": "croupier.rules.clause",
    "all_games": "croupier.games",
    "best_play": "croupier.odds",
    "draw": "croupier.drawing",
    "exposure_of": "croupier.odds",
    "find_game": "croupier.games",
    "layout_odds": "croupier.odds",
    "maximum_liability": "croupier.odds",
    "odds_of": "croupier.odds",
    "par_sheet": "croupier.odds",
    "play": "croupier.transcript",
    "read_transcript": "croupier.transcript",
    "round_result": "croupier.odds",
    "session": "croupier.odds",
    "simulate": "croupier.simulator",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
