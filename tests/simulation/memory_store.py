"""A journal's store in memory: the plainest thing that keeps the store's promises.

The disk outlives the stores that are opened on it, as a file outlives a process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

from croupier.journal.heads import digest
from croupier.journal.store import JournalError, WriterConflict
from croupier.journal.tables import (
    GENESIS,
    PUBLISHED_HEADS,
    AnswerRow,
    EventRow,
    HeadRow,
    Row,
    SnapshotRow,
    StoredTable,
    StreamBatch,
    VoucherRow,
    VoucherState,
)
from croupier.ledger.accounts import Account, Entry, is_seat
from croupier.rules.reasons import Reason
from croupier.table.handled_sums import HANDLED_EVENTS


@dataclass
class _Stream:
    epoch: int = 0
    hash: str = GENESIS
    events: list[EventRow] = field(default_factory=list)
    by_round: dict[int, list[EventRow]] = field(default_factory=dict)
    entries: list[tuple[int, int, Entry]] = field(default_factory=list)
    first_entry: list[int] = field(default_factory=list)
    """For each event, the place of its first entry."""
    answers: dict[str, AnswerRow] = field(default_factory=dict)
    balances: dict[Account, int] = field(default_factory=dict)
    snapshots: list[SnapshotRow] = field(default_factory=list)


@dataclass
class MemoryDisk:
    """What is there when a process has died."""

    streams: dict[str, _Stream] = field(default_factory=dict)
    vouchers: dict[str, VoucherRow] = field(default_factory=dict)
    published: list[str] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)

    def open(self) -> MemoryStore:
        return MemoryStore(self)


class MemoryStore:
    """A store on such a disk; every method is one moment."""

    def __init__(self, disk: MemoryDisk) -> None:
        self._disk = disk

    def _stream(self, stream: str) -> _Stream:
        return self._disk.streams.get(stream) or _Stream()

    @property
    def frozen(self) -> Reason | None:
        """Nobody freezes it."""
        return None

    timeline = 0
    rival: str | None = None

    def freeze(self, reason: Reason) -> None:
        raise NotImplementedError(str(reason))

    def claim_stream(self, stream: str) -> int:
        found = self._disk.streams.setdefault(stream, _Stream())
        found.epoch += 1
        return found.epoch

    def join_stream(self, stream: str) -> int:
        found = self._disk.streams.setdefault(stream, _Stream(epoch=1))
        return found.epoch

    def epochs(self) -> dict[str, int]:
        return {name: each.epoch for name, each in self._disk.streams.items()}

    def lacks_standby(self) -> bool:
        return False

    def check_identity(self) -> None:
        """Nobody can take memory away."""

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        """As a database would: a broken constraint, and nothing is written."""
        results: list[JournalError | None] = []
        for batch in batches:
            found = self._stream(batch.stream)
            if (found.epoch, len(found.events)) != (batch.epoch, batch.after):
                results.append(WriterConflict(batch.stream))
                continue
            results.append(_check(found, batch))
        for batch, problem in zip(batches, results, strict=True):
            if problem is None:
                self._write(self._disk.streams[batch.stream], batch)
        return results

    def _write(self, found: _Stream, batch: StreamBatch) -> None:
        for row in batch.events:
            found.events.append(row)
            found.by_round.setdefault(row.round_number, []).append(row)
            found.first_entry.append(-1)
        for _, sequence, line, account, cents in batch.entries:
            if found.first_entry[sequence - 1] < 0:
                found.first_entry[sequence - 1] = len(found.entries)
            found.entries.append((sequence, line, Entry(account, cents)))
        found.hash = batch.events[-1].hash
        for _, command_id, *events in batch.answers:
            found.answers[command_id] = AnswerRow(command_id, *events)
        found.balances.update((entry.account, entry.cents) for entry in batch.balances)
        for voucher in batch.vouchers:
            code, state, holder = voucher.code, voucher.state, voucher.holder
            old = self._disk.vouchers.get(code, voucher)
            self._disk.vouchers[code] = old._replace(state=state, holder=holder)
        if batch.snapshot is not None:
            found.snapshots.append(batch.snapshot)

    def head(self, stream: str) -> HeadRow | None:
        found = self._disk.streams.get(stream)
        return HeadRow(stream, len(found.events), found.hash) if found else None

    def heads(self) -> list[HeadRow]:
        heads = [self.head(stream) for stream in sorted(self._disk.streams)]
        return [head for head in heads if head is not None]

    def events(
        self, stream: str, *, after: int = 0, round_number: int | None = None
    ) -> Iterator[EventRow]:
        found = self._stream(stream)
        if round_number is None:
            yield from found.events[after:]
            return
        of_round = found.by_round.get(round_number, [])
        yield from (row for row in of_round if row.sequence > after)

    def few_events(self, stream: str, first: int, last: int) -> list[EventRow]:
        return self._stream(stream).events[max(0, first - 1) : last]

    def settlements(self, stream: str, *, after: int = 0) -> Iterator[EventRow]:
        rows = self._stream(stream).events[after:]
        yield from (row for row in rows if row.kind == "RoundSettled")

    def latest_settlements(self, stream: str, count: int) -> list[EventRow]:
        settled = list(self.settlements(stream))
        return settled[max(0, len(settled) - count) :]

    def entries(
        self, stream: str, *, after: int = 0
    ) -> Iterator[tuple[int, int, Entry]]:
        found = self._stream(stream)
        first = next((at for at in found.first_entry[after:] if at >= 0), None)
        if first is not None:
            yield from found.entries[first:]

    def balances(self, stream: str) -> dict[Account, int]:
        return dict(self._stream(stream).balances)

    def streams_of_account(self, account: Account) -> list[HeadRow]:
        return [head for head in self.heads() if account in self.balances(head.stream)]

    def entry_sums(self, stream: str, *, after: int) -> dict[Account, int]:
        sums: dict[Account, int] = {}
        for _, _, (account, cents) in self.entries(stream, after=after):
            sums[account] = sums.get(account, 0) + cents
        return sums

    def answer(self, stream: str, command_id: str) -> AnswerRow | None:
        return self._stream(stream).answers.get(command_id)

    def answered(self, stream: str, command_ids: Sequence[str]) -> set[str]:
        return set(command_ids) & self._stream(stream).answers.keys()

    def snapshot(self, stream: str) -> SnapshotRow | None:
        snapshots = self._stream(stream).snapshots
        return snapshots[-1] if snapshots else None

    def voucher(self, code: str) -> VoucherRow | None:
        return self._disk.vouchers.get(code)

    def open_vouchers(self, most: int) -> list[VoucherRow]:
        states = {VoucherState.OUTSTANDING, VoucherState.CLAIMED}
        return [row for row in self.vouchers() if row.state in states][:most]

    def voucher_events(self, code: str) -> list[EventRow]:
        rows = (row for each in self._disk.streams.values() for row in each.events)
        return [
            row
            for row in rows
            if row.kind.startswith("Voucher") and f'"code":"{code}"' in row.body
        ]

    def handled_by(self, name: str, since_ms: int) -> list[EventRow]:
        kinds = {kind.__name__ for kind in HANDLED_EVENTS}
        streams = sorted(self._disk.streams.items())
        return [
            row
            for row in (row for _, each in streams for row in each.events)
            if row.kind in kinds and f'"name":"{name}"' in row.body
            if row.at_ms > since_ms
        ]

    def vouchers(self) -> Iterator[VoucherRow]:
        yield from (row for _, row in sorted(self._disk.vouchers.items()))

    def claim_voucher(
        self, code: str, holder: str, epoch: int | None = None
    ) -> VoucherRow | None:
        found = self._disk.vouchers.get(code)
        if found is None or found.state is not VoucherState.OUTSTANDING:
            return None
        if epoch is not None and self._stream(holder).epoch != epoch:
            return None
        claimed = found._replace(state=VoucherState.CLAIMED, holder=holder)
        self._disk.vouchers[code] = claimed
        return claimed

    def release_vouchers(self, holder: str) -> int:
        claimed = [
            row
            for row in self._disk.vouchers.values()
            if row.holder == holder and row.state is VoucherState.CLAIMED
        ]
        for row in claimed:
            free = row._replace(state=VoucherState.OUTSTANDING, holder="")
            self._disk.vouchers[row.code] = free
        return len(claimed)

    def keep_secret(self, value: str) -> str:
        self._disk.secrets[digest(value)] = value
        return digest(value)

    def secret(self, digest: str) -> str | None:
        return self._disk.secrets.get(digest)

    def drop_secret(self, digest: str) -> None:
        self._disk.secrets.pop(digest, None)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        yield

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Only heads are written so, one at a time."""
        yield

    def heads_after(self, number: int) -> Iterator[tuple[int, str]]:
        for each, text in self.rows_of(PUBLISHED_HEADS):
            if each > number:
                yield each, text

    def last_head(self) -> tuple[int, str] | None:
        return max(self.heads_after(0), default=None)

    def streams_of(self, table: StoredTable) -> Iterator[str]:
        return iter({row[0] for row in self.rows_of(table)})

    def rows_of(
        self, table: StoredTable, stream: str | None = None, *, after: int = 0
    ) -> Iterator[Row]:
        assert not after, "only a start begins later"
        rows = getattr(self, f"_{table.name}_rows")()
        if stream is not None:
            rows = [row for row in rows if row[0] == stream]
        places = [list(table.columns).index(name) for name in table.order]
        yield from sorted(rows, key=lambda row: [row[place] for place in places])

    def _streams_rows(self) -> list[Row]:
        streams = self._disk.streams
        return [(n, s.epoch, len(s.events), s.hash) for n, s in streams.items()]

    def _events_rows(self) -> list[Row]:
        return [row for s in self._disk.streams.values() for row in s.events]

    def _entries_rows(self) -> list[Row]:
        return [
            (name, sequence, line, *entry)
            for name, stream in self._disk.streams.items()
            for sequence, line, entry in stream.entries
        ]

    def _answers_rows(self) -> list[Row]:
        streams = self._disk.streams
        return [(n, *row) for n, s in streams.items() for row in s.answers.values()]

    def _balances_rows(self) -> list[Row]:
        streams = self._disk.streams
        return [(n, *item) for n, s in streams.items() for item in s.balances.items()]

    def _snapshots_rows(self) -> list[Row]:
        return [row for s in self._disk.streams.values() for row in s.snapshots]

    def _vouchers_rows(self) -> list[Row]:
        rows = self._disk.vouchers.values()
        return [tuple(row._replace(state=row.state.value)) for row in rows]  # type: ignore[arg-type]

    def _published_heads_rows(self) -> list[Row]:
        return list(enumerate(self._disk.published, start=1))

    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        assert table is PUBLISHED_HEADS
        self._disk.published += [signed for (signed,) in rows]

    def damage(self) -> Iterator[str]:
        return iter(())

    def close(self) -> None:
        """The disk stays."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check(found: _Stream, batch: StreamBatch) -> JournalError | None:
    ids = [command_id for _, command_id, *_ in batch.answers]
    if len(set(ids)) < len(ids) or any(each in found.answers for each in ids):
        return JournalError("a command has two answers")
    if any(entry.cents < 0 for entry in batch.balances if is_seat(entry.account)):
        return JournalError("a seat's credit is below zero")
    return None
