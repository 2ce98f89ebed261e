"""A session without a last round, exactly: states are taken out of it one by one.

When a position is taken out, whoever came to it goes straight to where it leads, and
carries with him the rounds and the stakes that he would have spent there. At the end
only the start is left, with the chances of every end. All numbers are positive and
rational; nothing is ever subtracted but the chance to stay from one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush

from croupier.odds.sessions.chain import Chain, End
from croupier.odds.sessions.solved import Arithmetic, Progress, Solved


class TooLong(Exception):
    """More work than was allowed."""


@dataclass(frozen=True, slots=True)
class Absorbed:
    """Where it ends, and what it has cost until then."""

    ends: Mapping[int, Fraction]
    rounds: Fraction
    units: Fraction


Follow = Callable[[int], tuple[Mapping[int, Fraction], int] | None]
"""What follows a position, and the units staked there; None where it is an end."""


def absorb(
    start: int, follow: Follow, progress: Progress, allowed: int | None = None
) -> Absorbed:
    """The ends of a walk from `start`, each with its chance.

    Raises `TooLong` where it takes more work than `allowed`, in products of words.
    """
    return _Elimination(start, follow, allowed).solve(progress)


def solve_absorbing(
    chain: Chain, progress: Progress, allowed: int | None = None
) -> Solved:
    """The ends of a session that is played until it ends; raises `TooLong`."""

    def follow(position: int) -> tuple[Mapping[int, Fraction], int] | None:
        if position >= chain.live_size:
            return None
        after: dict[int, Fraction] = {}
        for weight, target in chain.steps(position):
            chance = Fraction(weight, chain.denominator)
            after[target] = after.get(target, Fraction(0)) + chance
        return after, chain.units(position)

    absorbed = absorb(chain.start_position, follow, progress, allowed)
    ended: dict[End, dict[int, Fraction]] = {end: {} for end in End}
    for position, chance in sorted(absorbed.ends.items()):
        row, point = chain.place(position)
        ended[End(row - len(chain.rows))][point] = chance
    return Solved(Arithmetic.EXACT, ended, {}, absorbed.rounds, absorbed.units)


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
        """Every position that can be reached, and what follows it."""
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
        """How many connections it makes when it is taken out."""
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
        self._work += self._cost(position) * (1 + digits // 64)
        if self._allowed is not None and self._work > self._allowed:
            raise TooLong

    def _leave_itself(self, position: int) -> None:
        """The chance to stay is spread over the ways to go on."""
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
