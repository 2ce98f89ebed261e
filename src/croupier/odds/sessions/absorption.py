"""Expectations over a session that is played until it ends, with certified errors.

With K for the chances of one round and A = I - K, what is expected of costs c at every
position is x = A⁻¹c, and no entry of A⁻¹ is negative. So a solution that leaves a
residual r is off by at most A⁻¹|r|: no more than the largest of |r| times the rounds
that are expected. If these are found as t, with no residual above d, they are at most
t/(1 - d).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.odds.sessions.chain import Chain
from croupier.odds.sessions.result import UNIT, Figure
from croupier.odds.sessions.strategy import SessionError

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Indices = np.ndarray[Any, np.dtype[np.intp]]


@dataclass(frozen=True, slots=True)
class Steps:
    """Every single step of a chain: from where, to where, how far, how likely."""

    sources: Indices
    targets: Indices
    """The position; -1 where the session ends."""
    shifts: Indices
    """In points."""
    chances: Floats


def steps_of(chain: Chain) -> Steps:
    """Return the moves of a chain, taken apart."""
    import numpy as np

    moves = np.array(
        [
            (
                chain.offsets[move.source] + move.low,
                chain.offsets[move.target] + move.low + move.shift,
                move.shift,
                move.outcome,
                move.high - move.low,
            )
            for move in chain.moves
        ]
    )
    sources, targets, shifts, outcomes, counts = moves.T
    ends = np.cumsum(counts)
    along = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
    arrived = np.repeat(targets, counts) + along
    chances = np.array([weight / chain.denominator for weight in chain.numerators])
    return Steps(
        np.repeat(sources, counts) + along,
        np.where(arrived < chain.live_size, arrived, -1),
        np.repeat(shifts, counts),
        np.repeat(chances[outcomes], counts),
    )


class Absorption:
    """The rounds until the end, as one sparse linear system."""

    def __init__(self, matrix: Any) -> None:
        import numpy as np
        from scipy.sparse import identity  # type: ignore[import-untyped]
        from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

        self._matrix = matrix.tocsr()
        system = (identity(matrix.shape[0]) - matrix).tocsc()
        self._solver = splu(system, permc_spec="COLAMD")
        self._ways = int(np.diff(self._matrix.indptr).max(initial=0))
        self.rounds = self._solved(np.ones(matrix.shape[0]))
        """Expected from each position; off by no more than `doubt` of itself."""
        self.doubt = self._residual(np.ones(matrix.shape[0]), self.rounds)
        if self.doubt >= Fraction(1, 2):
            raise SessionError(
                "this session is too long for float64: set a nearer target, or give it"
                " a number of rounds"
            )

    def _solved(self, costs: Floats) -> Floats:
        """Return the solution, improved once by what it leaves."""
        found: Floats = self._solver.solve(costs)
        left = costs - found + self._matrix @ found
        improved: Floats = found + self._solver.solve(left)
        return improved

    def _residual(self, costs: Floats, found: Floats) -> Fraction:
        """Return a bound on the residual; roundings of it are counted in.

        The chances are off by a rounding each, the products and sums by one each.
        """
        arrived = self._matrix @ abs(found)
        left = abs(costs - found + self._matrix @ found)
        size = Fraction(float((abs(costs) + abs(found) + arrived).max(initial=0.0)))
        return Fraction(float(left.max(initial=0.0))) + (self._ways + 6) * UNIT * size

    def expected(self, costs: Floats, start: int) -> Figure:
        """Return what these costs come to until the end, from one position."""
        found = self._solved(costs)
        rounds = Fraction(float(self.rounds[start])) / (1 - self.doubt)
        return Figure(
            Fraction(float(found[start])), self._residual(costs, found) * rounds
        )

    def squared_rounds(self, start: int) -> Figure:
        """Return the expected square of the rounds until the end.

        A visit with t rounds to go adds 2t - 1 to the square. That t is off by a part
        of itself, and so are they: as t ≤ 2t - 1, by twice that part.
        """
        squares = self.expected(2 * self.rounds - 1, start)
        doubt = 2 * self.doubt / (1 - 2 * self.doubt)
        return Figure(squares.value, squares.error + doubt * squares.greatest)


def one_round(steps: Steps, size: int) -> Any:
    """Return the chances of one round among so many positions, as a sparse matrix."""
    from scipy.sparse import csr_matrix

    stays = steps.targets >= 0
    return csr_matrix(
        (steps.chances[stays], (steps.sources[stays], steps.targets[stays])),
        shape=(size, size),
    )
