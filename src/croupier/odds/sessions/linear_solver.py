"""A session until it ends, in float64: one linear system, with its residual as proof.

The unknowns v are how often each position is visited: v = start + v·P, where P has the
chances from one live position to another. Whatever numbers ṽ a factorisation returns,
what they lack, r = start + ṽ·P - ṽ, is known; and a visit more or less moves the chance
of an end by no more than one. So no probability is off by more than the sum of all |r|,
and no expectation by more than that many times the longest session.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from croupier.odds.sessions.absorption import steps_of
from croupier.odds.sessions.chain import Chain, ChainEnd
from croupier.odds.sessions.result import (
    UNIT,
    Arithmetic,
    Solution,
    relative_bound,
)

if TYPE_CHECKING:
    import numpy as np

    Indices = np.ndarray[Any, np.dtype[np.intp]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]

_HUB = 128
"""A row is a hub if more moves than these lead to it: where series begin anew."""
_FEW_ROWS = 64
"""With no more rows a chain is long and narrow, and its factors are sparse."""
_LONG, _WIDE = 3_000_000, 150_000
"""How many positions are factorised where rows are few, and where they are many."""
_MOST_APART = 8_000_000
"""As many where without the hubs it falls apart."""


def solve_linear(chain: Chain, longest: Fraction) -> Solution | None:
    """Solve the session until it ends, or return None where it has too many positions.

    `longest` bounds the units that are staked until the end, from any position.
    """
    if chain.live_size > _MOST_APART:
        return None
    system = _system(chain)
    order = _order(chain, system)
    if order is None:
        return None
    visits = _visits(system, order, chain.start_position)
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


def _order(chain: Chain, system: _System) -> Indices | None:
    """Return an order of elimination that leaves the factors sparse, or None.

    Hubs come last. Without them a chain of series falls apart, one part for each
    bankroll at which a series begins, and all parts are alike: the order of the largest
    serves all.
    """
    import numpy as np

    live_rows = chain.rows[: ChainEnd.RUINED]
    led = np.bincount([move.target for move in chain.moves], minlength=len(chain.rows))
    rows = np.repeat(np.arange(len(live_rows)), [row.length for row in live_rows])
    is_hub = (led > _HUB)[rows]
    inner, outer = np.flatnonzero(~is_hub), np.flatnonzero(is_hub)
    most = _LONG if len(live_rows) <= _FEW_ROWS else _WIDE
    if system.live <= most:
        ranks = _ranks(system.onward[inner][:, inner])
        return np.concatenate([inner[np.argsort(ranks)], outer])
    from scipy.sparse.csgraph import (  # type: ignore[import-untyped]
        connected_components,
    )

    within = system.onward[inner][:, inner]
    _, parts = connected_components(within, directed=False)
    largest = np.flatnonzero(parts == np.bincount(parts).argmax())
    if len(np.unique(rows[inner[largest]])) < len(largest):
        return None
    by_row = np.full(len(live_rows), len(largest))
    by_row[rows[inner[largest]]] = _ranks(within[largest][:, largest])
    return np.concatenate([inner[np.lexsort((by_row[rows[inner]], parts))], outer])


def _ranks(onward: Any) -> Indices:
    """Return the place of each position in an order of least degree."""
    import numpy as np

    if onward.shape[0] == 0:
        return np.zeros(0, dtype=np.intp)
    return np.asarray(_factors(onward, "MMD_AT_PLUS_A").perm_c, dtype=np.intp)


def _factors(onward: Any, order: str) -> Any:
    """Return the factors of one minus the matrix, whose diagonal needs no pivoting."""
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

    return splu(
        (eye_array(onward.shape[0]) - onward).tocsc(),
        permc_spec=order,
        diag_pivot_thresh=0.0,
        # The columns of so sparse factors have next to nothing in common.
        panel_size=1,
        options={"SymmetricMode": True},
    )


def _visits(system: _System, order: Indices, start: int) -> Floats:
    import numpy as np

    factors = _factors(system.onward[order][:, order], "NATURAL")
    visits = np.empty(system.live)
    visits[order] = factors.solve((order == start).astype(np.float64))
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
