"""Sessions in fractions: a number of rounds, or until they end.

After n rounds every probability is a whole number over the n-th power of one number.
Without a last round, positions are eliminated one by one: steps to a position are
replaced by steps to its successors, which carry the rounds and stakes spent at the
position. At the end only the start is left, with the chances of every end. All numbers
are positive and rational; the only subtraction is 1 minus the chance to stay.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import (
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    quantile_points,
)

QUICK_STEPS = 400_000
"""Steps in whole numbers that durations and extremes may take by default."""
QUICK_PRODUCTS = 400_000
"""Products of words that fractions may take by default."""
_BITS = 4_000
"""Numbers of this many bits take about twice as long as small ones."""
_A_POSITION = 20
"""The cost of finding a position, in products."""

Place = TypeVar("Place")
Mark = Callable[[int, int, int], tuple[int, int]]
"""Returns the two numbers of a mark after a step by this number of points."""
Follow = Callable[[int], tuple[Mapping[int, Fraction], int] | None]
"""Returns the next positions and the units staked; None for an end."""


class _ExactWalk(Generic[Place]):
    """Places of a walk, each with its numerator over the current denominator.

    `follow` returns the steps from a place: weight, next place, and True if that plays
    on.
    """

    def __init__(
        self,
        start: Place,
        base: int,
        follow: Callable[[Place], Sequence[tuple[int, Place, bool]]],
    ) -> None:
        self.live = {start: 1}
        self.denominator = 1
        self.round = self.steps = 0
        self._base, self._follow = base, follow
        self._known: dict[Place, Sequence[tuple[int, Place, bool]]] = {}
        self._ended: dict[Place, tuple[int, int]] = {}

    def play_round(self) -> None:
        """Play one round: live places move, ended ones stay."""
        live: dict[Place, int] = {}
        ended: dict[Place, int] = {}
        known = self._known
        for place, numerator in self.live.items():
            steps = known.get(place)
            if steps is None:
                steps = known[place] = self._follow(place)
            self.steps += len(steps)
            for weight, target, plays_on in steps:
                after = live if plays_on else ended
                after[target] = after.get(target, 0) + weight * numerator
        self.live = live
        self.round += 1
        self.denominator *= self._base
        for place, numerator in ended.items():
            self._ended[place] = self._raised(place) + numerator, self.round

    def ended(self) -> dict[Place, int]:
        return {place: self._raised(place) for place in self._ended}

    def _raised(self, place: Place) -> int:
        numerator, then = self._ended.get(place, (0, self.round))
        power: int = self._base ** (self.round - then)
        return numerator * power

    def chance(self, numerators: Iterable[int]) -> Fraction:
        return Fraction(sum(numerators), self.denominator)


def exact_steps(chain: Chain, rounds: int) -> int:
    """Return the approximate work of a walk, in steps with small numbers."""
    bits = rounds * chain.denominator.bit_length()
    return chain.edges * rounds * (1 + bits // _BITS)


def walk_of(chain: Chain) -> _ExactWalk[int]:

    def follow(position: int) -> list[tuple[int, int, bool]]:
        steps = chain.steps(position)
        return [(weight, there, there < chain.live_size) for weight, there in steps]

    return _ExactWalk(chain.start_position, chain.denominator, follow)


def solve_exactly(
    chain: Chain, rounds: int, looks: Collection[int], progress: Progress
) -> Solution:
    """Solve round by round: after n rounds every chance is a numerator over Mⁿ."""
    walk, units = walk_of(chain), cache(chain.units)
    wanted = frozenset(looks)
    snapshots = []
    played = staked = 0
    for done in range(1, rounds + 1):
        played += sum(walk.live.values())
        staked += sum(units(position) * each for position, each in walk.live.items())
        walk.play_round()
        played, staked = played * chain.denominator, staked * chain.denominator
        if done in wanted:
            snapshots.append(_snapshot(chain, walk))
        progress(done, rounds)
    return Solution(
        Arithmetic.EXACT,
        {
            end: _chances(sums, walk.denominator)
            for end, sums in chain.by_end(walk.ended()).items()
        },
        _chances(_by_point(chain, walk.live), walk.denominator),
        Fraction(played, walk.denominator),
        Fraction(staked, walk.denominator),
        tuple(snapshots),
    )


def _chances(numerators: Mapping[int, int], denominator: int) -> dict[int, Fraction]:
    return {
        point: Fraction(numerator, denominator)
        for point, numerator in sorted(numerators.items())
    }


def _by_point(chain: Chain, numerators: Mapping[int, int]) -> dict[int, int]:
    """Return the sum of numerators by point, over all rows."""
    sums: dict[int, int] = {}
    for position, numerator in numerators.items():
        _, point = chain.place(position)
        sums[point] = sums.get(point, 0) + numerator
    return sums


def _snapshot(chain: Chain, walk: _ExactWalk[int]) -> SessionSnapshot:
    ended = chain.by_end(walk.ended())
    every = _by_point(chain, walk.live | walk.ended())
    return SessionSnapshot(
        walk.round,
        walk.chance(ended[ChainEnd.RUINED].values()),
        walk.chance(ended[ChainEnd.REACHED].values()),
        walk.chance(ended[ChainEnd.STOPPED].values()),
        quantile_points(sorted(every.items()), walk.denominator),
    )


def exact_extremes(
    chain: Chain, rounds: int, mark: Mark, allowed: int
) -> dict[int, Fraction] | None:
    """Return the chance of each amount in points; None if it takes too many steps.

    The first number of a mark is the distance below the peak, the second the amount.
    """

    def follow(
        place: tuple[int, int, int],
    ) -> list[tuple[int, tuple[int, int, int], bool]]:
        position, below, amount = place
        _, point = chain.place(position)
        return [
            (
                weight,
                (there, *mark(below, amount, chain.place(there)[1] - point)),
                there < chain.live_size,
            )
            for weight, there in chain.steps(position)
        ]

    walk = _ExactWalk((chain.start_position, 0, 0), chain.denominator, follow)
    for _ in range(rounds):
        walk.play_round()
        if walk.steps > allowed:
            return None
    sums: dict[int, int] = {}
    for (_, _, amount), numerator in (walk.live | walk.ended()).items():
        sums[amount] = sums.get(amount, 0) + numerator
    return _chances(sums, walk.denominator)


def mark_drawdown(below: int, deepest: int, shift: int) -> tuple[int, int]:
    """Return the mark after a step; its amount is the deepest fall below a peak."""
    depth = max(0, below - shift)
    return depth, max(deepest, depth)


def mark_peak(below: int, peak: int, shift: int) -> tuple[int, int]:
    """Return the mark after a step; its amount is the height of the peak."""
    return max(0, below - shift), peak + max(0, shift - below)


class TooLong(Exception):
    """The calculation needs more work than allowed."""


@dataclass(frozen=True, slots=True)
class Eliminated:
    """The ends of a walk, and its expected cost."""

    ends: Mapping[int, Fraction]
    rounds: Fraction
    units: Fraction


def solve_by_elimination(
    chain: Chain, progress: Progress, allowed: int | None = None
) -> Solution:
    """Solve a session until its end; raise `TooLong`."""
    # A session can rarely reach more than one in five positions.
    if allowed is not None and chain.live_size * _A_POSITION > 5 * allowed:
        raise TooLong

    def follow(position: int) -> tuple[Mapping[int, Fraction], int] | None:
        if position >= chain.live_size:
            return None
        after: dict[int, Fraction] = {}
        for weight, target in chain.steps(position):
            chance = Fraction(weight, chain.denominator)
            after[target] = after.get(target, Fraction(0)) + chance
        return after, chain.units(position)

    absorbed = eliminate(chain.start_position, follow, progress, allowed)
    return Solution(
        Arithmetic.EXACT,
        chain.by_end(absorbed.ends),
        {},
        absorbed.rounds,
        absorbed.units,
    )


def eliminate(
    start: int, follow: Follow, progress: Progress, allowed: int | None = None
) -> Eliminated:
    """Return the ends of a walk from `start` with their chances.

    Raises `TooLong` for more work than `allowed`, in products of words.
    """
    return _Elimination(start, follow, allowed).solve(progress)


class _Elimination:
    """The remaining walk, with the cost of a visit to each position."""

    def __init__(self, start: int, follow: Follow, allowed: int | None) -> None:
        self._start = start
        self._allowed = allowed
        self._work = 0
        self._next: dict[int, dict[int, Fraction]] = {}
        self._before: dict[int, set[int]] = {start: set()}
        self._rounds: dict[int, Fraction] = {}
        self._units: dict[int, Fraction] = {}
        self._find(follow)

    def _find(self, follow: Follow) -> None:
        """Find the positions that can be reached, and their successors."""
        found = [self._start]
        while found:
            position = found.pop()
            followed = follow(position)
            if followed is None:
                del self._before[position]
                continue
            after, units = followed
            self._next[position] = dict(after)
            self._rounds[position] = Fraction(1)
            self._units[position] = Fraction(units)
            self._count(_A_POSITION)
            found.extend(each for each in after if each not in self._before)
            for target in after:
                self._before.setdefault(target, set())
        for position, onward in self._next.items():
            for target in onward:
                if target in self._before:
                    self._before[target].add(position)

    def solve(self, progress: Progress) -> Eliminated:
        start = self._start
        total = len(self._next)
        heap = [(self._cost(each), each) for each in self._next if each != start]
        heapify(heap)
        while heap:
            cost, position = heappop(heap)
            if position not in self._next:
                continue
            if cost < (now := self._cost(position)):
                heappush(heap, (now, position))
                continue
            self._take_out(position)
            progress(total - len(self._next), total)
        self._leave_itself(start)
        return Eliminated(self._next[start], self._rounds[start], self._units[start])

    def _cost(self, position: int) -> int:
        """Return the number of steps that eliminating the position creates."""
        return len(self._before[position]) * len(self._next[position])

    def _take_out(self, position: int) -> None:
        self._leave_itself(position)
        self._spend(position)
        after = self._next.pop(position)
        for before in self._before.pop(position):
            onward = self._next[before]
            chance = onward.pop(position)
            self._rounds[before] += chance * self._rounds[position]
            self._units[before] += chance * self._units[position]
            for target, then in after.items():
                onward[target] = onward.get(target, Fraction(0)) + chance * then
                if target in self._before:
                    self._before[target].add(before)
        for target in after:
            if target in self._before:
                self._before[target].discard(position)

    def _spend(self, position: int) -> None:
        chances = self._next[position].values()
        digits = max(chance.denominator.bit_length() for chance in chances)
        self._count(self._cost(position) * (1 + digits // 64))

    def _count(self, products: int) -> None:
        self._work += products
        if self._allowed is not None and self._work > self._allowed:
            raise TooLong

    def _leave_itself(self, position: int) -> None:
        """Distribute the chance to stay among the other steps."""
        after = self._next[position]
        stay = after.pop(position, None)
        self._before[position].discard(position)
        if stay is None:
            return
        visits = 1 / (1 - stay)
        self._rounds[position] *= visits
        self._units[position] *= visits
        for target in after:
            after[target] *= visits
