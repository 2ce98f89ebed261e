"""A group commit on PostgreSQL: one statement.

It locks the streams that it writes, leaves out the batches of writers that have lost
their stream, and inserts the others from one array for each column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

from croupier.journal.store import HOUSE_STREAM, UPSERTS, WriterConflict
from croupier.journal.stores.postgresql_servers import (
    Connection,
)
from croupier.journal.tables import BATCH_TABLES, Row, StoredTable, StreamBatch
from croupier.journal.writable_rows import PreparedBatch, Problem

Seal = Callable[[str, int, str], str]
"""Seals a stream's end, given its name, sequence and hash."""
_TYPES = {int: "bigint", str: "text"}


def append_group(
    connection: Connection, group: Sequence[PreparedBatch], seal: Seal
) -> list[Problem]:
    """Write batches that are independent of each other."""
    rows = connection.execute(_APPEND, _parameters(group, seal), prepare=True)
    won = {stream for stream, _ in rows.fetchall()}
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


def _parameters(group: Sequence[PreparedBatch], seal: Seal) -> list[str]:
    """Return one array for each column of each table, in the order of `_APPEND`."""
    wanted = [_wanted(each.batch, seal) for each in group]
    arrays = _arrays(wanted, len(_WANTED))
    for table in BATCH_TABLES:
        rows = [_owned(table, each) for each in group if each.rows[table.name]]
        arrays += _arrays(list(chain.from_iterable(rows)), len(_given(table)))
    return arrays


def _owned(table: StoredTable, each: PreparedBatch) -> Sequence[Row]:
    """Return a batch's rows of the table, each with the stream that writes it."""
    rows = each.rows[table.name]
    if _owner(table) in table.columns:
        return rows
    return [(each.batch.stream, *row) for row in rows]


def _arrays(rows: Sequence[Row], width: int) -> list[str]:
    return [_array(column) for column in zip(*rows, strict=True)] or ["{}"] * width


def _array(column: Sequence[str | int]) -> str:
    """Return an array for PostgreSQL; a NUL, which no text has, separates texts."""
    if isinstance(column[0], int):
        return "{" + ",".join(map(str, column)) + "}"
    texts = "\0".join(cast(Sequence[str], column))
    quoted = texts.replace("\\", r"\\").replace('"', r"\"")
    return '{"' + quoted.replace("\0", '","') + '"}'


def _owner(table: StoredTable) -> str:
    """Return the field with the stream that writes a row; vouchers lack the column."""
    return "stream" if "stream" in table.columns else "of"


def _given(table: StoredTable) -> Mapping[str, type[int] | type[str]]:
    """Return the parameters of a row: its columns, and the stream that writes it."""
    return {_owner(table): str} | dict(table.columns)


_WANTED = {
    "stream": str,
    "epoch": int,
    "after": int,
    "sequence": int,
    "hash": str,
    "mac": str,
}


def _wanted(batch: StreamBatch, seal: Seal) -> Row:
    last = batch.events[-1]
    mac = seal(batch.stream, last.sequence, last.hash)
    return (batch.stream, batch.epoch, batch.after, last.sequence, last.hash, mac)


def _unnested(given: Mapping[str, type[int] | type[str]]) -> str:
    """Return SQL that makes a table of one array for each column."""
    arrays = ", ".join(f"%s::{_TYPES[kind]}[]" for kind in given.values())
    names = ", ".join(f'"{name}"' for name in given)
    return f"unnest({arrays}) AS row ({names})"


def _insert(table: StoredTable) -> str:
    columns = ", ".join(table.columns)
    return (
        f"new_{table.name} AS (INSERT INTO {table.name} ({columns})"  # noqa: S608
        f" SELECT {columns} FROM {_unnested(_given(table))}"
        f' WHERE "{_owner(table)}" IN (SELECT stream FROM won)'
        f"{UPSERTS.get(table.name, '')})"
    )


CHANNEL = "'croupier_' || current_schema()::regnamespace::oid"
"""The channel of this schema for news of the house's stream."""
_APPEND = f"""
WITH wanted AS MATERIALIZED (
    SELECT * FROM {_unnested(_WANTED)}
), standing AS MATERIALIZED (
    SELECT stream, epoch, sequence FROM streams
    WHERE stream IN (SELECT stream FROM wanted) ORDER BY stream FOR UPDATE
), won AS MATERIALIZED (
    SELECT wanted.* FROM wanted JOIN standing USING (stream)
    WHERE standing.epoch = wanted.epoch AND standing.sequence = wanted.after
),
{", ".join(map(_insert, BATCH_TABLES))}
UPDATE streams SET sequence = won.sequence, hash = won.hash, mac = won.mac
FROM won WHERE streams.stream = won.stream
RETURNING streams.stream,
    streams.stream = '{HOUSE_STREAM}' AND pg_notify({CHANNEL}, '') IS NULL
"""  # noqa: S608
