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
    found: Callable[[float], float]
    """The probability that an excess is found."""
    greatest: float
    """The excess of numbers that come up in every round."""
    needed: Callable[[float], int | None]
    """The outcomes needed to find an excess surely; None if too many."""

    @property
    def smallest(self) -> float | None:
        """The smallest excess found with probability `SURELY`; None if none is."""
        if self.found(self.greatest) < SURELY:
            return None
        return _least(lambda e: self.found(e) >= SURELY, 0.0, self.greatest, 0.0005)


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

    `level` is that of one test, after the correction.
    """
    compartments = record.compartments

    def least_count(spins: int) -> int:
        return least_above(spins, 1 / compartments, level / compartments / 2)

    kinds = [_power(record, "one number", 1, least_count, least_count)]
    if record.knows_ring:
        least_arc, least_of_many = (
            _least_arc(compartments, _sure_deviation(spins, compartments, plan, level))
            for spins in (record.spins, _MANY_OUTCOMES)
        )
        what = f"{_NEIGHBOURS} neighbours"
        kinds.append(_power(record, what, _NEIGHBOURS, least_arc, least_of_many))
    return tuple(kinds)


def _least_arc(compartments: int, deviation: float) -> Callable[[int], int]:
    """Return a function of spins: the least count of neighbours that deviates so."""
    share = _NEIGHBOURS / compartments

    def least(spins: int) -> int:
        return ceil(spins * share + deviation * sqrt(spins * share * (1 - share)))

    return least


def _power(
    record: WheelRecord,
    what: str,
    length: int,
    least: Callable[[int], int],
    least_of_many: Callable[[int], int],
) -> Power:
    """Return the power of a test that finds counts from `least(spins)` up."""
    share = length / record.compartments
    greatest = 1 / share - 1
    # Fewer outcomes are not tested.
    is_tested = record.spins >= LEAST_OUTCOMES
    least_now = least(record.spins) if is_tested else record.spins + 1

    def found(excess: float) -> float:
        if excess >= greatest:
            return float(least_now <= record.spins)
        return at_least(least_now, record.spins, share * (1 + excess))

    def finds(spins: int, excess: float) -> bool:
        chance = min(share * (1 + excess), 1.0)
        return at_least(least_of_many(spins), spins, chance) >= SURELY

    def needed(excess: float) -> int | None:
        high = LEAST_OUTCOMES
        while not finds(high, excess):
            high *= 2
            if high > _MOST_OUTCOMES:
                return None
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if finds(middle, excess) else (middle, high)
        return high

    return Power(what, found, greatest, needed)


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
