"""A session in float64, round by round, with a bound on rounding errors.

The steps of a chain are a sparse matrix. If the rows are long, each move is instead an
operation on two slices, limited to the part with noticeable probability.

Laws of this file:
- nothing is subtracted in the walk, so `relative_bound` holds;
- probability that is dropped, because it is too small to matter, is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Any

import numpy as np
from scipy.sparse import csr_array  # type: ignore[import-untyped]

from croupier.lab.sessions.chain import Chain, ChainEnd, Move
from croupier.lab.sessions.exploration import (
    MAXIMUM_POSITIONS,
    MOST_SLIDING_STEPS,
    TOO_MANY,
    PointSpan,
)
from croupier.lab.sessions.result import (
    LEVELS,
    UNDERFLOW,
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    relative_bound,
)
from croupier.lab.sessions.strategy import too_long

Floats = np.ndarray[Any, np.dtype[np.float64]]
Indices = np.ndarray[Any, np.dtype[np.intp]]

_FAINT = 1e-26
"""Positions of less probability may be dropped: subnormal numbers are slow."""
_LONG = 700
"""Moves of at least this number of points are slices; shorter ones save no time."""
_MOST_STEPS = 1_500_000_000
"""Steps in all rounds; they take some seconds."""
_SWEEP = 32
"""The number of rounds after which faint positions are dropped again."""


@dataclass(frozen=True, slots=True)
class ChainSteps:
    """Every single step of a chain."""

    sources: Indices
    targets: Indices
    """The position, live or ended."""
    shifts: Indices
    """In points."""
    chances: Floats


def steps_of(chain: Chain, moves: Sequence[Move] | None = None) -> ChainSteps:
    """Return the single steps of these moves; by default, of all."""
    taken = np.array(
        [
            (
                chain.offsets[move.source] + move.low,
                chain.offsets[move.target] + move.low + move.shift,
                move.shift,
                move.outcome,
                move.high - move.low,
            )
            for move in (chain.moves if moves is None else moves)
        ]
    )
    sources, targets, shifts, outcomes, counts = taken.T
    ends = np.cumsum(counts)
    along = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
    chances = np.array([weight / chain.denominator for weight in chain.numerators])
    return ChainSteps(
        np.repeat(sources, counts) + along,
        np.repeat(targets, counts) + along,
        np.repeat(shifts, counts),
        np.repeat(chances[outcomes], counts),
    )


def solve_in_floats(
    chain: Chain,
    rounds: int,
    looks: Collection[int],
    progress: Progress,
    patience: int = 1,
) -> Solution:
    """Solve the session round by round; refuse a long calculation beforehand."""
    if takes_too_long(chain, rounds, patience):
        raise too_long(TOO_MANY)
    walk = FloatWalk(chain)
    wanted = frozenset(looks)
    snapshots = []
    for stop in sorted({*looks, *range(_SWEEP, rounds, _SWEEP), rounds}):
        walk.play(stop - walk.rounds)
        if stop in wanted:
            snapshots.append(walk.snapshot())
        progress(stop, rounds)
    lost = walk.lost()
    most = max(move.units for move in chain.moves)
    return Solution(
        Arithmetic.FLOAT64,
        ended_of(chain, walk.absorbed),
        walk.playing(),
        Fraction(fsum(walk.visits)),
        Fraction(fsum(walk.visits * units_of(chain))),
        tuple(snapshots),
        relative_bound(walk.roundings() + 3),
        lost,
        lost * rounds,
        lost * rounds * most,
    )


class FloatWalk:
    """The probabilities of all positions, round by round."""

    def __init__(self, chain: Chain) -> None:
        live, start = chain.live_size, chain.start_position
        self._chain = chain
        self.rounds, self._dropped = 0, 0.0
        self.now, self._then = np.zeros(live), np.zeros(live)
        """The live positions, and a buffer for the next round."""
        self.now[start] = 1.0
        self.absorbed = np.zeros(chain.size - live)
        """The chances of the ended positions."""
        self.visits = np.zeros(live)
        """The expected number of rounds played at each live position."""
        long, short = [], list(chain.moves)
        self._parts = [(0, live)]
        """The parts with any probability: everything, or a part of each row."""
        if slides(chain):
            long = [move for move in short if _length(move) >= _LONG]
            short = [move for move in short if _length(move) < _LONG]
            self._parts = [(0, 0)] * (len(chain.rows) + ChainEnd.RUINED)
            self._parts[chain.start[0]] = (start, start + 1)
        self._slides = [_Slide.of(chain, move) for move in long]
        self._short = _ShortMoves.of(chain, short, whole=not long) if short else None
        self._product = np.empty(max(map(_length, long), default=0))

    def play(self, rounds: int = 1) -> None:
        for _ in range(rounds):
            self.rounds += 1
            self._play()
            if self.rounds % _SWEEP == 0:
                self._sweep()

    def _play(self) -> None:
        now, then = self.now, self._then
        for low, high in self._parts:
            self.visits[low:high] += now[low:high]
        reached = [(len(now), 0)] * len(self._parts)
        for slide in self._slides:
            low, high = self._parts[slide.row]
            low, high = max(low, slide.low), min(high, slide.high)
            if low >= high:
                continue
            start, stop = low + slide.shift, high + slide.shift
            product = self._product[: high - low]
            np.multiply(now[low:high], slide.chance, product)
            if slide.target is None:
                self.absorbed[start:stop] += product
            else:
                then[start:stop] += product
                _widen(reached, slide.target, start, stop)
        if self._short is not None:
            live, sums = self._short.live_count, self._short.matrix @ now
            then[self._short.live] += sums[:live]
            self.absorbed[self._short.ended] += sums[live:]
            for part in self._short.parts:
                _widen(reached, *part)
        for low, high in self._parts:
            now[low:high] = 0.0
        self.now, self._then, self._parts = then, now, reached

    def _sweep(self) -> None:
        """Drop faint positions, and shorten each part to the remaining ones."""
        for row, (low, high) in enumerate(self._parts):
            part = self.now[low:high]
            faint = part < _FAINT
            self._dropped += _FAINT * int(faint.sum())
            part[faint] = 0.0
            if self._slides:
                seen = part.nonzero()[0]
                ends = (
                    (low + int(seen[0]), low + int(seen[-1]) + 1)
                    if seen.size
                    else (0, 0)
                )
                self._parts[row] = ends

    def lost(self) -> Fraction:
        """Bound the probability that was dropped or lost to underflow."""
        steps = self._chain.edges * self.rounds
        return Fraction(2 * self._dropped) + UNDERFLOW * steps

    def roundings(self) -> int:
        """Return the successive roundings: chance, product, sums, sum over rounds."""
        return self.rounds * (self._chain.in_degree + 1) + self.rounds

    def snapshot(self) -> SessionSnapshot:
        sums = {
            end: Fraction(fsum(part))
            for end, part in _by_end(self._chain, self.absorbed).items()
        }
        points = points_of(self._chain.rows)
        weights = np.concatenate([self.now, self.absorbed])
        low = int(points.min())
        below = np.cumsum(np.bincount(points - low, weights))
        wanted = [float(level) * below[-1] for level in LEVELS]
        found = np.searchsorted(below, wanted)
        return SessionSnapshot(
            self.rounds,
            sums[ChainEnd.RUINED],
            sums[ChainEnd.REACHED],
            sums[ChainEnd.STOPPED],
            tuple(int(point) + low for point in found),
        )

    def playing(self) -> dict[int, Fraction]:
        points = points_of(self._chain.rows[: ChainEnd.RUINED])
        low = int(points.min())
        sums = np.bincount(points - low, self.now).tolist()
        return {low + place: Fraction(sum_) for place, sum_ in enumerate(sums) if sum_}


def _by_end(chain: Chain, absorbed: Floats) -> Mapping[ChainEnd, Floats]:
    parts = {}
    for end in ChainEnd:
        row = chain.rows[end]
        first = chain.offsets[end] + row.low - chain.live_size
        parts[end] = absorbed[first : first + row.length]
    return parts


def ended_of(chain: Chain, absorbed: Floats) -> dict[ChainEnd, dict[int, Fraction]]:
    return {
        end: {
            chain.rows[end].low + place: Fraction(chance)
            for place, chance in enumerate(part.tolist())
            if chance
        }
        for end, part in _by_end(chain, absorbed).items()
    }


def points_of(rows: Sequence[PointSpan]) -> Indices:
    return np.concatenate([np.arange(row.low, row.high) for row in rows])


def units_of(chain: Chain) -> Floats:
    """Return the stake at each live position."""
    units = np.zeros(chain.live_size)
    for move in chain.moves:
        offset = chain.offsets[move.source]
        units[offset + move.low : offset + move.high] = move.units
    return units


def slides(chain: Chain) -> bool:
    """Return whether slices are quicker than a matrix for this chain."""
    long = sum(_length(move) for move in chain.moves if _length(move) >= _LONG)
    return 2 * long > chain.edges


def takes_too_long(chain: Chain, rounds: int, patience: int) -> bool:
    """Return whether the work or the arrays would be too large."""
    if chain.size > MAXIMUM_POSITIONS:
        return True
    most = MOST_SLIDING_STEPS if slides(chain) else _MOST_STEPS
    return rounds * chain.edges > patience * most


def _length(move: Move) -> int:
    return move.high - move.low


@dataclass(frozen=True, slots=True)
class _Slide:
    """A long move, as indices of the arrays."""

    row: int
    low: int
    high: int
    chance: float
    target: int | None
    """The row that it leads to; None if the session ends."""
    shift: int
    """The target's index, counted among the ended for an end, less the source's."""

    @classmethod
    def of(cls, chain: Chain, move: Move) -> _Slide:
        before, after = chain.offsets[move.source], chain.offsets[move.target]
        ends = move.target >= len(chain.rows) + ChainEnd.RUINED
        return cls(
            move.source,
            before + move.low,
            before + move.high,
            chain.numerators[move.outcome] / chain.denominator,
            None if ends else move.target,
            after + move.shift - before - (chain.live_size if ends else 0),
        )


@dataclass(frozen=True, slots=True)
class _ShortMoves:
    """A sparse matrix of moves: columns are live positions, rows are targets."""

    matrix: Any
    live_count: int
    """The number of first rows, which lead to live positions."""
    live: Indices | slice
    ended: Indices | slice
    parts: list[tuple[int, int, int]]
    """The parts that the moves lead to, each with its first and last index."""

    @classmethod
    def of(cls, chain: Chain, moves: Sequence[Move], *, whole: bool) -> _ShortMoves:
        """Return the matrix; if `whole`, with a row for every position."""
        steps, size = steps_of(chain, moves), chain.live_size
        if whole:
            targets, rows, live_count = steps.targets, chain.size, size
            live: Indices | slice = slice(None)
            ended: Indices | slice = slice(None)
            parts = [(0, 0, size)]
        else:
            distinct, targets = np.unique(steps.targets, return_inverse=True)
            rows, live_count = len(distinct), int((distinct < size).sum())
            live, ended = distinct[:live_count], distinct[live_count:] - size
            spans: dict[int, PointSpan] = {}
            for move in moves:
                first = chain.offsets[move.target] + move.low + move.shift
                if first < size:
                    span = PointSpan(first, first + _length(move))
                    spans[move.target] = span.joined(spans.get(move.target, span))
            parts = [(row, *span) for row, span in spans.items()]
        places = targets.astype(np.int32), steps.sources.astype(np.int32)
        matrix = csr_array((steps.chances, places), shape=(rows, size))
        return cls(matrix, live_count, live, ended, parts)


def _widen(parts: list[tuple[int, int]], row: int, low: int, high: int) -> None:
    before = parts[row]
    parts[row] = (min(low, before[0]), max(high, before[1]))
