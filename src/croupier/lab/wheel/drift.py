"""Tests for drift: a wheel that changes over time, or from some moment on.

A record is compared with random orders of itself, not with a fair wheel: a bias that
stays is no drift, and the p-value is right whatever the bias is.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from croupier.batch.compiled import Floats, Integers
from croupier.lab.wheel.change_scan import (
    ChangeScan,
    FoundChange,
    moment_edges,
    number_scan,
    sector_scan,
)
from croupier.lab.wheel.monte_carlo import (
    FoundChance,
    OrderStatistic,
    Timeline,
    order_chances,
)
from croupier.lab.wheel.record import CheckPlan, WheelRecord, WheelTest, times
from croupier.lab.wheel.single_tests import LEAST_EXPECTED, ring_arc
from croupier.numeric.probability import chi_square_tail

_MOST_BLOCKS = 10


def drift_tests(record: WheelRecord, plan: CheckPlan) -> list[WheelTest]:
    """Test for blocks that differ, a number that changed, and a sector that did."""
    blocks, moments = _block_edges(record), moment_edges(record)
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


def _block_edges(record: WheelRecord) -> Integers:
    """Return where blocks as equal as can be begin and end."""
    blocks = max(2, min(_MOST_BLOCKS, int(record.expected // LEAST_EXPECTED)))
    return record.spins * np.arange(blocks + 1) // blocks


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
        f"{record.ring[place]} came up {times(int(counts[place, block]))} from"
        f" {record.when(first)} to {record.when(last)};"
        f" {expected[place, block]:,.1f} would be its share"
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
    looked = "numbers" if found.length == 1 else f"{scan.arc_count} arcs"
    return WheelTest(
        scan.name,
        abs(found.deviation),
        chance.p_value,
        chance.method,
        f"all {looked} at {len(scan.edges) - 2} moments, by the greatest of each order",
        f"{' '.join(numbers)} came up {times(before)} in the first {at:,} outcomes and"
        f" {times(after)} in the {record.spins - at:,} from {record.when(at)} on",
        numbers,
        since_outcome=at + 1,
        looks=scan.arc_count * (len(scan.edges) - 2),
    )
