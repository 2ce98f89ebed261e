"""A wheel that changes in time: blocks, numbers, sectors, and orders at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from tests.figures.oracle.statistics import Floats
from tests.figures.oracle.wheel import Places

MOMENTS = 39
"""A change is looked for after each fortieth of the record."""


class Change(NamedTuple):
    """The furthest change: how far, of which places, after how many outcomes."""

    statistic: float
    places: tuple[int, ...]
    first: int


def moments(spins: int) -> list[int]:
    """Return after how many outcomes is looked; in a short record less often."""
    whole = (spins * moment // (MOMENTS + 1) for moment in range(1, MOMENTS + 1))
    return sorted({moment for moment in whole if moment})


def blocks_of_time(places: Places, size: int, blocks: int) -> float:
    """Return the chi-square of the counts in equal blocks against the whole record."""
    spins = len(places)
    ends = [spins * end // blocks for end in range(1, blocks)]
    block = np.searchsorted(ends, np.arange(spins), side="right")
    seen = np.bincount(block * size + places, minlength=blocks * size)
    counts = seen.reshape(blocks, size).astype(float)
    whole = counts.sum(axis=0)
    expected = counts.sum(axis=1, keepdims=True) * whole / spins
    there = whole > 0
    return float(((counts - expected)[:, there] ** 2 / expected[:, there]).sum())


def change_of_a_number(places: Places, size: int) -> Change:
    """Return how far any number gets from its even share at any of the moments."""
    off = _off(places, size)
    counts = _counts(places, size)
    return _furthest(off / _deviation(counts, len(places)), 1, len(places))


def change_of_a_sector(places: Places, size: int) -> Change:
    """Return the same of all arcs from two neighbours to half the ring.

    Being off by so much is weighed by the part of the record before a moment and the
    part after it, both to the power of 0.4: so early and late changes count for more.
    """
    spins = len(places)
    off, counts = _off(places, size), _counts(places, size)
    part = np.array(moments(spins)) / spins
    weight = (part * (1 - part)) ** 0.4
    best = Change(0.0, (), 0)
    for width in range(2, size // 2 + 1):
        within = _arcs(off, width)
        scale = _deviation(_arcs(counts[None], width)[0], spins)
        found = _furthest(within / scale / weight[:, None], width, spins)
        best = max(best, found, key=lambda change: change.statistic)
    return best


def change_tails(
    places: Places, size: int, widths: Iterable[int], statistic: float
) -> float:
    """Return the sum, over arcs and moments, of how likely each is so far off.

    In a random order the count of an arc before a moment is hypergeometric.
    """
    # Not while tests are collected: it takes a second.
    from scipy.stats import hypergeom  # type: ignore[import-untyped]

    spins, total = len(places), 0.0
    first = np.array(moments(spins))[:, None]
    counts = _counts(places, size)[None]
    for width in widths:
        weight = (first / spins * (1 - first / spins)) ** (0.4 if width > 1 else 0.0)
        here = _arcs(counts, width)
        off = statistic * _deviation(here, spins) * weight
        share = here * first / spins
        above, below = np.ceil(share + off - 1e-6), np.floor(share - off + 1e-6)
        total += float(hypergeom.sf(above - 1, spins, here, first).sum())
        total += float(hypergeom.cdf(below, spins, here, first).sum())
    return total


def _counts(places: Places, size: int) -> Floats:
    return np.bincount(places, minlength=size).astype(float)


def _off(places: Places, size: int) -> Floats:
    """Return how far each number is from its share at each moment."""
    spins = len(places)
    ends = np.array(moments(spins))
    part = np.searchsorted(ends, np.arange(spins), side="right")
    seen = np.bincount(part * size + places, minlength=(len(ends) + 1) * size)
    so_far = np.cumsum(seen.reshape(len(ends) + 1, size), axis=0)
    shares: Floats = np.outer(ends / spins, so_far[-1])
    return so_far[:-1] - shares


def _arcs(rows: Floats, width: int) -> Floats:
    """Return the sums over a number of neighbours, from each place on."""
    twice = np.concatenate([rows, rows[:, : width - 1]], axis=1)
    sums = np.cumsum(np.concatenate([np.zeros((len(rows), 1)), twice], axis=1), axis=1)
    within: Floats = sums[:, width:] - sums[:, :-width]
    return within


def _deviation(counts: Floats, spins: int) -> Floats:
    """Return what a count is weighed by; one outcome by itself by no less than one."""
    scale: Floats = np.sqrt(counts * (spins - counts) / spins)
    return np.maximum(scale, 1.0)


def _furthest(values: Floats, width: int, spins: int) -> Change:
    moment, start = np.unravel_index(np.argmax(np.abs(values)), values.shape)
    size = values.shape[1]
    return Change(
        float(abs(values[moment, start])),
        tuple((int(start) + step) % size for step in range(width)),
        moments(spins)[int(moment)],
    )


def by_random_orders(
    places: Places, statistic: Callable[[Places], float], orders: int
) -> float:
    """Return how often a random order shows as much, the record itself counted in."""
    chance = np.random.default_rng(20_261_117)
    seen = statistic(places) * (1 - 1e-12)
    beyond = sum(statistic(chance.permutation(places)) >= seen for _ in range(orders))
    return (beyond + 1) / (orders + 1)
