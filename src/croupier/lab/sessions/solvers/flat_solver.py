"""Flat play for very many rounds, in float64, by blocks of rounds.

How likely it still goes on after a round is told from the last known state before that
round, and the states on the way are kept for the next question.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple, overload

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import (
    LEVELS,
    Arithmetic,
    Figure,
    Progress,
    SessionSnapshot,
    Solution,
    relative_bound,
)
from croupier.lab.sessions.solvers.passage_solver import end_at, is_flat
from croupier.lab.sessions.solvers.round_blocks import (
    MAXIMUM_NEAR,
    EqualSteps,
    RoundBlocks,
    WalkState,
)


def takes_blocks(chain: Chain) -> bool:
    """Return whether `solve_flat` takes the chain."""
    return (
        is_flat(chain)
        and RoundBlocks(EqualSteps.of(chain)).shortest.near <= MAXIMUM_NEAR
    )


def solve_flat(
    chain: Chain, rounds: int, looks: Collection[int], progress: Progress
) -> Solution:
    """Solve a flat session after so many rounds."""
    walk = EqualSteps.of(chain)
    levels = RoundBlocks(walk)
    state = there = WalkState.at(walk, chain.start[1])
    snapshots = []
    for stop in sorted({*looks, rounds}):
        levels.play(state, (stop - state.rounds) // walk.block * walk.block)
        # What is left are fewer rounds than the shortest block has.
        there = state.copy()
        walk.play(there, stop - state.rounds)
        if stop in looks:
            snapshots.append(_snapshot(chain, walk, there))
        progress(stop, rounds)
    return _solution(chain, walk, there, snapshots)


def _ended(
    chain: Chain, walk: EqualSteps, state: WalkState
) -> dict[ChainEnd, dict[int, Fraction]]:
    low, high = chain.rows[0].low, chain.rows[0].high
    below = [low - 1 - place for place in range(walk.down)]
    above = [high + place for place in range(walk.up)]
    ended: dict[ChainEnd, dict[int, Fraction]] = {end: {} for end in ChainEnd}
    for point, chance in sorted(zip([*below, *above], state.exits[:, 0], strict=True)):
        if chance:
            ended[end_at(chain, point)][point] = Fraction(float(chance))
    return ended


def _playing(walk: EqualSteps, state: WalkState) -> dict[int, Fraction]:
    return {
        state.first + place * walk.stride: Fraction(chance)
        for place, chance in enumerate(state.weights[:, 0].tolist())
        if chance
    }


def _snapshot(chain: Chain, walk: EqualSteps, state: WalkState) -> SessionSnapshot:
    import numpy as np

    ended = _ended(chain, walk, state)

    def chance_of(end: ChainEnd) -> Fraction:
        return min(sum(ended[end].values(), Fraction(0)), Fraction(1))

    size = len(state.weights)
    out = sorted((point, float(p)) for e in ended.values() for point, p in e.items())
    points = np.concatenate(
        [
            np.array([point for point, _ in out], dtype=np.int64),
            np.arange(size, dtype=np.int64) * walk.stride + state.first,
        ]
    )
    weights = np.concatenate([[chance for _, chance in out], state.weights[:, 0]])
    order = np.argsort(points)
    below = np.cumsum(weights[order])
    found = np.searchsorted(below, [float(level) * below[-1] for level in LEVELS])
    return SessionSnapshot(
        state.rounds,
        chance_of(ChainEnd.RUINED),
        chance_of(ChainEnd.REACHED),
        chance_of(ChainEnd.STOPPED),
        tuple(int(point) for point in points[order][found]),
    )


def _solution(
    chain: Chain, walk: EqualSteps, state: WalkState, snapshots: list[SessionSnapshot]
) -> Solution:
    played, units = Fraction(float(state.played[0])), chain.runs[0].units
    return Solution(
        Arithmetic.FLOAT64,
        _ended(chain, walk, state),
        _playing(walk, state),
        played,
        played * units,
        tuple(snapshots),
        relative_bound(state.roundings + 3),
        state.lost,
        state.lost * state.rounds,
        state.lost * state.rounds * units,
    )


_MOST_KEPT = 4_000_000
"""Weights of known states, in all."""


class _Left(NamedTuple):
    """The chance that the session goes on, and the bounds of its error."""

    chance: float
    relative: Fraction
    lost: Fraction


class BlockSurvival(Sequence[float]):
    """The chances that the session goes on after 0, 1, 2 … rounds."""

    def __init__(self, chain: Chain, count: int) -> None:
        """Take the chances after fewer rounds than `count`."""
        self._walk = EqualSteps.of(chain)
        self._blocks = RoundBlocks(self._walk)
        self._count = count
        self._kept = {0: WalkState.at(self._walk, chain.start[1])}
        self._stops = [0]
        self._room = _MOST_KEPT
        self._known: dict[int, _Left] = {}
        self._last = self._after(count)

    @classmethod
    def until(cls, chain: Chain, chance: Fraction, likely: int) -> BlockSurvival:
        """Take the chances down to the first that is not above this one.

        `likely` is after how many rounds it may be found.
        """
        survival = cls(chain, likely)
        while survival[-1] > chance:
            likely *= 2
            survival = cls(chain, likely)
        first = bisect_left(
            range(likely), True, key=lambda rounds: survival[rounds] <= chance
        )
        return cls(chain, first + 1)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, rounds: int) -> float: ...
    @overload
    def __getitem__(self, rounds: slice) -> Sequence[float]: ...
    def __getitem__(self, rounds: int | slice) -> float | Sequence[float]:
        if isinstance(rounds, slice):
            return [self[each] for each in range(*rounds.indices(self._count))]
        if not -self._count <= rounds < self._count:
            raise IndexError(rounds)
        return self._left(rounds % self._count).chance

    def _left(self, rounds: int) -> _Left:
        if rounds not in self._known:
            state = self._after(rounds)
            # A sum over all weights comes on top.
            roundings = state.roundings + len(state.weights)
            chance = float(state.weights.sum())
            self._known[rounds] = _Left(chance, relative_bound(roundings), state.lost)
        return self._known[rounds]

    def _after(self, rounds: int) -> WalkState:
        """Return the state after so many rounds; its whole blocks are kept."""
        start = self._stops[bisect_right(self._stops, rounds) - 1]
        state, block = self._kept[start].copy(), self._walk.block
        self._blocks.play(state, (rounds - start) // block * block)
        if state.rounds not in self._kept and self._room > 0:
            self._room -= len(state.weights)
            self._kept[state.rounds] = state.copy()
            insort(self._stops, state.rounds)
        self._walk.play(state, rounds - state.rounds)
        return state

    def error_of(self, rounds: int, chance: Fraction) -> Fraction:
        """Return what a chance after so many rounds may be off by."""
        left = self._left(rounds)
        return chance * left.relative / (1 - left.relative) + left.lost

    def squared_rounds(self) -> Figure:
        """Return the expected square of the rounds: the odd numbers, while it goes on.

        For each number of a round there are no more than twice the roundings that
        `WalkState` counts: a product and a sum more in each round or block.
        """
        last = self._last
        squares = 2 * Fraction(float(last.numbers[0])) + Fraction(float(last.played[0]))
        relative = relative_bound(2 * last.roundings)
        off = squares * relative / (1 - relative)
        return Figure(squares, off + last.lost * self._count**2)
