"""Sessions in fractions: so many rounds of them, or until they end.

After n rounds every probability is a whole number over the n-th power of one number.
Without a last round, positions are taken out one by one: whoever came to one goes
straight to where it leads, and carries with him the rounds and the stakes that he would
have spent there. At the end only the start is left, with the chances of every end. All
numbers are positive and rational; nothing is ever subtracted but the chance to stay
from one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import (
    Arithmetic,
    Progress,
    SessionSnapshot,
    Solution,
    quantile_points,
)

_A_POSITION = 20
"""What it takes to find one, in products."""

_SPARE = 5
"""A chain may have so many times the positions that can be reached, seldom more."""

Follow = Callable[[int], tuple[Mapping[int, Fraction], int] | None]
"""What follows a position, and the units staked there; None where it is an end."""


def solve_exactly(
    chain: Chain, rounds: int, looks: Collection[int], progress: Progress
) -> Solution:
    """Solve round by round: after n rounds every chance is a numerator over Mⁿ."""
    walk = _Walk(chain)
    wanted = frozenset(looks)
    snapshots = []
    for done in range(1, rounds + 1):
        walk.play_round()
        if done in wanted:
            snapshots.append(walk.snapshot())
        progress(done, rounds)
    return walk.solved(snapshots)


class _Walk:
    """Where the session may be, with numerators over the present denominator."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._live = {chain.start_position: 1}
        self._ended = {end: _Tally(chain.denominator) for end in ChainEnd}
        self._ends = {len(chain.rows) + end: end for end in ChainEnd}
        self._steps: dict[int, tuple[tuple[int, int], ...]] = {}
        self._units: dict[int, int] = {}
        self._round = 0
        self._denominator = 1
        self._rounds = self._staked = 0

    def play_round(self) -> None:
        """Play one round: what is live moves, and what has ended stays."""
        chain, live = self._chain, self._live
        after: dict[int, int] = {}
        staked = 0
        for position, numerator in live.items():
            steps = self._steps.get(position)
            if steps is None:
                steps = self._steps[position] = chain.steps(position)
                self._units[position] = chain.units(position)
            staked += numerator * self._units[position]
            for weight, target in steps:
                after[target] = after.get(target, 0) + weight * numerator
        self._rounds = (self._rounds + sum(live.values())) * chain.denominator
        self._staked = (self._staked + staked) * chain.denominator
        self._round += 1
        self._denominator *= chain.denominator
        self._live = {}
        for position, numerator in after.items():
            if position < chain.live_size:
                self._live[position] = numerator
            else:
                row, point = chain.place(position)
                self._ended[self._ends[row]].add(point, numerator, self._round)

    def snapshot(self) -> SessionSnapshot:
        ended = {end: tally.at(self._round) for end, tally in self._ended.items()}
        every = self._by_point()
        for numerators in ended.values():
            for point, numerator in numerators.items():
                every[point] = every.get(point, 0) + numerator
        return SessionSnapshot(
            self._round,
            self._chance(ended[ChainEnd.RUINED].values()),
            self._chance(ended[ChainEnd.REACHED].values()),
            self._chance(ended[ChainEnd.STOPPED].values()),
            quantile_points(sorted(every.items()), self._denominator),
        )

    def solved(self, snapshots: Iterable[SessionSnapshot]) -> Solution:
        def chances(numerators: dict[int, int]) -> dict[int, Fraction]:
            return {
                point: Fraction(numerator, self._denominator)
                for point, numerator in sorted(numerators.items())
            }

        return Solution(
            Arithmetic.EXACT,
            {end: chances(tally.at(self._round)) for end, tally in self._ended.items()},
            chances(self._by_point()),
            Fraction(self._rounds, self._denominator),
            Fraction(self._staked, self._denominator),
            tuple(snapshots),
        )

    def _by_point(self) -> dict[int, int]:
        """Return what is live, whatever the state."""
        sums: dict[int, int] = {}
        for position, numerator in self._live.items():
            _, point = self._chain.place(position)
            sums[point] = sums.get(point, 0) + numerator
        return sums

    def _chance(self, numerators: Iterable[int]) -> Fraction:
        return Fraction(sum(numerators), self._denominator)


class _Tally:
    """Numerators of what has ended, each over the power of its own last round."""

    def __init__(self, base: int) -> None:
        self._base = base
        self._kept: dict[int, tuple[int, int]] = {}

    def add(self, point: int, numerator: int, done: int) -> None:
        self._kept[point] = (self._raised(point, done) + numerator, done)

    def at(self, done: int) -> dict[int, int]:
        """Return all of them over the power of this round."""
        return {point: self._raised(point, done) for point in self._kept}

    def _raised(self, point: int, done: int) -> int:
        numerator, then = self._kept.get(point, (0, done))
        power: int = self._base ** (done - then)
        return numerator * power


class TooLong(Exception):
    """More work than was allowed."""


@dataclass(frozen=True, slots=True)
class Absorbed:
    """Where it ends, and what it has cost until then."""

    ends: Mapping[int, Fraction]
    rounds: Fraction
    units: Fraction


def absorb(
    start: int, follow: Follow, progress: Progress, allowed: int | None = None
) -> Absorbed:
    """Return the ends of a walk from `start`, each with its chance.

    Raises `TooLong` where it takes more work than `allowed`, in products of words.
    """
    return _Elimination(start, follow, allowed).solve(progress)


def solve_absorbing(
    chain: Chain, progress: Progress, allowed: int | None = None
) -> Solution:
    """Return the ends of a session that is played until it ends; raise `TooLong`."""
    if allowed is not None and chain.live_size * _A_POSITION > _SPARE * allowed:
        raise TooLong

    def follow(position: int) -> tuple[Mapping[int, Fraction], int] | None:
        if position >= chain.live_size:
            return None
        after: dict[int, Fraction] = {}
        for weight, target in chain.steps(position):
            chance = Fraction(weight, chain.denominator)
            after[target] = after.get(target, Fraction(0)) + chance
        return after, chain.units(position)

    absorbed = absorb(chain.start_position, follow, progress, allowed)
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

    def solve(self, progress: Progress) -> Absorbed:
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
        return Absorbed(self._next[start], self._rounds[start], self._units[start])

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
