"""Batches as a table writes them: chained, each event with a pair of entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from croupier.journal.chain import digest, event_hash
from croupier.journal.store import JournalError, Store
from croupier.journal.tables import (
    GENESIS,
    EventRow,
    SnapshotRow,
    StreamBatch,
    VoucherRow,
    VoucherState,
)
from croupier.ledger.accounts import LAYOUT, Account, Entry, seat
from tests.journal.stored import checkpoints, stored_answers, stored_snapshots

ENTRIES = (Entry(seat("Anna"), -5), Entry(LAYOUT, 5))


def batch(
    stream: str,
    *,
    epoch: int = 1,
    after: int = 0,
    bodies: Iterable[str] = ("{}",),
    before: str = GENESIS,
    **changes: Any,
) -> StreamBatch:
    """Return a batch with one event for each body; `changes` replace its fields."""
    events: list[EventRow] = []
    for sequence, body in enumerate(bodies, start=after + 1):
        command = f"command {sequence}"
        row = EventRow(
            *(stream, sequence, 1 + sequence // 10, command, 1_700_000_000_000, 2),
            *("Roulette (MBS) v3", "0123456789abcdef", "WagerPlaced", body, ""),
        )
        before = event_hash(before, row, ENTRIES)
        events.append(row._replace(hash=before))
    whole = StreamBatch(
        stream,
        epoch,
        after,
        tuple(events),
        tuple(
            (stream, e.sequence, n, *entry)
            for e in events
            for n, entry in enumerate(ENTRIES)
        ),
        tuple((stream, e.command_id, e.sequence, e.sequence) for e in events),
        (Entry(seat("Anna"), 100), Entry(LAYOUT, -100)),
    )
    return replace(whole, **changes)


def voucher(code: str, cents: int = 500, **changes: Any) -> VoucherRow:
    row = VoucherRow(code, cents, VoucherState.OUTSTANDING, "2030-01-01", "one", "")
    return row._replace(**changes)


def snapshot(stream: str, sequence: int, body: str = "{}") -> SnapshotRow:
    return SnapshotRow(stream, sequence, body, digest(body))


def balance(account: str, cents: int) -> tuple[Entry, ...]:
    return (Entry(Account(account), cents),)


def append(store: Store, *batches: StreamBatch) -> None:
    """Write all batches; the store must take each of them."""
    problems: list[JournalError | None] = store.append(batches)
    assert problems == [None] * len(batches)


def everything(store: Store) -> list[Any]:
    """Return all contents of a store, for comparisons."""
    heads = store.heads()
    shown: list[Any] = [heads, list(store.vouchers()), checkpoints(store)]
    for stream in (head.stream for head in heads):
        shown += [
            list(store.events(stream)),
            list(store.entries(stream)),
            stored_answers(store, stream),
            stored_snapshots(store, stream),
            store.balances(stream),
        ]
    return shown
