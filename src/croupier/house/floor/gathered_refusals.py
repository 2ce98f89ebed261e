"""Refusals of authority, gathered: the first of a source is recorded, the rest counted.

Whoever asks a thousand times for what is not theirs leaves two events a minute.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from croupier.journal.events.house import AuthorityRefused
from croupier.rules.reasons import Reason

_EVERY_S = 60.0


@dataclass(slots=True)
class _Gathered:
    """What one source was refused of one act since it was last recorded."""

    until: float
    reason: Reason
    times: int = 0


class GatheredRefusals:
    """Of the event loop."""

    def __init__(
        self, record: Callable[[AuthorityRefused], None], steady: Callable[[], float]
    ) -> None:
        self._record, self._steady = record, steady
        self._gathered: dict[tuple[str, str], _Gathered] = {}

    def note(self, name: str, act: str, reason: Reason) -> None:
        """Record the first refusal of an act to somebody; count those that follow."""
        known = self._gathered.get((name, act))
        if known is None:
            until = self._steady() + _EVERY_S
            self._gathered[name, act] = _Gathered(until, reason)
            self._record(AuthorityRefused(name, act, reason))
        else:
            known.times, known.reason = known.times + 1, reason

    def record_due(self) -> None:
        """Record what has been counted for a minute, as one event a source and act."""
        now = self._steady()
        for key, each in list(self._gathered.items()):
            if now >= each.until:
                self._end(key, each)
                if each.times:  # it goes on, most likely
                    self._gathered[key] = _Gathered(now + _EVERY_S, each.reason)

    def record_all(self) -> None:
        """Record what has been counted, at the end."""
        for key, each in list(self._gathered.items()):
            self._end(key, each)

    def _end(self, key: tuple[str, str], each: _Gathered) -> None:
        del self._gathered[key]
        if each.times:
            self._record(AuthorityRefused(*key, each.reason, each.times))
