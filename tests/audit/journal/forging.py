"""A journal written anew by somebody who can write everything, hashes and all.

What is taken out of a journal can be changed at will; what is written back has its
sequence, hashes, answers, balances and vouchers put right, so that the chain verifies
and only a second opinion can see what was changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from croupier.journal.chain import balances_digest, digest, event_hash
from croupier.journal.events.codec import SCHEMA, JournalEvent, decode, encode
from croupier.journal.events.table import SnapshotTaken
from croupier.journal.log.entries import LOGGED, needs_salt
from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    EVENTS,
    GENESIS,
    LOG_ENTRIES,
    SNAPSHOTS,
    STREAMS,
    VOUCHERS,
    EventRow,
)
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry
from tests.journal.tampering import rows
from tests.values import replaced

T = TypeVar("T")


@dataclass(eq=False)
class Item:
    """An event with all that is stored beside it."""

    row: EventRow
    event: Any
    entries: list[Entry] = field(default_factory=list)
    snapshot: str | None = None

    @property
    def sequence(self) -> int:
        return self.row.sequence

    def change(self, **fields: Any) -> Item:
        """Give fields of the event other values."""
        self.event = replaced(self.event, **fields)
        return self

    def move(self, source: str, target: str, cents: int) -> None:
        """Move cents from one account to another in this event's entries."""
        self.post(source, -cents)
        self.post(target, cents)

    def post(self, account: str, cents: int) -> None:
        for place, entry in enumerate(self.entries):
            if entry.account == account:
                self.entries[place] = Entry(entry.account, entry.cents + cents)
                return
        self.entries.append(Entry(Account(account), cents))


class Forgery:
    """The events of a journal, to be changed and written to another one."""

    def __init__(self, store: Store) -> None:
        snapshots = {(row[0], row[1]): row[2] for row in rows(store, SNAPSHOTS)}
        entries: dict[tuple[str, int], list[Entry]] = {}
        for stream, sequence, _, account, cents in rows(store, ENTRIES):
            entries.setdefault((stream, sequence), []).append(Entry(account, cents))
        self.streams: dict[str, list[Item]] = {}
        for raw in rows(store, EVENTS):
            row = EventRow(*raw)
            event = decode(row.schema, row.kind, row.body)
            item = Item(row, event, entries.get((row.stream, row.sequence), []))
            if isinstance(event, SnapshotTaken):
                item.snapshot = snapshots[row.stream, event.at_sequence]
            self.streams.setdefault(row.stream, []).append(item)

    def all(self, stream: str, kind: type[T], round_number: int = 0) -> list[Item]:
        """The events of a kind, of one round where it is named."""
        return [
            item
            for item in self.streams[stream]
            if isinstance(item.event, kind)
            and round_number in {0, item.row.round_number}
        ]

    def one(self, stream: str, kind: type[T], round_number: int = 0) -> Item:
        return self.all(stream, kind, round_number)[0]

    def drop(self, item: Item) -> None:
        self.streams[item.row.stream].remove(item)

    def insert(
        self,
        after: Item,
        event: JournalEvent,
        entries: Iterable[Entry] = (),
        round_number: int | None = None,
    ) -> Item:
        """A further event, in a command of its own, after another."""
        events = self.streams[after.row.stream]
        number = after.row.round_number if round_number is None else round_number
        command_id = f"forged-{len(events)}-{after.sequence}"
        row = after.row._replace(round_number=number, command_id=command_id)
        item = Item(row, event, list(entries))
        events.insert(events.index(after) + 1, item)
        return item

    def swap(self, one: Item, other: Item) -> None:
        """Exchange the places of two events, each with its command."""
        events = self.streams[one.row.stream]
        a, b = events.index(one), events.index(other)
        events[a], events[b] = other, one

    def write(self, path: Path, spoil: Callable[[Store], None] | None = None) -> Path:
        """A journal of these events; `spoil` may change it behind its back."""
        with SqliteStore(path) as store:
            with store.all_or_nothing():
                for stream, items in self.streams.items():
                    _write_stream(store, stream, items)
                _write_vouchers(store, self.streams.values())
            if spoil is not None:
                with store.all_or_nothing():
                    spoil(store)
        return path


def _write_stream(store: Store, stream: str, items: list[Item]) -> None:
    before, balances = GENESIS, dict[Account, int]()
    commands: dict[str, list[int]] = {}
    for sequence, item in enumerate(items, 1):
        if isinstance(item.event, SnapshotTaken):
            assert item.snapshot is not None
            body = item.snapshot
            item.change(
                at_sequence=sequence - 1,
                digest=digest(body),
                balances=balances_digest(balances),
            )
            store.load(SNAPSHOTS, [(stream, sequence - 1, body, digest(body))])
            item.row = item.row._replace(command_id=items[sequence - 2].row.command_id)
        row = item.row._replace(
            sequence=sequence,
            schema=SCHEMA,
            kind=type(item.event).__name__,
            body=encode(item.event),
        )
        before = event_hash(before, row, item.entries)
        item.row = row._replace(hash=before)
        store.load(EVENTS, [item.row])
        if row.kind in LOGGED:
            salt = digest(row.body) if needs_salt(item.event) else ""
            store.load(LOG_ENTRIES, [(stream, sequence, salt, -1, "")])
        for line, (account, cents) in enumerate(item.entries):
            store.load(ENTRIES, [(stream, sequence, line, account, cents)])
            balances[account] = balances.get(account, 0) + cents
        if not isinstance(item.event, SnapshotTaken):
            commands.setdefault(row.command_id, []).append(sequence)
    store.load(STREAMS, [(stream, 1, len(items), before)])
    store.load(
        ANSWERS, [(stream, name, min(n), max(n)) for name, n in commands.items()]
    )
    seats_at_least_zero = {
        account: max(cents, 0) if account.startswith("seat:") else cents
        for account, cents in balances.items()
    }
    store.load(BALANCES, [(stream, *each) for each in seats_at_least_zero.items()])


def _write_vouchers(store: Store, streams: Iterable[list[Item]]) -> None:
    issued: dict[str, tuple[Any, ...]] = {}
    for items in streams:
        for item in items:
            stream, event = item.row.stream, item.event
            if isinstance(event, money.VoucherIssued):
                state = ("outstanding", event.expires, stream, "")
                issued[event.code] = (event.code, event.cents, *state)
    ends: dict[type[Any], str] = {
        money.VoucherRedeemed: "redeemed",
        money.VoucherPaid: "redeemed",
        money.VoucherExpired: "expired",
    }
    for items in streams:
        for item in items:
            state_now = ends.get(type(item.event))
            if state_now is not None and item.event.code in issued:
                code, cents, _, expires, issuer, _ = issued[item.event.code]
                stream = item.row.stream
                row = (code, cents, state_now, expires, issuer, stream)
                issued[item.event.code] = row
    store.load(VOUCHERS, issued.values())
