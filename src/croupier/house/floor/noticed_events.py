"""Events that the floor notices by itself: each is recorded once, and in order.

If the journal is away they wait. Refusals of authority are gathered: the first of a
sender is recorded, the next are counted. A thousand refusals of one act make two events
a minute.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from secrets import token_hex
from typing import TYPE_CHECKING

from croupier.house.people.log_on import TELL_EVERY_MS
from croupier.house.people.proposals import expire
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.house import (
    AskedBy,
    AuthorityRefused,
    ClockChanged,
    HouseEvent,
)
from croupier.journal.store import JournalError, JournalFailed, StreamMoved
from croupier.rules.reasons import Reason

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor

_log = logging.getLogger(__name__)
_MOST = 10_000
"""Events that wait for the journal; further ones are only logged."""


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
        """By command id; used on the house's thread only."""

    def add(self, *events: HouseEvent) -> None:
        self._thread.submit(self._add, events)

    def try_again(self) -> None:
        if self._waiting:
            self._thread.submit(self._write)

    def _add(self, events: Sequence[HouseEvent]) -> None:
        if len(self._waiting) < _MOST:
            self._waiting[token_hex(16)] = events
            self._write()
        else:
            _log.error("not recorded: %s", events)

    def _write(self) -> None:
        """Write the events that wait; keep those that fail, under the same id."""
        for command_id, events in list(self._waiting.items()):
            try:
                if not self._record.is_recorded(command_id):
                    self._record.write(*events, command_id=command_id)
            except (JournalFailed, StreamMoved) as error:
                self._failed(error)
                return
            except JournalError as error:
                _log.error("not recorded: %s: %s", events, error)
            del self._waiting[command_id]


_EVERY_S = 60.0


@dataclass(slots=True)
class _RefusalCount:
    """Refusals of one act to one source since they were last recorded."""

    until: float
    reason: Reason
    times: int = 0


class GatheredRefusals:
    """Refusals of authority, gathered on the event loop."""

    def __init__(
        self, record: Callable[[AuthorityRefused], None], steady: Callable[[], float]
    ) -> None:
        self._record, self._steady = record, steady
        self._gathered: dict[tuple[str, AskedBy, str], _RefusalCount] = {}

    def note(self, name: str, asked_by: AskedBy, act: str, reason: Reason) -> None:
        """Record a sender's first refusal of an act; count the next ones."""
        key = name, asked_by, act
        known = self._gathered.get(key)
        if known is None:
            until = self._steady() + _EVERY_S
            self._gathered[key] = _RefusalCount(until, reason)
            self._record(AuthorityRefused(*key, reason))
        else:
            known.times, known.reason = known.times + 1, reason

    def record_due(self) -> None:
        """Record the counts of a minute: one event for each sender and act."""
        now = self._steady()
        for key, each in list(self._gathered.items()):
            if now >= each.until:
                self._end(key, each)
                if each.times:  # more are likely
                    self._gathered[key] = _RefusalCount(now + _EVERY_S, each.reason)

    def record_all(self) -> None:
        for key, each in list(self._gathered.items()):
            self._end(key, each)

    def _end(self, key: tuple[str, AskedBy, str], each: _RefusalCount) -> None:
        del self._gathered[key]
        if each.times:
            self._record(AuthorityRefused(*key, each.reason, each.times))


_LOOK_EVERY_S = 1.0
_CLOCK_JUMP_MS = 2_000


async def keep_up(
    floor: Floor, noticed: NoticedEvents, refusals: GatheredRefusals
) -> None:
    """Once a second, record a clock that jumps, and end sessions and proposals."""
    clock, steady = floor.clock, floor.options.steady
    last_ms, last = clock(), steady()
    told = last
    while True:
        await asyncio.sleep(_LOOK_EVERY_S)
        now_ms, now = clock(), steady()
        jump = (now_ms - last_ms) - round((now - last) * 1000)
        if abs(jump) > _CLOCK_JUMP_MS:
            noticed.add(ClockChanged(jump))
        last_ms, last = now_ms, now
        refusals.record_due()
        noticed.try_again()
        with suppress(JournalError):  # it is tried again a second later
            if (now - told) * 1000 >= TELL_EVERY_MS:
                told = now
                await asyncio.to_thread(floor.sessions.tell_others)
            await _end_what_is_over(floor)


async def _end_what_is_over(floor: Floor) -> None:
    state = floor.record.state
    if state.confirmations:
        await floor.in_house(floor.complete_confirmed)
    elif state.proposals:
        await floor.in_house(lambda: expire(floor.record))
    if floor.sessions.has_over():
        await floor.in_house(floor.sessions.end_over)
