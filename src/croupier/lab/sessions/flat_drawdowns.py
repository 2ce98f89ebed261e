"""The deepest drawdown of flat play until it ends, from one peak to the next.

From a peak the walk goes on to a higher one, or falls to the depth in question, or ends
below that. What happens depends on how many points there are to fall, and on nothing
else. So each number of points is one small system of a band's width, and the peaks
follow each other. A visit more or less moves no chance by more than one: what visits
lack in sum bounds the error, as in `linear_solver`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum

import numpy as np
from scipy.linalg import solve_banded  # type: ignore[import-untyped]

from croupier.lab.sessions.chain import Chain
from croupier.lab.sessions.result import UNIT, Figure, relative_bound
from croupier.lab.sessions.solvers.float_solver import Floats


@dataclass(frozen=True, slots=True)
class _Excursion:
    """The course after a peak: higher ones, by how much; or a fall to the depth."""

    higher: list[tuple[int, float]]
    falls: float
    error: Fraction


class FlatDrawdowns:
    """Answers for one depth after the other; for chains that `is_flat` holds of."""

    def __init__(self, chain: Chain) -> None:
        row = chain.rows[0]
        self._low, self._high, self._start = row.low, row.high, chain.start[1]
        shifts = {move.outcome: move.shift for move in chain.moves}
        self._steps = [
            (shift, chain.numerators[outcome] / chain.denominator)
            for outcome, shift in sorted(shifts.items())
        ]

    @property
    def most(self) -> int:
        """A depth that no session passes, in points."""
        return self._high

    def cost(self, depth: int) -> int:
        """Return about how many single steps it takes for one depth."""
        room = self._start - self._low + 1
        width = sum(abs(shift) for shift, _ in self._steps)
        return 10 * width * depth * (1 + max(depth - room, 0)) + 100 * self._high

    def at_least(self, depths: Sequence[int]) -> list[Figure]:
        """Return how likely the deepest drawdown is each of these depths, or more."""
        return [self._at_least(depth) for depth in depths]

    def _at_least(self, depth: int) -> Figure:
        chances = [0.0] * (self._high - self._start)
        chances[0] = 1.0
        fallen, off = [], Fraction(0)
        known: dict[int, _Excursion] = {}
        for more, chance in enumerate(chances):
            room = min(depth, self._start + more - self._low + 1)
            excursion = known.get(room)
            if excursion is None:
                known.clear()
                excursion = known[room] = self._excursion(room, depth)
            fallen.append(chance * excursion.falls)
            off += excursion.error
            for by, going in excursion.higher:
                if more + by < len(chances):
                    chances[more + by] += chance * going
        in_a_row = len(chances) * (len(self._steps) + 3) + 64
        value = Fraction(fsum(fallen))
        return Figure(value, off + relative_bound(in_a_row))

    def _excursion(self, room: int, depth: int) -> _Excursion:
        """Solve what happens from a peak with so many points to fall."""
        visits, off = self._visits(room)
        falls = 0.0
        higher: dict[int, float] = {}
        for shift, chance in self._steps:
            for below in range(min(shift, room)):
                by = shift - below
                higher[by] = higher.get(by, 0.0) + float(visits[below]) * chance
            first = max(depth + shift, 0)
            if shift < 0 and first < room:
                falls += float(visits[first:].sum()) * chance
        return _Excursion(sorted(higher.items()), falls, off)

    def _visits(self, room: int) -> tuple[Floats, Fraction]:
        """Return how often each depth is visited, and what the visits lack in sum."""
        highest = max(shift for shift, _ in self._steps)
        up = min(max(highest, 0), room - 1)
        lowest = min(shift for shift, _ in self._steps)
        down = min(max(-lowest, 0), room - 1)
        band = np.zeros((up + down + 1, room))
        band[up] = 1.0
        for shift, chance in self._steps:
            if -down <= shift <= up:
                band[up - shift] -= chance
        first = np.zeros(room)
        first[0] = 1.0
        visits = np.maximum(solve_banded((down, up), band, first), 0.0)
        arrived = first.copy()
        for shift, chance in self._steps:
            if 0 <= shift < room:
                arrived[: room - shift] += visits[shift:] * chance
            elif -room < shift < 0:
                arrived[-shift:] += visits[: room + shift] * chance
        hidden = (len(self._steps) + 4) * fsum(arrived + visits)
        lacking = fsum(abs(arrived - visits))
        return visits, Fraction(lacking) + 2 * UNIT * Fraction(hidden)
