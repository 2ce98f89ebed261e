"""The deepest drawdown of a number of rounds, followed round by round.

Beside each position of a session stands how far it is below the peak. Only the pairs
that the rounds can come to are kept, in the order in which they are met: so the first
rounds are short. Whoever falls to the depth in question has had that drawdown, and is
followed no longer. Nothing is subtracted on the way, so that `relative_bound` holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.drawdowns import MAXIMUM_SIZE, too_long
from croupier.lab.sessions.result import UNDERFLOW, Figure, relative_bound
from croupier.lab.sessions.solvers.absorption import ChainSteps, steps_of

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Indices = np.ndarray[Any, np.dtype[np.intp]]

_MAXIMUM_PAIRS = 200_000_000
"""Of a position and a depth, whether they are met or not."""
_WRITING = 10
"""What it costs to write the matrix down for one depth, in rounds."""
_ROUNDINGS_OF_A_SUM = 64
"""In a row, when numpy adds up an array by halves; and a few to spare."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pairs of a position and a depth that is less than `beyond`, as they are met."""

    beyond: int
    depths: Indices
    met: list[int]
    """How many pairs are met after 0, 1, 2 … rounds; after more, no others."""
    matrix: Any
    """A round between the pairs, sparse: from each column to the rows."""
    ways: int
    """The greatest number of steps that lead to one pair."""
    leaving: tuple[Indices, Indices, Floats]
    """The other steps: from which pair, to which depth, how likely."""

    def above(self, depth: int) -> tuple[Floats, Floats]:
        """Return the chances of the matrix above a depth, and those to fall there."""
        import numpy as np

        matrix, size = self.matrix, self.met[-1]
        is_deep = np.repeat(self.depths >= depth, np.diff(matrix.indptr))
        falls: Floats = np.bincount(
            matrix.indices[is_deep], matrix.data[is_deep], size
        ).astype(float)
        sources, depths, chances = self.leaving
        deep = depths >= depth
        falls += np.bincount(sources[deep], chances[deep], size)
        return np.where(is_deep, 0.0, matrix.data), falls


class RoundDrawdowns:
    """Answers for one depth after the other; raise `SessionError` for too many."""

    def __init__(self, chain: Chain, rounds: int) -> None:
        if chain.edges > MAXIMUM_SIZE:
            raise too_long()
        self._chain, self._rounds = chain, rounds
        self._graph = _Graph(steps_of(chain), chain.live_size)
        self._known: _Pairs | None = None

    @property
    def deepest(self) -> int:
        """A depth that no session passes, in points."""
        highest = max(row.high for row in self._chain.rows[: ChainEnd.RUINED])
        loss = -min(move.shift for move in self._chain.moves)
        return max(min(highest, self._rounds * loss), 0)

    def cost(self, depth: int) -> int:
        """Return about how many single steps it takes for one depth."""
        known = self._known or self._pairs(depth)
        sizes = [*known.met, *known.met[-1:] * (self._rounds + 1 - len(known.met))]
        ways = int(known.matrix.nnz) // known.met[-1] + 1
        cost = ways * (sum(sizes) + _WRITING * known.met[-1])
        return cost * max(depth, known.beyond) // known.beyond

    def _pairs(self, depth: int) -> _Pairs:
        """Return pairs with all that is less deep."""
        if self._known is None or self._known.beyond < depth:
            self._known = self._graph.follow(
                self._chain.start_position, self._rounds, depth
            )
        return self._known

    def at_least(self, depth: int) -> Figure:
        """Return how likely the deepest drawdown is so many points, or more."""
        import numpy as np

        pairs, rounds = self._pairs(depth), self._rounds
        met = pairs.met
        chances, falls = pairs.above(depth)
        now = np.zeros(met[-1])
        now[0] = 1.0
        fallen, matrix = [], _first_rows(pairs.matrix, chances, met[-1])
        for done in range(rounds):
            here = met[min(done, len(met) - 1)]
            fallen.append(float((falls[:here] * now[:here]).sum()))
            if done + 1 < len(met):
                matrix = _first_rows(pairs.matrix, chances, met[done + 1])
            after = matrix @ now
            now[: len(after)] = after
        in_a_row = rounds * (pairs.ways + 1) + len(self._chain.numerators)
        relative = relative_bound(in_a_row + _ROUNDINGS_OF_A_SUM)
        lost = UNDERFLOW * pairs.matrix.nnz * rounds
        value = Fraction(fsum(fallen))
        return Figure(value, value * relative / (1 - relative) + lost)


