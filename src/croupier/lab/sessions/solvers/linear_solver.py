"""A session until it ends, in float64: one linear system, with its residual as proof.

With K for the chances of one round, how often each position is visited is v = start +
v·K. Whatever numbers ṽ are found, what they lack, r = start + ṽ·K - ṽ, is known; and a
visit more or less moves the chance of an end by no more than one. So no probability is
off by more than the sum of all |r|, and no expectation by more than that many times the
longest session. The rounds expected from each position are t = 1 + K·t. If t̃ leaves no
residual above d, it is off by d of itself at most, because no entry of (I - K)⁻¹ is
negative.

Visits are found series by series if play goes in series. Otherwise they are found by an
incomplete factorisation, whose size is bounded, and by generalized minimal residuals,
which make good what it left out. Expectations of large systems are found by gradients.

A series begins in the first state. If it has won or lost the same whenever it meets a
state, that state has one bankroll for each at which the series may have begun: these
are the parts of the chain. They are all alike and are solved side by side. States are
taken in an order in which those that lead to a state come before it. A few can't wait
for all of them; what comes back to these is one small system for each part, and what
leads from series to series is one for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, eye_array  # type: ignore[import-untyped]
from scipy.sparse.linalg import (  # type: ignore[import-untyped]
    LinearOperator,
    bicgstab,
    gmres,
    spilu,
)

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import (
    UNIT,
    Arithmetic,
    Figure,
    Solution,
    relative_bound,
)
from croupier.lab.sessions.solvers.float_solver import (
    ChainSteps,
    Floats,
    ended_of,
    steps_of,
    units_of,
)
from croupier.lab.sessions.strategy import SessionError

_FEW_ROWS = 64
"""With no more rows a chain is long and narrow: later states come before earlier."""
_GRADIENTS = 400
"""Steps of stabilized biconjugate gradients, at most; for about six digits."""
_IMPROVEMENTS = 20
_BROKEN = 1e-12
"""Gradients that leave more, as a part of the solution, have broken down."""
_SMALL = 5_000
"""So many places are factored."""
_ENOUGH = 2.0**-48
"""As a part of the solution: what is left then is mostly roundings."""
_MOST_BEGINNINGS = 1_000
"""Bankrolls at which a series begins: they are one system with no zeros left out."""
_MOST_PRODUCTS = 10**9
"""Until the small systems are found: some seconds."""
_MOST_ROOM = 2 * 10**7
"""Numbers in the small systems."""


def one_round(steps: ChainSteps, size: int) -> Any:
    """Return the chances of one round among so many positions, sparse: to the rows."""
    stays = steps.targets < size
    places = steps.targets[stays], steps.sources[stays]
    return csr_array((steps.chances[stays], places), shape=(size, size))


class _LinearSystem:
    """Solves x = costs + matrix·x, by gradients or by an incomplete factorisation."""

    def __init__(self, matrix: Any, *, is_narrow: bool, by_gradients: bool) -> None:
        size = matrix.shape[0]
        self._places = np.arange(size)[::-1] if is_narrow else np.arange(size)
        ordered = matrix[self._places][:, self._places] if is_narrow else matrix
        self._system = (eye_array(size) - ordered).tocsr()
        self._inverse = None
        if not by_gradients:
            # The diagonal needs no pivoting.
            factors = spilu(
                self._system.tocsc(),
                permc_spec="NATURAL" if is_narrow else "COLAMD",
                diag_pivot_thresh=0.0,
            )
            self._inverse = LinearOperator(self._system.shape, factors.solve)

    def solve(self, costs: Floats) -> Floats:
        """Return a solution that is improved by what it leaves, as long as it helps."""
        system, wanted = self._system, costs[self._places]
        found, least = self._nearly(wanted), np.inf
        for _ in range(_IMPROVEMENTS):
            left = wanted - system @ found
            lacking = float(abs(left).sum())
            # What no longer shrinks is roundings.
            if not _ENOUGH * float(abs(found).sum()) < lacking < least / 2:
                break
            least = lacking
            found = found + self._nearly(left)
        solution: Floats = np.empty_like(found)
        solution[self._places] = found
        return solution

    def _nearly(self, costs: Floats) -> Any:
        if self._inverse is None:
            return bicgstab(self._system, costs, rtol=1e-6, maxiter=_GRADIENTS)[0]
        return gmres(self._system, costs, M=self._inverse, maxiter=1, rtol=1e-9)[0]


class Expectations:
    """What is expected of costs at each place until the end, with a bound.

    The matrix is one round, sparse: from the rows.
    """

    def __init__(self, matrix: Any, *, is_narrow: bool = False) -> None:
        self._matrix, self._is_narrow = matrix, is_narrow
        self._turns = matrix.shape[0] > _SMALL and not is_narrow
        self._system = self._new_system()

    def _new_system(self) -> _LinearSystem:
        return _LinearSystem(
            self._matrix, is_narrow=self._is_narrow, by_gradients=self._turns
        )

    def of(self, costs: Floats) -> tuple[Floats, Fraction]:
        """Return the solution, and a bound on what it leaves at any place.

        The chances are off by a rounding each, the products and sums by one each.
        """
        matrix, found = self._matrix, self._system.solve(costs)
        left = abs(costs - found + matrix @ found).max(initial=0.0)
        size = (abs(costs) + abs(found) + matrix @ abs(found)).max(initial=0.0)
        if self._turns and left > _BROKEN * size:
            self._turns = False
            self._system = self._new_system()
            return self.of(costs)
        ways = int(np.diff(matrix.indptr).max(initial=0))
        hidden = (ways + 6) * UNIT * Fraction(float(size))
        return found, Fraction(float(left)) + hidden


def squared_rounds(chain: Chain) -> Figure:
    """Return the expected square of the rounds until the end.

    A visit with t rounds to go adds 2t - 1 to the square. That t is off by a part of
    itself, and so are they: as t ≤ 2t - 1, by twice that part.
    """
    start = chain.start_position
    onward = one_round(steps_of(chain), chain.live_size).T.tocsr()
    expected = Expectations(onward, is_narrow=_is_narrow(chain))
    rounds, doubt = expected.of(np.ones(chain.live_size))
    if doubt >= Fraction(1, 2):
        raise SessionError(
            "this session is too long for float64: set a nearer target, or give it"
            " a number of rounds"
        )
    squares, left = expected.of(2 * rounds - 1)
    value = Fraction(float(squares[start]))
    off = left * Fraction(float(rounds[start])) / (1 - doubt)
    return Figure(value, off + 2 * doubt / (1 - 2 * doubt) * (value + off))


def _lacking(matrix: Any, start: int, visits: Floats) -> Fraction:
    """Return the sum of all that visits lack, and what roundings may hide of it."""
    arrived = matrix @ visits
    arrived[start] += 1.0
    # Each chance, product and sum is rounded, and so is the difference.
    roundings = np.diff(matrix.indptr) + 4
    hidden = fsum(roundings * (arrived + visits))
    return Fraction(fsum(abs(arrived - visits))) + 2 * UNIT * Fraction(hidden)


def _is_narrow(chain: Chain) -> bool:
    return len(chain.rows) + ChainEnd.RUINED <= _FEW_ROWS


def solve_linear(chain: Chain, longest: Fraction) -> Solution:
    """Solve the session until it ends.

    `longest` bounds the units that are staked until the end, from any position.
    """
    steps, start = steps_of(chain), chain.start_position
    matrix = one_round(steps, chain.live_size)
    visits = visits_by_series(chain, steps)
    if visits is None:
        visits = _visits(matrix, start, is_narrow=_is_narrow(chain))
    visits = visits.clip(0.0)
    return _solution(chain, steps, visits, _lacking(matrix, start, visits), longest)


def _visits(matrix: Any, start: int, *, is_narrow: bool) -> Floats:
    first = np.zeros(matrix.shape[0])
    first[start] = 1.0
    return _LinearSystem(matrix, is_narrow=is_narrow, by_gradients=False).solve(first)


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


class _SeriesMove(NamedTuple):
    """A step within a series, in the parts `first ≤ part < after`."""

    source: int
    first: int
    after: int
    chance: float


@dataclass(frozen=True, slots=True)
class _Series:
    """The rows of a chain, in an order in which series are played."""

    chain: Chain
    firsts: list[int]
    """By row: the part of its first point; the next points are of the next parts."""
    into: list[list[_SeriesMove]]
    """By row: the moves that lead to it, those from itself last; those that begin a
    series are left out.
    """
    order: list[int]
    returns: dict[int, int]
    """The rows that come too early in this order, numbered as they come: the first of
    all, and those to which a series may come back.
    """

    def parts_of(self, row: int) -> slice:
        first = self.firsts[row]
        return slice(first, first + self.chain.rows[row].length)

    @property
    def parts(self) -> int:
        """How many there are."""
        rows = zip(self.firsts, self.chain.rows, strict=False)
        return max(first + row.length for first, row in rows)


def visits_by_series(chain: Chain, steps: ChainSteps) -> Floats | None:
    """Return how often each live position is visited; None if not played in series."""
    if chain.rows[0].length > _MOST_BEGINNINGS:
        return None
    won = _won(chain)
    if won is None:
        return None
    series = _series_of(chain, won)
    if not _is_quick(series):
        return None
    visits = _visits_of_one(series, _visits_of_returns(series))
    return visits * _series_begun(series, steps, visits)


def _series_of(chain: Chain, won: list[int]) -> _Series:
    """Return the series of a chain, whose parts are numbered from the lowest."""
    begins = [row.low - each for row, each in zip(chain.rows, won, strict=False)]
    lowest = min(begins)
    chances = [weight / chain.denominator for weight in chain.numerators]
    into: list[list[_SeriesMove]] = [[] for _ in won]
    for move in chain.moves:
        if 0 < move.target < len(won):
            least = lowest + won[move.source]
            first, after = move.low - least, move.high - least
            chance = chances[move.outcome]
            into[move.target].append(_SeriesMove(move.source, first, after, chance))
    into = [
        sorted(moves, key=lambda move: move.source == row)
        for row, moves in enumerate(into)
    ]
    firsts = [each - lowest for each in begins]
    return _Series(chain, firsts, into, *_ordered(into))


def _won(chain: Chain) -> list[int] | None:
    """Return what a series has won at each row, or None where that is not one thing."""
    live = len(chain.rows) + ChainEnd.RUINED
    won: dict[int, int] = {}
    for move in chain.moves:
        if 0 < move.target < live:
            # A row that none before it leads to is never met, but for the first.
            here = won.setdefault(move.source, 0) + move.shift
            if won.setdefault(move.target, here) != here:
                return None
    return [won.get(row, 0) for row in range(live)]


def _ordered(into: list[list[_SeriesMove]]) -> tuple[list[int], dict[int, int]]:
    """Return an order of the rows, and those that come before they should.

    Where every row waits for another, the oldest goes on. It is named again where it
    should have come.
    """
    after: list[list[int]] = [[] for _ in into]
    waits = [0] * len(into)
    for row, moves in enumerate(into):
        for move in moves:
            if move.source != row:
                after[move.source].append(row)
                waits[row] += 1
    order: list[int] = []
    early: dict[int, int] = {}
    is_met = [False] * len(into)
    for oldest in range(len(into)):
        if is_met[oldest]:
            continue
        early[oldest] = len(early)
        free = [oldest]
        while free:
            row = free.pop()
            order.append(row)
            if is_met[row]:
                continue
            is_met[row] = True
            for target in after[row]:
                waits[target] -= 1
                if waits[target] == 0:
                    free.append(target)
    return order, early


def _is_quick(series: _Series) -> bool:
    """Return whether what leads to the returns is quickly found, and has room."""
    met, products = 0, 0
    for row in series.order:
        met += series.returns.get(row) == met
        products += met * series.chain.rows[row].length
    return products <= _MOST_PRODUCTS and met**2 * series.parts <= _MOST_ROOM


def _visits_of_returns(series: _Series) -> Floats:
    """Return how often a series comes to each return, in each part.

    What leads from one return to another, past none, is carried along from row to row.
    """
    returns = series.returns
    leads = np.zeros((len(returns), len(returns), series.parts))
    carried: dict[int, Floats] = {}
    uses = Counter(move.source for moves in series.into for move in moves)
    met = 0
    for row in series.order:
        is_early = returns.get(row) == met
        met += is_early
        here = np.zeros((met, series.chain.rows[row].length))
        if is_early:
            here[-1] = 1.0
            carried[row] = here
            continue
        _gather(series, row, carried, here)
        if row in returns:
            leads[returns[row], :met, series.parts_of(row)] = here
        else:
            carried[row] = here
        for move in series.into[row]:
            uses[move.source] -= 1
            if uses[move.source] == 0:
                del carried[move.source]
    return _returned(leads, series.parts_of(0))


def _returned(leads: Floats, begun: slice) -> Floats:
    """Return the visits of all returns after one of the first, where series begin.

    One after the other is taken out, the last one first: whatever led to it leads to
    where it leads. Nothing is subtracted but the chance to stay from one.
    """
    visits = np.zeros((len(leads), leads.shape[2]))
    visits[0, begun] = 1.0
    for last in range(len(leads) - 1, 0, -1):
        leads[last, :last] /= 1.0 - leads[last, last]
        for to in range(1, last):
            leads[to, :last] += leads[to, last] * leads[last, :last]
    for place in range(1, len(leads)):
        visits[place] = (leads[place, :place] * visits[:place]).sum(axis=0)
    return visits


def _gather(
    series: _Series, row: int, carried: Mapping[int, Floats], here: Floats
) -> None:
    """Add what comes to a row from those that lead to it; a column for each part."""
    firsts = series.firsts
    begin = firsts[row]
    for source, first, after, chance in series.into[row]:
        there = carried.get(source)
        if there is None:
            # The row itself: whoever stays is there again.
            here[:, first - begin : after - begin] /= 1.0 - chance
            continue
        then = firsts[source]
        here[: len(there), first - begin : after - begin] += (
            chance * there[:, first - then : after - then]
        )


def _visits_of_one(series: _Series, returned: Floats) -> Floats:
    """Return how often a position is visited by one series of its part."""
    chain = series.chain
    visits = np.zeros(chain.live_size)
    carried: dict[int, Floats] = {}
    for row in series.order:
        if row in carried:
            continue
        low = chain.offsets[row] + chain.rows[row].low
        here = visits[None, low : low + chain.rows[row].length]
        if row in series.returns:
            here[0] = returned[series.returns[row], series.parts_of(row)]
        else:
            _gather(series, row, carried, here)
        carried[row] = here
    return visits


def _series_begun(series: _Series, steps: ChainSteps, visits: Floats) -> Floats:
    """Return for each live position how many series begin in its part."""
    begin, count = series.firsts[0], series.chain.rows[0].length
    rows = range(len(series.firsts))
    parts = np.concatenate([np.r_[series.parts_of(row)] for row in rows])
    # Where no series begins there are no visits either.
    parts = (parts - begin).clip(0, count - 1)
    again = steps.targets < count
    sources = steps.sources[again]
    leads = np.bincount(
        steps.targets[again] * count + parts[sources],
        steps.chances[again] * visits[sources],
        count**2,
    )
    first = np.zeros(count)
    first[series.chain.start_position] = 1.0
    begun = np.linalg.solve(np.eye(count) - leads.reshape(count, count), first)
    return np.asarray(begun[parts], dtype=np.float64)
