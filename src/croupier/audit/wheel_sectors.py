"""Sectors: neighbours on the ring that come up too often, or too rarely, together.

Every arc of two neighbours up to half the ring is looked at, and the furthest from a
fair wheel's share is held against the furthest of each of many fair wheels: so looking
at all arcs is paid for. The rest of the ring is the other side of the same arc.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from croupier.audit.wheel_chance import fair_statistics, monte_carlo, told
from croupier.audit.wheel_record import Plan, Real, WheelRecord, WheelTest, Whole
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class Arc:
    """Neighbours on the ring, from the first clockwise."""

    first: int
    length: int
    deviation: float
    """From what is expected, in standard deviations."""


def sectors(record: WheelRecord, plan: Plan) -> WheelTest:
    """The arc furthest from its share, and how rarely a fair wheel has such a one."""
    arc = furthest_arc(record.counts)
    numbers = arc_numbers(record, arc)
    drawn = fair_furthest(record.spins, record.compartments, plan)
    count = sum(int(record.counts[record.ring.index(number)]) for number in numbers)
    arcs = record.compartments * (record.compartments // 2 - 1)
    return WheelTest(
        "sectors of neighbours",
        abs(arc.deviation),
        monte_carlo(abs(arc.deviation), drawn),
        told(plan),
        f"all {arcs} arcs, by the greatest of each fair wheel",
        f"{' '.join(numbers)} came up {count:,} times together;"
        f" {record.expected * arc.length:.1f} are expected",
        numbers,
    )


def arc_numbers(record: WheelRecord, arc: Arc) -> tuple[Number, ...]:
    around = (*record.ring, *record.ring)
    return around[arc.first : arc.first + arc.length]


def furthest_arc(counts: Whole) -> Arc:
    """The arc whose count is furthest from its share."""
    table = deviations(counts[np.newaxis])[0]
    place = int(np.argmax(np.abs(table)))
    row, first = divmod(place, table.shape[1])
    return Arc(first, row + 2, float(table[row, first]))


@lru_cache(maxsize=8)
def fair_furthest(spins: int, compartments: int, plan: Plan) -> Real:
    """The deviation of the furthest arc of each fair wheel."""
    return fair_statistics(_furthest, (spins,), compartments, plan)


def _furthest(counts: Whole) -> Real:
    table = np.abs(deviations(counts[:, 0, :]))
    return np.asarray(table.max(axis=(1, 2)), dtype=np.float64)


def deviations(counts: Whole) -> Real:
    """By wheel, then by length from two, then by first place: standard deviations."""
    spins = counts.sum(axis=1)[:, np.newaxis]
    compartments = counts.shape[1]
    around = np.concatenate([counts, counts], axis=1)
    sums = np.concatenate(
        [np.zeros((len(counts), 1), np.int64), np.cumsum(around, axis=1)], axis=1
    )
    table = np.empty((len(counts), compartments // 2 - 1, compartments))
    for row, length in enumerate(range(2, compartments // 2 + 1)):
        share = length / compartments
        within = sums[:, length : length + compartments] - sums[:, :compartments]
        spread = np.sqrt(spins * share * (1 - share))
        table[:, row] = (within - spins * share) / spread
    return table
