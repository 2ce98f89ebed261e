"""A session in float64, round by round, with a bound on what roundings can have done.

The steps of a chain are a sparse matrix. If its rows are long, each move is a product
of two slices instead, as far as there is any probability to speak of.

Laws of this file:
- nothing is subtracted in the walk, so that `relative_bound` holds;
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

from croupier.lab.sessions.chain import Chain, ChainEnd, Move, Row
from croupier.lab.sessions.exploration import MAXIMUM_POSITIONS
from croupier.lab.sessions.result import (
    LEVELS,
    UNDERFLOW,
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    relative_bound,
)
from croupier.lab.sessions.solvers.exact_solver import TooLong

Floats = np.ndarray[Any, np.dtype[np.float64]]
Indices = np.ndarray[Any, np.dtype[np.intp]]

_FAINT = 1e-26
"""A position of less probability may be dropped."""
_LONG = 700
"""Moves of so many points slide; shorter ones would save no time."""
_MOST_STEPS = 1_500_000_000
"""Of all rounds: some seconds."""
_SELDOM = 32
"""Slides go only as far as there is any probability; they take so many times less."""
_SWEEP = 32
"""The rounds after which what is too faint to matter is dropped."""


@dataclass(frozen=True, slots=True)
class ChainSteps:
    """Every single step of a chain: from where, to where, how far, how likely."""

    sources: Indices
    targets: Indices
    """The position; an end's, where the session ends."""
    shifts: Indices
    """In points."""
    chances: Floats


