"""P-values by Monte Carlo: among fair wheels, and among random orders of a record.

Counts are drawn, not spins: the cost depends on the number of compartments, not on the
length of the record. The same plan draws the same wheels and the same orders.

Laws of this file:
- the record itself counts as drawn, so a p-value is never too small;
- drawing may end once enough orders reach the record's statistic (Besag and Clifford,
  1991); the p-value is right whenever it ends;
- if nothing drawn reaches it, a proven bound replaces a larger p-value; this makes
  false alarms no more frequent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from croupier.batch.compiled import Floats, Integers
from croupier.lab.wheel.record import CheckPlan

_CELLS = 1_000_000
"""The approximate number of counts drawn at a time."""
_CERTAIN = 1e-8
"""A bound below it ends the drawing: no drawn order would reach the statistic."""
_TIE = 1 - 1e-9
"""A factor that keeps ties in spite of rounding."""


@dataclass(frozen=True, slots=True)
class FoundChance:
    """A p-value and its method."""

    p_value: float
    method: str


@lru_cache(maxsize=16)
def fair_statistics(
    statistic: Callable[[Integers], Floats],
    spins: int,
    compartments: int,
    plan: CheckPlan,
) -> Floats:
    generator = np.random.default_rng(plan.seed)
    chances = np.full(compartments, 1 / compartments)
    piece, found = max(_CELLS // compartments, 1), []
    for first in range(0, plan.trials, piece):
        wheels = min(piece, plan.trials - first)
        drawn = generator.multinomial(spins, chances, size=wheels)
        found.append(statistic(drawn.astype(np.int64)))
    return np.concatenate(found)


def fair_chance(
    seen: float, drawn: Floats, plan: CheckPlan, bound: float = 1.0
) -> FoundChance:
    """Return the p-value among fair wheels; `bound` is a proven upper bound of it."""
    as_much = int(np.count_nonzero(drawn >= seen * _TIE))
    p_value = (1 + as_much) / (1 + len(drawn))
    method = f"Monte Carlo, {plan.trials:,} fair wheels, seed {plan.seed}"
    if as_much == 0 and bound < p_value:
        return _bounded(bound, method)
    return FoundChance(p_value, method)


def _bounded(bound: float, method: str) -> FoundChance:
    return FoundChance(bound, f"{method}: none as far; exact tails, added up")


Timeline = Integers
"""Counts by number, moment and order: the number's occurrences up to the moment."""


@dataclass(frozen=True, slots=True)
class OrderStatistic:
    """A statistic that is compared with random orders of the record."""

    seen: float
    of_orders: Callable[[Timeline], Floats]
    bound: Callable[[float], float] = lambda _seen: 1.0
    """A proven upper bound of the p-value; used if no drawn order reaches `seen`."""


class _Count:
    """Counts the drawn orders that reach the record's statistic."""

    def __init__(self, statistic: OrderStatistic, plan: CheckPlan) -> None:
        self._statistic, self._plan = statistic, plan
        self._drawn = self._as_much = 0
        self._bound: float | None = None
        self.is_over = False

    def add(self, orders: Timeline) -> None:
        if self.is_over:
            return
        statistic = self._statistic
        as_much = statistic.of_orders(orders) >= statistic.seen * _TIE
        places = np.flatnonzero(as_much)
        wanted = self._plan.enough - self._as_much
        if len(places) >= wanted:
            self.is_over = True
            self._drawn += int(places[wanted - 1]) + 1
            self._as_much = self._plan.enough
        else:
            self._drawn += len(as_much)
            self._as_much += len(places)
        if self._as_much == 0 and self._bound is None:
            self._bound = statistic.bound(statistic.seen)
            self.is_over = self._bound <= _CERTAIN

    @property
    def chance(self) -> FoundChance:
        method = f"{self._drawn:,} random orders of the record, seed {self._plan.seed}"
        if self._as_much == self._plan.enough:
            return FoundChance(self._as_much / self._drawn, method)
        p_value = (1 + self._as_much) / (1 + self._drawn)
        if self._as_much == 0 and self._bound is not None and self._bound < p_value:
            return _bounded(self._bound, method)
        return FoundChance(p_value, method)


def order_chances(
    totals: Integers,
    edges: Integers,
    statistics: Sequence[OrderStatistic],
    plan: CheckPlan,
) -> list[FoundChance]:
    """Return the p-value of each statistic among random orders of the record."""
    counts = [_Count(statistic, plan) for statistic in statistics]
    generator = np.random.default_rng(plan.seed)
    most = max(_CELLS // (len(edges) * len(totals)), 1)
    left, piece = plan.orders, plan.enough
    while left and not all(count.is_over for count in counts):
        piece = min(2 * piece, most, left)
        left -= piece
        orders = random_orders(totals, edges, piece, generator)
        for count in counts:
            count.add(orders)
    return [count.chance for count in counts]


def random_orders(
    totals: Integers, edges: Integers, orders: int, generator: np.random.Generator
) -> Timeline:
    """Draw the counts up to each edge of random orders of the record.

    Spans are halved repeatedly; the outcomes of a first half are drawn from the span
    without replacement.
    """
    so_far = np.zeros((len(totals), len(edges), orders), np.int64)
    so_far[:, -1] = totals[:, np.newaxis]
    spans = [(0, len(edges) - 1)]
    while spans := [(low, high) for low, high in spans if high - low > 1]:
        halved = [(low, (low + high) // 2, high) for low, high in spans]
        lows, middles, highs = (list(places) for places in zip(*halved, strict=True))
        of_spans = so_far[:, highs] - so_far[:, lows]
        taken = (edges[middles] - edges[lows])[:, np.newaxis]
        so_far[:, middles] = so_far[:, lows] + _taken(of_spans, taken, generator)
        spans = [
            pair for low, mid, high in halved for pair in ((low, mid), (mid, high))
        ]
    return so_far


def _taken(
    counts: Integers, taken: Integers, generator: np.random.Generator
) -> Integers:
    """Draw `taken` of the counted outcomes; return their counts by number."""
    drawn = np.zeros_like(counts)
    rest = counts.sum(axis=0)
    still = np.broadcast_to(taken, rest.shape).copy()
    for number, of_number in enumerate(counts):
        rest -= of_number
        drawn[number] = generator.hypergeometric(of_number, rest, still)
        still -= drawn[number]
    return drawn
