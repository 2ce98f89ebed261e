"""What the floor notices by itself: recorded in order, once, as soon as it can be."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from secrets import token_hex

from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.house import HouseEvent
from croupier.journal.store import JournalError, JournalFailed, StreamMoved

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
