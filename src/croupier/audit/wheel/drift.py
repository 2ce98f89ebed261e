"""Tests for drift: a wheel that changes over time, or from some moment on.

The record is cut into blocks of as many outcomes each. Both statistics compare a block
with the whole record, not with a fair wheel, so that a constant bias is no drift.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np

from croupier.audit.wheel.record import (
    CheckPlan,
    WheelRecord,
    WheelTest,
    fair_statistics,
    monte_carlo,
    monte_carlo_method,
)
from croupier.audit.wheel.single_tests import LEAST_EXPECTED
from croupier.batch.compiled import Floats, Integers
from croupier.odds.probability import chi_square_tail

_MOST_BLOCKS = 10
_MOMENTS = 40
"""The moments at which a change is looked for cut the record into so many parts."""


def block_sizes(spins: int, blocks: int) -> tuple[int, ...]:
    """As equal as can be."""
    edges = [spins * block // blocks for block in range(blocks + 1)]
    return tuple(after - before for before, after in pairwise(edges))


def block_counts(record: WheelRecord, sizes: tuple[int, ...]) -> Integers:
    """Count how often each number came up in each block."""
    block = np.repeat(np.arange(len(sizes)), sizes)
    flat = np.bincount(
        block * record.compartments + record.places,
        minlength=len(sizes) * record.compartments,
    )
    return flat.reshape(len(sizes), record.compartments).astype(np.int64)


def homogeneity(record: WheelRecord, plan: CheckPlan) -> WheelTest:
    """Test whether all blocks have the numbers in the same proportions."""
    blocks = max(2, min(_MOST_BLOCKS, int(record.expected // LEAST_EXPECTED)))
    sizes = block_sizes(record.spins, blocks)
    counts = block_counts(record, sizes)
    seen = float(_unlike(counts[np.newaxis])[0])
    if min(sizes) * int(record.counts.min()) / record.spins >= LEAST_EXPECTED:
        p_value = chi_square_tail(seen, (blocks - 1) * (record.compartments - 1))
        method = "chi-square tail, closed form"
    else:
        drawn = _fair_unlike(sizes, record.compartments, plan)
        p_value, method = monte_carlo(seen, drawn), monte_carlo_method(plan)
    return WheelTest(
        "blocks of time",
        seen,
        p_value,
        method,
        f"all numbers in {blocks} blocks at once",
        _furthest_block(record, counts, sizes),
    )


def _furthest_block(
    record: WheelRecord, counts: Integers, sizes: tuple[int, ...]
) -> str:
    """Name the number and the block that differ most from the whole record."""
    expected = np.outer(sizes, record.counts) / record.spins
    apart = np.abs(counts - expected) / np.sqrt(np.maximum(expected, 1e-9))
    block, place = np.unravel_index(int(np.argmax(apart)), apart.shape)
    first = sum(sizes[: int(block)])
    last = first + sizes[int(block)] - 1
    return (
        f"{record.ring[int(place)]} came up {int(counts[block, place]):,} times from"
        f" {record.when(first)} to {record.when(last)};"
        f" {expected[block, place]:.1f} would be its share"
    )


def _unlike(counts: Integers) -> Floats:
    """Chi-square of each wheel's blocks against its own totals."""
    sizes = counts.sum(axis=2, keepdims=True)
    totals = counts.sum(axis=1, keepdims=True)
    expected = sizes * totals / sizes.sum(axis=1, keepdims=True)
    squares = np.square(counts - expected) / np.where(expected > 0, expected, 1)
    return np.asarray(squares.sum(axis=(1, 2)), dtype=np.float64)


@lru_cache(maxsize=8)
def _fair_unlike(sizes: tuple[int, ...], compartments: int, plan: CheckPlan) -> Floats:
    return fair_statistics(_unlike, sizes, compartments, plan)


def change(record: WheelRecord, plan: CheckPlan) -> WheelTest:
    """Test whether one number came up more, or less, from some moment on."""
    sizes = moments(record)
    paths = bridges(block_counts(record, sizes)[np.newaxis])[0]
    place = int(np.argmax(np.abs(paths)))
    row, column = divmod(place, paths.shape[1])
    seen = abs(float(paths[row, column]))
    drawn = fair_bridges(sizes, record.compartments, plan)
    number, at = record.ring[column], sum(sizes[: row + 1])
    before = int(np.count_nonzero(record.places[:at] == column))
    after = int(record.counts[column]) - before
    return WheelTest(
        "one change",
        seen,
        monte_carlo(seen, drawn),
        monte_carlo_method(plan),
        f"all numbers at {len(sizes) - 1} moments, by the greatest of each fair wheel",
        f"{number} came up {before:,} times in the first {at:,} outcomes and"
        f" {after:,} times in the {record.spins - at:,} from {record.when(at)} on",
        (number,),
    )


def moments(record: WheelRecord) -> tuple[int, ...]:
    return block_sizes(record.spins, min(_MOMENTS, record.spins))


def bridges(counts: Integers) -> Floats:
    """Return how far a count is ahead of its even share, by wheel, moment and number.

    In units of the root of its variance, so that a number that comes up often at all
    times is not ahead for that.
    """
    spins = counts.sum(axis=(1, 2))[:, np.newaxis, np.newaxis]
    totals = counts.sum(axis=1, keepdims=True)
    so_far = np.cumsum(counts, axis=1)[:, :-1]
    passed = np.cumsum(counts.sum(axis=2, keepdims=True), axis=1)[:, :-1]
    spread = np.sqrt(np.maximum(totals * (1 - totals / spins), 1.0))
    return np.asarray((so_far - passed * totals / spins) / spread, dtype=np.float64)


@lru_cache(maxsize=8)
def fair_bridges(sizes: tuple[int, ...], compartments: int, plan: CheckPlan) -> Floats:
    return fair_statistics(_furthest, sizes, compartments, plan)


def _furthest(counts: Integers) -> Floats:
    return np.asarray(np.abs(bridges(counts)).max(axis=(1, 2)), dtype=np.float64)
