"""Policy iteration: a plan is valued, then bettered, until nothing betters it.

Both bounds come from one inequality. In each round the bankroll falls on average by the
edge times what is staked. So if no play makes more of the values v than v + r, then
v(b) + d·b never rises on average for d = r/(edge × least stake), and no play can reach
the target with a greater probability than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.odds.optimal.pieces import Piece, outcomes
from croupier.odds.optimal.search import Search
from croupier.odds.sessions.rounding import UNIT
from croupier.odds.sessions.solved import Progress

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]

Plan = list[tuple[Piece, ...]]
"""The pieces to place at each bankroll below the target; nothing where none can win."""

_ROUNDS = 200
_SWEEPS = 20_000
_SETTLED = 4e-16
"""A better play than this would be rounding."""
_MARGIN = 1e-13
"""Plays as close as this count as equal when the plan is written down."""
_ROUNDINGS = 32
"""More than there are in what one piece adds to a play's worth."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The values of the best play, a plan that has them, and what they are off by."""

    values: tuple[float, ...]
    plan: Plan
    excess: Fraction
    """For each chip of the bankroll, what the best play may be worth beyond."""


def optimise(
    search: Search,
    target: int,
    falls: Fraction,
    progress: Progress,
    known: Optimum | None = None,
) -> Optimum:
    """The best play for a target in chips; `falls` is the least loss of a round.

    `known` is a play to begin with.
    """
    import numpy as np

    values = np.zeros(target + 1)
    values[target] = 1.0
    plan: Plan = [()] * target
    if known is not None:
        values, plan = np.array(known.values), list(known.plan)
    for done in range(_ROUNDS):
        if not _better(search, values, plan):
            break
        _value(plan, values)
        progress(done + 1, _ROUNDS)
    values = np.maximum.accumulate(values)
    found, _ = search.best(values)
    _, choose = search.best(values, _MARGIN)
    betters = max(0.0, float((found - values[:target]).max()))
    excess = (Fraction(betters) + _ROUNDINGS * UNIT) / falls
    boldest = [choose(at) or pieces for at, pieces in enumerate(plan)]
    return Optimum(tuple(values.tolist()), boldest, excess)


def _better(search: Search, values: Floats, plan: Plan) -> bool:
    """Whether a play has been found that betters the plan; it is put into it."""
    found, choose = search.best(values)
    is_better = False
    for at in (found - values[: len(plan)] > _SETTLED).nonzero()[0].tolist():
        pieces = choose(at)
        if pieces:
            plan[at], values[at] = pieces, found[at]
            is_better = True
    return is_better


def _value(plan: Plan, values: Floats) -> None:
    """The plan's values, from those at hand up, in place."""
    import numpy as np

    target = len(plan)
    rows = [
        [(min(after, target), float(chance)) for after, chance in outcomes(at, pieces)]
        for at, pieces in enumerate(plan)
    ]
    width = max(map(len, rows))
    after = np.array([[b for b, _ in row] + [0] * (width - len(row)) for row in rows])
    chances = np.array(
        [[p for _, p in row] + [0.0] * (width - len(row)) for row in rows]
    )
    for _ in range(_SWEEPS):
        swept = (chances * values[after]).sum(axis=1)
        grown = float((swept - values[:target]).max())
        values[:target] = np.maximum(swept, values[:target])
        if grown <= _SETTLED / 4:
            return
