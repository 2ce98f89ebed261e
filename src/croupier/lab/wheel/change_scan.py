"""A scan for a change: every number, or every sector, before and after every moment.

How far a number is ahead of its even share varies most halfway. Sectors are weighed by
the moment for that: by a power of what has passed times what is to come. The power lies
between that of a plain cumulative sum, 0, which hardly sees a late change, and 1/2,
which sees one in the middle worst; `benchmarks/wheel_changes.py` compares. Numbers are
not weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from croupier.batch.compiled import Floats, Integers
from croupier.lab.wheel.monte_carlo import Timeline
from croupier.lab.wheel.record import WheelRecord
from croupier.lab.wheel.single_tests import arc_lengths

_MOMENTS = 40
"""The moments at which a change is looked for cut the record into so many parts."""
_LATE = 0.4
"""The power by which sectors are weighed, see above."""


def moment_edges(record: WheelRecord) -> Integers:
    """Return the moments of a change, between the begin and the end of the record."""
    parts = min(_MOMENTS, record.spins)
    return record.spins * np.arange(parts + 1) // parts


@dataclass(frozen=True, slots=True)
class FoundChange:
    """The furthest change that a scan found."""

    first: int
    """The place of its first number on the ring."""
    length: int
    moment: int
    """Which of the moments between the edges, from 0."""
    deviation: float


@dataclass(frozen=True, slots=True, eq=False)
class ChangeScan:
    """A search through the moments for numbers, or arcs, that changed."""

    name: str
    lengths: Sequence[int]
    totals: Integers
    edges: Integers
    weight: float

    @property
    def spins(self) -> int:
        return int(self.edges[-1])

    @property
    def arc_count(self) -> int:
        """The count of arcs that are looked at, each at every moment."""
        return len(self.lengths) * len(self.totals)

    def arcs(self, values: Integers, length: int) -> Integers:
        """Return sums over so many neighbours, by the first of them."""
        around = np.concatenate([values, values[: length - 1]])
        sums = np.cumsum(around, axis=0)
        sums[length:] -= sums[:-length].copy()
        return np.asarray(sums[length - 1 :])

    def spread(self, length: int) -> Floats:
        """Return the root of the variance that the arcs' totals give them."""
        totals = self.arcs(self.totals, length)
        variance = totals * (1 - totals / self.spins)
        return np.sqrt(np.maximum(variance, 1.0))

    def _weights(self) -> Floats:
        """Return what deviations are weighed by, at each moment inside."""
        passed = self.edges[1:-1] / self.spins
        return np.asarray((passed * (1 - passed)) ** -self.weight)

    def sums(self, orders: Timeline) -> Floats:
        """Return how far the numbers up to each are ahead of their share, weighed."""
        passed = self.edges[1:-1]
        share = np.multiply.outer(self.totals, passed)[:, :, np.newaxis]
        # In whole numbers: all numbers together are ahead by nothing.
        whole = np.cumsum(orders[:, 1:-1] * self.spins - share, axis=0)
        weights = self._weights() / self.spins
        return np.asarray(whole * weights[:, np.newaxis])

    def apart(self, sums: Floats, length: int) -> Floats:
        """Return how far arcs are ahead, by first number, moment and order."""
        ahead = np.roll(sums, 1 - length, axis=0)
        ahead -= np.roll(sums, 1, axis=0)
        return ahead

    def of_orders(self, orders: Timeline) -> Floats:
        """Return the furthest deviation of each order."""
        sums = self.sums(orders)
        furthest = np.zeros(orders.shape[2])
        for length in self.lengths:
            apart = self.apart(sums, length)
            np.abs(apart, out=apart)
            of_arcs = apart.max(axis=1) / self.spread(length)[:, np.newaxis]
            np.maximum(furthest, of_arcs.max(axis=0), out=furthest)
        return furthest

    def deviations(self, timeline: Timeline, length: int) -> Floats:
        """Return the record's own deviations, by first number and moment."""
        apart = self.apart(self.sums(timeline), length)[:, :, 0]
        return np.asarray(apart / self.spread(length)[:, np.newaxis])

    def furthest(self, timeline: Timeline) -> FoundChange:
        """Return the furthest of all changes in the record."""
        found = FoundChange(0, self.lengths[0], 0, 0.0)
        for length in self.lengths:
            table = self.deviations(timeline, length)
            first, moment = divmod(int(np.argmax(np.abs(table))), table.shape[1])
            deviation = float(table[first, moment])
            if abs(deviation) > abs(found.deviation):
                found = FoundChange(first, length, moment, deviation)
        return found

    def bound(self, seen: float) -> float:
        """Return a bound of the p-value: all arcs' and moments' tails, added up."""
        passed = self.edges[1:-1]
        share = passed / self.spins
        total = 0.0
        for length in self.lengths:
            of_arcs = self.arcs(self.totals, length)[:, np.newaxis]
            # A little less than was seen: rounding must not make the bound too small.
            far = seen * (1 - 1e-9) * self.spread(length)[:, np.newaxis]
            reach = far / self._weights()
            for sign in (1, -1):
                # From the other side it is the rest of the wheel that is ahead.
                counted = of_arcs if sign > 0 else self.spins - of_arcs
                least = np.ceil(counted * share + reach - 1e-6).astype(np.int64)
                total += float(_drawn_tail(least, passed, counted, self.spins).sum())
        return min(total, 1.0)


def _drawn_tail(
    least: Integers, drawn: Integers, counted: Integers, spins: int
) -> Floats:
    """Bound the chance that so many of `counted` are among `drawn`, of all spins.

    From its first term on the tail falls at least as fast as a geometric series.
    """
    from scipy.special import gammaln  # type: ignore[import-untyped]

    def ways(of: Integers, chosen: Integers) -> Floats:
        return np.asarray(
            gammaln(of + 1.0) - gammaln(chosen + 1.0) - gammaln(of - chosen + 1.0)
        )

    whole = np.asarray(spins)
    can_be = (least <= counted) & (least <= drawn)
    some = np.where(can_be, least, np.minimum(counted, drawn))
    rest = whole - counted
    first = np.exp(ways(counted, some) + ways(rest, drawn - some) - ways(whole, drawn))
    ratio = (
        (counted - some) * (drawn - some) / ((some + 1.0) * (rest - drawn + some + 1))
    )
    falls = ratio < 1
    tail = first / np.where(falls, 1 - ratio, 1)
    # Where the tail does not fall yet it begins below the middle: then it is no bound.
    return np.where(can_be, np.where(falls, np.minimum(tail, 1.0), 1.0), 0.0)


def number_scan(record: WheelRecord) -> ChangeScan:
    """Look for one number that changed."""
    return ChangeScan("one change", (1,), record.counts, moment_edges(record), 0.0)


def sector_scan(record: WheelRecord) -> ChangeScan:
    """Look for an arc of neighbours that changed."""
    lengths = arc_lengths(record.compartments)
    return ChangeScan(
        "one change of a sector", lengths, record.counts, moment_edges(record), _LATE
    )
