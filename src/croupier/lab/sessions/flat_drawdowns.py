"""The deepest drawdown of flat play until it ends, from one peak to the next.

From a peak the walk rises to a higher one, or falls to the depth in question, or ends
before that. The chances depend only on the number of points below the peak. So each
such number is one small banded system, and the peaks follow each other. One visit more
or less changes no chance by more than one, so the sum of the residuals bounds the
error, as in `linear_solver`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum

import numpy as np
from scipy.sparse import diags_array, eye_array  # type: ignore[import-untyped]
from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

from croupier.lab.sessions.chain import Chain
from croupier.lab.sessions.result import relative_bound
from croupier.lab.sessions.solvers.float_solver import Floats
from croupier.lab.sessions.solvers.linear_solver import lacking
from croupier.numeric.figure import Figure


@dataclass(frozen=True, slots=True)
class _Excursion:
    """The course after a peak: to a higher one, or down to an end or the depth."""

    higher: list[tuple[int, float]]
    falls: list[tuple[int, float]]
    """Depths of the falls, with their chances."""
    error: Fraction


class FlatDrawdowns:
    """The chances of drawdowns of a flat chain, depth by depth."""

    def __init__(self, chain: Chain) -> None:
        row = chain.rows[0]
        self._low, self._high, self._start = row.low, row.high, chain.start[1]
        self._known: dict[int, _Excursion] = {}
        """By the number of points below the peak."""
        self._steps = [
            (shift, numerator / chain.denominator)
            for shift, numerator in chain.flat_steps
        ]

    @property
    def most(self) -> int:
        """A bound on the depth of any drawdown, in points."""
        return self._high

    def cost(self, depth: int) -> int:
        """Return the approximate number of single steps up to this depth."""
        room = self._start - self._low + 1
        width = sum(abs(shift) for shift, _ in self._steps)
        return 10 * width * depth * (1 + max(depth - room, 0)) + 100 * self._high

    def at_least(self, depths: Sequence[int]) -> list[Figure]:
        return [self._at_least(depth) for depth in depths]

    def _at_least(self, depth: int) -> Figure:
        chances = [0.0] * (self._high - self._start)
        chances[0] = 1.0
        fallen, off = [], Fraction(0)
        for more, chance in enumerate(chances):
            room = min(depth, self._start + more - self._low + 1)
            excursion = self._known.get(room)
            if excursion is None:
                excursion = self._known[room] = self._excursion(room)
            fallen += [chance * falls for by, falls in excursion.falls if by >= depth]
            off += excursion.error
            for by, going in excursion.higher:
                if more + by < len(chances):
                    chances[more + by] += chance * going
        in_a_row = len(chances) * (len(self._steps) + 3) + 64
        value = Fraction(fsum(fallen))
        return Figure(value, off + relative_bound(in_a_row))

    def _excursion(self, room: int) -> _Excursion:
        """Solve the excursion from a peak with this number of points below."""
        visits, off = self._visits(room)
        higher: dict[int, float] = {}
        falls: dict[int, float] = {}
        for shift, chance in self._steps:
            for below in range(min(shift, room)):
                by = shift - below
                higher[by] = higher.get(by, 0.0) + float(visits[below]) * chance
            for below in range(max(room + shift, 0), room):
                by = below - shift
                falls[by] = falls.get(by, 0.0) + float(visits[below]) * chance
        return _Excursion(sorted(higher.items()), sorted(falls.items()), off)

    def _visits(self, room: int) -> tuple[Floats, Fraction]:
        """Return the expected visits by depth, and the sum of their residuals."""
        steps = {0: 0.0, **{by: c for by, c in self._steps if abs(by) < room}}
        chances = [np.full(room - abs(shift), each) for shift, each in steps.items()]
        matrix = diags_array(chances, offsets=[*steps], shape=(room, room)).tocsr()
        first = np.zeros(room)
        first[0] = 1.0
        system = (eye_array(room) - matrix).tocsc()
        visits = np.maximum(splu(system, permc_spec="NATURAL").solve(first), 0.0)
        return visits, lacking(matrix, 0, visits)
