"""Exact odds: every wager, every layout of chips, in fractions."""

from croupier.odds.chips import Chips, round_result
from croupier.odds.distribution import Distribution
from croupier.odds.model import Model, model_of

__all__ = ["Chips", "Distribution", "Model", "model_of", "round_result"]
