"""A session until it ends, in float64: one linear system, with its residual as proof.

With K as the chances of one round, the expected visits are v = start + v·K. A solution
ṽ has a known residual r = start + ṽ·K - ṽ, and one visit more or less changes the
chance of an end by at most one. So the error of a probability is at most the sum of all
|r|, and that of an expectation at most this sum times the longest session. The expected
rounds from each position are t = 1 + K·t. If t̃ has no residual above d, its relative
error is at most d, because no entry of (I - K)⁻¹ is negative.

The order of the positions decides the fill-in of the factorisation. A series begins in
the first state. If a series always has the same net result when it meets a state, that
state has one bankroll for each at which a series can begin. If a state comes after all
states that lead to it, and the few for which this is impossible come last, the factors
stay small and complete. Otherwise the factorisation is incomplete, with a bounded size,
and generalized minimal residuals (GMRES) correct the solution.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum
from typing import Any

import numpy as np
from scipy.sparse import csr_array, eye_array  # type: ignore[import-untyped]
from scipy.sparse.linalg import (  # type: ignore[import-untyped]
    LinearOperator,
    gmres,
    spilu,
    splu,
)

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import UNIT, Arithmetic, Solution, relative_bound
from croupier.lab.sessions.solvers.float_solver import (
    ChainSteps,
    Floats,
    Indices,
    ended_of,
    steps_of,
    units_of,
)
from croupier.lab.sessions.strategy import SessionError
from croupier.numeric.figure import Figure

_FEW_ROWS = 64
"""A chain with at most this many rows is long and narrow: later states come first."""
_IMPROVEMENTS = 20
_ENOUGH = 2.0**-48
"""A relative residual of this size is mostly rounding errors."""
_MOST_BEGINNINGS = 1_000
"""The most bankrolls at which a series begins: they are one dense system."""
_MOST_FILL = 2 * 10**8
"""The most numbers in the factors of a series; usually there are far fewer."""


def one_round(steps: ChainSteps, size: int) -> Any:
    """Return the transposed transition matrix of one round, sparse."""
    stays = steps.targets < size
    places = steps.targets[stays], steps.sources[stays]
    return csr_array((steps.chances[stays], places), shape=(size, size))


class LinearSystem:
    """Solves x = costs + matrix·x by a factorisation."""

    def __init__(self, matrix: Any, chain: Chain | None = None) -> None:
        """Factor the chances of one round between the positions of the chain."""
        size = matrix.shape[0]
        self._matrix = matrix
        series = None if chain is None else series_order(chain)
        is_narrow = chain is not None and len(chain.rows) + ChainEnd.RUINED <= _FEW_ROWS
        if series is not None:
            self._places = series
        else:
            self._places = np.arange(size)[:: -1 if is_narrow else 1]
        ordered = matrix[self._places][:, self._places]
        self._system = (eye_array(size) - ordered).tocsr()
        # The diagonal needs no pivoting.
        factors = (spilu if series is None else splu)(
            self._system.tocsc(),
            permc_spec="COLAMD" if series is None and not is_narrow else "NATURAL",
            diag_pivot_thresh=0.0,
        )
        self._inverse = LinearOperator(self._system.shape, factors.solve)

    def solve(self, costs: Floats) -> Floats:
        """Return a solution, refined by its residual as long as that helps."""
        system, wanted = self._system, costs[self._places]
        found, least = self._nearly(wanted), np.inf
        for _ in range(_IMPROVEMENTS):
            left = wanted - system @ found
            size = float(abs(left).sum())
            # A residual that no longer shrinks is rounding errors.
            if not _ENOUGH * float(abs(found).sum()) < size < least / 2:
                break
            least = size
            found = found + self._nearly(left)
        solution: Floats = np.empty_like(found)
        solution[self._places] = found
        return solution

    def _nearly(self, costs: Floats) -> Any:
        return gmres(self._system, costs, M=self._inverse, maxiter=1, rtol=1e-9)[0]

    def expected(self, costs: Floats) -> tuple[Floats, Fraction]:
        """Return the expected costs from each place until the end, and a bound.

        The bound is on the residual at any place; it includes a rounding in each
        chance, product and sum.
        """
        matrix, found = self._matrix, self.solve(costs)
        left = abs(costs - found + matrix @ found).max(initial=0.0)
        size = (abs(costs) + abs(found) + matrix @ abs(found)).max(initial=0.0)
        ways = int(np.diff(matrix.indptr).max(initial=0))
        hidden = (ways + 6) * UNIT * Fraction(float(size))
        return found, Fraction(float(left)) + hidden


def squared_rounds(chain: Chain) -> Figure:
    """Return the expected square of the rounds until the end.

    A visit with t rounds to go adds 2t - 1 to the square. As t ≤ 2t - 1, the relative
    error of this is at most twice that of t.
    """
    start = chain.start_position
    onward = one_round(steps_of(chain), chain.live_size).T.tocsr()
    system = LinearSystem(onward, chain)
    rounds, doubt = system.expected(np.ones(chain.live_size))
    if doubt >= Fraction(1, 2):
        raise SessionError(
            "this session is too long for float64: set a nearer target, or give it"
            " a number of rounds"
        )
    squares, left = system.expected(2 * rounds - 1)
    value = Fraction(float(squares[start]))
    off = left * Fraction(float(rounds[start])) / (1 - doubt)
    return Figure(value, off + 2 * doubt / (1 - 2 * doubt) * (value + off))


def lacking(matrix: Any, start: int, visits: Floats) -> Fraction:
    """Bound the sum of the residuals of the visits, with the rounding errors."""
    arrived = matrix @ visits
    arrived[start] += 1.0
    # Each chance, product and sum is rounded, and so is the difference.
    roundings = np.diff(matrix.indptr) + 4
    hidden = fsum(roundings * (arrived + visits))
    return Fraction(fsum(abs(arrived - visits))) + 2 * UNIT * Fraction(hidden)


def solve_linear(chain: Chain, longest: Fraction) -> Solution:
    """Solve the session until it ends.

    `longest` bounds the expected units staked until the end, from any position.
    """
    steps, start = steps_of(chain), chain.start_position
    matrix = one_round(steps, chain.live_size)
    first = np.zeros(chain.live_size)
    first[start] = 1.0
    visits = LinearSystem(matrix, chain).solve(first).clip(0.0)
    return _solution(chain, steps, visits, lacking(matrix, start, visits), longest)


def _solution(
    chain: Chain, steps: ChainSteps, visits: Floats, lost: Fraction, longest: Fraction
) -> Solution:
    live = chain.live_size
    ends = steps.targets >= live
    places = steps.targets[ends] - live
    reached = steps.chances[ends] * visits[steps.sources[ends]]
    most = int(np.bincount(places).max(initial=0))
    ended: Any = np.bincount(places, reached, chain.size - live)
    return Solution(
        Arithmetic.FLOAT64,
        ended_of(chain, ended),
        {},
        Fraction(fsum(visits)),
        Fraction(fsum(visits * units_of(chain))),
        relative_error=relative_bound(most + 4),
        lost_mass=lost,
        lost_rounds=lost * longest,
        lost_units=lost * longest,
    )


def series_order(chain: Chain) -> Indices | None:
    """Return the positions in the order of series; None if there is no such order."""
    if chain.rows[0].length > _MOST_BEGINNINGS or not _wins_alike(chain):
        return None
    in_time, early = _ordered_rows(chain)
    if len(early) * chain.live_size > _MOST_FILL:
        return None
    rows = [(row, chain.offsets[row]) for row in (*in_time, *reversed(early))]
    return np.concatenate(
        [np.arange(*chain.rows[row]) + offset for row, offset in rows]
    )


def _wins_alike(chain: Chain) -> bool:
    """Return whether a series always has the same net result when it meets a row."""
    won: dict[int, int] = {}
    for move in chain.moves:
        if 0 < move.target < len(chain.rows) + ChainEnd.RUINED:
            # A row that no earlier row leads to is never met, except the first.
            here = won.setdefault(move.source, 0) + move.shift
            if won.setdefault(move.target, here) != here:
                return False
    return True


def _ordered_rows(chain: Chain) -> tuple[list[int], list[int]]:
    """Return the rows that come after all their predecessors, and the others.

    If every row waits for another, the oldest one comes first.
    """
    count = len(chain.rows) + ChainEnd.RUINED
    after: list[list[int]] = [[] for _ in range(count)]
    waits = [0] * count
    for move in chain.moves:
        if 0 < move.target < count and move.source != move.target:
            after[move.source].append(move.target)
            waits[move.target] += 1
    in_time: list[int] = []
    early: list[int] = []
    is_met = [False] * count
    for oldest in range(count):
        free = [] if is_met[oldest] else [oldest]
        early += free
        while free:
            row = free.pop()
            if is_met[row]:
                continue
            is_met[row] = True
            if row != oldest:
                in_time.append(row)
            for target in after[row]:
                waits[target] -= 1
                if waits[target] == 0:
                    free.append(target)
    return in_time, early
