"""A scan for a change of a sector, as a statistician would write it in numpy.

The likelihood ratio of every arc at every moment: before and after have one share, or
two. The greatest of all is held against those of fair wheels. Nothing of croupier here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

PARTS = 40


def fair_chances(numbers: int) -> Any:
    return np.full(numbers, 1 / numbers)


def draw_blocks(
    generator: Any, wheels: int, spins: int, chances: tuple[Any, Any], change: float
) -> Any:
    """Return counts by wheel, part and number; the change is at a part of all spins."""
    before, after = chances
    edges = [spins * part // PARTS for part in range(PARTS + 1)]
    at = round(change * spins)
    counts = np.empty((wheels, PARTS, len(before)), np.int64)
    for part in range(PARTS):
        early = min(max(at - edges[part], 0), edges[part + 1] - edges[part])
        late = edges[part + 1] - edges[part] - early
        counts[:, part] = generator.multinomial(early, before, size=wheels)
        counts[:, part] += generator.multinomial(late, after, size=wheels)
    return counts


def greatest_ratios(counts: Any) -> Any:
    """Return the greatest log likelihood ratio of each wheel, over arcs and moments."""
    so_far = np.cumsum(counts, axis=1).astype(float)
    spins = so_far[0, -1].sum()
    passed = so_far[0, :-1].sum(axis=1)[1:-1]
    best = np.zeros(len(counts))
    numbers = counts.shape[2]
    around = np.concatenate([so_far, so_far], axis=2)
    sums = np.concatenate(
        [np.zeros((*so_far.shape[:2], 1)), np.cumsum(around, axis=2)], axis=2
    )
    for length in range(2, numbers // 2 + 1):
        arcs = sums[:, :, length : length + numbers] - sums[:, :, :numbers]
        total = arcs[:, -1:]
        early = arcs[:, 1:-2]
        late = total - early
        t, rest = passed[None, :, None], spins - passed[None, :, None]
        ratio = (
            _part(early, t)
            + _part(t - early, t)
            + _part(late, rest)
            + _part(rest - late, rest)
            - _part(total, spins)
            - _part(spins - total, spins)
        )
        np.maximum(best, ratio.max(axis=(1, 2)), out=best)
    return best


def _part(count: Any, of: Any) -> Any:
    return np.where(count > 0, count * np.log(np.maximum(count, 1) / of), 0.0)
