"""Power: what bias so many outcomes would have shown, had it been there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, sqrt

import numpy as np

from croupier.audit.wheel_record import Plan, WheelRecord
from croupier.audit.wheel_sectors import fair_furthest
from croupier.audit.wheel_tails import at_least, least_above

SURELY = 0.9
"""A bias is said to be found where it is with this probability at least."""
SLIGHT = 0.2
"""The example that is told: so much more likely than on a fair wheel."""
NEIGHBOURS = 5


@dataclass(frozen=True, slots=True)
class Power:
    """How well one kind of bias would be found, by the test that looks for it."""

    what: str
    """`one number`, `5 neighbours`."""
    found: Callable[[float], float]
    """The probability that so great an excess is found."""
    greatest: float
    """The greatest excess that there can be: always there, nothing else."""

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


def powers(record: WheelRecord, plan: Plan, tests: int) -> tuple[Power, ...]:
    """For one number; for neighbours too, where the ring is known."""
    spins, compartments = record.spins, record.compartments
    level = plan.level / tests
    number = least_above(spins, 1 / compartments, level / compartments / 2)
    kinds = [("one number", 1, number)]
    if record.knows_ring:
        arc = _least_arc(record, plan, level)
        kinds.append((f"{NEIGHBOURS} neighbours", NEIGHBOURS, arc))
    return tuple(_power(record, *kind) for kind in kinds)


def _power(record: WheelRecord, what: str, length: int, least: int) -> Power:
    share = length / record.compartments
    greatest = 1 / share - 1

    def found(excess: float) -> float:
        if excess >= greatest:
            return float(least <= record.spins)
        return at_least(least, record.spins, share * (1 + excess))

    return Power(what, found, greatest)


def _least_arc(record: WheelRecord, plan: Plan, level: float) -> int:
    """The least count of so many neighbours that the sectors' test finds."""
    drawn = np.sort(fair_furthest(record.spins, record.compartments, plan))[::-1]
    allowed = floor(level * (len(drawn) + 1)) - 1
    if allowed < 0:
        return record.spins + 1
    share = NEIGHBOURS / record.compartments
    spread = sqrt(record.spins * share * (1 - share))
    return ceil(record.spins * share + float(drawn[allowed]) * spread)
