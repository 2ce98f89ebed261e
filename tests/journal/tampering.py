"""Edit a stored journal past its store, and undo the edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import apsw
import psycopg

from croupier.journal.chain import event_hash
from croupier.journal.store import Store
from croupier.journal.stores.postgresql import PostgresStore
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import (
    ENTRIES,
    EVENTS,
    GENESIS,
    LOG_ENTRIES,
    STREAMS,
    TABLES,
    VOUCHERS,
    EventRow,
    Row,
    StoredTable,
)
from croupier.ledger.accounts import Entry
from tests.journal.stores import UNGUARDED, unguarded

KEYS: Mapping[str, tuple[str, ...]] = {
    "streams": ("stream",),
    "events": ("stream", "sequence"),
    "entries": ("stream", "sequence", "line"),
    "answers": ("stream", "command_id"),
    "balances": ("stream", "account"),
    "snapshots": ("stream", "sequence"),
    "vouchers": ("code",),
    "log_entries": ("stream", "sequence"),
    "checkpoints": ("number",),
}
NO_CONTENT = {("streams", "epoch"), ("checkpoints", "number")}
"""Columns without content: a writer's epoch, and the order of checkpoints."""


class RefusedByDatabase(Exception):
    """The database itself refused the edit."""


class _Undo(Exception):
    pass


@contextmanager
def undone(store: Store) -> Iterator[None]:
    """Undo all changes inside at the end."""
    with suppress(_Undo), store.all_or_nothing():
        if isinstance(store, SqliteStore):
            execute(store, "PRAGMA ignore_check_constraints = ON")
        yield
        raise _Undo


def execute(store: Store, sql: str, values: Sequence[Any] = ()) -> None:
    """Run a statement in the store's open transaction."""
    try:
        if isinstance(store, PostgresStore):
            assert store._one_commit is not None
            with store._one_commit.transaction():
                store._one_commit.execute(UNGUARDED.replace(b"SET", b"SET LOCAL"))
                store._one_commit.execute(sql.replace("?", "%s").encode(), values)
        else:
            assert isinstance(store, SqliteStore)
            unguarded(store._connection).execute(sql, values)
    except (apsw.ConstraintError, psycopg.IntegrityError) as error:
        raise RefusedByDatabase(str(error)) from error


def rows(store: Store, table: StoredTable) -> list[Row]:
    with store.at_one_moment():
        return list(store.rows_of(table))


def change(store: Store, table: StoredTable, row: Row, **values: str | int) -> None:
    """Set columns of one row to other values."""
    sets = ", ".join(f"{name} = ?" for name in values)
    where, key = _where(table, row)
    execute(
        store,
        f"UPDATE {table.name} SET {sets} WHERE {where}",
        (*values.values(), *key),
    )


def delete(store: Store, table: StoredTable, row: Row) -> None:
    where, key = _where(table, row)
    execute(store, f"DELETE FROM {table.name} WHERE {where}", key)


def insert(store: Store, table: StoredTable, row: Row) -> None:
    places = ", ".join("?" for _ in row)
    names = ", ".join(table.columns)
    execute(store, f"INSERT INTO {table.name} ({names}) VALUES ({places})", row)


def swap(store: Store, table: StoredTable, row: Row, other: Row) -> None:
    """Exchange everything but the keys of two rows."""
    for one, two in ((row, other), (other, row)):
        values = {
            name: value
            for name, value in zip(table.columns, two, strict=True)
            if name not in KEYS[table.name] and name != "leaf"  # no two share a leaf
        }
        change(store, table, one, **values)


def _where(table: StoredTable, row: Row) -> tuple[str, Row]:
    key = KEYS[table.name]
    named = dict(zip(table.columns, row, strict=True))
    return " AND ".join(f"{name} = ?" for name in key), tuple(named[k] for k in key)


def other_value(value: str | int, random: Random) -> str | int:
    """Return another value than this one."""
    if isinstance(value, int):
        others = [value + 1, value - 1, -value or 5, random.randrange(-(2**63), 2**63)]
        return random.choice(others)
    place = random.randrange(len(value) + 1)
    others_of_text = [
        value + random.choice("x \n9"),
        value[:place] + "7" + value[place + 1 :],
        value[:place] + value[place + 1 :],
        value.swapcase(),
        "",
    ]
    changed = random.choice(others_of_text)
    return changed if changed != value else value + "'"


def random_change(store: Store, random: Random) -> str:
    """Make a random edit, deletion, insertion or swap; return its description."""
    table = random.choice(list(TABLES.values()))
    stored = rows(store, table)
    if not stored:
        return "nothing"
    row = random.choice(stored)
    kind = random.choice(["edit", "edit", "delete", "insert", "swap"])
    column = random.choice(list(table.columns))
    value = dict(zip(table.columns, row, strict=True))[column]
    if kind == "edit":
        change(store, table, row, **{column: other_value(value, random)})
    elif kind == "delete":
        delete(store, table, row)
    elif kind == "insert":
        insert(store, table, copied(table, row, random))
    else:
        swap(store, table, row, random.choice(stored))
    return f"{kind} {table.name} {row} {column}"


def copied(table: StoredTable, row: Row, random: Random) -> Row:
    """Return the row under another key."""
    columns = {random.choice(KEYS[table.name])}
    if table is LOG_ENTRIES:  # no two share a leaf
        columns.add("leaf")
    return tuple(
        other_value(value, random) if name in columns else value
        for name, value in zip(table.columns, row, strict=True)
    )


def content(store: Store) -> dict[str, list[Row]]:
    """Return all that a verification vouches for; claims of vouchers are left out."""
    streams = {row[0] for row in rows(store, STREAMS)}
    held: dict[str, list[Row]] = {}
    for name, table in TABLES.items():
        kept = [
            place
            for place, column in enumerate(table.columns)
            if (name, column) not in NO_CONTENT
        ]
        held[name] = [tuple(row[i] for i in kept) for row in rows(store, table)]
    held[VOUCHERS.name] = [
        (*row[:2], "outstanding", *row[3:5], "")
        if row[2] == "claimed" and row[5] in streams
        else row
        for row in held[VOUCHERS.name]
    ]
    return held


def forget_log(store: Store) -> None:
    """Reset the log, as if it had never numbered or signed anything."""
    execute(store, "DELETE FROM checkpoints")
    execute(store, "DELETE FROM log_tiles")
    execute(store, "DELETE FROM log_entries WHERE stream = ''")
    execute(store, "UPDATE log_entries SET leaf = -1, entry = ''")


def write_anew(store: Store, stream: str) -> None:
    """Compute a stream's hashes again, as a forger with all rights would."""
    entries: dict[int, list[Entry]] = {}
    for name, sequence, _, account, cents in rows(store, ENTRIES):
        if name == stream:
            entries.setdefault(sequence, []).append(Entry(account, cents))
    before, last = GENESIS, 0
    for row in rows(store, EVENTS):
        event = EventRow(*row)
        if event.stream == stream:
            before = event_hash(before, event, entries.get(event.sequence, []))
            change(store, EVENTS, row, hash=before)
            last = event.sequence
    execute(
        store,
        "UPDATE streams SET sequence = ?, hash = ? WHERE stream = ?",
        (last, before, stream),
    )
