"""The house's record: what is decided is written first, and only then is it so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from secrets import token_hex
from threading import RLock

from croupier.house.records.house_state import HouseState, apply
from croupier.journal.events.codec import decode
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.plan import DEFAULT_HOUSE, HouseSettings
from croupier.journal.store import HOUSE_STREAM, JournalFailed, Store
from croupier.journal.tables import EventRow
from croupier.rules.clause import Refusal
from croupier.rules.reasons import Reason
from croupier.table.house import Append, HouseBook

Clock = Callable[[], int]
"""Milliseconds since 1970."""
FloorEventListener = Callable[[HouseEvent], None]


class NotDone(Exception):
    """The house does not do that; `reason` says why, and the text in a sentence."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class RulesForbid(NotDone):
    """What a table would refuse, with the clause that does."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class NotThere(NotDone):
    """Nothing and nobody of that name or number is in the house."""


class Denied(NotDone):
    """It is not theirs to do, or nobody knows who they are."""


class HouseRecord:
    """State and journal of the house, changed by one person's act at a time."""

    def __init__(
        self, store: Store, clock: Clock, append: Append | None = None
    ) -> None:
        self.store = store
        self.clock = clock
        self.lock = RLock()
        """Held from a check to the record of what was found: an act is one step."""
        self.listeners: list[FloorEventListener] = []
        self._state, self._read_to = HouseState(), 0
        self._is_unsure = False
        """Whether a commit failed of which nobody knows if it is on disk."""
        self._read()
        self.book = HouseBook(store, clock=clock, settings=self.settings, append=append)

    @property
    def state(self) -> HouseState:
        return self._state

    @property
    def settings(self) -> HouseSettings:
        """What tables and days need to know of the house."""
        return self._state.house or DEFAULT_HOUSE

    def write(self, *events: HouseEvent, command_id: str | None = None) -> None:
        """Commit events together; the state follows, then the listeners hear of it.

        Raises `JournalFailed` where they are not written, or nobody can tell: then the
        journal is read before anything else is decided.
        """
        with self.lock:
            self.catch_up()
            command_id = command_id or token_hex(16)
            try:
                self.book.record(command_id, events)
            except JournalFailed:
                self._is_unsure = True
                self.catch_up()
                if not self.book.is_recorded(command_id):
                    raise
            else:
                self._follow()

    def catch_up(self) -> None:
        """Read what is on disk, where a commit has failed and may be there."""
        with self.lock:
            if self._is_unsure:
                self._follow()
                self._is_unsure = False

    def _follow(self) -> None:
        """Follow what has been written since; then the listeners hear of it."""
        events = self._read()
        self.book.settings = self.settings
        for event in events:
            for listener in self.listeners:
                listener(event)

    def _read(self) -> list[HouseEvent]:
        """Fold what has not been read, and return it."""
        events: list[HouseEvent] = []
        for row, event in _house_events(self.store, after=self._read_to):
            self._state = apply(self._state, event, row.at_ms)
            self._read_to = row.sequence
            events.append(event)
        return events


def read_house_state(store: Store) -> HouseState:
    """Return the house as far as it is written."""
    state = HouseState()
    for row, event in _house_events(store):
        state = apply(state, event, row.at_ms)
    return state


def _house_events(
    store: Store, after: int = 0
) -> Iterator[tuple[EventRow, HouseEvent]]:
    """Yield the house's own events, without those of money and days beside them."""
    for row in store.events(HOUSE_STREAM, after=after):
        event = decode(row.schema, row.kind, row.body)
        if isinstance(event, HouseEvent):
            yield row, event
