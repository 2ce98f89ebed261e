"""Bars of a histogram that follow the lattice on which the bankrolls lie.

Bankrolls after so many rounds lie apart by what a win and a loss differ by: of red at
10 by 20, of a number at 10 by 360. Bars of any other width would hold now one of them
and now two, or none: stripes that mean nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.simulator.simulation import Histogram

_WIDEST = 64
"""So many steps apart, at most, is looked for a lattice."""
_MOST = 0.9
"""A lattice holds so much of the sessions, those at either end not counted."""


class _LatticeBins(NamedTuple):
    """Bars side by side: where the first begins, how wide each is, how many."""

    first_cents: int
    width_cents: int
    bars: int


def bins_on_lattice(found: Histogram, most: int) -> _LatticeBins:
    """Return no more bars than that, each with as many points of the lattice."""
    low, high = int(found.cents[0]), int(found.cents[-1])
    apart, anchor = _lattice(found)
    every = (high - low) // apart + 2
    width = apart * -(-every // most)
    first = anchor - apart // 2
    first -= -(-(first - low) // width) * width
    return _LatticeBins(first, width, (high - first) // width + 1)


def _lattice(found: Histogram) -> tuple[int, int]:
    """Return how far apart the points are on which most sessions end, and one."""
    cents, sessions = found.cents.astype(np.int64), found.sessions.astype(np.float64)
    step = int(np.gcd.reduce(np.diff(cents))) if len(cents) > 1 else 1
    step = max(step, found.width_cents, 1)
    # Ruin and target gather at the ends, wherever the lattice lies.
    inner = slice(1, -1) if len(cents) > 3 else slice(None)
    places, weights = (cents[inner] - cents[0]) // step, sessions[inner]
    for period in range(_WIDEST, 1, -1):
        shares = np.bincount(places % period, weights, period)
        if shares.max() > _MOST * weights.sum() and places.max() >= 2 * period:
            return period * step, int(cents[0]) + int(shares.argmax()) * step
    return step, int(cents[0])
