"""The events that a process has acknowledged, to notice a server that lacks them.

A standby that was behind when it was promoted lacks the last commits of the server
before it. The process remembers the end of each stream, and its latest batches.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from croupier.journal.store import AcknowledgedMissing, MissingPart
from croupier.journal.stores.postgresql_servers import Connection, query
from croupier.journal.tables import EventRow, StreamBatch

_MOST_KEPT = 5_000
"""Events: far more than a standby lags behind, and few for the garbage collector."""
_LACKING = (
    "SELECT given.stream, coalesce(streams.sequence, 0)"
    " FROM unnest(?::text[], ?::bigint[], ?::text[]) AS given (stream, sequence, hash)"
    " LEFT JOIN streams USING (stream)"
    " LEFT JOIN events ON events.stream = given.stream"
    " AND events.sequence = given.sequence"
    " WHERE events.hash IS DISTINCT FROM given.hash ORDER BY given.stream"
)
_HASHES = (
    "SELECT sequence, hash FROM events WHERE stream = ? AND sequence BETWEEN ? AND ?"
)


class Acknowledged:
    """The last event of each stream that this process wrote, and its latest batches."""

    def __init__(self) -> None:
        self._last: dict[str, EventRow] = {}
        self._batches: deque[StreamBatch] = deque()
        self._kept = 0

    def note(self, batch: StreamBatch) -> None:
        """Remember a batch that is on disk."""
        self._last[batch.stream] = batch.events[-1]
        if batch.snapshot is not None:  # a snapshot is long, and can be taken again
            batch = replace(batch, snapshot=None)
        self._batches.append(batch)
        self._kept += len(batch.events)
        while self._kept > _MOST_KEPT:
            self._kept -= len(self._batches.popleft().events)

    def expect_in(self, connection: Connection) -> None:
        """Raise `AcknowledgedMissing` if a server lacks an acknowledged event."""
        last = self._last.copy()
        sequences = [row.sequence for row in last.values()]
        hashes = [row.hash for row in last.values()]
        lacking = query(connection, _LACKING, (list(last), sequences, hashes))
        if lacking:
            parts = [self._part(connection, stream, end) for stream, end in lacking]
            raise AcknowledgedMissing(parts)

    def _part(self, connection: Connection, stream: str, end: int) -> MissingPart:
        """Return the missing part of a stream that now ends at the event `end`."""
        batches = [each for each in self._batches.copy() if each.stream == stream]
        events = [event for batch in batches for event in batch.events]
        last = self._last[stream].sequence
        first_kept = events[0].sequence if events else last
        there = dict(query(connection, _HASHES, (stream, first_kept, last)))
        lost = [each for each in events if there.get(each.sequence) != each.hash]
        first = min([each.sequence for each in lost] + [end + 1, last])
        kept = [each for each in batches if each.events[-1].sequence >= first]
        return MissingPart(stream, first, last, kept)
