"""Sums over rounds at a fair game: exact mean, variance and range, third moments.

The chips are taken as given. Then each round has a known distribution, rounds do not
depend on one another, and their sum has an exact mean and variance. The distributions
themselves are kept unless there are too many.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import nextafter
from typing import Any

import numpy as np

from croupier.audit.report.rounds import GameTable
from croupier.batch.compiled import Integers
from croupier.numeric.sums import SumMoments

MOST_SHAPES = 500_000
"""The most different rounds kept for one group; more give loose bounds."""
_SAFE_SQUARE = 3_000_000_000
"""The square of a whole number up to this fits in int64."""
_LOW_BITS = 32
_OVERHEAD = 150
"""Bytes for one kind of round, besides its values."""


@dataclass(slots=True)
class _Moments:
    """Sums over rounds of one game, in whole numbers; S is weighted by the cases."""

    first: int = 0
    first_squared: int = 0
    second: int = 0


@dataclass(slots=True)
class RoundSums:
    """Gathers rounds, each with its value in every case of its game."""

    least: int = 0
    greatest: int = 0
    furthest: float = 0.0
    """The greatest distance of a round from its own mean; never too small."""
    third: float = 0.0
    """The third cumulant."""
    third_size: float = 0.0
    """The sum of the rounds' third absolute central moments; never too small."""
    shapes: dict[tuple[int, ...], Counter[bytes]] | None = field(default_factory=dict)
    """The values of each kind of round, by weights; None: there were too many."""
    _by_weights: dict[tuple[int, ...], _Moments] = field(default_factory=dict)

    def add(self, table: GameTable, values: Integers) -> None:
        """Add rounds of a game: `values` by round, then by case."""
        if not len(values):
            return
        lowest, highest = values.min(axis=1), values.max(axis=1)
        self.least += _whole_sum(lowest)
        self.greatest += _whole_sum(highest)
        moments = self._by_weights.setdefault(table.weights, _Moments())
        firsts = _weighted(values, table.weights)
        moments.first += _whole_sum(firsts)
        moments.first_squared += _squares(firsts[:, np.newaxis], (1,))
        moments.second += _squares(values, table.weights)
        self._reach(table, values - (firsts / table.total)[:, np.newaxis])
        self._keep(table, values)

    def _reach(self, table: GameTable, apart: Any) -> None:
        """Add the figures that depend on the rounds' distances from their means."""
        apart = apart.astype(np.float64, copy=False)
        sizes = np.abs(apart)
        # The mean and the difference were rounded.
        furthest = nextafter(float(sizes.max()) * (1 + 1e-12), np.inf)
        self.furthest = max(self.furthest, furthest)
        shares = np.array(table.weights) / table.total
        cubes = sizes * sizes
        self.third += float((cubes * apart).sum(axis=0) @ shares)
        self.third_size += float((cubes * sizes).sum(axis=0) @ shares) * (1 + 1e-9)

    def _keep(self, table: GameTable, values: Integers) -> None:
        if self.shapes is None:
            return
        if len(set(table.weights)) == 1:
            values = np.sort(values, axis=1)
        width = values.shape[1] * values.itemsize
        every = np.ascontiguousarray(values).tobytes()
        kinds = self.shapes.setdefault(table.weights, Counter())
        kinds.update(every[at : at + width] for at in range(0, len(every), width))
        if sum(map(len, self.shapes.values())) > MOST_SHAPES:
            self.shapes = None

    @property
    def kept_bytes(self) -> int:
        """The approximate memory of the kinds of rounds."""
        kept = (self.shapes or {}).items()
        return sum(len(kinds) * (8 * len(w) + _OVERHEAD) for w, kinds in kept)

    @property
    def moments(self) -> SumMoments:
        return SumMoments(
            self.mean,
            self.variance,
            self.third,
            self.third_size,
            self.least,
            self.greatest,
            self.furthest,
        )

    @property
    def mean(self) -> Fraction:
        parts = (Fraction(m.first, sum(w)) for w, m in self._by_weights.items())
        return sum(parts, Fraction())

    @property
    def variance(self) -> Fraction:
        parts = (
            Fraction(sum(w) * m.second - m.first_squared, sum(w) ** 2)
            for w, m in self._by_weights.items()
        )
        return sum(parts, Fraction())


def _whole_sum(values: Integers) -> int:
    return sum(values.tolist())


def _weighted(values: Integers, weights: tuple[int, ...]) -> Integers:
    """Return each round's exact sum of the cases' values times their weights."""
    largest = int(np.abs(values).max())
    kind = np.int64 if largest * sum(weights) < 2**63 else object
    found: Integers = values.astype(kind) @ np.array(weights, kind)
    return found


def _squares(values: Integers, weights: tuple[int, ...]) -> int:
    """Sum the squares times weights over rounds and cases, exactly."""
    if int(np.abs(values).max()) > _SAFE_SQUARE:
        by_case = (values.astype(object) ** 2).sum(axis=0).tolist()
    else:
        squares = values * values
        high = (squares >> _LOW_BITS).sum(axis=0).tolist()
        low = (squares & ((1 << _LOW_BITS) - 1)).sum(axis=0).tolist()
        by_case = [(h << _LOW_BITS) + e for h, e in zip(high, low, strict=True)]
    return sum(w * square for w, square in zip(weights, by_case, strict=True))
