"""Intervals for the probability of each number and sector, and the Player's edge.

An interval is Clopper and Pearson's, which holds for any wheel, at a level divided by
the number of intervals (Bonferroni). So all of them hold together at least as often as
stated, and a reader may pick the most conspicuous one. The numbers are one such family,
the sectors another; the counts since a change are a third and a fourth.

The Player stakes the same on each of the numbers, straight up. The return of a winning
straight up comes from the odds of the game, so a draw of Bonus Numbers counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from croupier.lab.wheel.record import WheelRecord, WheelTest
from croupier.lab.wheel.single_tests import arc_lengths, ring_arc
from croupier.numeric.figure import BoundedValue
from croupier.numeric.probability import proportion_interval
from croupier.odds.wager_odds import odds_of
from croupier.rules.game import Game
from croupier.rules.wheel import Number
from croupier.tabular import data_frame


@dataclass(frozen=True, slots=True)
class NumbersInterval:
    """The probability of some numbers together, and the Player's edge on them."""

    numbers: tuple[Number, ...]
    count: int
    expected: float
    probability: BoundedValue
    edge: BoundedValue
    """The Player's gain for each unit staked straight up on each of the numbers."""


@dataclass(frozen=True, slots=True)
class WheelIntervals:
    """Two families of intervals; each family holds at once with `confidence`."""

    confidence: float
    numbers: tuple[NumbersInterval, ...]
    sectors: tuple[NumbersInterval, ...]
    """Every arc of neighbours, by length; none if the ring is not known."""

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each number, then for each sector."""
        return data_frame(
            {
                "numbers": " ".join(each.numbers),
                "count": each.count,
                "expected": each.expected,
                **{f"probability_{k}": v for k, v in asdict(each.probability).items()},
                **{f"edge_{k}": v for k, v in asdict(each.edge).items()},
            }
            for each in (*self.numbers, *self.sectors)
        )


@lru_cache(maxsize=32)
def straight_up_return(game: Game) -> Fraction:
    """Return the mean return of a winning unit straight up: the least of any number."""
    fair = len(game.ring)
    return min(
        odds_of(game, f"straight_up:{number}").return_to_player * fair
        for number in game.numbers
    )


def worthwhile_excess(game: Game) -> float:
    """Return the excess above which the Player has the edge, straight up."""
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
    """Return intervals that all hold together."""
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
    """A test's evidence as an interval, corrected for all places it looked at."""

    test: str
    since_outcome: int | None
    """The first outcome that is counted, from 1; None if all are."""
    interval: NumbersInterval


def suspicions(
    record: WheelRecord, tests: Sequence[WheelTest], confidence: float
) -> tuple[Suspicion, ...]:
    """Return the evidence of the tests: one suspicion for a number or a sector."""
    found = []
    for test in tests:
        if not test.named:
            continue
        level = 1 - (1 - confidence) / test.looks
        first = (test.since_outcome or 1) - 1
        arcs = [test.named] if test.is_together else [(each,) for each in test.named]
        for numbers in arcs:
            count_of = record.count_of(numbers, first), record.spins - first
            interval = _interval(record, numbers, count_of, level)
            found.append(Suspicion(test.name, test.since_outcome, interval))
    return tuple(found)
