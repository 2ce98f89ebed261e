"""One round of play on arrays of probabilities, in two ways that do the same.

A chain of long rows slides: each move is a product of two slices, as far as there is
any probability to speak of. A chain of many states, or a small one, scatters: its steps
are a sparse matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from croupier.lab.sessions.exploration import MAXIMUM_POSITIONS
from croupier.lab.sessions.solvers.array_layout import ArrayLayout, ArrayMove

if TYPE_CHECKING:
    import numpy as np

    Indices = np.ndarray[Any, np.dtype[np.intp]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]

FAINT = 1e-26
"""A position of less probability may be dropped."""
_LONG = 64
"""Lines of so many points slide."""
_A_ROUND, _A_SLIDE, _A_SCRAP, _A_STEP = 6_000, 2_000, 8, 4
"""What a round of slides costs beforehand, a slide, a step of a short line and a step
that scatters: roughly, in nanoseconds; a step that slides costs one.
"""
_MOST_COST = 6 * 10**9
"""Of all rounds: some seconds."""
_SELDOM = 8
_FEW_STEPS = 20_000
"""So few steps, or fewer, are looked up one by one."""
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
    """A round that begins at one residue."""

    def play(self, board: ProbabilityArrays) -> None:
        """Play a round: what is now becomes what is then."""

    def work(self, board: ProbabilityArrays) -> int:
        """Return about how many steps a round takes."""


def start_arrays(layout: ArrayLayout) -> ProbabilityArrays:
    """Return the probabilities before the first round."""
    import numpy as np

    live = layout.live_size
    row, point = layout.chain.start
    start = layout.index(row, point, layout.first_residue)
    spans = [(0, 0)] * len(layout.chain.rows)
    spans[row] = (start, start + 1)
    now = np.zeros(live)
    now[start] = 1.0
    ended = np.zeros(layout.size - live)
    return ProbabilityArrays(
        now, np.zeros(live), ended, np.zeros(live), spans, list(spans)
    )


def programs(layout: ArrayLayout) -> Callable[[int], Program]:
    """Return the round for each residue; all of them slide, or all scatter."""
    first = list(layout.lines(layout.first_residue))
    make = _sliced_program if slides(first) else _matrix_program
    made: dict[int, Program] = {layout.first_residue: make(layout, first)}

    def program(residue: int) -> Program:
        found = made.get(residue)
        if found is None:
            found = made[residue] = make(layout, list(layout.lines(residue)))
        return found

    return program


def slides(lines: list[ArrayMove]) -> bool:
    """Return whether lines are so long that it is quicker to slide."""
    by_slices, by_steps = _costs(lines)
    return by_slices < by_steps


def _costs(lines: list[ArrayMove]) -> tuple[int, int]:
    """Return what a round costs that slides, and one that scatters, at most."""
    long = [line.count for line in lines if line.count >= _LONG]
    steps = sum(line.count for line in lines)
    short = steps - sum(long)
    by_slices = _A_ROUND + _A_SLIDE * len(long) + sum(long) + _A_SCRAP * short
    return by_slices, _A_STEP * steps


def takes_too_long(layout: ArrayLayout, rounds: int, patience: int) -> bool:
    """Return whether so many rounds are too much work, or the arrays too large.

    Slides go only as far as there is any probability, which is seldom everywhere.
    """
    if layout.size > MAXIMUM_POSITIONS:
        return True
    by_slices, by_steps = _costs(list(layout.lines(layout.first_residue)))
    return rounds * min(by_slices // _SELDOM, by_steps) > patience * _MOST_COST


def _chances(layout: ArrayLayout) -> list[float]:
    chain = layout.chain
    return [numerator / chain.denominator for numerator in chain.numerators]


@dataclass(frozen=True, slots=True)
class _LongLine:
    row: int
    low: int
    high: int
    chance: float
    target: int
    """The row it leads to; -1 where it ends."""
    shift: int
    """From a source's index to its target's; its multiple, where it ends."""
    step: int


@dataclass(frozen=True, slots=True)
class _ShortLines:
    """Steps of lines that are too short to slide, by distinct targets."""

    sources: Indices
    chances: Floats
    places: Indices
    live: Indices
    ended: Indices
    spans: tuple[tuple[int, int, int], ...]
    """The rows they lead to, each with the first place and the one after the last."""


@dataclass(slots=True)
class SlicedProgram:
    """Long lines as slices, and the rest by their indices."""

    slides: tuple[_LongLine, ...]
    short_lines: _ShortLines | None
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
        if self.short_lines is not None:
            _scatter(self.short_lines, board, reached)
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
            if slide.target < 0:
                first = slide.shift + (low - slide.low) * slide.step
                last = slide.shift + (high - 1 - slide.low) * slide.step
                ended = absorbed[first : last + 1 : slide.step]
                ended += np.multiply(now[low:high], slide.chance)
                continue
            start, stop = low + slide.shift, high + slide.shift
            before = reached[slide.target]
            if before[1] == 0:
                np.multiply(now[low:high], slide.chance, then[start:stop])
            else:
                product = self.product[: high - low]
                np.multiply(now[low:high], slide.chance, product)
                then[start:stop] += product
            reached[slide.target] = (min(start, before[0]), max(stop, before[1]))


def _scatter(
    short_lines: _ShortLines, board: ProbabilityArrays, reached: list[tuple[int, int]]
) -> None:
    import numpy as np

    weights = board.now[short_lines.sources]
    if not weights.any():
        return
    weights *= short_lines.chances
    live = len(short_lines.live)
    sums = np.bincount(short_lines.places, weights, live + len(short_lines.ended))
    board.then[short_lines.live] += sums[:live]
    board.absorbed[short_lines.ended] += sums[live:]
    for row, low, high in short_lines.spans:
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


def _sliced_program(layout: ArrayLayout, lines: list[ArrayMove]) -> SlicedProgram:
    import numpy as np

    chances, live = _chances(layout), layout.live_size
    long = [line for line in lines if line.count >= _LONG]
    made = tuple(
        _LongLine(
            line.row,
            line.source,
            line.source + line.count,
            chances[line.outcome],
            -1 if line.target >= live else line.target_row,
            line.target - (live if line.target >= live else line.source),
            line.step,
        )
        for line in long
    )
    longest = max((line.count for line in long), default=0)
    short = [line for line in lines if line.count < _LONG]
    return SlicedProgram(made, _short_lines(layout, short), np.empty(longest))


def _short_lines(layout: ArrayLayout, lines: list[ArrayMove]) -> _ShortLines | None:
    import numpy as np

    if not lines:
        return None
    outcomes, sources, targets = _steps(lines)
    distinct, places = np.unique(targets, return_inverse=True)
    is_live = distinct < layout.live_size
    spans: dict[int, tuple[int, int]] = {}
    for line in lines:
        if line.target < layout.live_size:
            low, high = spans.get(line.target_row, (layout.live_size, 0))
            spans[line.target_row] = (
                min(low, line.target),
                max(high, line.target + line.count),
            )
    return _ShortLines(
        sources,
        np.array(_chances(layout))[outcomes],
        places,
        distinct[is_live],
        distinct[~is_live] - layout.live_size,
        tuple((row, *span) for row, span in spans.items()),
    )


def _steps(lines: list[ArrayMove]) -> tuple[Indices, Indices, Indices]:
    """Return every single step: its outcome, its source, its target."""
    import numpy as np

    outcomes, sources, firsts, strides, counts = np.array(
        [
            (line.outcome, line.source, line.target, line.step, line.count)
            for line in lines
        ]
    ).T
    ends = np.cumsum(counts)
    along = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
    return (
        np.repeat(outcomes, counts),
        np.repeat(sources, counts) + along,
        np.repeat(firsts, counts) + along * np.repeat(strides, counts),
    )


@dataclass(frozen=True, slots=True)
class MatrixProgram:
    """Every step as an entry of a matrix: a column for each live position."""

    matrix: Any
    """A sparse one, or `FewSteps`."""

    def play(self, board: ProbabilityArrays) -> None:
        now = board.now
        board.visits += now
        sums, live = self.matrix @ now, now.size
        board.now = sums[:live]
        board.absorbed += sums[live:]
        board.rounds += 1
        if board.rounds % _SWEEP == 0:
            # Numbers that are nearly none are slow.
            faint = board.now < FAINT
            board.dropped += FAINT * int(faint.sum())
            board.now[faint] = 0.0

    def work(self, board: ProbabilityArrays) -> int:
        return int(self.matrix.nnz) + board.now.size


@dataclass(frozen=True, slots=True)
class FewSteps:
    """A small matrix, which is quicker made than a sparse one."""

    sources: Indices
    targets: Indices
    chances: Floats
    size: int

    @property
    def nnz(self) -> int:
        return len(self.sources)

    def __matmul__(self, now: Floats) -> Floats:
        import numpy as np

        weights = self.chances * now[self.sources]
        sums = np.bincount(self.targets, weights, self.size)
        return sums.astype(np.float64, copy=False)


def _matrix_program(layout: ArrayLayout, lines: list[ArrayMove]) -> MatrixProgram:
    import numpy as np

    shape = (layout.size, layout.live_size)
    if lines:
        outcomes, sources, targets = _steps(lines)
        chances = np.array(_chances(layout))[outcomes]
    else:
        sources = targets = np.zeros(0, dtype=np.intp)
        chances = np.zeros(0)
    if len(sources) <= _FEW_STEPS:
        return MatrixProgram(FewSteps(sources, targets, chances, layout.size))
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    places = targets.astype(np.int32), sources.astype(np.int32)
    return MatrixProgram(csr_array((chances, places), shape=shape))
