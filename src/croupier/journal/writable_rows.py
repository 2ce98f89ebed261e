"""Checks that both databases can hold the rows of a batch, and refusals of batches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress
from typing import NamedTuple

from croupier.journal.errors import JournalError
from croupier.journal.tables import BATCH_TABLES, Row, StreamBatch
from croupier.journal.writable_values import is_text

Problem = JournalError | None
_ARE_TEXT = {
    table.name: [kind is str for kind in table.columns.values()]
    for table in BATCH_TABLES
}
"""True for each column of text, by table."""


class RowsRefused(JournalError):
    """The database refuses these rows; the database itself is sound."""


class PreparedBatch(NamedTuple):
    """A batch and its rows by table, made once for the check and the write."""

    batch: StreamBatch
    rows: dict[str, Sequence[Row]]


def unwritable(each: PreparedBatch) -> Problem:
    """Return an error if no store can hold the batch, else None."""
    assert each.batch.events, "a batch without events"
    columns = chain.from_iterable(
        compress(zip(*rows, strict=True), _ARE_TEXT[name])
        for name, rows in each.rows.items()
    )
    if is_text("".join(chain.from_iterable(columns))):
        return None
    why = "its text has a NUL or half a character"
    return batch_refused(each.batch.stream, why)


def batch_refused(stream: str, reason: object) -> JournalError:
    """Return the error of a batch that was left out of a commit."""
    return JournalError(f"{stream!a} has a batch that can't be written: {reason}")
