"""Blocks of rounds of equal steps between two ends, each twice as long as the last.

Whoever is far from both ends moves in a block as if there were none: by the
distribution of the sum of so many results. Whoever is near goes by a matrix, which
single rounds have made for the shortest block, and blocks of half the length for the
others. How far is far follows from a bound on large deviations.

Laws of this file:
- nothing is subtracted, so that `relative_bound` holds;
- probability that is dropped, because it is too small to matter, is counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Any

from croupier.lab.sessions.chain import Chain, ChainEnd

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]

_FAINT = 1e-24
"""The ends of an array are cut off where they have less."""
_DECAY = 52.0
"""From far, an end is reached in a block with a chance of at most exp(-52)."""
_MISSED = Fraction(1, 10**22)
"""That chance, for both ends and whatever comes of it."""
_SHORTEST = 64
"""The rounds of the shortest block, or a few more."""
MAXIMUM_NEAR = 640
"""A matrix has no more rows of points near an end than these."""


@dataclass(slots=True)
class WalkState:
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
    def at(cls, walk: EqualSteps, first: int, columns: int = 1) -> WalkState:
        """Return a column for each of so many points, before the first round."""
        import numpy as np

        return cls(
            first,
            np.eye(columns),
            np.zeros((walk.down + walk.up, columns)),
            np.zeros(columns),
            np.zeros(columns),
        )

    def copy(self) -> WalkState:
        return WalkState(
            self.first,
            self.weights,
            self.exits.copy(),
            self.played.copy(),
            self.numbers.copy(),
            self.rounds,
            self.roundings,
            self.lost,
        )

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
class EqualSteps:
    """Equal steps between two ends, of which there may be none."""

    shifts: tuple[int, ...]
    chances: tuple[float, ...]
    low: int | None
    """The first point that plays on, where something ends below."""
    high: int | None
    """The first point above, where something ends."""

    @classmethod
    def of(cls, chain: Chain) -> EqualSteps:
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
        import numpy as np

        size = max(self.down, self.up)
        tilts = np.geomspace(1e-7, 20, 600) / size
        chances, shifts = np.array(self.chances), np.array(self.shifts)
        found = []
        for signed in (-shifts, shifts):
            moments = np.log(np.exp(np.outer(tilts, signed)) @ chances)
            far = (rounds * np.maximum(moments, 0.0) + _DECAY) / tilts
            found.append(int(far.min() * 1.0001) + 2)
        return found[0], found[1]

    def play(self, state: WalkState, rounds: int) -> None:
        """Play so many rounds, one by one."""
        import numpy as np

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

    def end(self, state: WalkState) -> None:
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

    def drop_beyond(self, state: WalkState) -> None:
        """Drop what has come from far beyond an end; it is among what is missed."""
        if self.low is not None:
            count = max(0, -((state.first - self.low) // self.stride))
            state.weights = state.weights[count:]
            state.first += count * self.stride
        if self.high is not None:
            keep = max(0, -((state.first - self.high) // self.stride))
            state.weights = state.weights[:keep]


@dataclass(frozen=True, slots=True)
class ResultSum:
    """The sum of the results of a block: weights from `first` on, in strides."""

    first: int
    weights: Floats
    roundings: int
    lost: Fraction

    def doubled(self) -> ResultSum:
        import numpy as np

        weights = np.convolve(self.weights, self.weights)
        seen = (weights > _FAINT).nonzero()[0]
        first, after = int(seen[0]), int(seen[-1]) + 1
        lost = 2 * self.lost + Fraction(_FAINT) * (len(weights) - (after - first))
        return ResultSum(
            2 * self.first + first,
            weights[first:after],
            2 * self.roundings + len(self.weights) + 1,
            lost,
        )


@dataclass(frozen=True)
class RoundBlock:
    """A block of rounds: the kernel of those far from the ends, matrices for others."""

    walk: EqualSteps
    rounds: int
    kernel: ResultSum
    half: RoundBlock | None
    """The block of half as many rounds; None: single rounds."""
    matrices: dict[tuple[int, int], WalkState] = field(default_factory=dict)

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

    def zones(self, state: WalkState) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the places of the state near the end below, and near that above."""
        size, stride = len(state.weights), self.walk.stride

        def place(point: int) -> int:
            return min(max(0, -((state.first - point) // stride)), size)

        if self.overlaps:
            return (0, size), (size, size)
        low = 0 if self.walk.low is None else place(self.low_zone[1])
        high = size if self.walk.high is None else place(self.high_zone[0])
        return (0, low), (high, size)

    def matrix(self, first: int, after: int, residue: int) -> WalkState:
        """Return what becomes of the points of a zone, a column for each."""
        known = self.matrices.get((first, after))
        if known is not None:
            return known
        stride = self.walk.stride
        first_point = first + (residue - first) % stride
        columns = max(0, -((first_point - after) // stride))
        state = WalkState.at(self.walk, first_point, columns)
        if self.half is None:
            self.walk.play(state, self.rounds)
        else:
            self.half.play(state)
            self.half.play(state)
        state.cut(stride)
        self.matrices[first, after] = state
        return state

    def play(self, state: WalkState) -> None:
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
    import numpy as np

    first = min(at for at, _ in parts)
    after = max(at + len(part) * stride for at, part in parts)
    sums = np.zeros(((after - first) // stride, parts[0][1].shape[1]))
    for at, part in parts:
        place = (at - first) // stride
        sums[place : place + len(part)] += part
    return first, sums


class RoundBlocks:
    """Blocks of rounds, each twice as long as the one before."""

    def __init__(self, walk: EqualSteps) -> None:
        self._walk = walk
        free = EqualSteps(walk.shifts, walk.chances, None, None)
        state = WalkState.at(free, 0)
        free.play(state, walk.block)
        kernel = ResultSum(
            state.first // walk.stride,
            state.weights[:, 0],
            state.roundings,
            Fraction(0),
        )
        self.shortest = RoundBlock(walk, walk.block, kernel, None)
        self._levels = [self.shortest]

    def play(self, state: WalkState, rounds: int) -> None:
        """Play whole blocks, the longest that can be played at a time."""
        while rounds and len(state.weights):
            level = self._longest(state, rounds)
            level.play(state)
            state.cut(self._walk.stride)
            rounds -= level.rounds
        state.rounds += rounds

    def _longest(self, state: WalkState, rounds: int) -> RoundBlock:
        """Return the longest block whose matrices are small, or are not needed."""
        place = 0
        while self._levels[place].rounds * 2 <= rounds:
            longer = self._level(place + 1)
            (_, low), (high, size) = longer.zones(state)
            if (low > 0 or high < size) and longer.near > MAXIMUM_NEAR:
                break
            place += 1
        return self._levels[place]

    def _level(self, place: int) -> RoundBlock:
        while len(self._levels) <= place:
            half = self._levels[-1]
            rounds, kernel = 2 * half.rounds, half.kernel.doubled()
            self._levels.append(RoundBlock(self._walk, rounds, kernel, half))
        return self._levels[place]


def _convolved(kernel: Floats, weights: Any) -> Any:
    import numpy as np

    if weights.shape[1] == 1:
        return np.convolve(kernel, weights[:, 0])[:, None]
    from scipy.linalg import toeplitz  # type: ignore[import-untyped]

    size = len(weights)
    column = np.concatenate([kernel, np.zeros(size - 1)])
    row = np.zeros(size)
    row[0] = kernel[0]
    return toeplitz(column, row) @ weights
