"""A mirror: a copy of a house's journal elsewhere, rebuilt from its events.

Laws of this file:
- the house sends events, entries, snapshots, salts and the order of its log; balances,
  answers, vouchers, entries of the log and its tree are derived here from them;
- each part is taken whole, as one commit, or not at all: a part that does not follow
  from the copy, or has an unsigned checkpoint, changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, takewhile

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.journal.errors import JournalError, NotAJournal
from croupier.journal.findings import Findings, table_line
from croupier.journal.log.entries import NO_STREAM, entry_of, read_ends
from croupier.journal.log.notes import BadNote, Note, log_key
from croupier.journal.log.publishing import last_checkpoint, round_rows
from croupier.journal.log.stored_log import StoredLog
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.stream_check import CheckedBefore, StreamCheck
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    CHECKPOINTS,
    ENTRIES,
    EVENTS,
    GENESIS,
    LOG_ENTRIES,
    SNAPSHOTS,
    STREAMS,
    VOUCHERS,
    EntryRow,
    EventRow,
    HeadRow,
    Row,
    SnapshotRow,
    answered_id,
)
from croupier.journal.vouchers import recorded_voucher

_MOST_EVENTS = 2_000
"""The most events of one part; the last command may exceed it to be whole."""
_MOST_LOGGED = 10_000
_WRITER = 0


class MirrorBroken(JournalError):
    """A part does not follow from the copy, or a checkpoint is not signed."""


class MirrorPlace(msgspec.Struct, frozen=True):
    """The last event, entry and checkpoint that a mirror has."""

    streams: dict[str, int]
    log_size: int
    checkpoints: int


class StreamPart(msgspec.Struct, frozen=True):
    """Events of one stream, from the first that a mirror lacks."""

    events: list[EventRow]
    entries: list[EntryRow]
    snapshots: list[SnapshotRow]
    salts: dict[int, str]
    """The salts of log entries that stand for an event, by the event's sequence."""


class JournalPart(msgspec.Struct, frozen=True):
    """The next part of a journal for a mirror."""

    streams: list[StreamPart]
    log: list[tuple[int, str, int, str]]
    """Each entry's place, stream and sequence; its text only if it has no event."""
    checkpoints: list[str]
    latest: str | None
    """The house's last checkpoint, once the mirror has everything before it."""
    has_more: bool


def read_part(store: Store, place: MirrorPlace) -> JournalPart:
    """Return the next part after a mirror's place, as of one moment.

    The log is sent once the mirror has all events that it may name.
    """
    streams, left = [], _MOST_EVENTS
    with store.at_one_moment():
        for head in store.heads():
            after = place.streams.get(head.stream, 0)
            if head.sequence > after and left > 0:
                events = _whole_commands(store, head, after, left)
                streams.append(_stream_part(store, events))
                left -= len(events)
        has_more = left <= 0
        logged = [] if has_more else store.log_entries(place.log_size, _MOST_LOGGED)
        has_more |= len(logged) == _MOST_LOGGED
        new = [] if has_more else store.checkpoints(place.checkpoints, _MOST_LOGGED)
        has_more |= len(new) == _MOST_LOGGED
        last = None if has_more else store.last_checkpoint()
    order = [
        (e.leaf, e.stream, e.sequence, "" if e.stream else e.entry) for e in logged
    ]
    return JournalPart(streams, order, new, last and last[1], has_more)


def _whole_commands(
    store: Store, head: HeadRow, after: int, most: int
) -> list[EventRow]:
    """Return the events after number `after`, up to the end of a command."""
    events = store.few_events(head.stream, after + 1, after + most)
    if not events:
        raise NotAJournal(f"{head.stream} is damaged: an event is missing")
    last = events[-1]
    while last.sequence < head.sequence:
        first = events[-1].sequence + 1
        more = store.few_events(head.stream, first, first + most)
        same = list(takewhile(lambda e: e.command_id == last.command_id, more))
        events += same
        if len(same) < len(more) or not more:
            break
    return events


def _stream_part(store: Store, events: list[EventRow]) -> StreamPart:
    stream, after, last = events[0].stream, events[0].sequence - 1, events[-1].sequence

    def rows(table: object) -> Iterator[Row]:
        found = store.rows_of(table, stream, after=after)  # type: ignore[arg-type]
        return takewhile(lambda row: row[1] <= last, found)

    return StreamPart(
        events,
        list(rows(ENTRIES)),
        list(map(SnapshotRow._make, rows(SNAPSHOTS))),
        {row[1]: row[2] for row in rows(LOG_ENTRIES)},
    )


