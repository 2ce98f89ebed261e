"""Bands: within what the return lies after many rounds of the same wager.

A wager with two results is counted out: the wins are binomial, and the band's ends
are the true quantiles. Terms are float64 and so are their sums, but a quantile is a
whole number of wins, and it is given only where the sums leave no doubt about it. A
wager with more results is convolved, as far as that is quick, and its band's ends are
true quantiles too. Beyond that they are normal quantiles, bent by the exact skewness
after Cornish and Fisher: an approximation. Each band says which of the three it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from croupier.odds.distribution import Distribution
from croupier.odds.probability import binomial_quantile, sum_quantile

LEVELS = (90, 95, 99)
"""Per cent of all such spells of play that end inside the band."""
ROUNDS = tuple(10**power for power in range(3, 8))
_NORMAL = NormalDist()


@unique
class BandMethod(Enum):
    """How a band was found."""

    BINOMIAL = "binomial"
    CONVOLUTION = "convolution"
    CORNISH_FISHER = "Cornish-Fisher"


@dataclass(frozen=True, slots=True)
class ReturnBand:
    """The return after so many rounds: below `low` as rarely as above `high`."""

    rounds: int
    level: int
    low: float
    high: float
    method: BandMethod


def volatility_index(net: Distribution, level: int = 90) -> float:
    """Return the level's normal quantile times the standard deviation of a unit."""
    return _NORMAL.inv_cdf(0.5 + level / 200) * net.standard_deviation


@lru_cache(maxsize=128)
def bands_of(net: Distribution) -> tuple[ReturnBand, ...]:
    """Return a band for each number of rounds and level; `net` is for a stake of 1."""
    return tuple(_band(net, rounds, level) for rounds in ROUNDS for level in LEVELS)


def _band(net: Distribution, rounds: int, level: int) -> ReturnBand:
    tail = Fraction(100 - level, 200)
    for method, quantile in (
        (BandMethod.BINOMIAL, _binomial_return),
        (BandMethod.CONVOLUTION, _convolved_return),
    ):
        low, high = quantile(net, rounds, tail), quantile(net, rounds, 1 - tail)
        if low is not None and high is not None:
            return ReturnBand(rounds, level, float(low), float(high), method)
    low_end, high_end = sorted(
        _bent_return(net, rounds, float(below)) for below in (tail, 1 - tail)
    )
    return ReturnBand(rounds, level, low_end, high_end, BandMethod.CORNISH_FISHER)


def _binomial_return(
    net: Distribution, rounds: int, below: Fraction
) -> Fraction | None:
    """Return the quantile of the return; None where there are not just two results."""
    if len(net.values) != 2:
        return None
    lose, win = net.values
    wins = binomial_quantile(rounds, net.probabilities[1], below)
    if wins is None:
        return None
    return 1 + (wins * win + (rounds - wins) * lose) / Fraction(rounds)


def _convolved_return(
    net: Distribution, rounds: int, below: Fraction
) -> Fraction | None:
    """Return the quantile of the return; None if it takes too long or is in doubt."""
    if len(net.values) < 2:
        return None
    quantile = sum_quantile(net, rounds, below)
    return None if quantile is None else 1 + Fraction(quantile) / rounds


def _bent_return(net: Distribution, rounds: int, below: float) -> float:
    """Return the normal quantile, corrected for skewness, within what can be."""
    z = _NORMAL.inv_cdf(below)
    bent = z + (z * z - 1) * net.skewness / sqrt(rounds) / 6
    found = float(net.mean) + bent * net.standard_deviation / sqrt(rounds)
    return 1 + min(max(found, float(net.least)), float(net.greatest))
