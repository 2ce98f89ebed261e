"""Flat play for a large number of rounds, in float64, by blocks of rounds.

Each block is twice as long as the previous one. Away from both ends a block is a plain
convolution with the distribution of the sum of its results; in a zone near an end it is
a matrix. A bound on large deviations sets the width of the zone. The matrix of the
shortest block comes from single rounds, those of the others from blocks of half the
length.

Laws of this file:
- nothing is subtracted, so `relative_bound` holds;
- probability that is dropped, because it is too small to matter, is counted.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import fsum, gcd
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import (
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    quantile_points,
    relative_bound,
    rounded_off,
)
from croupier.numeric.figure import Figure

Floats = np.ndarray[Any, np.dtype[np.float64]]

_FAINT = 1e-24
"""Weights below this are cut off at the ends of an array."""
_DECAY = 52.0
"""From outside its zone, a block reaches an end with a chance of at most exp(-52)."""
_MISSED = Fraction(1, 10**22)
"""A bound on that chance for both ends, with a margin."""
_SHORTEST = 64
"""The least number of rounds in the shortest block."""
_MAXIMUM_NEAR = 640
"""The most points near an end in a matrix."""
_MOST_KEPT = 4_000_000
"""The most weights in all kept states together."""


@dataclass(slots=True)
class _WalkState:
    """Weights at the points `first`, `first + stride` …, by column; and their sums."""

    first: int
    begin: int
    """The first point before the first round."""
    stride: int
    weights: Any
    exits: Any
    """The ended weights: below the interval, then above it, counted away from it."""
    played: Any
    """The expected number of rounds played."""
    numbers: Any
    """The expected sum of the rounds' numbers, counted from 0."""
    rounds: int = 0
    roundings: int = 0
    lost: Fraction = Fraction(0)

    @classmethod
    def at(cls, walk: _EqualSteps, first: int, columns: int = 1) -> _WalkState:
        """Return the state before the first round, with a column for each point."""
        return cls(
            first,
            first,
            walk.stride,
            np.eye(columns),
            np.zeros((walk.down + walk.up, columns)),
            np.zeros(columns),
            np.zeros(columns),
        )

    def copy(self) -> _WalkState:
        sums = {"exits": self.exits.copy(), "played": self.played.copy()}
        return replace(self, **sums, numbers=self.numbers.copy())

    def place(self, point: int) -> int:
        """Return the index of the first weight at or above the point."""
        return min(max(0, -((self.first - point) // self.stride)), len(self.weights))

    def keep(self, begin: int, end: int) -> None:
        self.weights = self.weights[begin:end]
        self.first += begin * self.stride

    def cut(self) -> None:
        """Cut off negligible weights at both ends."""
        heights = self.weights.max(axis=1, initial=0.0)
        seen = (heights > _FAINT).nonzero()[0]
        begin, end = (int(seen[0]), int(seen[-1]) + 1) if seen.size else (0, 0)
        self.lost += Fraction(_FAINT) * (len(heights) - (end - begin))
        self.keep(begin, end)

    def off(self, chance: Fraction) -> Fraction:
        """Bound the error of `chance`, a sum over all weights."""
        roundings = self.roundings + len(self.weights)
        return rounded_off(chance, roundings) + self.lost

    def doubled(self) -> _WalkState:
        """Return the weights after two such walks, without ends."""
        weights = np.convolve(self.weights[:, 0], self.weights[:, 0])[:, None]
        twice = replace(
            self,
            first=2 * self.first,
            weights=weights,
            roundings=2 * self.roundings + len(self.weights) + 1,
            lost=2 * self.lost,
        )
        twice.cut()
        return twice


@dataclass(frozen=True, slots=True)
class _EqualSteps:
    """Equal steps between two ends; either end may be missing."""

    shifts: tuple[int, ...]
    chances: tuple[float, ...]
    low: int | None
    """The first point that plays on; None without an end below."""
    high: int | None
    """The first point of the end above; None without it."""

    @classmethod
    def of(cls, chain: Chain) -> _EqualSteps:
        row = chain.rows[0]
        shifts, numerators = zip(*chain.flat_steps, strict=True)
        below = [chain.rows[end] for end in (ChainEnd.RUINED, ChainEnd.STOPPED)]
        return cls(
            shifts,
            tuple(each / chain.denominator for each in numerators),
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
        """The distance between neighbouring points after a round."""
        least = min(self.shifts)
        return gcd(*(shift - least for shift in self.shifts)) or 1

    @property
    def block(self) -> int:
        """The rounds of the shortest block, a multiple of the period of the points."""
        period = self.stride // gcd(self.stride, min(self.shifts))
        return period * -(-_SHORTEST // period)

    def reach(self, rounds: int) -> tuple[int, int]:
        """Return distances down and up that the walk exceeds with chance exp(-52).

        By Doob's inequality the chance to reach a distance at any time is at most
        M(t)ⁿ·exp(-t·distance), with the moments M(t) of a step, if M(t) is 1 or more.
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
        """Play the rounds one by one."""
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
        # The roundings of a weight in every round, and of one sum over all weights.
        state.roundings += rounds * (len(along) + 2) + largest

    def end(self, state: _WalkState) -> None:
        """Move the weights beyond an end to the exits."""
        points = range(
            state.first, state.first + len(state.weights) * self.stride, self.stride
        )
        begin, end = self.within(state)
        for place in range(begin):
            assert self.low is not None
            state.exits[self.low - 1 - points[place]] += state.weights[place]
        for place in range(end, len(points)):
            assert self.high is not None
            state.exits[self.down + points[place] - self.high] += state.weights[place]
        state.keep(begin, end)

    def within(self, state: _WalkState) -> tuple[int, int]:
        begin = 0 if self.low is None else state.place(self.low)
        end = len(state.weights) if self.high is None else state.place(self.high)
        return begin, end


@dataclass(frozen=True)
class _RoundBlock:
    """A block of rounds: a kernel away from the ends, matrices near them."""

    walk: _EqualSteps
    rounds: int
    kernel: _WalkState
    """The distribution of the sum of the results, from point 0."""
    half: _RoundBlock | None
    """The block of half the rounds; None for the shortest block."""
    matrices: dict[tuple[int, int], _WalkState] = field(default_factory=dict)

    @cached_property
    def zones(self) -> list[tuple[int, int]]:
        """The intervals of points near an end; a single one if they meet."""
        low, high = self.walk.low, self.walk.high
        down, up = self.walk.reach(self.rounds)
        if low is not None and high is not None and low + down > high - up:
            return [(low, high)]
        below = [] if low is None else [(low, low + down)]
        return below if high is None else [*below, (high - up, high)]

    @property
    def near(self) -> int:
        """The number of points in the largest matrix."""
        lengths = [after - first for first, after in self.zones]
        return max(lengths, default=0) // self.walk.stride + 1

    def is_near(self, state: _WalkState) -> bool:
        return any(
            state.place(first) < state.place(after) for first, after in self.zones
        )

    def matrix(self, first: int, after: int, residue: int) -> _WalkState:
        """Return the block's result for a zone, a column for each of its points."""
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
        state.cut()
        self.matrices[first, after] = state
        return state

    def play(self, state: _WalkState) -> None:
        """Play one block."""
        if not len(state.weights):
            state.rounds += self.rounds
            return
        kernel, roundings = self.kernel, self.kernel.roundings
        terms = max(len(kernel.weights), len(state.weights))
        parts: list[tuple[int, Any]] = []
        far, end = 0, len(state.weights)
        for first, after in self.zones:
            here = slice(state.place(first), state.place(after))
            far = here.stop if first == self.walk.low else far
            end = here.start if after == self.walk.high else end
            if here.start < here.stop:
                matrix = self.matrix(first, after, state.first % state.stride)
                parts.append(_moved(state, here, matrix))
                roundings = max(roundings, matrix.roundings)
        if far < end:
            weights = state.weights[far:end]
            playing = weights.sum(axis=0)
            state.played += self.rounds * playing
            numbers = self.rounds * state.rounds + self.rounds * (self.rounds - 1) // 2
            state.numbers += numbers * playing
            at = state.first + far * state.stride + kernel.first
            parts.append((at, _convolved(kernel.weights[:, 0], weights)))
        state.first, state.weights = _summed(parts, state.stride)
        state.keep(*self.walk.within(state))
        state.rounds += self.rounds
        state.roundings += roundings + terms + len(parts) + 2
        state.lost += kernel.lost + _MISSED


def _moved(state: _WalkState, here: slice, matrix: _WalkState) -> tuple[int, Any]:
    """Return the weights after a block by the matrix; add to the state's sums."""
    stride, near = state.stride, state.weights[here]
    point = state.first + here.start * stride
    # The matrix has a column for each point of its zone.
    column = (point - matrix.begin) // stride
    columns = slice(column, column + len(near))
    state.exits += matrix.exits[:, columns] @ near
    played = matrix.played[columns] @ near
    state.played += played
    state.numbers += state.rounds * played + matrix.numbers[columns] @ near
    state.lost += matrix.lost
    return matrix.first, matrix.weights[:, columns] @ near


def _summed(parts: list[tuple[int, Any]], stride: int) -> tuple[int, Any]:
    """Return the sum of arrays that begin at different points."""
    first = min(at for at, _ in parts)
    after = max(at + len(part) * stride for at, part in parts)
    sums = np.zeros(((after - first) // stride, parts[0][1].shape[1]))
    for at, part in parts:
        place = (at - first) // stride
        sums[place : place + len(part)] += part
    return first, sums


class FlatRounds:
    """A flat session after any number of rounds, by blocks of doubling length.

    States on the way are kept for the next question.
    """

    def __init__(self, chain: Chain) -> None:
        self.walk = walk = _EqualSteps.of(chain)
        free = replace(walk, low=None, high=None)
        kernel = _WalkState.at(free, 0)
        free.play(kernel, walk.block)
        self.shortest = _RoundBlock(walk, walk.block, kernel, None)
        self._levels = [self.shortest]
        self._kept = {0: _WalkState.at(walk, chain.start[1])}
        self._room = _MOST_KEPT

    def after(self, rounds: int) -> _WalkState:
        """Return the state after these rounds; keep the state at whole blocks."""
        start = max(kept for kept in self._kept if kept <= rounds)
        state, block = self._kept[start].copy(), self.walk.block
        self._play(state, (rounds - start) // block * block)
        if state.rounds not in self._kept and self._room > 0:
            self._room -= len(state.weights)
            self._kept[state.rounds] = state.copy()
        self.walk.play(state, rounds - state.rounds)
        return state

    def goes_on(self, rounds: int) -> Figure:
        state = self.after(rounds)
        chance = Fraction(float(state.weights.sum()))
        return Figure(chance, state.off(chance))

    def _play(self, state: _WalkState, rounds: int) -> None:
        """Play whole blocks, always the longest possible."""
        while rounds and len(state.weights):
            level = self._longest(state, rounds)
            level.play(state)
            state.cut()
            rounds -= level.rounds
        state.rounds += rounds

    def _longest(self, state: _WalkState, rounds: int) -> _RoundBlock:
        """Return the longest block whose matrices are small, or not needed here."""
        place = 0
        while self._levels[place].rounds * 2 <= rounds:
            if len(self._levels) == place + 1:
                half = self._levels[place]
                double = half.kernel.doubled()
                self._levels.append(
                    _RoundBlock(self.walk, 2 * half.rounds, double, half)
                )
            longer = self._levels[place + 1]
            if longer.near > _MAXIMUM_NEAR and longer.is_near(state):
                break
            place += 1
        return self._levels[place]


def _convolved(kernel: Floats, weights: Any) -> Any:
    if weights.shape[1] == 1:
        return np.convolve(kernel, weights[:, 0])[:, None]
    size = len(weights)
    padded = np.pad(kernel, size - 1)
    return sliding_window_view(padded, size)[:, ::-1] @ weights


def takes_blocks(chain: Chain) -> bool:
    return chain.is_flat and FlatRounds(chain).shortest.near <= _MAXIMUM_NEAR


def solve_flat(
    chain: Chain, rounds: int, looks: Collection[int], progress: Progress
) -> Solution:
    """Solve a flat session."""
    flat, snapshots = FlatRounds(chain), []
    for stop in sorted(looks):
        snapshots.append(_snapshot(chain, flat.walk, flat.after(stop)))
        progress(stop, rounds)
    progress(rounds, rounds)
    return _solution(chain, flat.walk, flat.after(rounds), snapshots)


def _ended(
    chain: Chain, walk: _EqualSteps, state: _WalkState
) -> dict[ChainEnd, dict[int, Fraction]]:
    low, high = chain.rows[0].low, chain.rows[0].high
    below = [low - 1 - place for place in range(walk.down)]
    above = [high + place for place in range(walk.up)]
    exits = zip([*below, *above], state.exits[:, 0].tolist(), strict=True)
    return chain.flat_ends({point: Fraction(each) for point, each in exits if each})


def _weights(state: _WalkState) -> list[tuple[int, float]]:
    """Return points and weights of the only column."""
    weights = state.weights[:, 0].tolist()
    return list(zip(count(state.first, state.stride), weights, strict=False))


def _snapshot(chain: Chain, walk: _EqualSteps, state: _WalkState) -> SessionSnapshot:
    ended = _ended(chain, walk, state)

    def chance_of(end: ChainEnd) -> Fraction:
        return min(sum(ended[end].values(), Fraction(0)), Fraction(1))

    every = [
        *_weights(state),
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
    played, units = Fraction(float(state.played[0])), chain.moves[0].units
    return Solution(
        Arithmetic.FLOAT64,
        _ended(chain, walk, state),
        {point: Fraction(chance) for point, chance in _weights(state) if chance},
        played,
        played * units,
        tuple(snapshots),
        relative_bound(state.roundings + 3),
        state.lost,
        state.lost * state.rounds,
        state.lost * state.rounds * units,
    )
