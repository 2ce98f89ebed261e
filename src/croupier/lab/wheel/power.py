"""The power of so many outcomes, and the bias that would be worth exploiting.

A bias is an excess: how much more likely a number, or each of some neighbours, is than
on a fair wheel. It is found by the test that looks for it, at the level that is left to
that test once all tests are paid for.
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
"""A bias is said to be found where it is with this probability at least."""
SLIGHT = 0.2
"""The example that is told: so much more likely than on a fair wheel."""
_NEIGHBOURS = 5
_MANY_OUTCOMES = 100_000
"""From so many on, what sectors of fair wheels come to does not change any more."""
_MOST_OUTCOMES = 10**12
"""So many will never be recorded: no more are said to be needed."""


@dataclass(frozen=True, slots=True)
class Power:
    """The power to find one kind of bias, by the test that looks for it."""

    what: str
    """`one number`, `5 neighbours`."""
    found: Callable[[float], float]
    """The probability that so great an excess is found."""
    greatest: float
    """The greatest excess that there can be: always there, nothing else."""
    needed: Callable[[float], int | None]
    """How many outcomes surely find so great an excess; None where it is too many."""

    @property
    def smallest(self) -> float | None:
        """The smallest excess that is surely found; None where none is."""
        if self.found(self.greatest) < SURELY:
            return None
        low, high = 0.0, self.greatest
        while high - low > 0.0005:
            middle = (low + high) / 2
            if self.found(middle) >= SURELY:
                high = middle
            else:
                low = middle
        return high


def powers(record: WheelRecord, plan: CheckPlan, level: float) -> tuple[Power, ...]:
    """Return the power for one number; for neighbours too, where the ring is known.

    `level` is what is left to one test.
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
    """Return what gives the least count of neighbours that is so far."""
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
    """Return the power of a test that finds these counts at least."""
    share = length / record.compartments
    greatest = 1 / share - 1
    # Of fewer outcomes nothing is tested, and nothing found.
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
    """Return from which deviation on the sectors' test finds an arc."""
    drawn = np.sort(fair_furthest(spins, compartments, plan))[::-1]
    allowed = floor(level * (len(drawn) + 1)) - 1
    if allowed >= 0:
        return float(drawn[allowed])
    # Beyond what can be drawn the bound decides.
    low, high = float(drawn[0]), sqrt(spins * compartments)
    while high - low > 1e-6:
        middle = (low + high) / 2
        if furthest_bound(middle, spins, compartments) <= level:
            high = middle
        else:
            low = middle
    return high


def times_in(probability: float) -> str:
    """Say how often, in words: `one time in ten`, `nine times in ten`."""
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


_WORDS = {
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
}
