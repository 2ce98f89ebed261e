"""Tests for drift: a wheel that changes over time, or from some moment on.

A record is compared with random orders of itself, not with a fair wheel: a bias that
stays is no drift, and the p-value is right whatever the bias is. A scan looks at each
number, or each arc of neighbours, before and after each of some moments.

How far a number is ahead of its even share varies most halfway, so that it is weighed
by the moment, for sectors: by a power of what has passed times what is to come. The
power is between that of a plain cumulative sum, 0, which hardly sees a late change,
and 1/2, which sees one in the middle worst; `benchmarks/wheel_changes.py` compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from croupier.audit.wheel.chance import (
    FoundChance,
    OrderStatistic,
    Timeline,
    order_chances,
)
from croupier.audit.wheel.record import CheckPlan, WheelRecord, WheelTest
from croupier.audit.wheel.single_tests import LEAST_EXPECTED, arc_lengths, ring_arc
from croupier.batch.compiled import Floats, Integers
from croupier.odds.probability import chi_square_tail

_MOST_BLOCKS = 10
_MOMENTS = 40
"""The moments at which a change is looked for cut the record into so many parts."""
_LATE = 0.4
"""The power by which sectors are weighed, see above."""


def drift_tests(record: WheelRecord, plan: CheckPlan) -> list[WheelTest]:
    """Test for blocks that differ, a number that changed, and a sector that did."""
    blocks, moments = block_edges(record), moment_edges(record)
    edges = np.union1d(blocks, moments)
    timeline = counts_until(record, edges)
    unlike = unlike_statistic(timeline, np.searchsorted(edges, blocks))
    scans = [number_scan(record)]
    if record.knows_ring:
        scans.append(sector_scan(record))
    places = np.searchsorted(edges, moments)
    statistics = [_scan_statistic(timeline[:, places], scan, places) for scan in scans]
    closed = unlike_tail(record.counts, unlike.seen, blocks)
    drawn = statistics if closed else [unlike, *statistics]
    found = order_chances(record.counts, edges, drawn, plan)
    of_blocks = closed or found.pop(0)
    tests = [_homogeneity(record, unlike.seen, of_blocks, blocks)]
    for scan, chance in zip(scans, found, strict=True):
        tests.append(_change(record, scan, scan.furthest(timeline[:, places]), chance))
    return tests


def block_edges(record: WheelRecord) -> Integers:
    """Return where blocks as equal as can be begin and end."""
    blocks = max(2, min(_MOST_BLOCKS, int(record.expected // LEAST_EXPECTED)))
    return record.spins * np.arange(blocks + 1) // blocks


def moment_edges(record: WheelRecord) -> Integers:
    """Return the moments of a change, between the begin and the end of the record."""
    parts = min(_MOMENTS, record.spins)
    return record.spins * np.arange(parts + 1) // parts


def counts_until(record: WheelRecord, edges: Integers) -> Timeline:
    """Count how often each number came up until each edge, in the one order."""
    blocks = [
        np.bincount(record.places[first:last], minlength=record.compartments)
        for first, last in pairwise(edges)
    ]
    none = np.zeros((1, record.compartments), np.int64)
    so_far = np.concatenate([none, np.cumsum(blocks, axis=0)])
    return np.ascontiguousarray(so_far.T[:, :, np.newaxis], dtype=np.int64)


def unlike_statistic(timeline: Timeline, places: Integers) -> OrderStatistic:
    """Compare what came up between the edges at these places with the whole."""

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
    """Return the chi-square tail; None where counts are too small for it."""
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
    # Of blocks that differ alike the first one is told.
    block, place = divmod(int(np.argmax(apart.T)), record.compartments)
    first, last = int(blocks[block]), int(blocks[block + 1]) - 1
    return (
        f"{record.ring[place]} came up {int(counts[place, block]):,} times from"
        f" {record.when(first)} to {record.when(last)};"
        f" {expected[place, block]:.1f} would be its share"
    )


@dataclass(frozen=True, slots=True)
class FoundChange:
    """Where a scan found the furthest change."""

    first: int
    """The place of its first number on the ring."""
    length: int
    moment: int
    """Which of the moments between the edges, from 0."""
    deviation: float


@dataclass(frozen=True, slots=True)
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
    def looks(self) -> int:
        """How many arcs are looked at, each at every moment."""
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
            reach = seen * self.spread(length)[:, np.newaxis] / self._weights()
            for sign in (1, -1):
                # From the other side it is the rest of the wheel that is ahead.
                counted = of_arcs if sign > 0 else self.spins - of_arcs
                least = np.ceil(counted * share + reach - 1e-9).astype(np.int64)
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


def _scan_statistic(
    timeline: Timeline, scan: ChangeScan, places: Integers
) -> OrderStatistic:
    seen = float(scan.of_orders(timeline)[0])
    return OrderStatistic(
        seen, lambda orders: scan.of_orders(orders[:, places]), scan.bound
    )


def _change(
    record: WheelRecord, scan: ChangeScan, found: FoundChange, chance: FoundChance
) -> WheelTest:
    numbers = ring_arc(record, found.first, found.length)
    at = int(scan.edges[found.moment + 1])
    before = record.count_of(numbers, 0, at)
    after = record.count_of(numbers, at)
    looked = "numbers" if found.length == 1 else f"{scan.looks} arcs"
    return WheelTest(
        scan.name,
        abs(found.deviation),
        chance.p_value,
        chance.method,
        f"all {looked} at {len(scan.edges) - 2} moments, by the greatest of each order",
        f"{' '.join(numbers)} came up {before:,} times in the first {at:,} outcomes and"
        f" {after:,} times in the {record.spins - at:,} from {record.when(at)} on",
        numbers,
        since=at,
        looks=scan.looks * (len(scan.edges) - 2),
    )
