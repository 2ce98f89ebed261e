"""A session in float64, with a bound on what the roundings can have done.

Laws of this file:
- nothing is subtracted in the walk, so that `relative_bound` holds;
- probability that is dropped, because it is too small to matter, is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from croupier.lab.sessions.chain import Chain, ChainEnd, Row
from croupier.lab.sessions.result import (
    LEVELS,
    UNDERFLOW,
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    relative_bound,
)
from croupier.lab.sessions.solvers.exact_solver import TooLong
from croupier.lab.sessions.solvers.programs import (
    round_program,
    start_arrays,
    takes_too_long,
)

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Indices = np.ndarray[Any, np.dtype[np.intp]]

_SWEEP = 64
"""The rounds after which progress is told."""


def solve_in_floats(
    chain: Chain,
    rounds: int,
    looks: Collection[int],
    progress: Progress,
    patience: int = 1,
) -> Solution:
    """Solve the session after so many rounds; raise `TooLong` before a long work."""
    if takes_too_long(chain, rounds, patience):
        raise TooLong
    walk = _Walk(chain)
    wanted = frozenset(looks)
    snapshots = []
    for stop in sorted({*looks, *range(_SWEEP, rounds, _SWEEP), rounds}):
        walk.play(stop - walk.rounds)
        if stop in wanted:
            snapshots.append(walk.snapshot())
        progress(stop, rounds)
    lost = walk.lost()
    most = max(run.units for run in chain.runs)
    return Solution(
        Arithmetic.FLOAT64,
        walk.ended(walk.absorbed),
        walk.playing(),
        Fraction(fsum(walk.visits)),
        Fraction(fsum(walk.visits * _units(chain))),
        tuple(snapshots),
        relative_bound(walk.roundings() + 3),
        lost,
        lost * rounds,
        lost * rounds * most,
    )


class _Walk:
    """The probabilities of all positions, round by round."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._program = round_program(chain)
        self._board = start_arrays(chain)

    @property
    def live(self) -> Floats:
        return self._board.now

    @property
    def absorbed(self) -> Floats:
        return self._board.absorbed

    @property
    def visits(self) -> Floats:
        return self._board.visits

    @property
    def rounds(self) -> int:
        return self._board.rounds

    def play(self, rounds: int) -> None:
        """Play so many rounds more."""
        for _ in range(rounds):
            self._program.play(self._board)

    def lost(self) -> Fraction:
        """Return the probability that was dropped, or fell below the normal numbers."""
        steps = self._chain.edges * self.rounds
        return Fraction(2 * self._board.dropped) + UNDERFLOW * steps

    def roundings(self) -> int:
        """Count the roundings in a row: chance, product, sums, sum over rounds."""
        return self.rounds * (self._chain.in_degree + 1) + self.rounds

    def snapshot(self) -> SessionSnapshot:
        import numpy as np

        sums = {
            end: Fraction(fsum(part))
            for end, part in self._parts(self.absorbed).items()
        }
        points = _points(self._chain.rows)
        weights = np.concatenate([self.live, self.absorbed])
        low = int(points.min())
        below = np.cumsum(np.bincount(points - low, weights))
        wanted = [float(level) * below[-1] for level in LEVELS]
        found = np.searchsorted(below, wanted)
        return SessionSnapshot(
            self.rounds,
            sums[ChainEnd.RUINED],
            sums[ChainEnd.REACHED],
            sums[ChainEnd.STOPPED],
            tuple(int(point) + low for point in found),
        )

    def _parts(self, absorbed: Floats) -> Mapping[ChainEnd, Floats]:
        """Return what has ended, by end."""
        chain, parts = self._chain, {}
        for end in ChainEnd:
            row = chain.rows[end]
            first = chain.offsets[end] + row.low - chain.live_size
            parts[end] = absorbed[first : first + row.length]
        return parts

    def ended(self, absorbed: Floats) -> dict[ChainEnd, dict[int, Fraction]]:
        return {
            end: {
                self._chain.rows[end].low + place: Fraction(chance)
                for place, chance in enumerate(part.tolist())
                if chance
            }
            for end, part in self._parts(absorbed).items()
        }

    def playing(self) -> dict[int, Fraction]:
        import numpy as np

        points = _points(self._chain.rows[: ChainEnd.RUINED])
        low = int(points.min())
        sums = np.bincount(points - low, self.live).tolist()
        return {low + place: Fraction(sum_) for place, sum_ in enumerate(sums) if sum_}


def _points(rows: Sequence[Row]) -> Indices:
    """Return the point of every position in these rows."""
    import numpy as np

    return np.concatenate([np.arange(row.low, row.high) for row in rows])


def _units(chain: Chain) -> Floats:
    """Return what is staked at each live position."""
    import numpy as np

    units = np.zeros(chain.live_size)
    for run in chain.runs:
        offset = chain.offsets[run.row]
        units[offset + run.low : offset + run.high] = run.units
    return units
