"""Counts over many sessions: whole numbers, so that any order gives the same.

An engine counts in words of 64 bits. A sum is kept as two of them, of the lower 32 bits
and of the rest of each value, so that none overflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from croupier.simulator.plan import SessionEnd, SimulationPlan

AHEAD = len(SessionEnd)
"""The place after the ends: sessions that end above their bankroll."""
SUMS = AHEAD + 1
"""From here on: a pair of words for each sum, low bits first."""
ROUNDS, STAKED, BANKROLL = range(3)
"""What is summed, and after it in the same order its squares."""
WORDS = SUMS + 2 * 6

Words = np.ndarray[Any, np.dtype[np.uint64]]


@dataclass(frozen=True, eq=False)
class SessionTally:
    """The counts of some sessions of a plan."""

    sessions: int
    words: Words
    bins: Words
    """How many sessions ended with a bankroll in each bin."""

    @classmethod
    def empty(cls, plan: SimulationPlan) -> SessionTally:
        return cls(0, np.zeros(WORDS, np.uint64), np.zeros(plan.bins, np.uint64))

    def __add__(self, other: SessionTally) -> SessionTally:
        """Add both; the words become Python's own numbers, of any size."""
        return SessionTally(
            self.sessions + other.sessions,
            self.words.astype(object) + other.words.astype(object),
            self.bins + other.bins,
        )

    def ended(self, end: SessionEnd) -> int:
        return int(self.words[end])

    @property
    def ahead(self) -> int:
        return int(self.words[AHEAD])

    def total(self, what: int) -> int:
        """Return the sum of rounds, units staked, or grains of the bankroll."""
        return self._sum(what)

    def squares(self, what: int) -> int:
        """Return the sum of the squares, each value shifted as the plan says."""
        return self._sum(3 + what)

    def _sum(self, place: int) -> int:
        low, high = self.words[SUMS + 2 * place : SUMS + 2 * place + 2]
        return int(low) + (int(high) << 32)
