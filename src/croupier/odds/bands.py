"""Bands in which the return lies after many rounds of the same wager.

The ends of a band are true quantiles if they are quick to find and certain: of a
binomial distribution if the wager has two results, of a convolution if it has more.
Otherwise they are normal quantiles, corrected by the exact skewness after Cornish and
Fisher: an approximation. Each band names its method.
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
"""Per cent of all spells of play with a return inside the band."""
ROUNDS = tuple(10**power for power in range(3, 8))
_SCORES = {90: 1.6448536269514715, 95: 1.9599639845400536, 99: 2.5758293035489}
"""Normal quantiles: half of the rest of a level lies above each."""
_ENDS = {
    level: (Fraction(100 - level, 200), Fraction(100 + level, 200)) for level in LEVELS
}
"""The probabilities below the lower and the upper end of a band."""


@unique
class BandMethod(Enum):
    BINOMIAL = "binomial"
    CONVOLUTION = "convolution"
    CORNISH_FISHER = "Cornish-Fisher"


class ReturnBand(
    Struct,
    frozen=True,
    rename={"level": "level_percent", "low": "return_low", "high": "return_high"},
):
    """The return after `rounds`; below `low` and above `high` are equally likely."""

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
    """Return the normal quantile, corrected for skewness, within the possible range."""
    bent = score + (score * score - 1) * net.skewness / sqrt(rounds) / 6
    found = float(net.mean) + bent * net.standard_deviation / sqrt(rounds)
    return 1 + min(max(found, float(net.least)), float(net.greatest))
