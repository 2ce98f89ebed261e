"""Rounds put together by kind: what each gives, how likely, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from croupier.batch.compiled import Integers

Floats = np.ndarray[Any, np.dtype[np.float64]]
Weights = tuple[int, ...]
Shapes = Mapping[Weights, Counter[bytes]]
"""By weights of the cases, the values of each kind of round, and how many they are.

Values are ascending where all cases weigh the same.
"""

_STEPS_OF_A_KIND = 4
"""To look at a kind takes as long as so many values, besides its own."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundKinds:
    """Different rounds: their distinct values, above the least of each, in steps."""

    step: int
    values: Integers
    """Of one kind after the other."""
    chances: Floats
    begins: Integers
    """By kind, the place of its first value."""
    counts: Integers
    """By kind, how many rounds are of it."""

    @classmethod
    def of(cls, shapes: Shapes) -> RoundKinds | None:
        """Return the kinds; None: nothing varies.

        Those come first that shrink a usual wave most for their cost.
        """
        parts = [_distinct(weights, kinds) for weights, kinds in shapes.items()]
        values, chances, sizes, counts = (
            np.concatenate(columns) for columns in zip(*parts, strict=True)
        )
        step = int(np.gcd.reduce(values)) if len(values) else 0
        if step == 0:
            return None
        begins = np.cumsum(sizes) - sizes
        gains = _nats(chances, begins, counts) / (sizes + _STEPS_OF_A_KIND)
        order = np.argsort(-gains, kind="stable")
        taken = _spread(begins[order], sizes[order])
        sizes = sizes[order]
        return cls(
            step,
            values[taken] // step,
            chances[taken],
            np.cumsum(sizes) - sizes,
            counts[order],
        )

    def __len__(self) -> int:
        return len(self.counts)

    def at(self, kind: int) -> RoundKinds:
        return self.first(kind + 1).after(kind)

    def first(self, kinds: int) -> RoundKinds:
        end = self._end(kinds)
        return RoundKinds(
            self.step,
            self.values[:end],
            self.chances[:end],
            self.begins[:kinds],
            self.counts[:kinds],
        )

    def after(self, kinds: int) -> RoundKinds:
        begin = self._end(kinds)
        return RoundKinds(
            self.step,
            self.values[begin:],
            self.chances[begin:],
            self.begins[kinds:] - begin,
            self.counts[kinds:],
        )

    def _end(self, kinds: int) -> int:
        return len(self.values) if kinds >= len(self) else int(self.begins[kinds])

    @property
    def sizes(self) -> Integers:
        """By kind, how many values it has."""
        return np.diff(self.begins, append=len(self.values))

    def apart(self, most: int) -> tuple[Integers, Floats]:
        """Return how far apart two values of a round can be, and how likely they are.

        The chances are times the rounds of a kind. Kinds are left out, the last ones
        first, where there would be more than `most` pairs.
        """
        sizes = self.sizes
        pairs = np.cumsum(sizes * (sizes - 1) // 2)
        taken = sizes[: int(np.searchsorted(pairs, most, side="right"))]
        apart, likely = [np.zeros(0, np.int64)], [np.zeros(0)]
        for size in np.unique(taken).tolist():
            kinds = np.flatnonzero(taken == size)
            rows = self.begins[kinds, np.newaxis] + np.arange(size)
            values, chances = self.values[rows], self.chances[rows]
            one, two = np.triu_indices(size, 1)
            apart.append((values[:, two] - values[:, one]).ravel())
            weights = chances[:, two] * chances[:, one]
            likely.append((weights * self.counts[kinds, np.newaxis]).ravel())
        return np.concatenate(apart), np.concatenate(likely)

    @property
    def nats(self) -> Floats:
        """By how much the kinds up to each of them shrink a usual wave of their sum."""
        return np.cumsum(_nats(self.chances, self.begins, self.counts))


def _nats(chances: Floats, begins: Integers, counts: Integers) -> Floats:
    """Return by kind how much its rounds shrink a usual wave."""
    # The mean square of a kind's waves is the chance that two of its rounds agree.
    together = np.add.reduceat(chances**2, begins)
    return np.asarray(-0.5 * counts * np.log(np.minimum(together, 1.0)), np.float64)


def _distinct(
    weights: Weights, kinds: Mapping[bytes, int]
) -> tuple[Integers, Floats, Integers, Integers]:
    """Return values, chances, how many values each kind has, and the kinds' counts."""
    values = np.frombuffer(b"".join(kinds), np.int64).reshape(len(kinds), len(weights))
    parts = np.broadcast_to(np.array(weights, np.float64) / sum(weights), values.shape)
    if len(set(weights)) > 1:
        order = np.argsort(values, axis=1, kind="stable")
        values = np.take_along_axis(values, order, axis=1)
        parts = np.take_along_axis(parts, order, axis=1)
    fresh = np.ones(values.shape, np.bool_)
    fresh[:, 1:] = values[:, 1:] != values[:, :-1]
    above = values - values[:, :1]
    chances = np.add.reduceat(parts.ravel(), np.flatnonzero(fresh))
    counts = np.fromiter(kinds.values(), np.int64, len(kinds))
    return above[fresh], chances, fresh.sum(axis=1), counts


def _spread(begins: Integers, sizes: Integers) -> Integers:
    """Return, of one kind after the other, the places of all its values."""
    ends = np.cumsum(sizes)
    return np.arange(int(ends[-1])) + np.repeat(begins - ends + sizes, sizes)
