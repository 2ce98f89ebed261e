"""How often a session comes to each position, where it is played in series.

A series begins in the first state. If it has won or lost the same whenever it meets a
state, that state has one bankroll for each at which the series may have begun: these
are the parts of the chain, all of them alike, and they are reckoned side by side.
States are taken in an order in which those that lead to a state come before it. A few
can't wait for all of them; what comes back to these is one small system for each part,
and what leads from series to series is one for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.lab.sessions.chain import Chain, ChainEnd

if TYPE_CHECKING:
    import numpy as np

    from croupier.lab.sessions.solvers.absorption import ChainSteps

    Indices = np.ndarray[Any, np.dtype[np.intp]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]

_MOST_BEGINNINGS = 1_000
"""Bankrolls at which a series begins: they are one system with no zeros left out."""
_MOST_PRODUCTS = 10**9
"""Until the small systems are found: some seconds."""
_MOST_ROOM = 2 * 10**7
"""Numbers in the small systems."""


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
    import numpy as np

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
    import numpy as np

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
    import numpy as np

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
    import numpy as np

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
