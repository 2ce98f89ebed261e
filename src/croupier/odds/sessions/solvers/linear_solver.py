"""A session until it ends, in float64: one linear system, with its residual as proof.

The unknowns v are how often each position is visited: v = start + v·P, where P has the
chances from one live position to another. Whatever numbers ṽ are found, what they lack,
r = start + ṽ·P - ṽ, is known; and a visit more or less moves the chance of an end by no
more than one. So no probability is off by more than the sum of all |r|, and no
expectation by more than that many times the longest session.

They are found by an incomplete factorisation, whose size is bounded, and by generalized
minimal residuals, which make good what it left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from croupier.odds.sessions.chain import Chain, ChainEnd
from croupier.odds.sessions.result import (
    UNIT,
    Arithmetic,
    Solution,
    relative_bound,
)
from croupier.odds.sessions.solvers.absorption import steps_of

if TYPE_CHECKING:
    import numpy as np

    Indices = np.ndarray[Any, np.dtype[np.intp]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]

_HUB = 128
"""A row is a hub if more moves than these lead to it: where series begin anew."""
_FEW_ROWS = 64
"""With no more rows a chain is long and narrow: later states come before earlier."""
_DROPPED = 1e-4
"""What is smaller beside its column is left out of the factors."""
_FILL = 10
"""The factors have no more than so many times the entries of the system."""
_GMRES_STEPS = 10
_ROUNDS_OF_GMRES = 20
_ENOUGH = 2.0**-48
"""As a part of all visits: what is left then is mostly roundings."""


def solve_linear(chain: Chain, longest: Fraction) -> Solution:
    """Solve the session until it ends.

    `longest` bounds the units that are staked until the end, from any position.
    """
    system = _system(chain)
    visits = _visits(system, _order(chain, system), chain.start_position)
    lost = _residual(system, visits, chain.start_position)
    return _solution(chain, system, visits, lost, longest)


@dataclass(frozen=True, slots=True)
class _System:
    """All single steps: from a live position, to any position, with its chance."""

    sources: Indices
    targets: Indices
    chances: Floats
    live: int
    onward: Any
    """The steps to live positions, as a matrix: a row for each target."""


def _system(chain: Chain) -> _System:
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    steps = steps_of(chain)
    sources, targets, chances = steps.sources, steps.targets, steps.chances
    live = chain.live_size
    stays = targets < live
    onward = csr_array(
        (chances[stays], (targets[stays], sources[stays])), shape=(live, live)
    )
    return _System(sources, targets, chances, live, onward)


@dataclass(frozen=True, slots=True)
class _Order:
    """An order of elimination that leaves the factors sparse."""

    places: Indices
    """The positions in that order."""
    rule: str = "NATURAL"
    """What SuperLU does about it."""
    is_complete: bool = False
    """Whether nothing need be left out of the factors."""


def _order(chain: Chain, system: _System) -> _Order:
    """Return the order for a chain of few rows, of series, or of any other kind.

    Series begin at hubs. Without these a chain falls apart, one part for each bankroll
    at which a series begins, and all parts are alike: the order of the largest serves
    all, and hubs come last.
    """
    import numpy as np
    from scipy.sparse.csgraph import (  # type: ignore[import-untyped]
        connected_components,
    )

    live_rows, every = chain.rows[: ChainEnd.RUINED], np.arange(system.live)
    if len(live_rows) <= _FEW_ROWS:
        return _Order(every[::-1])
    led = np.bincount([move.target for move in chain.moves], minlength=len(chain.rows))
    rows = np.repeat(np.arange(len(live_rows)), [row.length for row in live_rows])
    is_hub = (led > _HUB)[rows]
    inner, outer = np.flatnonzero(~is_hub), np.flatnonzero(is_hub)
    within = system.onward[inner][:, inner]
    _, parts = connected_components(within, directed=False)
    largest = np.flatnonzero(parts == np.bincount(parts).argmax())
    if len(np.unique(rows[inner[largest]])) < len(largest):
        return _Order(every, "COLAMD")
    by_row = np.full(len(live_rows), len(largest))
    by_row[rows[inner[largest]]] = _ranks(within[largest][:, largest])
    apart = inner[np.lexsort((by_row[rows[inner]], parts))]
    return _Order(np.concatenate([apart, outer]), is_complete=True)


def _ranks(onward: Any) -> Indices:
    """Return the place of each position in an order of least degree."""
    import numpy as np

    if onward.shape[0] == 0:
        return np.zeros(0, dtype=np.intp)
    factors = _complete_factors(_one_less(onward).tocsc(), "MMD_AT_PLUS_A")
    return np.asarray(factors.perm_c, dtype=np.intp)


def _complete_factors(matrix: Any, rule: str) -> Any:
    from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

    return splu(
        matrix,
        permc_spec=rule,
        diag_pivot_thresh=0.0,
        # The columns of so sparse factors have next to nothing in common.
        panel_size=1,
        options={"SymmetricMode": True},
    )


def _factors(matrix: Any, order: _Order) -> Any:
    """Return factors of the matrix, whose diagonal needs no pivoting."""
    from scipy.sparse.linalg import spilu

    if order.is_complete:
        return _complete_factors(matrix, order.rule)
    return spilu(
        matrix,
        drop_tol=_DROPPED,
        fill_factor=_FILL,
        permc_spec=order.rule,
        diag_pivot_thresh=0.0,
    )


def _one_less(onward: Any) -> Any:
    """Return one minus the matrix."""
    from scipy.sparse import eye_array

    return eye_array(onward.shape[0]) - onward


def _visits(system: _System, order: _Order, start: int) -> Floats:
    """Return how often each position is visited, nearly."""
    import numpy as np
    from scipy.sparse.linalg import LinearOperator, gmres

    places = order.places
    matrix = _one_less(system.onward[places][:, places]).tocsc()
    factors = _factors(matrix, order)
    inverse = LinearOperator(matrix.shape, factors.solve)
    first = (places == start).astype(np.float64)
    found, least = factors.solve(first), np.inf
    for _ in range(_ROUNDS_OF_GMRES):
        left = first - matrix @ found
        lacking = float(abs(left).sum())
        # What no longer shrinks is roundings.
        if not _ENOUGH * float(abs(found).sum()) < lacking < least / 2:
            break
        least = lacking
        more, _ = gmres(
            matrix, left, M=inverse, restart=_GMRES_STEPS, maxiter=1, rtol=1e-9
        )
        found += more
    visits = np.empty(system.live)
    visits[places] = found
    return np.maximum(visits, 0.0)


def _residual(system: _System, visits: Floats, start: int) -> Fraction:
    """Return the sum of all that the visits lack, and what roundings may hide of it."""
    import numpy as np

    arrived = system.onward @ visits
    arrived[start] += 1.0
    # Each chance, product and sum is rounded, and so is the difference.
    roundings = np.diff(system.onward.indptr) + 4
    hidden = fsum(roundings * (arrived + visits))
    return Fraction(fsum(abs(arrived - visits))) + 2 * UNIT * Fraction(hidden)


def _solution(
    chain: Chain, system: _System, visits: Floats, lost: Fraction, longest: Fraction
) -> Solution:
    import numpy as np

    ends = system.targets >= system.live
    places = system.targets[ends] - system.live
    reached = system.chances[ends] * visits[system.sources[ends]]
    sums = np.bincount(places, reached, chain.size - system.live)
    most = int(np.bincount(places).max(initial=0))
    ended: dict[ChainEnd, dict[int, Fraction]] = {}
    for end in ChainEnd:
        row = chain.rows[end]
        first = chain.offsets[end] + row.low - system.live
        part = sums[first : first + row.length].tolist()
        ended[end] = {
            row.low + place: Fraction(chance)
            for place, chance in enumerate(part)
            if chance
        }
    units = np.zeros(system.live)
    for run in chain.runs:
        first = chain.offsets[run.row]
        units[first + run.low : first + run.high] = run.units
    return Solution(
        Arithmetic.FLOAT64,
        ended,
        {},
        Fraction(fsum(visits)),
        Fraction(fsum(visits * units)),
        relative_error=relative_bound(most + 4),
        lost_mass=lost,
        lost_rounds=lost * longest,
        lost_units=lost * longest,
    )
