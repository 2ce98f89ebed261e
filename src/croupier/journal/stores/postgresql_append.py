"""A group commit on PostgreSQL: one statement.

It locks the streams it writes, leaves out the batches of writers who have lost theirs,
and inserts the others from rows given as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from croupier.journal.store import WriterConflict
from croupier.journal.stores.postgresql_connection import Connection
from croupier.journal.stores.sql_store import (
    UPSERTS,
    PreparedBatch,
    Problem,
)
from croupier.journal.tables import BATCH_TABLES, StoredTable, StreamBatch

_TYPES = {int: "bigint", str: "text"}
_encoder = msgspec.json.Encoder()


def append_group(
    connection: Connection, group: Sequence[PreparedBatch]
) -> list[Problem]:
    """Write batches that are independent of each other."""
    rows = connection.execute(_APPEND, _parameters(group), prepare=True)
    won = {stream for (stream,) in rows.fetchall()}
    streams = [each.batch.stream for each in group]
    return [None if stream in won else WriterConflict(stream) for stream in streams]


def independent(batches: Sequence[PreparedBatch]) -> Iterator[list[PreparedBatch]]:
    """Yield groups in order, none of which writes a stream or a voucher twice."""
    group: list[PreparedBatch] = []
    touched: set[tuple[str, str]] = set()
    for each in batches:
        touches = {("stream", each.batch.stream)}
        touches |= {("voucher", voucher.code) for voucher in each.batch.vouchers}
        if touched & touches:
            yield group
            group, touched = [], set()
        group.append(each)
        touched |= touches
    if group:
        yield group


def _parameters(group: Sequence[PreparedBatch]) -> list[str]:
    """Return the rows of each table as one JSON text, in the order of `_APPEND`."""
    return [
        _encode([_wanted(each.batch) for each in group]),
        *(_encode(_named_rows(table, group)) for table in BATCH_TABLES),
    ]


def _named_rows(
    table: StoredTable, group: Sequence[PreparedBatch]
) -> list[dict[str, Any]]:
    columns = tuple(table.columns)
    named = (
        (each.batch.stream, dict(zip(columns, row, strict=True)))
        for each in group
        for row in each.rows[table.name]
    )
    if _owner(table) in columns:
        return [row for _, row in named]
    return [{_owner(table): stream, **row} for stream, row in named]


def _owner(table: StoredTable) -> str:
    """Return the field with the stream that writes a row: a voucher has no column."""
    return "stream" if "stream" in table.columns else "of"


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


def _insert(table: StoredTable) -> str:
    columns, owner = ", ".join(table.columns), _owner(table)
    typed = {owner: "text"} | {n: _TYPES[kind] for n, kind in table.columns.items()}
    record = ", ".join(f'"{name}" {kind}' for name, kind in typed.items())
    return (
        f"new_{table.name} AS (INSERT INTO {table.name} ({columns})"  # noqa: S608
        f" SELECT {columns} FROM json_to_recordset(%s) AS row ({record})"
        f' WHERE "{owner}" IN (SELECT stream FROM won){UPSERTS.get(table.name, "")})'
    )


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
{", ".join(map(_insert, BATCH_TABLES))}
UPDATE streams SET sequence = won.sequence, hash = won.hash
FROM won WHERE streams.stream = won.stream RETURNING streams.stream
"""  # noqa: S608
