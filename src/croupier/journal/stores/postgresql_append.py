"""A group commit on PostgreSQL: one statement.

It locks the streams it writes, leaves out the batches of writers who have lost theirs,
and inserts the others from rows given as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import psycopg

from croupier.journal import tables
from croupier.journal.store import JournalError, WriterConflict
from croupier.journal.stores.postgresql_connection import Connection, in_a_sentence
from croupier.journal.stores.sql_store import batch_refused
from croupier.journal.tables import StoredTable, StreamBatch, VoucherRow

_REFUSALS = (psycopg.IntegrityError, psycopg.DataError, OverflowError)
_TYPES = {int: "bigint", str: "text"}
_encoder = msgspec.json.Encoder()


def append(
    connection: Connection, batches: Sequence[StreamBatch]
) -> list[JournalError | None]:
    """All in one commit; for each batch None, or why it was left out."""
    try:
        return _append_together(connection, batches)
    except _REFUSALS:
        return _append_apart(connection, batches)


def _append_together(
    connection: Connection, batches: Sequence[StreamBatch]
) -> list[JournalError | None]:
    """One statement is a commit of its own; several need a transaction."""
    groups = list(_independent(batches))
    if len(groups) == 1:
        return _append_group(connection, groups[0])
    with connection.transaction():
        return [out for group in groups for out in _append_group(connection, group)]


def _append_apart(
    connection: Connection, batches: Sequence[StreamBatch]
) -> list[JournalError | None]:
    """In one commit, but what the database refuses of one batch harms no other."""
    outcomes: list[JournalError | None] = []
    with connection.transaction():
        for batch in batches:
            try:
                with connection.transaction():
                    outcomes += _append_group(connection, [batch])
            except _REFUSALS as error:
                outcomes.append(batch_refused(batch.stream, in_a_sentence(error)))
    return outcomes


def _independent(batches: Sequence[StreamBatch]) -> Iterator[list[StreamBatch]]:
    """In order, such that no group writes a stream or a voucher twice."""
    group: list[StreamBatch] = []
    touched: set[tuple[str, str]] = set()
    for batch in batches:
        touches = {("stream", batch.stream)}
        touches |= {("voucher", voucher.code) for voucher in batch.vouchers}
        if touched & touches:
            yield group
            group, touched = [], set()
        group.append(batch)
        touched |= touches
    if group:
        yield group


def _append_group(
    connection: Connection, batches: Sequence[StreamBatch]
) -> list[JournalError | None]:
    rows = connection.execute(_APPEND, _parameters(batches), prepare=True)
    won = {stream for (stream,) in rows.fetchall()}
    return [
        None
        if batch.stream in won
        else WriterConflict(f"{batch.stream} is written by somebody else now")
        for batch in batches
    ]


def _parameters(batches: Sequence[StreamBatch]) -> list[str]:
    """The rows of each table as one JSON text, in the order of `_APPEND`."""
    return [
        _encode([_wanted(batch) for batch in batches]),
        _json(tables.EVENTS, (row for batch in batches for row in batch.events)),
        _json(
            tables.ENTRIES,
            (
                (batch.stream, sequence, line, *entry)
                for batch in batches
                for sequence, line, entry in batch.entries
            ),
        ),
        _json(
            tables.ANSWERS,
            ((batch.stream, *row) for batch in batches for row in batch.answers),
        ),
        _json(
            tables.BALANCES,
            (
                (batch.stream, *row)
                for batch in batches
                for row in dict(batch.balances).items()
            ),
        ),
        _json(
            tables.SNAPSHOTS,
            (batch.snapshot for batch in batches if batch.snapshot is not None),
        ),
        _encode(
            [
                {"of": batch.stream, **row._asdict()}
                for batch in batches
                for row in _last_of_each(batch.vouchers)
            ]
        ),
    ]


def _json(table: StoredTable, rows: Iterable[tuple[Any, ...]]) -> str:
    columns = tuple(table.columns)
    return _encode([dict(zip(columns, row, strict=True)) for row in rows])


def _encode(rows: list[dict[str, Any]]) -> str:
    return _encoder.encode(rows).decode()


def _wanted(batch: StreamBatch) -> dict[str, Any]:
    last = batch.events[-1]
    return {
        "stream": batch.stream,
        "epoch": batch.epoch,
        "after": batch.after,
        "sequence": last.sequence,
        "hash": last.hash,
    }


def _last_of_each(vouchers: Sequence[VoucherRow]) -> Iterable[VoucherRow]:
    """A voucher written twice keeps what it was issued with, and its last state."""
    merged: dict[str, VoucherRow] = {}
    for row in vouchers:
        first = merged.get(row.code, row)
        merged[row.code] = first._replace(state=row.state, holder=row.holder)
    return merged.values()


def _record(table: StoredTable, *more: str) -> str:
    """The rows of one JSON text."""
    columns = [f"{name} {_TYPES[kind]}" for name, kind in table.columns.items()]
    return f"json_to_recordset(%s) AS row ({', '.join((*more, *columns))})"


def _insert(table: StoredTable, rest: str = "") -> str:
    columns = ", ".join(table.columns)
    return (
        f"new_{table.name} AS (INSERT INTO {table.name} ({columns})"  # noqa: S608
        f" SELECT {columns} FROM {_record(table)}"
        f" WHERE stream IN (SELECT stream FROM won){rest})"
    )


_VOUCHER_COLUMNS = ", ".join(tables.VOUCHERS.columns)
_APPEND = f"""
WITH wanted AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%s)
    AS row (stream text, epoch bigint, after bigint, sequence bigint, hash text)
), standing AS MATERIALIZED (
    SELECT stream, epoch, sequence FROM streams
    WHERE stream IN (SELECT stream FROM wanted) ORDER BY stream FOR UPDATE
), won AS MATERIALIZED (
    SELECT wanted.* FROM wanted JOIN standing USING (stream)
    WHERE standing.epoch = wanted.epoch AND standing.sequence = wanted.after
),
{_insert(tables.EVENTS)},
{_insert(tables.ENTRIES)},
{_insert(tables.ANSWERS)},
{
    _insert(
        tables.BALANCES,
        " ON CONFLICT (stream, account) DO UPDATE SET cents = excluded.cents",
    )
},
{_insert(tables.SNAPSHOTS)},
new_vouchers AS (
    INSERT INTO vouchers ({_VOUCHER_COLUMNS})
    SELECT {_VOUCHER_COLUMNS} FROM {_record(tables.VOUCHERS, '"of" text')}
    WHERE "of" IN (SELECT stream FROM won)
    ON CONFLICT (code) DO UPDATE SET state = excluded.state, holder = excluded.holder
)
UPDATE streams SET sequence = won.sequence, hash = won.hash
FROM won WHERE streams.stream = won.stream RETURNING streams.stream
"""  # noqa: S608
