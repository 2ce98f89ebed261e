"""Bands: within what the return lies after many rounds of the same wager.

The ends of a band are the true quantiles, as far as they are quick to find and beyond
doubt: of a binomial distribution where a wager has two results, of a convolution where
it has more. Beyond that they are normal quantiles, bent by the exact skewness after
Cornish and Fisher: an approximation. Each band says which of the three it is.
"""

from __future__ import annotations

from enum import Enum, unique
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from msgspec import Struct

from croupier.numeric.probability import standard_score
from croupier.odds.distribution import Distribution
from croupier.odds.quantiles import sum_quantile

LEVELS = (90, 95, 99)
"""Per cent of all such spells of play that end inside the band."""
ROUNDS = tuple(10**power for power in range(3, 8))
_SCORES = {90: 1.6448536269514715, 95: 1.9599639845400536, 99: 2.5758293035489}
"""The normal quantile above which half of what a level leaves out lies."""
_ENDS = {
    level: (Fraction(100 - level, 200), Fraction(100 + level, 200)) for level in LEVELS
}
"""Of all such spells of play, the parts that end below each end of a band."""


@unique
class BandMethod(Enum):
    """The method by which a band was found."""

    BINOMIAL = "binomial"
    CONVOLUTION = "convolution"
    CORNISH_FISHER = "Cornish-Fisher"


class ReturnBand(
    Struct,
    frozen=True,
    rename={"level": "level_percent", "low": "return_low", "high": "return_high"},
):
    """The return after so many rounds: below `low` as rarely as above `high`."""

    rounds: int
    level: int
    low: float
    high: float
    method: BandMethod


def volatility_index(net: Distribution, level: int = 90) -> float:
    """Return the level's normal quantile times the standard deviation of a unit."""
    score = _SCORES[level] if level in _SCORES else standard_score(level / 100)
    return score * net.standard_deviation


@lru_cache(maxsize=128)
def bands_of(net: Distribution) -> tuple[ReturnBand, ...]:
    """Return a band for each number of rounds and level; `net` is for a stake of 1."""
    return tuple(_band(net, rounds, level) for rounds in ROUNDS for level in LEVELS)


def _band(net: Distribution, rounds: int, level: int) -> ReturnBand:
    low, high = (sum_quantile(net, rounds, below) for below in _ENDS[level])
    if low is not None and high is not None:
        two = len(net.values) == 2
        method = BandMethod.BINOMIAL if two else BandMethod.CONVOLUTION
        least, most = (float(1 + end / rounds) for end in (low, high))
        return ReturnBand(rounds, level, least, most, method)
    score = _SCORES[level]
    least, most = sorted(bent_return(net, rounds, each) for each in (-score, score))
    return ReturnBand(rounds, level, least, most, BandMethod.CORNISH_FISHER)


def bent_return(net: Distribution, rounds: int, score: float) -> float:
    """Return the normal quantile, corrected for skewness, within what can be."""
    bent = score + (score * score - 1) * net.skewness / sqrt(rounds) / 6
    found = float(net.mean) + bent * net.standard_deviation / sqrt(rounds)
    return 1 + min(max(found, float(net.least)), float(net.greatest))
