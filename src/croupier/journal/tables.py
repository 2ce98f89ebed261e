"""The tables of a journal, their rows, and the rows that one commit adds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from types import MappingProxyType
from typing import Any, NamedTuple, get_type_hints

from croupier.ledger.accounts import Account, Entry

Row = tuple[Any, ...]
EntryRow = tuple[str, int, int, Account, int]
"""Stream, sequence, line, account and cents of an entry."""
GENESIS = "0" * 64
"""The hash before the first event of a stream."""


class EventRow(NamedTuple):
    """One event of a stream, as it is stored."""

    stream: str
    sequence: int
    round_number: int
    command_id: str
    at_ms: int
    schema: int
    document: str
    terms: str
    """A digest of the limits and settings it was judged by; RoundBegun spells them."""
    kind: str
    body: str
    hash: str


class Moment(NamedTuple):
    """A place in the order of time over all streams: a time, and an event at it."""

    at_ms: int
    stream: str = ""
    sequence: int = 0


class Moved(NamedTuple):
    """An account's total additions and total deductions."""

    added_cents: int
    taken_cents: int
    """Below zero."""


def answered_id(command_id: str) -> str:
    """Return the id of the answer to an event's command.

    The events of a message have its digest after the id: `d:T1:a#0123456789abcdef`.
    """
    return _DIGEST.sub("", command_id)


_DIGEST = re.compile("#[0-9a-f]{16}$")


class AnswerRow(NamedTuple):
    """The place of the answer to a command: its first and last event."""

    command_id: str
    first: int
    last: int


@unique
class VoucherState(Enum):
    OUTSTANDING = "outstanding"
    CLAIMED = "claimed"
    REDEEMED = "redeemed"
    EXPIRED = "expired"
    LOST = "lost"


class VoucherRow(NamedTuple):
    """A voucher; `holder` is the stream that claimed or redeemed it."""

    code: str
    cents: int
    state: VoucherState
    expires: str
    issuer: str
    holder: str


class SnapshotRow(NamedTuple):
    """A table's state after an event."""

    stream: str
    sequence: int
    body: str
    digest: str


class LogRow(NamedTuple):
    """An entry of the log; `leaf` is its place in the tree, or -1 while it waits."""

    stream: str
    sequence: int
    salt: str
    leaf: int
    entry: str


class HeadRow(NamedTuple):
    """The end of a stream."""

    stream: str
    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class StreamBatch:
    """The rows that one stream writes in one commit; the store adds none of its own."""

    stream: str
    epoch: int
    after: int
    """The sequence this batch follows."""
    events: Sequence[EventRow]
    entries: Sequence[EntryRow]
    answers: Sequence[tuple[str, str, int, int]]
    """Stream, command, and the first and last event of the answer."""
    balances: Sequence[Entry]
    """Each touched account with its new balance."""
    vouchers: tuple[VoucherRow, ...] = ()
    snapshot: SnapshotRow | None = None
    log: Sequence[LogRow] = ()
    """New entries of the log, which have no numbers yet."""

    def rows(self) -> dict[str, Sequence[Row]]:
        """Return the rows to write, by table, each key once."""
        balances = dict(self.balances).items()
        return {
            "events": self.events,
            "entries": self.entries,
            "answers": self.answers,
            "balances": [(self.stream, *balance) for balance in balances],
            "snapshots": [] if self.snapshot is None else [self.snapshot],
            "vouchers": self._voucher_rows(),
            "log_entries": self.log,
        }

    def _voucher_rows(self) -> list[Row]:
        """Merge rows of one voucher: the first row, with the state of the last."""
        merged: dict[str, VoucherRow] = {}
        for row in self.vouchers:
            first = merged.get(row.code, row)
            merged[row.code] = first._replace(state=row.state, holder=row.holder)
        return [
            (row.code, row.cents, row.state.value, *row[3:]) for row in merged.values()
        ]


_PLACES = ("sequence", "first")


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table: its columns in order, and the columns that its rows are sorted by."""

    name: str
    columns: Mapping[str, type[int] | type[str]]
    order: tuple[str, ...]

    @property
    def place(self) -> str | None:
        """The column with the sequence number of a row's event, if there is one."""
        return next((each for each in self.order if each in _PLACES), None)

    @property
    def written(self) -> tuple[str, ...]:
        """The columns that are filled; a `number` is the database's own."""
        return tuple(name for name in self.columns if name != "number")


def _table(name: str, order: str, **columns: type[int] | type[str]) -> StoredTable:
    return StoredTable(name, MappingProxyType(columns), tuple(order.split()))


def columns_of(row: type[Any]) -> dict[str, type[int] | type[str]]:
    """Return the columns of a row type; an enumeration is stored as its text."""
    kinds = get_type_hints(row).items()
    return {name: int if kind is int else str for name, kind in kinds}


STREAMS = _table("streams", "stream", stream=str, epoch=int, sequence=int, hash=str)
EVENTS = _table("events", "stream sequence", **columns_of(EventRow))
ENTRIES = _table(
    "entries",
    "stream sequence line",
    stream=str,
    sequence=int,
    line=int,
    account=str,
    cents=int,
)
ANSWERS = _table(
    "answers", "stream first command_id", stream=str, **columns_of(AnswerRow)
)
BALANCES = _table("balances", "stream account", stream=str, account=str, cents=int)
SNAPSHOTS = _table("snapshots", "stream sequence", **columns_of(SnapshotRow))
VOUCHERS = _table("vouchers", "code", **columns_of(VoucherRow))
LOG_ENTRIES = _table("log_entries", "stream sequence", **columns_of(LogRow))
CHECKPOINTS = _table("checkpoints", "number", number=int, signed=str)
LOG_TILES = _table("log_tiles", "level tile", level=int, tile=int, root=str)
"""The roots of full tiles, which follow from the log's entries: no export has them."""

BATCH_TABLES = (EVENTS, ENTRIES, ANSWERS, BALANCES, SNAPSHOTS, VOUCHERS, LOG_ENTRIES)
"""The tables that a batch writes, in that order."""
TABLES: Mapping[str, StoredTable] = MappingProxyType(
    {table.name: table for table in (STREAMS, *BATCH_TABLES, CHECKPOINTS)}
)
TABLE_NAMES = frozenset(TABLES) | {"secrets", "cosignatures", LOG_TILES.name}
"""Those, and three outside the chain, exports and verification."""
