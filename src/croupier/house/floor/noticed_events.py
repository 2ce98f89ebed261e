"""Events that the floor notices by itself: recorded in order, once, when it can.

Refusals of authority are gathered: the first of a source is recorded, the rest counted.
Whoever asks a thousand times for what is not theirs leaves two events a minute.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import ceil
from secrets import token_hex

from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.house import AskedBy, AuthorityRefused, HouseEvent
from croupier.journal.store import JournalError, JournalFailed, StreamMoved
from croupier.rules.reasons import Reason

_log = logging.getLogger(__name__)
_MOST = 10_000
"""Beyond them, what is noticed while the journal is away is only logged."""


class NoticedEvents:
    """Devices lost and found, clocks that jump, refusals of authority."""

    def __init__(
        self,
        record: HouseRecord,
        house_thread: Executor,
        failed: Callable[[JournalError], None],
    ) -> None:
        self._record, self._thread, self._failed = record, house_thread, failed
        self._waiting: dict[str, Sequence[HouseEvent]] = {}
        """By command id; of the house's thread."""

    def add(self, *events: HouseEvent) -> None:
        """Record them soon."""
        self._thread.submit(self._add, events)

    def try_again(self) -> None:
        """Record what waits, if anything does."""
        if self._waiting:
            self._thread.submit(self._write)

    def _add(self, events: Sequence[HouseEvent]) -> None:
        if len(self._waiting) < _MOST:
            self._waiting[token_hex(16)] = events
            self._write()
        else:
            _log.error("not recorded: %s", events)

    def _write(self) -> None:
        """Keep what fails: it is tried again, under the same id."""
        for command_id, events in list(self._waiting.items()):
            try:
                if not self._record.book.is_recorded(command_id):
                    self._record.write(*events, command_id=command_id)
            except (JournalFailed, StreamMoved) as error:
                self._failed(error)
                return
            except JournalError as error:
                _log.error("not recorded: %s: %s", events, error)
            del self._waiting[command_id]


_OF_DEVICE, _OF_STAFF, _AGAIN_A_SECOND = 500, 5_000, 1.0


class RefusalBudget:
    """The refusals that a device may have recorded: 500 at once, then one a second.

    Staff have ten times that: inspectors look for the acts that they were refused.

    Each refused command is an event. Beyond the budget nothing of the sender's is
    judged, so that a stolen token does not fill the journal; the attempts are counted.
    """

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
        self._used: dict[str, tuple[float, float]] = {}
        """By sender: how many refusals count, and since when that is so."""

    def spend(self, sender: str) -> None:
        """Count a refusal that was recorded."""
        self._used[sender] = self._used_now(sender) + 1, self._steady()

    def wait_s(self, sender: str, *, is_staff: bool) -> int:
        """Return the seconds until a command of the sender is judged again, or zero."""
        if sender not in self._used:
            return 0
        over = self._used_now(sender) + 1 - (_OF_STAFF if is_staff else _OF_DEVICE)
        return ceil(max(0.0, over) / _AGAIN_A_SECOND)

    def _used_now(self, sender: str) -> float:
        used, since = self._used.get(sender, (0.0, 0.0))
        return max(0.0, used - (self._steady() - since) * _AGAIN_A_SECOND)


_EVERY_S = 60.0


@dataclass(slots=True)
class _RefusalCount:
    """Refusals of one act to one source since they were last recorded."""

    until: float
    reason: Reason
    times: int = 0


class GatheredRefusals:
    """Of the event loop."""

    def __init__(
        self, record: Callable[[AuthorityRefused], None], steady: Callable[[], float]
    ) -> None:
        self._record, self._steady = record, steady
        self._gathered: dict[tuple[str, AskedBy, str], _RefusalCount] = {}

    def note(self, name: str, asked_by: AskedBy, act: str, reason: Reason) -> None:
        """Record the first refusal of an act to somebody; count those that follow."""
        key = name, asked_by, act
        known = self._gathered.get(key)
        if known is None:
            until = self._steady() + _EVERY_S
            self._gathered[key] = _RefusalCount(until, reason)
            self._record(AuthorityRefused(*key, reason))
        else:
            known.times, known.reason = known.times + 1, reason

    def record_due(self) -> None:
        """Record what has been counted for a minute, as one event a source and act."""
        now = self._steady()
        for key, each in list(self._gathered.items()):
            if now >= each.until:
                self._end(key, each)
                if each.times:  # it goes on, most likely
                    self._gathered[key] = _RefusalCount(now + _EVERY_S, each.reason)

    def record_all(self) -> None:
        """Record what has been counted, at the end."""
        for key, each in list(self._gathered.items()):
            self._end(key, each)

    def _end(self, key: tuple[str, AskedBy, str], each: _RefusalCount) -> None:
        del self._gathered[key]
        if each.times:
            self._record(AuthorityRefused(*key, each.reason, each.times))
