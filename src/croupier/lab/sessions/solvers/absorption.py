"""Expectations over a session that is played until it ends, with certified errors.

With K for the chances of one round and A = I - K, what is expected of costs c at every
position is x = A⁻¹c, and no entry of A⁻¹ is negative. So a solution that leaves a
residual r is off by at most A⁻¹|r|: no more than the largest of |r| times the rounds
that are expected. If these are found as t, with no residual above d, they are at most
t/(1 - d).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.lab.sessions.chain import Chain, Move
from croupier.lab.sessions.result import UNIT, Figure
from croupier.lab.sessions.strategy import SessionError

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Indices = np.ndarray[Any, np.dtype[np.intp]]

    Solve = Callable[[Floats], Floats]

_KRYLOV_STEPS = 400
_KRYLOV_DIGITS = 1e-6
_TINY = 1e-300


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
    import numpy as np

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


class Absorption:
    """The rounds until the end, as one sparse linear system."""

    def __init__(self, matrix: Any) -> None:
        import numpy as np

        self._matrix = matrix.tocsr()
        self._solve = factored(matrix)
        self.rounds = self._solved(np.ones(matrix.shape[0]))
        """Expected from each position; off by no more than `doubt` of itself."""
        self.doubt = residual(matrix, np.ones(matrix.shape[0]), self.rounds)
        if self.doubt >= Fraction(1, 2):
            raise SessionError(
                "this session is too long for float64: set a nearer target, or give it"
                " a number of rounds"
            )

    def _solved(self, costs: Floats) -> Floats:
        """Return the solution, improved once by what it leaves."""
        found: Floats = self._solve(costs)
        left = costs - found + self._matrix @ found
        improved: Floats = found + self._solve(left)
        return improved

    def expected(self, costs: Floats, start: int) -> Figure:
        """Return what these costs come to until the end, from one position."""
        found = self._solved(costs)
        off = residual(self._matrix, costs, found) * self.most_rounds(start)
        return Figure(Fraction(float(found[start])), off)

    def most_rounds(self, start: int) -> Fraction:
        """Return a bound on the rounds that are expected from a position."""
        return Fraction(float(self.rounds[start])) / (1 - self.doubt)

    def squared_rounds(self, start: int) -> Figure:
        """Return the expected square of the rounds until the end.

        A visit with t rounds to go adds 2t - 1 to the square. That t is off by a part
        of itself, and so are they: as t ≤ 2t - 1, by twice that part.
        """
        squares = self.expected(2 * self.rounds - 1, start)
        doubt = 2 * self.doubt / (1 - 2 * self.doubt)
        return Figure(squares.value, squares.error + doubt * squares.greatest)


def factored(matrix: Any) -> Solve:
    """Return how to solve the system of these chances, factored once."""
    from scipy.sparse import identity  # type: ignore[import-untyped]
    from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

    solve: Solve = splu((identity(matrix.shape[0]) - matrix).tocsc()).solve
    return solve


def krylov(matrix: Any, costs: Floats) -> Floats:
    """Return about six digits of a solution, by stabilized biconjugate gradients.

    Sums stand for scalar products, which wait for each other on a busy machine.
    """
    found, left = 0.0 * costs, costs.copy()
    shadow = left.copy()
    rho = float((shadow * left).sum())
    way, enough = left.copy(), float(abs(left).max()) * _KRYLOV_DIGITS
    for _ in range(_KRYLOV_STEPS):
        if rho == 0.0 or float(abs(left).max()) <= enough:
            break
        image = way - matrix @ way
        seen = float((shadow * image).sum())
        if seen == 0.0:
            break
        along = rho / seen
        half = left - along * image
        turned = half - matrix @ half
        across = float((turned * half).sum()) / max(float((turned**2).sum()), _TINY)
        found += along * way + across * half
        left = half - across * turned
        before, rho = rho, float((shadow * left).sum())
        if across == 0.0:
            break
        way = left + (rho / before) * (along / across) * (way - across * image)
    return found


def residual(matrix: Any, costs: Floats, found: Floats) -> Fraction:
    """Return a bound on what a solution leaves; roundings of it are counted in.

    The chances are off by a rounding each, the products and sums by one each.
    """
    import numpy as np

    ways = int(np.diff(matrix.tocsr().indptr).max(initial=0))
    left = abs(costs - found + matrix @ found)
    size = (abs(costs) + abs(found) + matrix @ abs(found)).max(initial=0.0)
    return Fraction(float(left.max(initial=0.0))) + (
        (ways + 6) * UNIT * Fraction(float(size))
    )


def one_round(steps: ChainSteps, size: int) -> Any:
    """Return the chances of one round among so many positions, as a sparse matrix."""
    from scipy.sparse import csr_matrix

    stays = steps.targets < size
    return csr_matrix(
        (steps.chances[stays], (steps.sources[stays], steps.targets[stays])),
        shape=(size, size),
    )
