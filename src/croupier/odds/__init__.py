"""Exact odds: every wager, every layout of chips, every session, in fractions.

    >>> from croupier.odds import odds_of
    >>> odds_of("mbs-roulette-v3", "red").house_edge
    Fraction(1, 37)

Names are loaded when they are first used: a sheet needs no sessions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.odds.bands import BandMethod, ReturnBand, volatility_index
    from croupier.odds.chips import Chips, round_result
    from croupier.odds.distribution import Distribution
    from croupier.odds.exposure import (
        Exposure,
        Liability,
        NoBound,
        exposure_of,
        maximum_liability,
    )
    from croupier.odds.model import Model, model_of
    from croupier.odds.optimal import BestPlay, best_play
    from croupier.odds.sessions import SessionError, SessionResult, session
    from croupier.odds.sheet import ParSheet, par_sheet
    from croupier.odds.wager_odds import (
        Correlation,
        Odds,
        correlation,
        layout_odds,
        odds_of,
    )
    from croupier.odds.what_if import WhatIfError, read_what_if

__all__ = [
    "BandMethod",
    "BestPlay",
    "Chips",
    "Correlation",
    "Distribution",
    "Exposure",
    "Liability",
    "Model",
    "NoBound",
    "Odds",
    "ParSheet",
    "ReturnBand",
    "SessionError",
    "SessionResult",
    "WhatIfError",
    "best_play",
    "correlation",
    "exposure_of",
    "layout_odds",
    "maximum_liability",
    "model_of",
    "odds_of",
    "par_sheet",
    "read_what_if",
    "round_result",
    "session",
    "volatility_index",
]

_HOMES = {
    "ReturnBand": "croupier.odds.bands",
    "BestPlay": "croupier.odds.optimal",
    "Chips": "croupier.odds.chips",
    "Correlation": "croupier.odds.wager_odds",
    "Distribution": "croupier.odds.distribution",
    "Exposure": "croupier.odds.exposure",
    "Liability": "croupier.odds.exposure",
    "BandMethod": "croupier.odds.bands",
    "Model": "croupier.odds.model",
    "NoBound": "croupier.odds.exposure",
    "Odds": "croupier.odds.wager_odds",
    "ParSheet": "croupier.odds.sheet",
    "SessionError": "croupier.odds.sessions",
    "SessionResult": "croupier.odds.sessions",
    "WhatIfError": "croupier.odds.what_if",
    "best_play": "croupier.odds.optimal",
    "correlation": "croupier.odds.wager_odds",
    "exposure_of": "croupier.odds.exposure",
    "layout_odds": "croupier.odds.wager_odds",
    "maximum_liability": "croupier.odds.exposure",
    "model_of": "croupier.odds.model",
    "odds_of": "croupier.odds.wager_odds",
    "par_sheet": "croupier.odds.sheet",
    "read_what_if": "croupier.odds.what_if",
    "round_result": "croupier.odds.chips",
    "session": "croupier.odds.sessions",
    "volatility_index": "croupier.odds.bands",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return list(__all__)
