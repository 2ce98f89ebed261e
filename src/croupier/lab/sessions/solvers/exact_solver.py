"""Sessions in fractions: so many rounds of them, or until they end.

After n rounds every probability is a whole number over the n-th power of one number.
Without a last round, positions are taken out one by one: whoever came to one goes
straight to where it leads, and carries with him the rounds and the stakes that he would
have spent there. At the end only the start is left, with the chances of every end. All
numbers are positive and rational; nothing is ever subtracted but the chance to stay
from one.
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

_BITS = 4_000
"""A number of so many bits takes about twice as long as a small one."""
_A_POSITION = 20
"""What it takes to find one, in products."""

Place = TypeVar("Place")
Mark = Callable[[int, int, int], tuple[int, int]]
"""Returns the numbers of a mark after a step by so many points."""
_Marked = tuple[int, int, int]
"""A position and the two numbers of its mark."""
Follow = Callable[[int], tuple[Mapping[int, Fraction], int] | None]
"""What follows a position, and the units staked there; None where it is an end."""


class ExactWalk(Generic[Place]):
    """Places of a walk, each with its numerator over the present denominator.

    `follow` returns what a place leads to: weights, places, whether they play on.
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
        """Play one round: what is live moves, and what has ended stays."""
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
        """Return the numerators of what has ended."""
        return {place: self._raised(place) for place in self._ended}

    def _raised(self, place: Place) -> int:
        numerator, then = self._ended.get(place, (0, self.round))
        power: int = self._base ** (self.round - then)
        return numerator * power

    def chance(self, numerators: Iterable[int]) -> Fraction:
        return Fraction(sum(numerators), self.denominator)


def exact_steps(chain: Chain, rounds: int) -> int:
    """Return about how many steps with small numbers a walk of so many rounds takes."""
    bits = rounds * chain.denominator.bit_length()
    return chain.edges * rounds * (1 + bits // _BITS)


def walk_of(chain: Chain) -> ExactWalk[int]:
    """Return the walk of a session, from position to position."""

    def follow(position: int) -> list[tuple[int, int, bool]]:
        steps = chain.steps(position)
        return [(weight, there, there < chain.live_size) for weight, there in steps]

    return ExactWalk(chain.start_position, chain.denominator, follow)


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
            for end, sums in _ends(chain, walk).items()
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


def _ends(chain: Chain, walk: ExactWalk[int]) -> dict[ChainEnd, dict[int, int]]:
    """Return the numerators of what has ended, by end and point."""
    ended: dict[ChainEnd, dict[int, int]] = {end: {} for end in ChainEnd}
    for position, numerator in walk.ended().items():
        row, point = chain.place(position)
        ended[ChainEnd(row - len(chain.rows))][point] = numerator
    return ended


def _by_point(chain: Chain, numerators: Mapping[int, int]) -> dict[int, int]:
    """Return the sums of numerators of positions, whatever the row."""
    sums: dict[int, int] = {}
    for position, numerator in numerators.items():
        _, point = chain.place(position)
        sums[point] = sums.get(point, 0) + numerator
    return sums


def _snapshot(chain: Chain, walk: ExactWalk[int]) -> SessionSnapshot:
    ended = _ends(chain, walk)
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

    The first number of a mark is how far the walk is below its peak; the second one is
    the amount.
    """

    def follow(place: _Marked) -> list[tuple[int, _Marked, bool]]:
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

    start = (chain.start_position, 0, 0)
    walk: ExactWalk[_Marked] = ExactWalk(start, chain.denominator, follow)
    for _ in range(rounds):
        walk.play_round()
        if walk.steps > allowed:
            return None
    sums: dict[int, int] = {}
    for (_, _, amount), numerator in (walk.live | walk.ended()).items():
        sums[amount] = sums.get(amount, 0) + numerator
    return _chances(sums, walk.denominator)


def mark_drawdown(below: int, deepest: int, shift: int) -> tuple[int, int]:
    """Return the mark after a step, with the deepest fall below a peak."""
    depth = max(0, below - shift)
    return depth, max(deepest, depth)


def mark_peak(below: int, peak: int, shift: int) -> tuple[int, int]:
    """Return the mark after a step, with the peak above the start."""
    return max(0, below - shift), peak + max(0, shift - below)


class TooLong(Exception):
    """More work than was allowed."""


@dataclass(frozen=True, slots=True)
class Eliminated:
    """Where it ends, and what it has cost until then."""

    ends: Mapping[int, Fraction]
    rounds: Fraction
    units: Fraction


def eliminate(
    start: int, follow: Follow, progress: Progress, allowed: int | None = None
) -> Eliminated:
    """Return the ends of a walk from `start`, each with its chance.

    Raises `TooLong` where it takes more work than `allowed`, in products of words.
    """
    return _Elimination(start, follow, allowed).solve(progress)


def solve_by_elimination(
    chain: Chain, progress: Progress, allowed: int | None = None
) -> Solution:
    """Return the ends of a session that is played until it ends; raise `TooLong`."""
    # Seldom more than one in five positions can be reached.
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
    ended: dict[ChainEnd, dict[int, Fraction]] = {end: {} for end in ChainEnd}
    for position, chance in sorted(absorbed.ends.items()):
        row, point = chain.place(position)
        ended[ChainEnd(row - len(chain.rows))][point] = chance
    return Solution(Arithmetic.EXACT, ended, {}, absorbed.rounds, absorbed.units)


class _Elimination:
    """The walk that is left, with what a visit to each position costs."""

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
        """Find every position that can be reached, and what follows it."""
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
        """Return how many connections it makes when it is taken out."""
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
        digits = max(
            chance.denominator.bit_length() for chance in self._next[position].values()
        )
        self._count(self._cost(position) * (1 + digits // 64))

    def _count(self, products: int) -> None:
        self._work += products
        if self._allowed is not None and self._work > self._allowed:
            raise TooLong

    def _leave_itself(self, position: int) -> None:
        """Spread the chance to stay over the ways to go on."""
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
