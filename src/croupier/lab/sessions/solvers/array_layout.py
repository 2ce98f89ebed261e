"""Where the positions of a chain lie in an array, and its moves between them.

Where every round stakes the same, the bankrolls after n rounds lie a stride apart: 36
points on a straight-up wager, 2 on an even chance. Only they are kept, and what their
first is changes from round to round: that is the residue.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Any

from croupier.lab.sessions.chain import Chain, ChainEnd

if TYPE_CHECKING:
    import numpy as np

    Indices = np.ndarray[Any, np.dtype[np.intp]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class ArrayMove:
    """A move at one residue: where its points lie, one after the other."""

    outcome: int
    row: int
    target_row: int
    source: int
    target: int
    step: int
    """How far apart its targets lie; its sources are neighbours."""
    count: int


@dataclass(frozen=True)
class ArrayLayout:
    """The positions of a chain in an array: live rows first, then the ends."""

    chain: Chain

    @cached_property
    def stride(self) -> int:
        """How far apart the bankrolls after a round lie; 1 where stakes differ."""
        if len({run.units for run in self.chain.runs}) > 1:
            return 1
        shifts = {move.shift for move in self.chain.moves}
        return gcd(*(shift - min(shifts) for shift in shifts)) or 1

    @cached_property
    def drift(self) -> int:
        """The growth of the residue in each round."""
        return self.chain.moves[0].shift % self.stride

    @property
    def first_residue(self) -> int:
        return self.chain.start[1] % self.stride

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The index of each row's first place, and after them the whole size."""
        starts, at = [], 0
        for place, row in enumerate(self.chain.rows):
            starts.append(at)
            at += row.length if self._is_end(place) else self._places(row.low, row.high)
        return (*starts, at)

    @property
    def live_size(self) -> int:
        return self.starts[ChainEnd.RUINED - 1]

    @property
    def size(self) -> int:
        return self.starts[-1]

    def _is_end(self, row: int) -> bool:
        return row >= len(self.chain.rows) + ChainEnd.RUINED

    def _places(self, low: int, high: int) -> int:
        return max(0, (high - 1) // self.stride - self._first(low) + 1)

    def _first(self, low: int) -> int:
        """Return the lowest place that a point from `low` on has at any residue."""
        return (low - self.stride + 1) // self.stride

    @cached_property
    def _bases(self) -> tuple[tuple[int, int], ...]:
        """For each row what is added to a point, and by what it is divided before."""
        return tuple(
            (start - row.low, 1)
            if self._is_end(place) or self.stride == 1
            else (start - self._first(row.low), self.stride)
            for place, (row, start) in enumerate(
                zip(self.chain.rows, self.starts, strict=False)
            )
        )

    def index(self, row: int, point: int, residue: int) -> int:
        base, stride = self._bases[row]
        return base + point if stride == 1 else base + (point - residue) // stride

    def points(self, residue: int) -> Indices:
        """Return the point of every index at this residue."""
        import numpy as np

        parts = []
        for place, row in enumerate(self.chain.rows):
            if self._is_end(place):
                parts.append(np.arange(row.low, row.high))
            else:
                count = self.starts[place + 1] - self.starts[place]
                first = self._first(row.low)
                parts.append(np.arange(first, first + count) * self.stride + residue)
        return np.concatenate(parts)

    def units(self) -> Floats:
        """Return what is staked at each live index."""
        import numpy as np

        units = np.zeros(self.live_size)
        if self.stride > 1:
            units[:] = self.chain.runs[0].units
            return units
        for run in self.chain.runs:
            low, high = (self.index(run.row, at, 0) for at in (run.low, run.high))
            units[low:high] = run.units
        return units

    def lines(self, residue: int) -> Iterator[ArrayMove]:
        """Yield the moves of one round that begins at this residue."""
        stride = self.stride
        after = (residue + self.drift) % stride
        for move in self.chain.moves:
            first = move.low + (residue - move.low) % stride
            if first < move.high:
                yield ArrayMove(
                    move.outcome,
                    move.source,
                    move.target,
                    self.index(move.source, first, residue),
                    self.index(move.target, first + move.shift, after),
                    stride if self._is_end(move.target) else 1,
                    -((first - move.high) // stride),
                )
