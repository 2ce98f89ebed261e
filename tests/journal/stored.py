"""Reads of single kinds of rows, for tests only."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.journal.store import Store
from croupier.journal.tables import (
    ANSWERS,
    CHECKPOINTS,
    SNAPSHOTS,
    AnswerRow,
    Row,
    SnapshotRow,
    StoredTable,
)


def _rows(store: Store, table: StoredTable, stream: str | None = None) -> Iterator[Row]:
    with store.at_one_moment():
        yield from store.rows_of(table, stream)


def stored_answers(store: Store, stream: str) -> list[AnswerRow]:
    """Return the answers of a stream, in the order in which they were given."""
    return [AnswerRow._make(row[1:]) for row in _rows(store, ANSWERS, stream)]


def stored_snapshots(store: Store, stream: str) -> list[SnapshotRow]:
    """Return the snapshots of a stream, in order."""
    return [SnapshotRow._make(row) for row in _rows(store, SNAPSHOTS, stream)]


def checkpoints(store: Store) -> list[str]:
    """Return the checkpoints, in the order in which they were signed."""
    return [str(signed) for _, signed in _rows(store, CHECKPOINTS)]


def publish_text(store: Store, signed: str) -> None:
    """Keep a text among the checkpoints."""
    with store.all_or_nothing():
        store.load(CHECKPOINTS, [(signed,)])
