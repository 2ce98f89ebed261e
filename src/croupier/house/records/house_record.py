"""The house's record: what is decided is written first, and only then is it so."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from threading import RLock

from croupier.house.records.house_state import HouseState, apply
from croupier.journal.events.codec import decode
from croupier.journal.events.house import HOUSE_EVENTS, HouseEvent
from croupier.journal.events.plan import DEFAULT_HOUSE, HouseSettings
from croupier.journal.store import HOUSE_STREAM, Store
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
        self._state = read_house_state(store)
        self.book = HouseBook(store, clock=clock, settings=self.settings, append=append)

    @property
    def state(self) -> HouseState:
        return self._state

    @property
    def settings(self) -> HouseSettings:
        """What tables and days need to know of the house."""
        return self._state.house or DEFAULT_HOUSE

    def write(self, *events: HouseEvent, command_id: str | None = None) -> None:
        """Commit events together; the state follows, then the listeners hear of it."""
        with self.lock:
            self.book.record(command_id or token_hex(16), events)
            now = self.clock()
            for event in events:
                self._state = apply(self._state, event, now)
            self.book.settings = self.settings
            for event in events:
                for listener in self.listeners:
                    listener(event)


def read_house_state(store: Store) -> HouseState:
    """Return the house as far as it is written."""
    state = HouseState()
    for row in store.events(HOUSE_STREAM):
        event = decode(row.schema, row.kind, row.body)
        if type(event) in HOUSE_EVENTS:
            state = apply(state, event, row.at_ms)  # type: ignore[arg-type]
    return state
