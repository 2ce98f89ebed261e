"""Fair wheels drawn by the thousand: what a test's statistic comes to by chance.

Counts are drawn, not spins: the cost is that of the compartments, however long the
record. The same plan draws the same wheels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from croupier.audit.wheel_record import Plan, Real, Whole

_CELLS = 1_000_000
"""About as many counts are drawn at a time."""


def fair_statistics(
    statistic: Callable[[Whole], Real],
    sizes: tuple[int, ...],
    compartments: int,
    plan: Plan,
) -> Real:
    """The statistic of each fair wheel, of counts by wheel, block and compartment."""
    drawn = _drawn(sizes, compartments, plan)
    return np.concatenate([statistic(counts) for counts in drawn])


def _drawn(sizes: tuple[int, ...], compartments: int, plan: Plan) -> Iterator[Whole]:
    generator = np.random.default_rng(plan.seed)
    chances = np.full(compartments, 1 / compartments)
    piece = max(_CELLS // (len(sizes) * compartments), 1)
    for first in range(0, plan.trials, piece):
        wheels = min(piece, plan.trials - first)
        shape = (wheels, len(sizes))
        yield generator.multinomial(sizes, chances, size=shape).astype(np.int64)


def monte_carlo(seen: float, drawn: Real) -> float:
    """How rarely fair wheels show as much; the one seen counts too, so never 0."""
    # A sum of rounded terms must not make a tie a difference.
    as_much = int(np.count_nonzero(drawn >= seen * (1 - 1e-12)))
    return (1 + as_much) / (1 + len(drawn))


def told(plan: Plan) -> str:
    return f"Monte Carlo, {plan.trials:,} fair wheels, seed {plan.seed}"
