"""Flat play on an even chance, by the formulas of the gambler's ruin.

A unit is won with p and lost with q, and r = q / p. From a units, between 0 and n, the
n are reached with the probability (r**a - 1) / (r**n - 1), and it takes
(a - n * that) / (q - p) rounds on average.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from tests.figures.oracle.statistics import Floats, binomial


class Ruin(NamedTuple):
    """How likely the target is, and the expected number of rounds, in many digits."""

    reached: Decimal
    rounds: Decimal


def gamblers_ruin(p: Fraction, units: int, target: int) -> Ruin:
    with localcontext() as context:
        context.prec = 60
        context.Emin, context.Emax = -(10**12), 10**12
        win = Decimal(p.numerator) / p.denominator
        ratio = Decimal(p.denominator - p.numerator) / p.numerator
        reached = (ratio**units - 1) / (ratio**target - 1)
        rounds = (units - target * reached) / (1 - 2 * win)
        return Ruin(+reached, +rounds)


def ahead_after(p: Fraction, rounds: int) -> float:
    """Return the probability to win more rounds than are lost, if nothing ends play."""
    first, chances = binomial(rounds, float(p))
    wins = first + np.arange(len(chances))
    return float(chances[2 * wins > rounds].sum())


def walk(p: Fraction, units: int, target: int, rounds: int) -> tuple[float, float]:
    """Return the probabilities of target and ruin within this number of rounds."""
    chances: Floats = np.zeros(target + 1)
    chances[units] = 1.0
    reached = ruined = 0.0
    for _ in range(rounds):
        won, lost = chances[1:target] * float(p), chances[1:target] * float(1 - p)
        chances = np.zeros(target + 1)
        chances[2:] += won
        chances[: target - 1] += lost
        reached += float(chances[target])
        ruined += float(chances[0])
        chances[0] = chances[target] = 0.0
    return reached, ruined
