"""Probabilities under a fair wheel: Monte Carlo draws, and Holm's correction.

Monte Carlo draws counts, not spins: the cost depends on the number of compartments, not
on the length of the record. The same plan draws the same wheels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from croupier.audit.wheel.record import CheckPlan
from croupier.batch.columns import Floats, Integers

_CELLS = 1_000_000
"""About as many counts are drawn at a time."""


def fair_statistics(
    statistic: Callable[[Integers], Floats],
    sizes: tuple[int, ...],
    compartments: int,
    plan: CheckPlan,
) -> Floats:
    """Return each fair wheel's statistic, of counts by wheel, block, compartment."""
    drawn = _drawn(sizes, compartments, plan)
    return np.concatenate([statistic(counts) for counts in drawn])


def _drawn(
    sizes: tuple[int, ...], compartments: int, plan: CheckPlan
) -> Iterator[Integers]:
    generator = np.random.default_rng(plan.seed)
    chances = np.full(compartments, 1 / compartments)
    piece = max(_CELLS // (len(sizes) * compartments), 1)
    for first in range(0, plan.trials, piece):
        wheels = min(piece, plan.trials - first)
        shape = (wheels, len(sizes))
        yield generator.multinomial(sizes, chances, size=shape).astype(np.int64)


def monte_carlo(seen: float, drawn: Floats) -> float:
    """How rarely fair wheels show as much; the one seen counts too, so never 0."""
    # A sum of rounded terms must not make a tie a difference.
    as_much = int(np.count_nonzero(drawn >= seen * (1 - 1e-12)))
    return (1 + as_much) / (1 + len(drawn))


def monte_carlo_method(plan: CheckPlan) -> str:
    return f"Monte Carlo, {plan.trials:,} fair wheels, seed {plan.seed}"


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value corrected for looking at all of them, after Holm."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected = [0.0] * len(p_values)
    greatest = 0.0
    for rank, place in enumerate(order):
        greatest = max(greatest, min((len(order) - rank) * p_values[place], 1.0))
        corrected[place] = greatest
    return corrected
