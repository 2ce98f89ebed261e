"""The entries of a stream, those of one event at a time."""

from __future__ import annotations

from croupier.journal.store import Store
from croupier.ledger.accounts import Entry

_NO_ENTRIES: list[Entry] = []


class EntryGroups:
    """Read in order, as the events are."""

    def __init__(self, store: Store, stream: str) -> None:
        self._rows = store.entries(stream)
        self._next = next(self._rows, None)

    def of(self, sequence: int) -> list[Entry]:
        """Those of an event; of events that are not there, verification tells."""
        following = self._next
        if following is None or following[0] > sequence:
            return _NO_ENTRIES
        found: list[Entry] = []
        while following is not None and following[0] <= sequence:
            if following[0] == sequence:
                found.append(following[2])
            following = next(self._rows, None)
        self._next = following
        return found
