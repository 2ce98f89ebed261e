"""How likely flat play goes on after very many rounds, by blocks of rounds.

The rounds are not followed one by one. Whoever asks about a round is told from the last
state before it that is known, and the states on the way are kept for the next question.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from fractions import Fraction
from typing import overload

from croupier.odds.sessions.chain import Chain
from croupier.odds.sessions.result import Figure, relative_bound
from croupier.odds.sessions.round_blocks import EqualSteps, RoundBlocks, WalkState

_MOST_KEPT = 4_000_000
"""Weights of known states, in all."""


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
        self._known: dict[int, float] = {}
        self._last = self._after(count)
        self._roundings, self._lost = self._last.roundings, self._last.lost

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
        rounds %= self._count
        if rounds not in self._known:
            state = self._after(rounds)
            # A sum over all weights comes on top.
            roundings = state.roundings + len(state.weights)
            self._roundings = max(self._roundings, roundings)
            self._lost = max(self._lost, state.lost)
            self._known[rounds] = float(state.weights.sum())
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

    def error_of(self, _rounds: int, chance: Fraction) -> Fraction:
        """Return what a chance that was asked for may be off by."""
        relative = relative_bound(self._roundings)
        return chance * relative / (1 - relative) + self._lost

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
