"""Flat play for very many rounds, in float64, by blocks of rounds."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from croupier.odds.sessions.chain import Chain, ChainEnd
from croupier.odds.sessions.passage_solver import end_at, is_flat
from croupier.odds.sessions.result import (
    LEVELS,
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    relative_bound,
)
from croupier.odds.sessions.round_blocks import (
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
