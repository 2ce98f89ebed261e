"""How likely the bankroll falls so far below its highest, until the session ends.

Beside each position of a session stands how far it is below the peak. Whoever falls to
the depth in question has had that drawdown, and is followed no longer. All together are
a sparse linear system, whose residual bounds the error as in `absorption`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import Figure, relative_bound
from croupier.lab.sessions.solvers.absorption import (
    Absorption,
    factored,
    krylov,
    one_round,
    residual,
    steps_of,
)
from croupier.lab.sessions.strategy import SessionError

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Indices = np.ndarray[Any, np.dtype[np.intp]]


MAXIMUM_SIZE = 10_000_000
"""Single steps of one round, with every depth."""
_SYSTEM = 1_000
"""A linear system costs about so many rounds."""
_SMALL = 5_000
"""So many places are solved directly."""
_IMPROVEMENTS = 2


@dataclass(frozen=True, slots=True)
class _DepthChain:
    """A round among positions with their depths below the peak, above one depth."""

    matrix: Any
    """Sparse: from each column to the rows."""
    falls: Floats
    """How likely it falls to the depth in question."""
    start: int


class Drawdowns:
    """Answers for one depth after the other; raise `SessionError` for too many."""

    def __init__(self, chain: Chain) -> None:
        if chain.edges > MAXIMUM_SIZE:
            raise too_long()
        self._chain = chain
        self._steps = steps_of(chain)

    @property
    def deepest(self) -> int:
        """A depth that no session passes, in points."""
        return max(row.high for row in self._chain.rows[: ChainEnd.RUINED])

    def cost(self, depth: int) -> int:
        """Return about how many single steps it takes for one depth."""
        return self._size(depth) * _SYSTEM

    def _size(self, depth: int) -> int:
        return int(self._depths(depth)[self._steps.sources].sum())

    def _depths(self, depth: int) -> Indices:
        """Return how many depths each position can have: the peak is the start's."""
        return (depth - self._least_depths).clip(0)

    @cached_property
    def _least_depths(self) -> Indices:
        import numpy as np

        rows = self._chain.rows[: ChainEnd.RUINED]
        points = np.concatenate([np.arange(row.low, row.high) for row in rows])
        least: Indices = (self._chain.start[1] - points).clip(0)
        return least

    def at_least(self, depth: int) -> Figure:
        """Return how likely the deepest drawdown is so many points, or more."""
        if self._size(depth) > MAXIMUM_SIZE:
            raise too_long()
        return self._solved(self._deep(depth))

    def _deep(self, depth: int) -> _DepthChain:
        import numpy as np
        from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

        steps, least, counts = self._steps, self._least_depths, self._depths(depth)
        firsts = np.cumsum(counts) - counts
        many = counts[steps.sources]
        ends = np.cumsum(many)
        along = np.arange(ends[-1]) - np.repeat(ends - many, many)
        each = np.repeat(np.arange(len(many)), many)
        sources, targets = steps.sources[each], steps.targets[each]
        before = firsts[sources] + along
        after = np.maximum(0, least[sources] + along - steps.shifts[each])
        chances = steps.chances[each]
        falls = after >= depth
        stays = (targets < len(counts)) & ~falls
        there = targets[stays]
        places = firsts[there] + after[stays] - least[there]
        size = int(counts.sum())
        fallen: Floats = np.bincount(before[falls], chances[falls], size).astype(float)
        return _DepthChain(
            csr_matrix((chances[stays], (places, before[stays])), (size, size)),
            fallen,
            int(firsts[self._chain.start_position]),
        )

    def _solved(self, deep: _DepthChain) -> Figure:
        """Return the chance from a solution that is improved by what it leaves.

        No more rounds are expected here than in the session itself.
        """
        onward = deep.matrix.T.tocsr()
        is_small = onward.shape[0] <= _SMALL
        solve = factored(onward) if is_small else partial(krylov, onward)
        found = solve(deep.falls)
        for _ in range(_IMPROVEMENTS):
            found = found + solve(deep.falls - found + onward @ found)
        bound = residual(onward, deep.falls, found) + relative_bound(
            len(self._chain.numerators) + 2
        )
        value = Fraction(float(found[deep.start]))
        return Figure(value, bound * self._absorption.most_rounds(self._start))

    @property
    def _start(self) -> int:
        return self._chain.start_position

    @cached_property
    def _absorption(self) -> Absorption:
        return Absorption(one_round(self._steps, self._chain.live_size))


def too_long() -> SessionError:
    """Return the refusal of a drawdown."""
    return SessionError(
        "the drawdown of this session takes too long to reckon: set a nearer target,"
        " stake a larger unit, or give it fewer rounds"
    )
