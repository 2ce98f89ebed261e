"""Tests for drift: a wheel that changes over time, or at some moment.

A record is compared with random orders of itself, not with a fair wheel: a constant
bias is not a drift, and the p-value is right under any bias.

A scan looks for a change of every number, or of every sector, at every moment. A
number's lead over its even share varies most in the middle of the record. So the leads
of sectors are weighed by a power of p·(1 - p), where p is the part of the record so
far. Power 0, a plain cumulative sum, hardly sees a late change; power 1/2 is worst for
a change in the middle. The power here lies between; `benchmarks/wheel_changes.py`
compares them. Numbers are not weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from croupier.batch.compiled import Floats, Integers
from croupier.lab.wheel.monte_carlo import (
    FoundChance,
    OrderStatistic,
    Timeline,
    order_chances,
)
from croupier.lab.wheel.record import CheckPlan, WheelRecord, WheelTest
from croupier.lab.wheel.single_tests import LEAST_EXPECTED, arc_lengths, ring_arc
from croupier.numeric.probability import chi_square_tail
from croupier.tabular.figures import counted

_MOST_BLOCKS = 10
_MOMENTS = 40
"""The moments tried for a change divide the record into this number of parts."""
_LATE = 0.4
"""The power that weighs sectors: see the module's docstring."""


