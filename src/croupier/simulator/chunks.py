"""Sessions cut into chunks that take about as long as they should."""

from __future__ import annotations

from croupier.simulator.plan import Plan

_FIRST_SPINS = 20_000
_CHUNK_SECONDS = 1.0
_MOST_GROWTH = 16
_LARGEST_CHUNK = 2**31
"""Sums of so many sessions fit the words in which an engine counts."""


class Chunks:
    """Sessions of a plan, cut into chunks by how long the last one took."""

    def __init__(self, plan: Plan, seconds: float = _CHUNK_SECONDS) -> None:
        self._sessions, self._seconds = plan.sessions, seconds
        self._first = 0
        self._size = max(1, _FIRST_SPINS // plan.rounds)

    @property
    def left(self) -> int:
        return self._sessions - self._first

    def next(self) -> tuple[int, int]:
        """The first session of the next chunk, and how many it has."""
        first, count = self._first, min(self._size, self.left)
        self._first += count
        return first, count

    def took(self, count: int, seconds: float) -> None:
        """So many sessions took so long."""
        factor = min(self._seconds / max(seconds, 1e-9), _MOST_GROWTH)
        self._size = min(max(1, int(count * factor)), _LARGEST_CHUNK)
