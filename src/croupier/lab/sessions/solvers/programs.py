"""One round of play on arrays of probabilities, in two ways that do the same.

A chain of long rows slides: each move is a product of two slices, as far as there is
any probability to speak of. Every other chain scatters: its steps are a sparse matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from croupier.lab.sessions.chain import Chain, ChainEnd, Move
from croupier.lab.sessions.exploration import MAXIMUM_POSITIONS
from croupier.lab.sessions.solvers.absorption import steps_of

if TYPE_CHECKING:
    import numpy as np

    Indices = np.ndarray[Any, np.dtype[np.intp]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]

FAINT = 1e-26
"""A position of less probability may be dropped."""
_LONG = 64
"""Moves of so many points slide."""
_A_ROUND, _A_SLIDE, _A_SCRAP, _A_STEP = 6_000, 2_000, 8, 4
"""What a round of slides costs beforehand, a slide, a step of a short move and a step
that scatters: roughly, in nanoseconds; a step that slides costs one.
"""
_MOST_COST = 6 * 10**9
"""Of all rounds: some seconds."""
_SELDOM = 8
_SWEEP = 32
"""The rounds after which what is too faint to matter is dropped."""


@dataclass(slots=True)
class ProbabilityArrays:
    """Where the session may be: the probability of each live position, and the sums."""

    now: Floats
    then: Floats
    """Room for the next round."""
    absorbed: Floats
    """What has ended, by where."""
    visits: Floats
    """For each live position, the rounds that were played there."""
    spans: list[tuple[int, int]]
    """Where each row has any probability; the rest of `now` is zero."""
    stale: list[tuple[int, int]]
    """Where `then` is not zero yet."""
    rounds: int = 0
    dropped: float = 0.0


class Program(Protocol):
    """One round of a chain."""

    def play(self, board: ProbabilityArrays) -> None:
        """Play a round: what is now becomes what is then."""

    def work(self, board: ProbabilityArrays) -> int:
        """Return about how many steps a round takes."""


def start_arrays(chain: Chain) -> ProbabilityArrays:
    """Return the probabilities before the first round."""
    import numpy as np

    live, start = chain.live_size, chain.start_position
    spans = [(0, 0)] * len(chain.rows)
    spans[chain.start[0]] = (start, start + 1)
    now = np.zeros(live)
    now[start] = 1.0
    ended = np.zeros(chain.size - live)
    return ProbabilityArrays(
        now, np.zeros(live), ended, np.zeros(live), spans, list(spans)
    )


def round_program(chain: Chain) -> Program:
    """Return one round of the chain, in the quicker of the two ways."""
    return _sliced_program(chain) if slides(chain) else _matrix_program(chain)


def slides(chain: Chain) -> bool:
    """Return whether moves are so long that it is quicker to slide."""
    by_slices, by_steps = _costs(chain)
    return by_slices < by_steps


def _length(move: Move) -> int:
    return move.high - move.low


def _costs(chain: Chain) -> tuple[int, int]:
    """Return what a round costs that slides, and one that scatters, at most."""
    long = [_length(move) for move in chain.moves if _length(move) >= _LONG]
    short = chain.edges - sum(long)
    by_slices = _A_ROUND + _A_SLIDE * len(long) + sum(long) + _A_SCRAP * short
    return by_slices, _A_STEP * chain.edges


def takes_too_long(chain: Chain, rounds: int, patience: int) -> bool:
    """Return whether so many rounds are too much work, or the arrays too large.

    Slides go only as far as there is any probability, which is rarely everywhere.
    """
    if chain.size > MAXIMUM_POSITIONS:
        return True
    by_slices, by_steps = _costs(chain)
    return rounds * min(by_slices // _SELDOM, by_steps) > patience * _MOST_COST


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
class SlicedProgram:
    """Long moves as slices, and the rest by their positions."""

    slides: tuple[_LongMove, ...]
    short_moves: _ShortMoves | None
    product: Floats

    def play(self, board: ProbabilityArrays) -> None:
        now, then, spans = board.now, board.then, board.spans
        for low, high in spans:
            if low < high:
                board.visits[low:high] += now[low:high]
        for low, high in board.stale:
            if low < high:
                then[low:high] = 0.0
        reached = [(len(now), 0)] * len(spans)
        self._slide(board, reached)
        if self.short_moves is not None:
            _scatter(self.short_moves, board, reached)
        board.stale, board.spans = spans, reached
        board.now, board.then = then, now
        board.rounds += 1
        if board.rounds % _SWEEP == 0:
            _cut(board)

    def work(self, board: ProbabilityArrays) -> int:
        return sum(high - low for low, high in board.spans if low < high)

    def _slide(self, board: ProbabilityArrays, reached: list[tuple[int, int]]) -> None:
        import numpy as np

        now, then, absorbed = board.now, board.then, board.absorbed
        for slide in self.slides:
            low, high = board.spans[slide.row]
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
    short_moves: _ShortMoves, board: ProbabilityArrays, reached: list[tuple[int, int]]
) -> None:
    import numpy as np

    weights = board.now[short_moves.sources]
    if not weights.any():
        return
    weights *= short_moves.chances
    live = len(short_moves.live)
    sums = np.bincount(short_moves.places, weights, live + len(short_moves.ended))
    board.then[short_moves.live] += sums[:live]
    board.absorbed[short_moves.ended] += sums[live:]
    for row, low, high in short_moves.spans:
        before = reached[row]
        reached[row] = (min(low, before[0]), max(high, before[1]))


def _cut(board: ProbabilityArrays) -> None:
    """Cut rows down to the first and the last position that is not faint."""
    for row, (low, high) in enumerate(board.spans):
        if low >= high:
            continue
        part = board.now[low:high]
        seen = (part > FAINT).nonzero()[0]
        first, after = (int(seen[0]), int(seen[-1]) + 1) if seen.size else (0, 0)
        board.dropped += FAINT * (part.size - (after - first))
        part[:first] = 0.0
        part[after:] = 0.0
        board.spans[row] = (low + first, low + after)


def _sliced_program(chain: Chain) -> SlicedProgram:
    import numpy as np

    long = [move for move in chain.moves if _length(move) >= _LONG]
    short = [move for move in chain.moves if _length(move) < _LONG]
    longest = max(map(_length, long), default=0)
    return SlicedProgram(
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
    import numpy as np

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
class MatrixProgram:
    """Every step as an entry of a sparse matrix: a column for each live position."""

    matrix: Any

    def play(self, board: ProbabilityArrays) -> None:
        now = board.now
        board.visits += now
        sums, live = self.matrix @ now, now.size
        board.now = sums[:live]
        board.absorbed += sums[live:]
        board.rounds += 1
        if board.rounds % _SWEEP == 0:
            # Subnormal numbers are slow.
            faint = board.now < FAINT
            board.dropped += FAINT * int(faint.sum())
            board.now[faint] = 0.0

    def work(self, board: ProbabilityArrays) -> int:
        return int(self.matrix.nnz) + board.now.size


def _matrix_program(chain: Chain) -> MatrixProgram:
    import numpy as np
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    steps = steps_of(chain, chain.moves)
    places = steps.targets.astype(np.int32), steps.sources.astype(np.int32)
    shape = (chain.size, chain.live_size)
    return MatrixProgram(csr_array((steps.chances, places), shape=shape))
