"""Intervals for each number and each sector, and what the Player would have of them.

An interval is Clopper and Pearson's, which holds whatever the wheel is like, at a level
divided by the number of intervals (Bonferroni): all of them hold at once at least as
often as is said, so that whichever stands out most may be read. The numbers are one
such family, the sectors another, and what came up since a change a third and a fourth.

The Player stakes the same on each of the numbers, straight up. What a straight up
brings back where it wins is taken from the odds of the game, so that a draw of Bonus
Numbers counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from croupier.lab.wheel.record import WheelRecord, WheelTest
from croupier.lab.wheel.single_tests import arc_lengths, ring_arc
from croupier.numeric.figure import BoundedValue
from croupier.numeric.probability import proportion_interval
from croupier.odds.wager_odds import odds_of
from croupier.rules.game import Game
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class NumbersInterval:
    """The probability of some numbers together, and the Player's edge on them."""

    numbers: tuple[Number, ...]
    count: int
    expected: float
    probability: BoundedValue
    edge: BoundedValue
    """Of each unit staked straight up on each of the numbers, what the Player gains."""


@dataclass(frozen=True, slots=True)
class WheelIntervals:
    """Two families of intervals; each family holds at once with `confidence`."""

    confidence: float
    numbers: tuple[NumbersInterval, ...]
    sectors: tuple[NumbersInterval, ...]
    """Every arc of neighbours, by length; none where the ring is not known."""


@lru_cache(maxsize=32)
def straight_up_return(game: Game) -> Fraction:
    """Return what comes back, on average, of a unit straight up that wins.

    The least of all numbers, should they differ.
    """
    fair = len(game.ring)
    return min(
        odds_of(game, f"straight_up:{number}").return_to_player * fair
        for number in game.numbers
    )


def worthwhile_excess(game: Game) -> float:
    """Return the excess from which on the Player has the edge, straight up."""
    return float(len(game.ring) / straight_up_return(game) - 1)


def wheel_intervals(record: WheelRecord, confidence: float) -> WheelIntervals:
    """Return the intervals of all numbers, and of all sectors."""
    numbers = [(number,) for number in record.ring]
    sectors = []
    if record.knows_ring:
        sectors = [
            ring_arc(record, first, length)
            for length in arc_lengths(record.compartments)
            for first in range(record.compartments)
        ]
    return WheelIntervals(
        confidence,
        _family(record, numbers, confidence),
        _family(record, sectors, confidence),
    )


def _family(
    record: WheelRecord, arcs: Sequence[tuple[Number, ...]], confidence: float
) -> tuple[NumbersInterval, ...]:
    """Return intervals of which all hold at once."""
    counts = dict(zip(record.ring, map(int, record.counts), strict=True))
    return tuple(
        _interval(
            record,
            numbers,
            (sum(counts[number] for number in numbers), record.spins),
            1 - (1 - confidence) / len(arcs),
        )
        for numbers in arcs
    )


def _interval(
    record: WheelRecord,
    numbers: tuple[Number, ...],
    count_of: tuple[int, int],
    level: float,
) -> NumbersInterval:
    count, spins = count_of
    low, high = proportion_interval(count, spins, level)
    brought = float(straight_up_return(record.game)) / len(numbers)
    share = count / spins
    return NumbersInterval(
        numbers,
        count,
        spins * len(numbers) / record.compartments,
        BoundedValue(share, low, high),
        BoundedValue(share * brought - 1, low * brought - 1, high * brought - 1),
    )


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Evidence that a test found, as an interval that pays for all its looks."""

    test: str
    since_outcome: int | None
    """The outcome, from 1, since which the numbers are counted; None: all of them."""
    interval: NumbersInterval


def suspicions(
    record: WheelRecord, tests: Sequence[WheelTest], confidence: float
) -> tuple[Suspicion, ...]:
    """Return what the tests suspect: each number by itself, a sector as one."""
    found = []
    for test in tests:
        if not test.named:
            continue
        level = 1 - (1 - confidence) / test.looks
        first = (test.since_outcome or 1) - 1
        arcs = [test.named] if test.is_together else [(each,) for each in test.named]
        for numbers in arcs:
            count_of = _counted_since(record, numbers, first)
            interval = _interval(record, numbers, count_of, level)
            found.append(Suspicion(test.name, test.since_outcome, interval))
    return tuple(found)


def _counted_since(
    record: WheelRecord, numbers: Sequence[Number], first: int
) -> tuple[int, int]:
    """Return how often any of them came up from a place on, and out of how many."""
    count = record.count_of(numbers, first)
    return count, record.spins - first
