"""Probabilities under a fair wheel: tails, Holm's correction, and Monte Carlo draws.

Monte Carlo draws counts, not spins: the cost depends on the number of compartments, not
on the length of the record. The same plan draws the same wheels. A tail is a sum of its
own terms, each from the one before it: float64, without an approximation of the
distribution itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import erfc, exp, fsum, lgamma, log, sqrt

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
    """The statistic of each fair wheel, of counts by wheel, block and compartment."""
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


_NEGLIGIBLE = 1e-18
"""A term so small against the sum that all beyond it no longer count."""


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The probability of at least this much on whole degrees of freedom."""
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    odd = degrees % 2
    # The closed form: a finite sum of half the degrees' terms; an odd number of
    # degrees begins with the tail of one degree.
    terms = (
        exp(power * log(half) - half - lgamma(power + 1))
        for power in (step + odd / 2 for step in range(degrees // 2))
    )
    first = erfc(sqrt(half)) if odd else 0.0
    return min(first + fsum(terms), 1.0)


def at_least(count: int, trials: int, chance: float) -> float:
    """The probability of at least so many successes."""
    if count <= 0:
        return 1.0
    if count > trials:
        return 0.0
    if count <= trials * chance:
        return 1.0 - _upper(trials - count + 1, trials, 1 - chance)
    return _upper(count, trials, chance)


def at_most(count: int, trials: int, chance: float) -> float:
    """The probability of at most so many successes."""
    return at_least(trials - count, trials, 1 - chance)


def _upper(count: int, trials: int, chance: float) -> float:
    """The tail that begins above the mean: its terms only become smaller."""
    term = exp(
        lgamma(trials + 1)
        - lgamma(count + 1)
        - lgamma(trials - count + 1)
        + count * log(chance)
        + (trials - count) * log(1 - chance)
    )
    ratio = chance / (1 - chance)
    terms = []
    total = 0.0
    for place in range(count, trials + 1):
        terms.append(term)
        total += term
        term *= (trials - place) / (place + 1) * ratio
        if term <= total * _NEGLIGIBLE:
            break
    return min(fsum(terms), 1.0)


def two_sided(count: int, trials: int, chance: float) -> float:
    """Twice the smaller tail, at most 1: exact, and on the safe side."""
    smaller = min(at_least(count, trials, chance), at_most(count, trials, chance))
    return min(2 * smaller, 1.0)


def least_above(trials: int, chance: float, p_value: float) -> int:
    """The least count whose upper tail is at most this; trials + 1: there is none."""
    low, high = int(trials * chance), trials + 1
    while low < high:
        middle = (low + high) // 2
        if at_least(middle, trials, chance) <= p_value:
            high = middle
        else:
            low = middle + 1
    return low


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value corrected for looking at all of them, after Holm."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected = [0.0] * len(p_values)
    greatest = 0.0
    for rank, place in enumerate(order):
        greatest = max(greatest, min((len(order) - rank) * p_values[place], 1.0))
        corrected[place] = greatest
    return corrected