def drift_tests(record: WheelRecord, plan: CheckPlan) -> list[WheelTest]:
    """Test for differing blocks, for a changed number and for a changed sector."""
    count = max(2, min(_MOST_BLOCKS, int(record.expected // LEAST_EXPECTED)))
    blocks, moments = _edges(record, count), _moment_edges(record)
    edges = np.union1d(blocks, moments)
    timeline = counts_until(record, edges)
    unlike = unlike_statistic(timeline, np.searchsorted(edges, blocks))
    scans = [number_scan(record)]
    if record.knows_ring:
        scans.append(sector_scan(record))
    places = np.searchsorted(edges, moments)
    statistics = [scan.statistic(timeline[:, places], places) for scan in scans]
    closed = unlike_tail(record.counts, unlike.seen, blocks)
    drawn = statistics if closed else [unlike, *statistics]
    found = order_chances(record.counts, edges, drawn, plan)
    of_blocks = closed or found.pop(0)
    tests = [_homogeneity(record, unlike.seen, of_blocks, blocks)]
    for scan, chance in zip(scans, found, strict=True):
        tests.append(_change(record, scan, scan.furthest(timeline[:, places]), chance))
    return tests


def _edges(record: WheelRecord, parts: int) -> Integers:
    return record.spins * np.arange(parts + 1) // parts


def _moment_edges(record: WheelRecord) -> Integers:
    return _edges(record, min(_MOMENTS, record.spins))


def counts_until(record: WheelRecord, edges: Integers) -> Timeline:
    """Return the record's counts by number and edge, as a timeline of one order."""
    blocks = [
        np.bincount(record.places[first:last], minlength=record.compartments)
        for first, last in pairwise(edges)
    ]
    none = np.zeros((1, record.compartments), np.int64)
    so_far = np.concatenate([none, np.cumsum(blocks, axis=0)])
    return np.ascontiguousarray(so_far.T[:, :, np.newaxis], dtype=np.int64)


def unlike_statistic(timeline: Timeline, places: Integers) -> OrderStatistic:
    """Compare the counts between the edges at these places with the whole record."""

    def of_orders(orders: Timeline) -> Floats:
        return _unlike(np.diff(orders[:, places], axis=1))

    return OrderStatistic(float(of_orders(timeline)[0]), of_orders)


def _unlike(counts: Integers) -> Floats:
    """Return chi-square of the blocks against the totals, for each order."""
    sizes = counts.sum(axis=0, keepdims=True)
    totals = counts.sum(axis=1, keepdims=True)
    expected = sizes * totals / sizes.sum(axis=1, keepdims=True)
    squares = np.square(counts - expected) / np.where(expected > 0, expected, 1)
    return np.asarray(squares.sum(axis=(0, 1)), dtype=np.float64)


def unlike_tail(totals: Integers, seen: float, edges: Integers) -> FoundChance | None:
    """Return the chi-square tail; None if counts are too small for it."""
    smallest = int(np.diff(edges).min()) * int(totals.min()) / int(edges[-1])
    if smallest < LEAST_EXPECTED:
        return None
    degrees = (len(edges) - 2) * (len(totals) - 1)
    return FoundChance(chi_square_tail(seen, degrees), "chi-square tail, closed form")


def _homogeneity(
    record: WheelRecord, seen: float, chance: FoundChance, blocks: Integers
) -> WheelTest:
    return WheelTest(
        "blocks of time",
        seen,
        chance.p_value,
        chance.method,
        f"all numbers in {len(blocks) - 1} blocks at once",
        _furthest_block(record, blocks),
    )


def _furthest_block(record: WheelRecord, blocks: Integers) -> str:
    """Name the number and the block that differ most from the whole record."""
    counts = np.diff(counts_until(record, blocks)[:, :, 0], axis=1)
    expected = np.outer(record.counts, np.diff(blocks)) / record.spins
    apart = np.abs(counts - expected) / np.sqrt(np.maximum(expected, 1e-9))
    # Of blocks that differ equally, the first is named.
    block, place = divmod(int(np.argmax(apart.T)), record.compartments)
    first, last = int(blocks[block]), int(blocks[block + 1]) - 1
    return (
        f"{record.ring[place]} came up {counted(int(counts[place, block]), 'time')}"
        f" from {record.when(first)} to {record.when(last)};"
        f" {expected[place, block]:,.1f} would be its share"
    )


def _change(
    record: WheelRecord, scan: ChangeScan, found: _FoundChange, chance: FoundChance
) -> WheelTest:
    numbers = ring_arc(record, found.first, found.length)
    at = int(scan.edges[found.moment + 1])
    before = record.count_of(numbers, 0, at)
    after = record.count_of(numbers, at)
    looked = "numbers" if found.length == 1 else f"{scan.arc_count} arcs"
    return WheelTest(
        scan.name,
        abs(found.deviation),
        chance.p_value,
        chance.method,
        f"all {looked} at {len(scan.edges) - 2} moments, by the greatest of each order",
        f"{' '.join(numbers)} came up {counted(before, 'time')} in the first {at:,}"
        f" outcomes and {counted(after, 'time')} in the {record.spins - at:,} from"
        f" {record.when(at)} on",
        numbers,
        since_outcome=at + 1,
        looks=scan.arc_count * (len(scan.edges) - 2),
    )


@dataclass(frozen=True, slots=True)
class _FoundChange:
    """The furthest change that a scan found."""

    first: int
    """The place of its first number on the ring."""
    length: int
    moment: int
    """The index of the moment among those between the edges."""
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
        return len(self.lengths) * len(self.totals)

    def arcs(self, values: Integers, length: int) -> Integers:
        """Return sums over this number of neighbours, by their first place."""
        around = np.concatenate([values, values[: length - 1]])
        sums = np.cumsum(around, axis=0)
        sums[length:] -= sums[:-length].copy()
        return np.asarray(sums[length - 1 :])

    def spread(self, length: int) -> Floats:
        totals = self.arcs(self.totals, length)
        variance = totals * (1 - totals / self.spins)
        return np.sqrt(np.maximum(variance, 1.0))

    def _weights(self) -> Floats:
        passed = self.edges[1:-1] / self.spins
        return np.asarray((passed * (1 - passed)) ** -self.weight)

    def sums(self, orders: Timeline) -> Floats:
        """Return the weighed leads over the even share, cumulated along the ring."""
        passed = self.edges[1:-1]
        share = np.multiply.outer(self.totals, passed)[:, :, np.newaxis]
        # In whole numbers, so that the leads of all numbers add up to exactly 0.
        whole = np.cumsum(orders[:, 1:-1] * self.spins - share, axis=0)
        weights = self._weights() / self.spins
        return np.asarray(whole * weights[:, np.newaxis])

    def apart(self, sums: Floats, length: int) -> Floats:
        """Return the lead of each arc, by first number, moment and order."""
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

    def statistic(self, timeline: Timeline, places: Integers) -> OrderStatistic:
        """Return the greatest deviation; orders have the scan's edges at `places`."""
        seen = float(self.of_orders(timeline)[0])
        return OrderStatistic(
            seen, lambda orders: self.of_orders(orders[:, places]), self.bound
        )

    def deviations(self, timeline: Timeline, length: int) -> Floats:
        apart = self.apart(self.sums(timeline), length)[:, :, 0]
        return np.asarray(apart / self.spread(length)[:, np.newaxis])

    def furthest(self, timeline: Timeline) -> _FoundChange:
        """Return the furthest of all changes in the record."""
        found = _FoundChange(0, self.lengths[0], 0, 0.0)
        for length in self.lengths:
            table = self.deviations(timeline, length)
            first, moment = divmod(int(np.argmax(np.abs(table))), table.shape[1])
            deviation = float(table[first, moment])
            if abs(deviation) > abs(found.deviation):
                found = _FoundChange(first, length, moment, deviation)
        return found

    def bound(self, seen: float) -> float:
        """Return a bound of the p-value: the sum of all arcs' and moments' tails."""
        passed = self.edges[1:-1]
        share = passed / self.spins
        total = 0.0
        for length in self.lengths:
            of_arcs = self.arcs(self.totals, length)[:, np.newaxis]
            # Slightly less than seen, so that rounding can't make the bound too small.
            far = seen * (1 - 1e-9) * self.spread(length)[:, np.newaxis]
            reach = far / self._weights()
            for sign in (1, -1):
                # For the negative side, the rest of the wheel is ahead.
                counted = of_arcs if sign > 0 else self.spins - of_arcs
                least = np.ceil(counted * share + reach - 1e-6).astype(np.int64)
                total += float(_drawn_tail(least, passed, counted, self.spins).sum())
        return min(total, 1.0)


def _drawn_tail(
    least: Integers, drawn: Integers, counted: Integers, spins: int
) -> Floats:
    """Bound the chance that `least` or more of `counted` spins are among those drawn.

    After its first term, the tail falls at least as fast as a geometric series.
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
    # If the terms still rise, the tail begins below the middle: there is no bound.
    return np.where(can_be, np.where(falls, np.minimum(tail, 1.0), 1.0), 0.0)


def number_scan(record: WheelRecord) -> ChangeScan:
    return ChangeScan("one change", (1,), record.counts, _moment_edges(record), 0.0)


def sector_scan(record: WheelRecord) -> ChangeScan:
    """Look for an arc of neighbours that changed."""
    lengths = arc_lengths(record.compartments)
    return ChangeScan(
        "one change of a sector", lengths, record.counts, _moment_edges(record), _LATE
    )
