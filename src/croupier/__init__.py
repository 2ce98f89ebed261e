"""Roulette tables run as their rule documents say.

    >>> from croupier import PracticeTable
    >>> table = PracticeTable("mbs-roulette-v3")

Names are loaded when they are first used, so that importing the package is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.lazy_names import lazy_names

if TYPE_CHECKING:
    from croupier.audit.report.return_report import make_report
    from croupier.batch import settle_file, settle_frame
    from croupier.drawing import Theme, draw
    from croupier.errors import CroupierError
    from croupier.games import UnknownGame, all_games, find_game
    from croupier.lab.best_play import best_play
    from croupier.lab.sessions import session
    from croupier.lab.simulator import area_codes, play_strategy, simulate
    from croupier.lab.wheel.check import check_wheel
    from croupier.odds import (
        OddsModule,
        exposure_of,
        layout_odds,
        maximum_liability,
        odds_of,
        par_sheet,
        round_result,
    )
    from croupier.rules.clause import RuleViolation, WagerRefused
    from croupier.rules.game import Game
    from croupier.tabular import Plot
    from croupier.transcript import (
        PracticeTable,
        TranscriptError,
        play,
        read_transcript,
        settle,
    )

    odds: OddsModule
    """The callable package `croupier.odds`."""

__version__ = "0.1.0"
__all__ = [
    "CroupierError",
    "Game",
    "Plot",
    "PracticeTable",
    "RuleViolation",
    "Theme",
    "TranscriptError",
    "UnknownGame",
    "WagerRefused",
    "all_games",
    "area_codes",
    "best_play",
    "check_wheel",
    "draw",
    "exposure_of",
    "find_game",
    "layout_odds",
    "make_report",
    "maximum_liability",
    "odds",
    "odds_of",
    "par_sheet",
    "play",
    "play_strategy",
    "read_transcript",
    "round_result",
    "session",
    "settle",
    "settle_file",
    "settle_frame",
    "simulate",
]

_load = lazy_names(
    __name__,
    {
        "audit.report.return_report": "make_report",
        "batch": "settle_file settle_frame",
        "drawing": "Theme draw",
        "errors": "CroupierError",
        "games": "UnknownGame all_games find_game",
        "lab.best_play": "best_play",
        "lab.sessions": "session",
        "lab.simulator": "area_codes play_strategy simulate",
        "lab.wheel.check": "check_wheel",
        "odds": "exposure_of layout_odds maximum_liability odds_of par_sheet"
        " round_result",
        "rules.clause": "RuleViolation WagerRefused",
        "rules.game": "Game",
        "tabular": "Plot",
        "transcript": "PracticeTable TranscriptError play read_transcript settle",
    },
    {
        "audit.report.return_report": "batch numba numpy pyarrow scipy",
        "batch": "batch numba pyarrow",
        "lab.simulator": "simulator numpy",
        "lab.wheel.check": "batch numpy pyarrow scipy",
    },
)


def __getattr__(name: str) -> Any:
    if name == "odds":
        from importlib import import_module

        return import_module("croupier.odds")
    return _load(name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
