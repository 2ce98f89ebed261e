"""A session of so many rounds in whole numbers, over the powers of one number."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction

from croupier.odds.sessions.chain import Chain, End
from croupier.odds.sessions.solved import (
    Arithmetic,
    Progress,
    Snapshot,
    Solved,
    quantile_points,
)


def solve_exactly(
    chain: Chain, rounds: int, looks: Collection[int], progress: Progress
) -> Solved:
    """Round by round; after n rounds every probability is a numerator over Mⁿ."""
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
        self._ended = {end: _Tally(chain.denominator) for end in End}
        self._ends = {len(chain.rows) + end: end for end in End}
        self._steps: dict[int, tuple[tuple[int, int], ...]] = {}
        self._units: dict[int, int] = {}
        self._round = 0
        self._denominator = 1
        self._rounds = self._staked = 0

    def play_round(self) -> None:
        """One round: what is live moves, and what has ended stays."""
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

    def snapshot(self) -> Snapshot:
        ended = {end: tally.at(self._round) for end, tally in self._ended.items()}
        every = self._by_point()
        for numerators in ended.values():
            for point, numerator in numerators.items():
                every[point] = every.get(point, 0) + numerator
        return Snapshot(
            self._round,
            self._chance(ended[End.RUINED].values()),
            self._chance(ended[End.REACHED].values()),
            self._chance(ended[End.STOPPED].values()),
            quantile_points(sorted(every.items()), self._denominator),
        )

    def solved(self, snapshots: Iterable[Snapshot]) -> Solved:
        def chances(numerators: dict[int, int]) -> dict[int, Fraction]:
            return {
                point: Fraction(numerator, self._denominator)
                for point, numerator in sorted(numerators.items())
            }

        return Solved(
            Arithmetic.EXACT,
            {end: chances(tally.at(self._round)) for end, tally in self._ended.items()},
            chances(self._by_point()),
            Fraction(self._rounds, self._denominator),
            Fraction(self._staked, self._denominator),
            tuple(snapshots),
        )

    def _by_point(self) -> dict[int, int]:
        """What is live, whatever the state."""
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
        """All of them over the power of this round."""
        return {point: self._raised(point, done) for point in self._kept}

    def _raised(self, point: int, done: int) -> int:
        numerator, then = self._kept.get(point, (0, done))
        power: int = self._base ** (done - then)
        return numerator * power
