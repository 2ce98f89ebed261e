"""Attempts to sit down with a PIN: one at a time, and so many a minute, a terminal.

Where several nodes serve the house, so many a minute are allowed over all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone
from croupier.journal.sharing import SharedCounters

_MOST = 20
_WITHIN_S = 60.0


class PinAttempts:
    """The attempts of each terminal within the last minute; of the event loop."""

    def __init__(
        self, steady: Callable[[], float], counters: SharedCounters | None = None
    ) -> None:
        self._steady, self._counters = steady, counters
        self._times: dict[str, list[float]] = {}
        self._under_way: set[str] = set()

    def begin(self, terminal: str) -> None:
        """Count an attempt; raise `NotDone` where it comes too early."""
        now = self._steady()
        self._forget(now)
        times = self._times.setdefault(terminal, [])
        if terminal in self._under_way:
            raise NotDone(HouseReason.TOO_MANY_ATTEMPTS(seconds=1))
        if len(times) >= _MOST:
            seconds = ceil(_WITHIN_S - (now - times[0]))
            raise NotDone(HouseReason.TOO_MANY_ATTEMPTS(seconds=max(1, seconds)))
        times.append(now)
        self._under_way.add(terminal)

    def count_everywhere(self, terminal: str) -> None:
        """Count an attempt over all nodes, off the event loop; raise as `begin`."""
        if self._counters is None:
            return
        key = f"pin {terminal}"
        seconds = self._counters.take_token(key, _MOST / _WITHIN_S, _MOST)
        if seconds:
            raise NotDone(HouseReason.TOO_MANY_ATTEMPTS(seconds=ceil(seconds)))

    def end(self, terminal: str) -> None:
        """Let the terminal try again."""
        self._under_way.discard(terminal)

    def _forget(self, now: float) -> None:
        for terminal, times in list(self._times.items()):
            late = [each for each in times if now - each < _WITHIN_S]
            if late:
                self._times[terminal] = late
            else:
                del self._times[terminal]
