"""Events that the floor notices by itself: each is recorded once, and in order.

If the journal is away, they wait. A sender's first refusal of authority for an act is
recorded at once. Later ones are counted, and make one event a minute.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING

from croupier.house.people.log_on import TELL_EVERY_MS
from croupier.house.people.proposals import expire
from croupier.house.people.rates import Rate, RateLimiter
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
                    self._record.note(*events, command_id=command_id)
            except (JournalFailed, StreamMoved) as error:
                self._failed(error)
                return
            except JournalError as error:
                _log.error("not recorded: %s: %s", events, error)
            del self._waiting[command_id]


_ONE_A_MINUTE = Rate(1 / 60, at_once=1)
_Refused = tuple[str, AskedBy, str]
"""A sender, its way to ask, and the act."""


class GatheredRefusals:
    """Refusals of authority, gathered on the event loop."""

    def __init__(
        self, record: Callable[[AuthorityRefused], None], steady: Callable[[], float]
    ) -> None:
        self._record = record
        self._rate = RateLimiter(_ONE_A_MINUTE, steady)
        self._waiting: dict[_Refused, tuple[int, Reason]] = {}
        """Refusals that are not recorded yet: their number and the last reason."""

    def note(self, name: str, asked_by: AskedBy, act: str, reason: Reason) -> None:
        """Record a sender's first refusal of an act; count the next ones."""
        key = name, asked_by, act
        times, _ = self._waiting.get(key, (0, reason))
        self._waiting[key] = times + 1, reason
        self._record_if_due(key)

    def record_due(self) -> None:
        """Record the counts of a minute: one event for each sender and act."""
        for key in list(self._waiting):
            self._record_if_due(key)

    def record_all(self) -> None:
        for key, (times, reason) in self._waiting.items():
            self._record(AuthorityRefused(*key, reason, times))
        self._waiting.clear()

    def _record_if_due(self, key: _Refused) -> None:
        if not self._rate.take(repr(key)):
            times, reason = self._waiting.pop(key)
            self._record(AuthorityRefused(*key, reason, times))


_LOOK_EVERY_S = 1.0
_CLOCK_JUMP_MS = 2_000


async def keep_up(
    floor: Floor, noticed: NoticedEvents, refusals: GatheredRefusals
) -> None:
    """Once a second, record a clock jump, and end expired sessions and proposals."""
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
