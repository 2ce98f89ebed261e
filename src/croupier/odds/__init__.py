"""Exact odds: every wager, every layout of chips, in fractions.

>>> from croupier.odds import odds_of
>>> odds_of("mbs-roulette-v3", "red").house_edge
Fraction(1, 37)
"""

from croupier.odds.bands import Band, Method, volatility_index
from croupier.odds.chips import Chips, round_result
from croupier.odds.distribution import Distribution
from croupier.odds.exposure import Exposure, exposure_of
from croupier.odds.figures import Odds
from croupier.odds.liability import Liability, NoBound, maximum_liability
from croupier.odds.model import Model, model_of
from croupier.odds.optimal import BestPlay, best_play
from croupier.odds.reckoning import Correlation, correlation, layout_odds, odds_of
from croupier.odds.sessions import SessionError, SessionResult, session
from croupier.odds.sheet import ParSheet, par_sheet
from croupier.odds.what_if import WhatIfError, read_what_if

__all__ = [
    "Band",
    "BestPlay",
    "Chips",
    "Correlation",
    "Distribution",
    "Exposure",
    "Liability",
    "Method",
    "Model",
    "NoBound",
    "Odds",
    "ParSheet",
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
