"""Flat play for very many rounds, in float64, by blocks of rounds.

Each block is twice as long as the last. Far from both ends, the walk moves in a block
as if there were none: by the distribution of the sum of so many results. Near an end it
goes by a matrix. Single rounds make that of the shortest block, and blocks of half the
length those of the others. How far is far follows from a bound on large deviations.

How likely the session still goes on after a round is told from the last known state
before that round, and the states on the way are kept for the next question.

Laws of this file:
- nothing is subtracted, so that `relative_bound` holds;
- probability that is dropped, because it is too small to matter, is counted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import fsum, gcd
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import (
    Arithmetic,
    Figure,
    Progress,
    SessionSnapshot,
    Solution,
    quantile_points,
    relative_bound,
)
from croupier.lab.sessions.solvers.passage_solver import end_at, is_flat

Floats = np.ndarray[Any, np.dtype[np.float64]]

_FAINT = 1e-24
"""The ends of an array are cut off where they have less."""
_DECAY = 52.0
"""From far, an end is reached in a block with a chance of at most exp(-52)."""
_MISSED = Fraction(1, 10**22)
"""That chance, for both ends and whatever comes of it."""
_SHORTEST = 64
"""The rounds of the shortest block, or a few more."""
_MAXIMUM_NEAR = 640
"""A matrix has no more rows of points near an end than these."""
_MOST_KEPT = 4_000_000
"""Weights of known states, in all."""


@dataclass(slots=True)
class _WalkState:
    """Weights at the points `first`, `first + stride` …, by column; and the sums."""

    first: int
    weights: Any
    exits: Any
    """What has ended: below the interval, then above it, counted away from it."""
    played: Any
    """The rounds that were played on average."""
    numbers: Any
    """The sum of their numbers, counted from 0."""
    rounds: int = 0
    roundings: int = 0
    lost: Fraction = Fraction(0)

    @classmethod
    def at(cls, walk: _EqualSteps, first: int, columns: int = 1) -> _WalkState:
        """Return a column for each of so many points, before the first round."""
        return cls(
            first,
            np.eye(columns),
            np.zeros((walk.down + walk.up, columns)),
            np.zeros(columns),
            np.zeros(columns),
        )

    def copy(self) -> _WalkState:
        sums = {"exits": self.exits.copy(), "played": self.played.copy()}
        return replace(self, **sums, numbers=self.numbers.copy())

    def cut(self, stride: int) -> None:
        """Cut off the ends that are too faint to matter."""
        heights = self.weights.max(axis=1, initial=0.0)
        seen = (heights > _FAINT).nonzero()[0]
        first, after = (int(seen[0]), int(seen[-1]) + 1) if seen.size else (0, 0)
        gone = len(heights) - (after - first)
        self.lost += Fraction(_FAINT) * gone
        self.weights = self.weights[first:after]
        self.first += first * stride


@dataclass(frozen=True, slots=True)
class _EqualSteps:
    """Equal steps between two ends, of which there may be none."""

    shifts: tuple[int, ...]
    chances: tuple[float, ...]
    low: int | None
    """The first point that plays on, where something ends below."""
    high: int | None
    """The first point above, where something ends."""

    @classmethod
    def of(cls, chain: Chain) -> _EqualSteps:
        row = chain.rows[0]
        shifts = {move.outcome: move.shift for move in chain.moves}
        below = [chain.rows[end] for end in (ChainEnd.RUINED, ChainEnd.STOPPED)]
        return cls(
            tuple(shifts.values()),
            tuple(chain.numerators[each] / chain.denominator for each in shifts),
            row.low if any(each.length for each in below) else None,
            row.high if chain.rows[ChainEnd.REACHED].length else None,
        )

    @property
    def down(self) -> int:
        return max(0, -min(self.shifts))

    @property
    def up(self) -> int:
        return max(0, *self.shifts)

    @property
    def stride(self) -> int:
        """How far apart the points after a round lie."""
        least = min(self.shifts)
        return gcd(*(shift - least for shift in self.shifts)) or 1

    @property
    def block(self) -> int:
        """The rounds of the shortest block, after which points are the same again."""
        period = self.stride // gcd(self.stride, min(self.shifts))
        return period * -(-_SHORTEST // period)

    def reach(self, rounds: int) -> tuple[int, int]:
        """Return how far down and up the walk goes but for a chance of exp(-52).

        By Doob's inequality the chance to come so far, at any time, is at most
        M(t)ⁿ·exp(-t·far) for the moments M(t) of a step, where that is 1 or more.
        """
        size = max(self.down, self.up)
        tilts = np.geomspace(1e-7, 20, 600) / size
        chances, shifts = np.array(self.chances), np.array(self.shifts)
        found = []
        for signed in (-shifts, shifts):
            moments = np.log(np.exp(np.outer(tilts, signed)) @ chances)
            far = (rounds * np.maximum(moments, 0.0) + _DECAY) / tilts
            found.append(int(far.min() * 1.0001) + 2)
        return found[0], found[1]

    def play(self, state: _WalkState, rounds: int) -> None:
        """Play so many rounds, one by one."""
        stride, least = self.stride, min(self.shifts)
        along = [(shift - least) // stride for shift in self.shifts]
        largest = 0
        for number in range(state.rounds, state.rounds + rounds):
            now = state.weights
            playing = now.sum(axis=0)
            state.played += playing
            state.numbers += number * playing
            size = len(now)
            largest = max(largest, size)
            then = np.zeros((size + max(along), now.shape[1]))
            for each, chance in zip(along, self.chances, strict=True):
                then[each : each + size] += chance * now
            state.weights, state.first = then, state.first + least
            self.end(state)
        state.rounds += rounds
        # Of a weight in every round, and of one sum over all weights.
        state.roundings += rounds * (len(along) + 2) + largest

    def end(self, state: _WalkState) -> None:
        """Move what lies beyond an end to the exits."""
        stride = self.stride
        if self.low is not None:
            count = min(
                max(0, -((state.first - self.low) // stride)), len(state.weights)
            )
            for place in range(count):
                out = self.low - 1 - (state.first + place * stride)
                state.exits[out] += state.weights[place]
            state.weights = state.weights[count:]
            state.first += count * stride
        if self.high is not None:
            keep = max(0, -((state.first - self.high) // stride))
            for place in range(keep, len(state.weights)):
                out = state.first + place * stride - self.high
                state.exits[self.down + out] += state.weights[place]
            state.weights = state.weights[:keep]

    def drop_beyond(self, state: _WalkState) -> None:
        """Drop what has come from far beyond an end; it is among what is missed."""
        if self.low is not None:
            count = max(0, -((state.first - self.low) // self.stride))
            state.weights = state.weights[count:]
            state.first += count * self.stride
        if self.high is not None:
            keep = max(0, -((state.first - self.high) // self.stride))
            state.weights = state.weights[:keep]


@dataclass(frozen=True, slots=True)
class _ResultSum:
    """The sum of the results of a block: weights from `first` on, in strides."""

    first: int
    weights: Floats
    roundings: int
    lost: Fraction

    def doubled(self) -> _ResultSum:
        weights = np.convolve(self.weights, self.weights)
        seen = (weights > _FAINT).nonzero()[0]
        first, after = int(seen[0]), int(seen[-1]) + 1
        lost = 2 * self.lost + Fraction(_FAINT) * (len(weights) - (after - first))
        return _ResultSum(
            2 * self.first + first,
            weights[first:after],
            2 * self.roundings + len(self.weights) + 1,
            lost,
        )


@dataclass(frozen=True)
class _RoundBlock:
    """A block of rounds: the kernel of those far from the ends, matrices for others."""

    walk: _EqualSteps
    rounds: int
    kernel: _ResultSum
    half: _RoundBlock | None
    """The block of half as many rounds; None: single rounds."""
    matrices: dict[tuple[int, int], _WalkState] = field(default_factory=dict)

    @cached_property
    def reach(self) -> tuple[int, int]:
        return self.walk.reach(self.rounds)

    @cached_property
    def low_zone(self) -> tuple[int, int]:
        """The first point near the end below, and the first beyond them; none: 0, 0."""
        walk = self.walk
        return (0, 0) if walk.low is None else (walk.low, walk.low + self.reach[0])

    @cached_property
    def high_zone(self) -> tuple[int, int]:
        walk = self.walk
        return (0, 0) if walk.high is None else (walk.high - self.reach[1], walk.high)

    @cached_property
    def overlaps(self) -> bool:
        """Whether a point can be near to both ends."""
        walk = self.walk
        if walk.low is None or walk.high is None:
            return False
        return self.low_zone[1] > self.high_zone[0]

    @cached_property
    def near(self) -> int:
        """How many points the largest matrix is for."""
        zones = [self.low_zone, self.high_zone]
        if self.overlaps:
            zones = [(self.low_zone[0], self.high_zone[1])]
        return max(after - first for first, after in zones) // self.walk.stride + 1

    def zones(self, state: _WalkState) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the places of the state near the end below, and near that above."""
        size, stride = len(state.weights), self.walk.stride

        def place(point: int) -> int:
            return min(max(0, -((state.first - point) // stride)), size)

        if self.overlaps:
            return (0, size), (size, size)
        low = 0 if self.walk.low is None else place(self.low_zone[1])
        high = size if self.walk.high is None else place(self.high_zone[0])
        return (0, low), (high, size)

    def matrix(self, first: int, after: int, residue: int) -> _WalkState:
        """Return what becomes of the points of a zone, a column for each."""
        known = self.matrices.get((first, after))
        if known is not None:
            return known
        stride = self.walk.stride
        first_point = first + (residue - first) % stride
        columns = max(0, -((first_point - after) // stride))
        state = _WalkState.at(self.walk, first_point, columns)
        if self.half is None:
            self.walk.play(state, self.rounds)
        else:
            self.half.play(state)
            self.half.play(state)
        state.cut(stride)
        self.matrices[first, after] = state
        return state

    def play(self, state: _WalkState) -> None:
        """Play one block."""
        if not len(state.weights):
            state.rounds += self.rounds
            return
        stride = self.walk.stride
        (_, low), (high, size) = self.zones(state)
        first, weights = state.first, state.weights
        parts: list[tuple[int, Any]] = []
        terms, roundings = len(self.kernel.weights), self.kernel.roundings
        if low < high:
            far = weights[low:high]
            playing, done = far.sum(axis=0), state.rounds
            state.played += self.rounds * playing
            numbers = self.rounds * done + self.rounds * (self.rounds - 1) // 2
            state.numbers += numbers * playing
            at = first + (low + self.kernel.first) * stride
            parts.append((at, _convolved(self.kernel.weights, far)))
            terms = max(terms, high - low)
        for zone, begin, end in (
            (self.low_zone, 0, low),
            (self.high_zone, high, size),
        ):
            if begin == end:
                continue
            whole = (self.low_zone[0], self.high_zone[1]) if self.overlaps else zone
            matrix = self.matrix(*whole, first % stride)
            start = whole[0] + (first - whole[0]) % stride
            place = (first + begin * stride - start) // stride
            columns, near = slice(place, place + end - begin), weights[begin:end]
            parts.append((matrix.first, matrix.weights[:, columns] @ near))
            state.exits += matrix.exits[:, columns] @ near
            played = matrix.played[columns] @ near
            state.played += played
            state.numbers += state.rounds * played + matrix.numbers[columns] @ near
            state.lost += matrix.lost
            terms = max(terms, end - begin)
            roundings = max(roundings, matrix.roundings)
        state.first, state.weights = _summed(parts, stride)
        self.walk.drop_beyond(state)
        state.rounds += self.rounds
        state.roundings += roundings + terms + len(parts) + 2
        state.lost += self.kernel.lost + _MISSED


def _summed(parts: list[tuple[int, Any]], stride: int) -> tuple[int, Any]:
    """Return the sum of arrays that begin at these points."""
    first = min(at for at, _ in parts)
    after = max(at + len(part) * stride for at, part in parts)
    sums = np.zeros(((after - first) // stride, parts[0][1].shape[1]))
    for at, part in parts:
        place = (at - first) // stride
        sums[place : place + len(part)] += part
    return first, sums


class _RoundBlocks:
    """Blocks of rounds, each twice as long as the one before."""

    def __init__(self, walk: _EqualSteps) -> None:
        self._walk = walk
        free = _EqualSteps(walk.shifts, walk.chances, None, None)
        state = _WalkState.at(free, 0)
        free.play(state, walk.block)
        kernel = _ResultSum(
            state.first // walk.stride,
            state.weights[:, 0],
            state.roundings,
            Fraction(0),
        )
        self.shortest = _RoundBlock(walk, walk.block, kernel, None)
        self._levels = [self.shortest]

    def play(self, state: _WalkState, rounds: int) -> None:
        """Play whole blocks, the longest that can be played at a time."""
        while rounds and len(state.weights):
            level = self._longest(state, rounds)
            level.play(state)
            state.cut(self._walk.stride)
            rounds -= level.rounds
        state.rounds += rounds

    def _longest(self, state: _WalkState, rounds: int) -> _RoundBlock:
        """Return the longest block whose matrices are small, or are not needed."""
        place = 0
        while self._levels[place].rounds * 2 <= rounds:
            longer = self._level(place + 1)
            (_, low), (high, size) = longer.zones(state)
            if (low > 0 or high < size) and longer.near > _MAXIMUM_NEAR:
                break
            place += 1
        return self._levels[place]

    def _level(self, place: int) -> _RoundBlock:
        while len(self._levels) <= place:
            half = self._levels[-1]
            rounds, kernel = 2 * half.rounds, half.kernel.doubled()
            self._levels.append(_RoundBlock(self._walk, rounds, kernel, half))
        return self._levels[place]


def _convolved(kernel: Floats, weights: Any) -> Any:
    if weights.shape[1] == 1:
        return np.convolve(kernel, weights[:, 0])[:, None]
    size = len(weights)
    padded = np.pad(kernel, size - 1)
    return sliding_window_view(padded, size)[:, ::-1] @ weights


def takes_blocks(chain: Chain) -> bool:
    """Return whether `solve_flat` takes the chain."""
    return (
        is_flat(chain)
        and _RoundBlocks(_EqualSteps.of(chain)).shortest.near <= _MAXIMUM_NEAR
    )


def solve_flat(
    chain: Chain, rounds: int, looks: Collection[int], progress: Progress
) -> Solution:
    """Solve a flat session after so many rounds."""
    walk = _EqualSteps.of(chain)
    levels = _RoundBlocks(walk)
    state = there = _WalkState.at(walk, chain.start[1])
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
    chain: Chain, walk: _EqualSteps, state: _WalkState
) -> dict[ChainEnd, dict[int, Fraction]]:
    low, high = chain.rows[0].low, chain.rows[0].high
    below = [low - 1 - place for place in range(walk.down)]
    above = [high + place for place in range(walk.up)]
    ended: dict[ChainEnd, dict[int, Fraction]] = {end: {} for end in ChainEnd}
    for point, chance in sorted(zip([*below, *above], state.exits[:, 0], strict=True)):
        if chance:
            ended[end_at(chain, point)][point] = Fraction(float(chance))
    return ended


def _playing(walk: _EqualSteps, state: _WalkState) -> dict[int, Fraction]:
    return {
        state.first + place * walk.stride: Fraction(chance)
        for place, chance in enumerate(state.weights[:, 0].tolist())
        if chance
    }


def _snapshot(chain: Chain, walk: _EqualSteps, state: _WalkState) -> SessionSnapshot:
    ended = _ended(chain, walk, state)

    def chance_of(end: ChainEnd) -> Fraction:
        return min(sum(ended[end].values(), Fraction(0)), Fraction(1))

    points = count(state.first, walk.stride)
    every = [
        *zip(points, state.weights[:, 0].tolist(), strict=False),
        *((point, float(p)) for part in ended.values() for point, p in part.items()),
    ]
    return SessionSnapshot(
        state.rounds,
        chance_of(ChainEnd.RUINED),
        chance_of(ChainEnd.REACHED),
        chance_of(ChainEnd.STOPPED),
        quantile_points(sorted(every), fsum(chance for _, chance in every)),
    )


def _solution(
    chain: Chain, walk: _EqualSteps, state: _WalkState, snapshots: list[SessionSnapshot]
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


class _Left(NamedTuple):
    """The chance that the session goes on, and the bounds of its error."""

    chance: float
    relative: Fraction
    lost: Fraction


class BlockSurvival(Sequence[float]):
    """The chances that the session goes on after 0, 1, 2 … rounds."""

    def __init__(self, chain: Chain, count: int) -> None:
        """Take the chances after fewer rounds than `count`."""
        self._walk = _EqualSteps.of(chain)
        self._blocks = _RoundBlocks(self._walk)
        self._count = count
        self._kept = {0: _WalkState.at(self._walk, chain.start[1])}
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

    def _after(self, rounds: int) -> _WalkState:
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
        `_WalkState` counts: a product and a sum more in each round or block.
        """
        last = self._last
        squares = 2 * Fraction(float(last.numbers[0])) + Fraction(float(last.played[0]))
        relative = relative_bound(2 * last.roundings)
        off = squares * relative / (1 - relative)
        return Figure(squares, off + last.lost * self._count**2)
