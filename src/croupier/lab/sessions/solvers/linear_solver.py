"""A session until it ends, in float64: one linear system, with its residual as proof.

The unknowns v are how often each position is visited: v = start + v·P, where P has the
chances from one live position to another. Whatever numbers ṽ are found, what they lack,
r = start + ṽ·P - ṽ, is known; and a visit more or less moves the chance of an end by no
more than one. So no probability is off by more than the sum of all |r|, and no
expectation by more than that many times the longest session.

They are found series by series where play goes in series. Otherwise they are found by
an incomplete factorisation, whose size is bounded, and by generalized minimal
residuals, which make good what it left out.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import (
    UNIT,
    Arithmetic,
    Solution,
    relative_bound,
)
from croupier.lab.sessions.solvers.absorption import (
    ChainSteps,
    one_round,
    steps_of,
)
from croupier.lab.sessions.solvers.series_solver import visits_by_series

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]

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
    steps = steps_of(chain)
    visits = visits_by_series(chain, steps)
    if visits is None:
        visits = _visits(chain, steps)
    visits = visits.clip(0.0)
    lost = _residual(chain, steps, visits)
    return _solution(chain, steps, visits, lost, longest)


def _visits(chain: Chain, steps: ChainSteps) -> Floats:
    """Return how often each position is visited, nearly."""
    import numpy as np
    from scipy.sparse import eye_array  # type: ignore[import-untyped]
    from scipy.sparse.linalg import (  # type: ignore[import-untyped]
        LinearOperator,
        gmres,
        spilu,
    )

    places = np.arange(chain.live_size)
    is_narrow = len(chain.rows) + ChainEnd.RUINED <= _FEW_ROWS
    if is_narrow:
        places = places[::-1]
    onward = one_round(steps, chain.live_size).T.tocsr()[places][:, places]
    matrix = (eye_array(chain.live_size) - onward).tocsc()
    # Its diagonal needs no pivoting.
    factors = spilu(
        matrix,
        drop_tol=_DROPPED,
        fill_factor=_FILL,
        permc_spec="NATURAL" if is_narrow else "COLAMD",
        diag_pivot_thresh=0.0,
    )
    inverse = LinearOperator(matrix.shape, factors.solve)
    first = (places == chain.start_position).astype(np.float64)
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
    visits = np.empty(chain.live_size)
    visits[places] = found
    return visits


def _residual(chain: Chain, steps: ChainSteps, visits: Floats) -> Fraction:
    """Return the sum of all that the visits lack, and what roundings may hide of it."""
    import numpy as np

    stays = steps.targets < chain.live_size
    targets, ways = steps.targets[stays], steps.chances * visits[steps.sources]
    arrived = np.bincount(targets, ways[stays], chain.live_size)
    arrived[chain.start_position] += 1.0
    # Each chance, product and sum is rounded, and so is the difference.
    roundings = np.bincount(targets, minlength=chain.live_size) + 4
    hidden = fsum(roundings * (arrived + visits))
    return Fraction(fsum(abs(arrived - visits))) + 2 * UNIT * Fraction(hidden)


def _solution(
    chain: Chain, steps: ChainSteps, visits: Floats, lost: Fraction, longest: Fraction
) -> Solution:
    import numpy as np

    live = chain.live_size
    ends = steps.targets >= live
    places = steps.targets[ends] - live
    reached = steps.chances[ends] * visits[steps.sources[ends]]
    sums = np.bincount(places, reached, chain.size - live)
    most = int(np.bincount(places).max(initial=0))
    ended: dict[ChainEnd, dict[int, Fraction]] = {}
    for end in ChainEnd:
        row = chain.rows[end]
        first = chain.offsets[end] + row.low - live
        part = sums[first : first + row.length].tolist()
        ended[end] = {
            row.low + place: Fraction(chance)
            for place, chance in enumerate(part)
            if chance
        }
    units = np.zeros(live)
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
