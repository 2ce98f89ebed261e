"""A session in float64, with a bound on what the roundings can have done.

Laws of this file:
- nothing is subtracted in the walk, so that `relative_bound` holds;
- probability that is dropped, because it is too small to matter, is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from croupier.odds.sessions.array_layout import ArrayLayout
from croupier.odds.sessions.chain import Chain, ChainEnd
from croupier.odds.sessions.exploration import check_size
from croupier.odds.sessions.programs import programs, start_arrays
from croupier.odds.sessions.result import (
    LEVELS,
    UNDERFLOW,
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    relative_bound,
)

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]

_SWEEP = 64
"""The rounds after which progress is told."""
_TOLERANCE = Fraction(1, 10**12)
"""What may go another way at the end; more, where roundings may be more."""
_FIRST_BURST = 64
_MAXIMUM_STEPS = 5 * 10**9


def solve_in_floats(
    chain: Chain, rounds: int, looks: Collection[int], progress: Progress
) -> Solution:
    """Solve the session after so many rounds."""
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
        Fraction(fsum(walk.visits * walk.units)),
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
        self._layout = ArrayLayout(chain)
        check_size(self._layout.size)
        self._residue = self._layout.first_residue
        self._program = programs(self._layout)
        self._board = start_arrays(self._layout)
        self.units = self._layout.units()

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

    @property
    def stride(self) -> int:
        return self._layout.stride

    def play(self, rounds: int) -> None:
        """Play so many rounds more."""
        board, program = self._board, self._program
        drift, stride = self._layout.drift, self._layout.stride
        for _ in range(rounds):
            program(self._residue).play(board)
            self._residue = (self._residue + drift) % stride

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
        points = self._layout.points(self._residue)
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
        starts = [start - self._layout.live_size for start in self._layout.starts]
        return {
            end: absorbed[starts[end - 1] : starts[end] if end < -1 else None]
            for end in ChainEnd
        }

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

        points = self._layout.points(self._residue)[: self._layout.live_size]
        low = int(points.min())
        sums = np.bincount(points - low, self.live).tolist()
        return {low + place: Fraction(sum_) for place, sum_ in enumerate(sums) if sum_}


@dataclass(frozen=True, slots=True)
class _Rest:
    """The rounds after the last: its length in present bursts, and what is left."""

    factor: float
    residual: Fraction
    """How far the present burst is from repeating itself, as probability."""


def solve_to_the_end(chain: Chain, longest: Fraction, progress: Progress) -> Solution:
    """Solve a session that is played until it ends; `longest` bounds its units.

    After many rounds what is left repeats itself, only smaller: the rest is reckoned as
    a multiple of the last burst, and how far that burst was from repeating itself is
    the probability that may have gone another way.
    """
    walk = _Walk(chain)
    lag = 2 * walk.stride if walk.stride > 1 else 12
    absorbed, visits = walk.absorbed.copy(), walk.visits.copy()
    burst = _FIRST_BURST
    while True:
        walk.play(burst)
        absorbed += walk.absorbed
        visits += walk.visits
        walk.absorbed.fill(0.0)
        walk.visits.fill(0.0)
        before = walk.live.copy()
        walk.play(lag)
        rest = _rest(walk, before)
        enough = max(_TOLERANCE, relative_bound(walk.roundings()))
        spent = walk.rounds * chain.edges
        if rest.residual <= enough or spent > _MAXIMUM_STEPS:
            break
        progress(*_how_far(rest.residual))
        burst = max(burst, walk.rounds // 4)
    absorbed += walk.absorbed * rest.factor
    visits += walk.visits * rest.factor
    lost = rest.residual + walk.lost() * (1 + Fraction(rest.factor))
    return Solution(
        Arithmetic.FLOAT64,
        walk.ended(absorbed),
        {},
        Fraction(fsum(visits)),
        Fraction(fsum(visits * walk.units)),
        (),
        relative_bound(walk.roundings() + walk.rounds + 8),
        lost,
        lost * longest,
        lost * longest,
    )


def _rest(walk: _Walk, before: Floats) -> _Rest:
    """Return how often the last burst goes on if it repeats itself, and how nearly.

    With p before the burst and q after it the rest is a times the burst for
    a = |p|/(|p| - |q|), up to what comes of p + a(q - p), which is nearly nothing.
    """
    after = walk.live
    mass, left = fsum(before), fsum(after)
    if left == 0.0:
        return _Rest(1.0, Fraction(0))
    if mass <= left:
        return _Rest(1.0, Fraction(left))
    factor = mass / (mass - left)
    residual = fsum(abs(before + factor * (after - before)))
    doubt = relative_bound(walk.roundings() + 8) * Fraction(3 * factor * mass)
    return _Rest(factor, Fraction(residual) + doubt)


def _how_far(bound: Fraction) -> tuple[int, int]:
    """Return the digits found, and those wanted."""
    wanted = len(str(_TOLERANCE.denominator)) - 1
    return min(wanted, len(str(int(1 / bound))) - 1), wanted
