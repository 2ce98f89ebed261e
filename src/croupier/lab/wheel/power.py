"""The power of a number of outcomes, and the bias that would be worth exploiting.

A bias is an excess: the factor, less 1, by which a number or each of some neighbours is
more likely than on a fair wheel. Its test works at the level that remains after the
correction for all tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, sqrt

import numpy as np

from croupier.lab.wheel.record import LEAST_OUTCOMES, CheckPlan, WheelRecord
from croupier.lab.wheel.single_tests import fair_furthest, furthest_bound
from croupier.numeric.probability import at_least, least_above

SURELY = 0.9
"""A bias counts as found if its test finds it with this probability or more."""
SLIGHT = 0.2
"""The excess of the example in the text."""
_NEIGHBOURS = 5
_MANY_OUTCOMES = 100_000
"""With this many outcomes, the sectors' statistic of a fair wheel has its limit."""
_MOST_OUTCOMES = 10**12
"""No record has more."""


@dataclass(frozen=True, slots=True)
class Power:
    """The power of a test to find one kind of bias."""

    what: str
    """`one number`, `5 neighbours`."""
    spins: int
    share: float
    """The probability of these numbers on a fair wheel."""
    least: int
    """The least count that the test finds."""
    least_of: Callable[[int], int]
    """The same for other numbers of outcomes."""

    @property
    def greatest(self) -> float:
        """The excess of numbers that come up in every round."""
        return 1 / self.share - 1

    @property
    def smallest(self) -> float | None:
        """The smallest excess found with probability `SURELY`; None if none is."""
        if self.found(self.greatest) < SURELY:
            return None
        return _least(lambda e: self.found(e) >= SURELY, 0.0, self.greatest, 0.0005)

    def found(self, excess: float) -> float:
        """Return the probability that an excess is found."""
        if excess >= self.greatest:
            return float(self.least <= self.spins)
        return at_least(self.least, self.spins, self.share * (1 + excess))

    def needed(self, excess: float) -> int | None:
        """Return the outcomes needed to find an excess surely; None if too many."""
        chance = min(self.share * (1 + excess), 1.0)

        def finds(spins: int) -> bool:
            return at_least(self.least_of(spins), spins, chance) >= SURELY

        high = LEAST_OUTCOMES
        while not finds(high):
            high *= 2
            if high > _MOST_OUTCOMES:
                return None
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if finds(middle) else (middle, high)
        return high


def _least(
    holds: Callable[[float], bool], low: float, high: float, apart: float
) -> float:
    """Return the least value for which `holds`, to within `apart`, by bisection."""
    while high - low > apart:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def powers(record: WheelRecord, plan: CheckPlan, level: float) -> tuple[Power, ...]:
    """Return the power for one number, and for neighbours if the ring is known.

    `level` is that of one test, after the correction. Too few outcomes are not tested.
    """
    compartments, spins = record.compartments, record.spins
    is_tested = spins >= LEAST_OUTCOMES

    def least_count(spins: int) -> int:
        return least_above(spins, 1 / compartments, level / compartments / 2)

    least = least_count(spins) if is_tested else spins + 1
    kinds = [Power("one number", spins, 1 / compartments, least, least_count)]
    if record.knows_ring:
        least_arc, least_of_many = (
            _least_arc(compartments, _sure_deviation(some, compartments, plan, level))
            for some in (spins, _MANY_OUTCOMES)
        )
        least = least_arc(spins) if is_tested else spins + 1
        what, share = f"{_NEIGHBOURS} neighbours", _NEIGHBOURS / compartments
        kinds.append(Power(what, spins, share, least, least_of_many))
    return tuple(kinds)


def _least_arc(compartments: int, deviation: float) -> Callable[[int], int]:
    """Return a function of spins: the least count of neighbours that deviates so."""
    share = _NEIGHBOURS / compartments

    def least(spins: int) -> int:
        return ceil(spins * share + deviation * sqrt(spins * share * (1 - share)))

    return least


def _sure_deviation(
    spins: int, compartments: int, plan: CheckPlan, level: float
) -> float:
    """Return the least deviation of an arc that the sectors' test finds."""
    drawn = np.sort(fair_furthest(spins, compartments, plan))[::-1]
    allowed = floor(level * (len(drawn) + 1)) - 1
    if allowed >= 0:
        return float(drawn[allowed])

    def is_found(deviation: float) -> bool:
        return furthest_bound(deviation, spins, compartments) <= level

    # Beyond the drawn wheels the bound decides.
    return _least(is_found, float(drawn[0]), sqrt(spins * compartments), 1e-6)


def times_in(probability: float) -> str:
    """Return a probability in words: `one time in ten`, `nine times in ten`."""
    if probability < 0.005:
        return "hardly ever"
    if probability > 0.995:
        return "almost always"
    if probability <= 0.5:
        times = round(1 / probability)
        return f"one time in {_WORDS.get(times, f'{times:,}')}"
    tenths = round(probability * 10)
    if tenths == 10:
        return f"{round(probability * 100)} times in a hundred"
    return f"{_WORDS[tenths]} times in ten"


_NUMERALS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS = dict(enumerate(_NUMERALS, 2))