def _first_rows(matrix: Any, chances: Floats, rows: int) -> Any:
    """Return so many rows of a matrix, with other chances, and without a copy."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    stop = matrix.indptr[rows]
    kept = chances[:stop], matrix.indices[:stop], matrix.indptr[: rows + 1]
    return csr_array(kept, shape=(rows, matrix.shape[1]))


class _Graph:
    """The single steps of a chain, those of one position after the other."""

    def __init__(self, steps: ChainSteps, live_size: int) -> None:
        import numpy as np

        order = np.argsort(steps.sources, kind="stable")
        self._targets = steps.targets[order]
        self._shifts, self._chances = steps.shifts[order], steps.chances[order]
        self._starts = np.searchsorted(steps.sources[order], np.arange(live_size + 1))
        self._live_size = live_size

    def follow(self, start: int, rounds: int, depth: int) -> _Pairs:
        """Return the pairs above a depth; raise `SessionError` for too many."""
        import numpy as np

        if self._live_size * depth > _MAXIMUM_PAIRS:
            raise too_long()
        # Numbers of the pairs, counted from 1; 0 is one that has not been met.
        numbers = np.zeros(self._live_size * depth, np.int32)
        fresh = np.array([start * depth], np.intp)
        numbers[fresh] = 1
        met, depths, size = [1], [fresh % depth], 0
        found: list[tuple[Any, ...]] = []
        for _ in range(rounds):
            pairs, steps = self._steps(fresh // depth)
            below = (fresh % depth)[pairs]
            after = np.maximum(0, below - self._shifts[steps])
            stays = (self._targets[steps] < self._live_size) & (after < depth)
            keys = np.where(stays, self._targets[steps] * depth + after, 0)
            sources = numbers[fresh[pairs]] - 1
            distinct = np.unique(keys[stays])
            fresh = distinct[numbers[distinct] == 0]
            numbers[fresh] = np.arange(met[-1], met[-1] + len(fresh)) + 1
            targets = np.where(stays, numbers[keys] - 1, -1)
            found.append((sources, targets, after, self._chances[steps]))
            size += len(steps)
            if size > MAXIMUM_SIZE:
                raise too_long()
            if not len(fresh):
                break
            met.append(met[-1] + len(fresh))
            depths.append(fresh % depth)
        return _pairs(depth, np.concatenate(depths), met, found)

    def _steps(self, positions: Indices) -> tuple[Indices, Indices]:
        """Return every step of the positions: whose it is, and its place."""
        import numpy as np

        counts = self._starts[positions + 1] - self._starts[positions]
        whose = np.repeat(np.arange(len(positions)), counts)
        along = np.arange(len(whose)) - np.repeat(np.cumsum(counts) - counts, counts)
        return whose, self._starts[positions][whose] + along


def _pairs(
    beyond: int, depths: Indices, met: list[int], found: list[tuple[Any, ...]]
) -> _Pairs:
    """Return the pairs with their steps: sources, targets or -1, depths, chances."""
    import numpy as np
    from scipy.sparse import csr_array

    sources, targets, after, chances = (
        np.concatenate(each) for each in zip(*found, strict=True)
    )
    stays = targets >= 0
    places = targets[stays], sources[stays]
    return _Pairs(
        beyond,
        depths,
        met,
        csr_array((chances[stays], places), shape=(met[-1], met[-1])),
        int(np.bincount(places[0]).max(initial=0)),
        (sources[~stays], after[~stays], chances[~stays]),
    )
