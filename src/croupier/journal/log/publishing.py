"""Publishing: pending entries get their numbers, and the tree's root is signed.

Laws of this file:
- an entry has a number once, and its number is its place in the tree;
- a tree is signed only if it begins with the tree that was signed before;
- numbers, tiles and the checkpoint are one commit.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from croupier.journal.chain import house_head
from croupier.journal.events.codec import UnreadableEvent, decode
from croupier.journal.events.house import HouseDefined
from croupier.journal.log.entries import (
    ENDS,
    NO_STREAM,
    OF_A_ROUND,
    StreamEnds,
    entry_of,
    read_ends,
)
from croupier.journal.log.notes import (
    BadNote,
    Checkpoint,
    Note,
    NoteSignature,
    sign_note,
)
from croupier.journal.log.stored_log import StoredLog
from croupier.journal.signing_keys import fingerprint
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.journal.tables import (
    CHECKPOINTS,
    GENESIS,
    LOG_ENTRIES,
    EventRow,
    HeadRow,
    LogRow,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_MOST_AT_ONCE = 500
_TRIES = 10
_MOST_ENDS = 500
"""Streams in one entry, so that it stays under 65,536 bytes."""
_DIGITS = 12
_LONGEST_NAME = 60


class LogConflict(JournalError):
    """The log differs from the one signed before, or another process numbers it too."""


def publish(store: Store, key: Ed25519PrivateKey, at_ms: int, incarnation: str) -> str:
    """Add the pending entries and all streams' ends to the tree; return its checkpoint.

    If the clock went back, the ends get the time of the previous ends.
    """
    while _number(store, None) is not None:
        pass
    with store.all_or_nothing():
        heads = sorted(HeadRow(*each) for each in store.heads())
        last = last_ends(store)
        ends = StreamEnds(
            kind=ENDS,
            at_ms=at_ms if last is None else max(at_ms, last[1].at_ms),
            house_head=house_head(heads),
            streams=(),
            incarnation=incarnation,
            timeline=store.timeline,
            key=fingerprint(key.public_key()),
            more=0,
        )
        place, rows = store.log_size(), []
        for left in reversed(range(max(1, -(-len(heads) // _MOST_ENDS)))):
            some, heads = tuple(heads[:_MOST_ENDS]), heads[_MOST_ENDS:]
            text = msgspec.structs.replace(ends, streams=some, more=left).text
            rows.append((NO_STREAM, place, "", place, text))
            place += 1
        store.load(LOG_ENTRIES, rows)
        return _sign(store, key, incarnation)


def publish_new(store: Store, key: Ed25519PrivateKey, incarnation: str) -> str | None:
    """Add some pending entries to the tree; return its checkpoint, None without any."""
    return _number(store, (key, incarnation))


def _number(store: Store, signer: tuple[Ed25519PrivateKey, str] | None) -> str | None:
    """Add up to 500 pending entries to the tree; sign it if a signer is given.

    Returns None if no entry waits, and an empty text without a signer.
    """
    for _ in range(_TRIES):
        waiting = store.pending_entries(_MOST_AT_ONCE)
        if not waiting:
            return None
        entries = [_entry(store, each) for each in waiting]
        with suppress(_NumberedElsewhere), store.all_or_nothing():
            first = store.log_size()
            rows = [
                (first + place, entry, each.stream, each.sequence)
                for place, (entry, each) in enumerate(
                    zip(entries, waiting, strict=True)
                )
            ]
            if store.number_entries(rows) != len(rows):
                raise _NumberedElsewhere
            return "" if signer is None else _sign(store, *signer)
    raise LogConflict("other processes number the log's entries all the time")


class _NumberedElsewhere(Exception):
    """Another process or thread has numbered an entry in the meantime."""


def _entry(store: Store, waiting: LogRow) -> str:
    rows = store.few_events(waiting.stream, waiting.sequence, waiting.sequence)
    if not rows:
        raise LogConflict(f"an entry of the log has no event: {waiting.stream!r}")
    try:
        return entry_of(rows[0], waiting.salt, round_rows(store, rows[0]))
    except UnreadableEvent as error:
        raise LogConflict(f"an event of the log can't be read: {error}") from error


def round_rows(store: Store, row: EventRow) -> list[EventRow]:
    """Return the events that the entry of a round is made from, up to its own."""
    if not row.round_number:
        return []
    rows = store.events(row.stream, round_number=row.round_number, kinds=OF_A_ROUND)
    return [each for each in rows if each.sequence <= row.sequence]


def _sign(store: Store, key: Ed25519PrivateKey, incarnation: str) -> str:
    """Sign the tree as it stands, and keep the checkpoint."""
    log = StoredLog(store)
    size = log.size
    log.store_full_tiles(size)
    last = last_checkpoint(store)
    if last is not None and not log.begins_with(last):
        raise LogConflict(
            "the log is not the one whose checkpoint was signed last: nothing is signed"
        )
    origin = origin_of(store, incarnation)
    text = Checkpoint(origin, size, log.root(size)).text
    whole = Note(text, (sign_note(text, origin, key),)).whole
    store.load(CHECKPOINTS, [(whole,)])
    return whole


def last_checkpoint(store: Store) -> Checkpoint | None:
    """Return the last checkpoint that was signed, if it can be read."""
    last = store.last_checkpoint()
    if last is None:
        return None
    try:
        return Note.read(last[1]).checkpoint
    except BadNote:  # the verification reports it
        return None


def cosigned(store: Store) -> Note | None:
    """Return the last checkpoint with the signatures of its witnesses."""
    last = store.last_checkpoint()
    if last is None:
        return None
    number, whole = last
    lines = map(NoteSignature.read, store.cosignatures(number))
    return Note.read(whole).with_signatures(lines)


def last_ends(store: Store) -> tuple[int, StreamEnds] | None:
    """Return the ends of streams that the log named last, and their place."""
    row = store.last_ends_entry()
    ends = None if row is None else read_ends(row.entry)
    if row is None or ends is None:
        return None
    streams, place = [ends.streams], row.leaf - 1
    while (before := store.log_entries(place, 1)) and place >= 0:
        part = read_ends(before[0].entry)
        if part is None or part.more != len(streams):
            break
        streams.insert(0, part.streams)
        place -= 1
    named = tuple(chain.from_iterable(streams))
    return row.leaf, msgspec.structs.replace(ends, streams=named)


def origin_of(store: Store, incarnation: str) -> str:
    """Return the name of a house's log: each restore begins another."""
    first = store.few_events(HOUSE_STREAM, 1, 1)
    name = "house"
    if first:
        try:
            event = decode(first[0].schema, first[0].kind, first[0].body)
        except UnreadableEvent:
            event = None
        if isinstance(event, HouseDefined):
            words = re.findall(r"[a-z0-9]+", event.house.name.lower())
            name = "-".join(words)[:_LONGEST_NAME] or name
    base = f"{name}-{(first[0].hash if first else GENESIS)[:_DIGITS]}"
    return f"{base}/{incarnation}" if incarnation else base
