"""What a fair game gives a group of settled wagers, round by round."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tests.figures.oracle.chance import Likely
from tests.figures.oracle.games import Table
from tests.figures.oracle.settlement import Piece, settle, wins
from tests.figures.oracle.statistics import Floats

Spread = dict[int, Fraction]


@dataclass(frozen=True)
class Fair:
    """The distribution of a sum over rounds, and its exact moments."""

    first: int
    step: int
    chances: Floats
    mean: Fraction
    variance: Fraction

    def is_low(self, bound: float, tail: float) -> bool:
        """Say whether values below the bound are as rare as that, and no rarer."""
        return self._below(bound) <= tail + 1e-9 < self._below(bound + self.step) + 2e-9

    def is_high(self, bound: float, tail: float) -> bool:
        above = 1 - self._below(bound + self.step)
        return above <= tail + 1e-9 < 1 - self._below(bound) + 2e-9

    def encloses(self, low: float, high: float, tail: float) -> bool:
        """Say whether no more than the tail lies below the one or above the other."""
        above = 1 - self._below(high + self.step)
        return self._below(low) <= tail + 1e-9 and above <= tail + 1e-9

    def p_value(self, value: int) -> float:
        """Return twice the smaller tail: how often a sum is so far out, or further."""
        at_most = self._below(value + self.step)
        return min(1.0, 2 * min(at_most, 1 - self._below(value)))

    def _below(self, bound: float) -> float:
        if math.isinf(bound):
            return float(bound > 0)
        at = math.ceil((bound - self.first) / self.step - 1e-9)
        return float(self.chances[: max(0, at)].sum())


def win_of_a_round(table: Table, likely: Likely, pieces: Iterable[Piece]) -> Spread:
    """Return what the House wins in a round, with its probabilities."""
    listed = list(pieces)
    out: Counter[int] = Counter()
    for case, weight in likely.weights.items():
        rows = settle(table, listed, case)
        out[sum(row.collected - row.paid for row in rows)] += weight
    return {win: Fraction(weight, likely.whole) for win, weight in out.items()}


def hits_of_a_round(table: Table, likely: Likely, pieces: Iterable[Piece]) -> Spread:
    """Return how many places with chips at risk are paid in a round."""
    places = {piece.place for piece in pieces if piece.at_risk}
    out: Counter[int] = Counter()
    for case, weight in likely.weights.items():
        out[sum(wins(table, place, case) for place in places)] += weight
    return {hits: Fraction(weight, likely.whole) for hits, weight in out.items()}


def sum_over_rounds(spreads: Iterable[Spread]) -> Fair:
    """Convolve the rounds on the lattice of their values."""
    listed = [dict(spread) for spread in spreads]
    step = math.gcd(*(v - min(one) for one in listed for v in one)) or 1
    chances, first = np.ones(1), 0
    mean = variance = Fraction(0)
    for one in listed:
        least = min(one)
        here = np.zeros((max(one) - least) // step + 1)
        for value, chance in one.items():
            here[(value - least) // step] += float(chance)
        chances = _convolved(chances, here)
        first += least
        average = sum((v * p for v, p in one.items()), Fraction(0))
        mean += average
        variance += sum((v * v * p for v, p in one.items()), Fraction(0)) - average**2
    return Fair(first, step, chances, mean, variance)


def _convolved(sums: Floats, one: Floats) -> Floats:
    """Add one round: a shifted copy for each of its few values."""
    out = np.zeros(len(sums) + len(one) - 1)
    for shift in np.flatnonzero(one):
        out[shift : shift + len(sums)] += one[shift] * sums
    return out