def steps_of(chain: Chain, moves: Sequence[Move] | None = None) -> ChainSteps:
    """Return the single steps of these moves; of all, if none are given."""
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
    """Solve the session after so many rounds; raise `TooLong` before a long work."""
    if takes_too_long(chain, rounds, patience):
        raise TooLong
    walk = FloatWalk(chain)
    wanted = frozenset(looks)
    snapshots = []
    for stop in sorted({*looks, *range(_SWEEP, rounds, _SWEEP), rounds}):
        walk.play(stop - walk.rounds)
        if stop in wanted:
            snapshots.append(walk.snapshot())
        progress(stop, rounds)
    lost = walk.lost()
    most = max(run.units for run in chain.runs)
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
        live, (row, _), start = chain.live_size, chain.start, chain.start_position
        self._chain = chain
        self._program = _sliced_program(chain) if slides(chain) else _matrix(chain)
        self.rounds, self.dropped = 0, 0.0
        self.now, self.then = np.zeros(live), np.zeros(live)
        """The live positions, and room for the next round."""
        self.now[start] = 1.0
        self.absorbed = np.zeros(chain.size - live)
        """What has ended, by where."""
        self.visits = np.zeros(live)
        """For each live position, the rounds that were played there."""
        self.spans = [(0, 0)] * len(chain.rows)
        """Where each row has any probability; the rest of `now` is zero."""
        self.spans[row] = (start, start + 1)
        self.stale = list(self.spans)
        """Where `then` is not zero yet."""

    def play(self, rounds: int = 1) -> None:
        """Play so many rounds more."""
        for _ in range(rounds):
            self.rounds += 1
            self._program.play(self)

    def lost(self) -> Fraction:
        """Return the probability that was dropped, or fell below the normal numbers."""
        steps = self._chain.edges * self.rounds
        return Fraction(2 * self.dropped) + UNDERFLOW * steps

    def roundings(self) -> int:
        """Count the roundings in a row: chance, product, sums, sum over rounds."""
        return self.rounds * (self._chain.in_degree + 1) + self.rounds

    def snapshot(self) -> SessionSnapshot:
        sums = {
            end: Fraction(fsum(part))
            for end, part in _parts(self._chain, self.absorbed).items()
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


def _parts(chain: Chain, absorbed: Floats) -> Mapping[ChainEnd, Floats]:
    """Return what has ended, by end."""
    parts = {}
    for end in ChainEnd:
        row = chain.rows[end]
        first = chain.offsets[end] + row.low - chain.live_size
        parts[end] = absorbed[first : first + row.length]
    return parts


def ended_of(chain: Chain, absorbed: Floats) -> dict[ChainEnd, dict[int, Fraction]]:
    """Return what has ended, by end and point."""
    return {
        end: {
            chain.rows[end].low + place: Fraction(chance)
            for place, chance in enumerate(part.tolist())
            if chance
        }
        for end, part in _parts(chain, absorbed).items()
    }


def points_of(rows: Sequence[Row]) -> Indices:
    """Return the point of every position in these rows."""
    return np.concatenate([np.arange(row.low, row.high) for row in rows])


def units_of(chain: Chain) -> Floats:
    """Return what is staked at each live position."""
    units = np.zeros(chain.live_size)
    for run in chain.runs:
        offset = chain.offsets[run.row]
        units[offset + run.low : offset + run.high] = run.units
    return units


def slides(chain: Chain) -> bool:
    """Return whether moves are so long that it is quicker to slide."""
    long = sum(_length(move) for move in chain.moves if _length(move) >= _LONG)
    return 2 * long > chain.edges


def takes_too_long(chain: Chain, rounds: int, patience: int) -> bool:
    """Return whether so many rounds are too much work, or the arrays too large."""
    if chain.size > MAXIMUM_POSITIONS:
        return True
    steps = chain.edges // _SELDOM if slides(chain) else chain.edges
    return rounds * steps > patience * _MOST_STEPS


def _length(move: Move) -> int:
    return move.high - move.low


@dataclass(frozen=True, slots=True)
class _LongMove:
    row: int
    low: int
    high: int
    chance: float
    target: int
    """The row it leads to; -1 if the session ends."""
    shift: int
    """From a source's position to its target's, counted from the ends if it ends."""


@dataclass(frozen=True, slots=True)
class _ShortMoves:
    """Steps of moves that are too short to slide, by distinct targets."""

    sources: Indices
    chances: Floats
    places: Indices
    live: Indices
    ended: Indices
    spans: tuple[tuple[int, int, int], ...]
    """The rows they lead to, each with the first place and the one after the last."""


@dataclass(slots=True)
class _SlicedProgram:
    """Long moves as slices, and the rest by their positions."""

    slides: tuple[_LongMove, ...]
    short_moves: _ShortMoves | None
    product: Floats

    def play(self, walk: FloatWalk) -> None:
        now, then, spans = walk.now, walk.then, walk.spans
        for low, high in spans:
            if low < high:
                walk.visits[low:high] += now[low:high]
        for low, high in walk.stale:
            if low < high:
                then[low:high] = 0.0
        reached = [(len(now), 0)] * len(spans)
        self._slide(walk, reached)
        if self.short_moves is not None:
            _scatter(self.short_moves, walk, reached)
        walk.stale, walk.spans = spans, reached
        walk.now, walk.then = then, now
        if walk.rounds % _SWEEP == 0:
            _cut(walk)

    def _slide(self, walk: FloatWalk, reached: list[tuple[int, int]]) -> None:
        now, then, absorbed = walk.now, walk.then, walk.absorbed
        for slide in self.slides:
            low, high = walk.spans[slide.row]
            low, high = max(low, slide.low), min(high, slide.high)
            if low >= high:
                continue
            start, stop = low + slide.shift, high + slide.shift
            if slide.target < 0:
                absorbed[start:stop] += np.multiply(now[low:high], slide.chance)
                continue
            before = reached[slide.target]
            if before[1] == 0:
                np.multiply(now[low:high], slide.chance, then[start:stop])
            else:
                product = self.product[: high - low]
                np.multiply(now[low:high], slide.chance, product)
                then[start:stop] += product
            reached[slide.target] = (min(start, before[0]), max(stop, before[1]))


def _scatter(
    short_moves: _ShortMoves, walk: FloatWalk, reached: list[tuple[int, int]]
) -> None:
    weights = walk.now[short_moves.sources]
    if not weights.any():
        return
    weights *= short_moves.chances
    live = len(short_moves.live)
    sums = np.bincount(short_moves.places, weights, live + len(short_moves.ended))
    walk.then[short_moves.live] += sums[:live]
    walk.absorbed[short_moves.ended] += sums[live:]
    for row, low, high in short_moves.spans:
        before = reached[row]
        reached[row] = (min(low, before[0]), max(high, before[1]))


def _cut(walk: FloatWalk) -> None:
    """Cut rows down to the first and the last position that is not faint."""
    for row, (low, high) in enumerate(walk.spans):
        if low >= high:
            continue
        part = walk.now[low:high]
        seen = (part > _FAINT).nonzero()[0]
        first, after = (int(seen[0]), int(seen[-1]) + 1) if seen.size else (0, 0)
        walk.dropped += _FAINT * (part.size - (after - first))
        part[:first] = 0.0
        part[after:] = 0.0
        walk.spans[row] = (low + first, low + after)


def _sliced_program(chain: Chain) -> _SlicedProgram:
    long = [move for move in chain.moves if _length(move) >= _LONG]
    short = [move for move in chain.moves if _length(move) < _LONG]
    longest = max(map(_length, long), default=0)
    return _SlicedProgram(
        tuple(_long_move(chain, move) for move in long),
        _short_moves(chain, short) if short else None,
        np.empty(longest),
    )


def _long_move(chain: Chain, move: Move) -> _LongMove:
    before, after = chain.offsets[move.source], chain.offsets[move.target]
    ends = move.target >= len(chain.rows) + ChainEnd.RUINED
    return _LongMove(
        move.source,
        before + move.low,
        before + move.high,
        chain.numerators[move.outcome] / chain.denominator,
        -1 if ends else move.target,
        after + move.shift - before - (chain.live_size if ends else 0),
    )


def _short_moves(chain: Chain, moves: Sequence[Move]) -> _ShortMoves:
    steps = steps_of(chain, moves)
    distinct, places = np.unique(steps.targets, return_inverse=True)
    is_live = distinct < chain.live_size
    spans: dict[int, tuple[int, int]] = {}
    for move in moves:
        first = chain.offsets[move.target] + move.low + move.shift
        if first < chain.live_size:
            low, high = spans.get(move.target, (first, 0))
            spans[move.target] = min(low, first), max(high, first + _length(move))
    return _ShortMoves(
        steps.sources,
        steps.chances,
        places,
        distinct[is_live],
        distinct[~is_live] - chain.live_size,
        tuple((row, *span) for row, span in spans.items()),
    )


@dataclass(frozen=True, slots=True)
class _MatrixProgram:
    """Every step as an entry of a sparse matrix: a column for each live position."""

    matrix: Any

    def play(self, walk: FloatWalk) -> None:
        now = walk.now
        walk.visits += now
        sums, live = self.matrix @ now, now.size
        walk.now = sums[:live]
        walk.absorbed += sums[live:]
        if walk.rounds % _SWEEP == 0:
            # Subnormal numbers are slow.
            faint = walk.now < _FAINT
            walk.dropped += _FAINT * int(faint.sum())
            walk.now[faint] = 0.0


def _matrix(chain: Chain) -> _MatrixProgram:
    steps = steps_of(chain, chain.moves)
    places = steps.targets.astype(np.int32), steps.sources.astype(np.int32)
    shape = (chain.size, chain.live_size)
    return _MatrixProgram(csr_array((steps.chances, places), shape=shape))