class Mirror:
    """Adds parts to the copy of a journal."""

    def __init__(self, store: SqliteStore, key: Ed25519PublicKey) -> None:
        """Accept checkpoints signed by the key, or by one that it was rotated to."""
        self._store, self._key = store, key
        self._checkpoints = len(store.checkpoints(0))

    def place(self) -> MirrorPlace:
        ends = {head.stream: head.sequence for head in self._store.heads()}
        return MirrorPlace(ends, self._store.log_size(), self._checkpoints)

    def take(self, part: JournalPart) -> None:
        """Add a part; `MirrorBroken` leaves the copy as it was."""
        store, findings = self._store, Findings()
        with store.all_or_nothing():
            for each in part.streams:
                self._take_stream(each, findings)
            if findings.total:
                raise MirrorBroken(table_line(findings.kept[0]))
            self._take_vouchers(part)
            for leaf, stream, sequence, text in part.log:
                self._take_entry(leaf, stream, sequence, text)
            for text in part.checkpoints:
                StoredLog(store).store_full_tiles(self._checked(text))
                store.load(CHECKPOINTS, [(text,)])
            if part.latest is not None:
                self._checked(part.latest)
            elif self._checkpoints and not part.has_more:
                raise MirrorBroken("the house has no checkpoint any more")
            store.seal_ends()
        self._checkpoints += len(part.checkpoints)

    def _take_stream(self, part: StreamPart, findings: Findings) -> None:
        """Add the events of a stream and the rows derived from them, and check them."""
        store, stream = self._store, part.events[0].stream
        head = store.head(stream) or HeadRow(stream, 0, GENESIS)
        before = CheckedBefore(head.sequence, head.hash, store.balances(stream))
        balances = dict(before.balances)
        for _, _, _, account, cents in part.entries:
            balances[account] = balances.get(account, 0) + cents
        last = part.events[-1]
        waiting = [(stream, at, salt, -1, "") for at, salt in part.salts.items()]
        store.put(EVENTS, part.events)
        store.put(ENTRIES, part.entries)
        store.put(SNAPSHOTS, part.snapshots)
        store.put(ANSWERS, _answers(part.events))
        store.put(LOG_ENTRIES, waiting)
        store.put(BALANCES, [(stream, *each) for each in balances.items()])
        store.put(STREAMS, [(stream, _WRITER, last.sequence, last.hash)])
        for _ in StreamCheck(store, stream, findings, before).events():
            pass

    def _take_vouchers(self, part: JournalPart) -> None:
        """Make the rows of the vouchers that the part's events name."""
        rows = [
            voucher
            for each in part.streams
            for row in each.events
            if row.kind.startswith("Voucher")
            if (voucher := recorded_voucher(self._store, row)) is not None
        ]
        self._store.put(VOUCHERS, [(*r[:2], r.state.value, *r[3:]) for r in rows])

    def _take_entry(self, leaf: int, stream: str, sequence: int, text: str) -> None:
        """Make the entry of the log from its event, or check the ends that it names."""
        store, salt = self._store, ""
        if leaf != store.log_size():
            raise MirrorBroken(f"the log goes on at {leaf}, not {store.log_size()}")
        if stream == NO_STREAM:
            ends = read_ends(text)
            for end in () if ends is None else ends.streams:
                self._expect_end(end)
        else:
            waiting = store.log_entry_of(stream, sequence)
            rows = store.few_events(stream, sequence, sequence)
            if waiting is None or not rows or waiting.leaf >= 0:
                raise MirrorBroken(f"the log can't name event {sequence} of {stream}")
            salt = waiting.salt
            text = entry_of(rows[0], salt, round_rows(store, rows[0]))
        store.put(LOG_ENTRIES, [(stream, sequence, salt, leaf, text)])

    def _expect_end(self, end: HeadRow) -> None:
        rows = self._store.few_events(end.stream, end.sequence, end.sequence)
        if (rows[0].hash if rows else GENESIS) != end.hash:
            raise MirrorBroken(f"the log names another end of {end.stream}")

    def _checked(self, text: str) -> int:
        """Return the size of a checkpoint that the house signed over the copy's tree.

        Raises `MirrorBroken` for any other.
        """
        try:
            note = Note.read(text)
            checkpoint = note.checkpoint
        except BadNote as error:
            raise MirrorBroken(str(error)) from error
        keys = self._keys()
        if not any(log_key(checkpoint.origin, key).has_signed(note) for key in keys):
            raise MirrorBroken("a checkpoint was not signed by a key of the house")
        if not StoredLog(self._store).begins_with(checkpoint):
            raise MirrorBroken(
                f"the checkpoint over {checkpoint.size} entries is not of this log:"
                " the house shows another history"
            )
        return checkpoint.size

    def _keys(self) -> Iterator[Ed25519PublicKey | str]:
        """Yield the key, and the house's keys that the last checkpoint covers."""
        yield self._key
        last = last_checkpoint(self._store)
        size = 0 if last is None else last.size
        for row in self._store.events(HOUSE_STREAM, kinds=("SigningKeySet",)):
            entry = self._store.log_entry_of(row.stream, row.sequence)
            if entry is not None and 0 <= entry.leaf < size:
                yield msgspec.json.decode(row.body)["public_key"]


def _answers(events: list[EventRow]) -> Iterator[Row]:
    """Yield the place of each command's answer, which ends before a snapshot."""
    for command_id, group in groupby(events, key=lambda row: row.command_id):
        places = [row.sequence for row in group if row.kind != "SnapshotTaken"]
        yield (events[0].stream, answered_id(command_id), places[0], places[-1])
