"""Checks that both databases can hold a value unchanged, and refusals of batches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress
from typing import NamedTuple

from croupier.journal.errors import JournalError
from croupier.journal.tables import BATCH_TABLES, Row, StreamBatch

Problem = JournalError | None
_LARGEST = 2**63 - 1
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
    is_text = _is_text("".join(chain.from_iterable(columns)))
    why = "its text has a NUL or half a character"
    return None if is_text else batch_refused(each.batch.stream, why)


def batch_refused(stream: str, reason: object) -> JournalError:
    """Return the error of a batch that was left out of a commit."""
    return JournalError(f"{stream!a} has a batch that can't be written: {reason}")


def is_writable(*values: str | int) -> bool:
    """Return whether both databases can hold the values unchanged.

    PostgreSQL refuses a NUL in a text and SQLite would take it: here both refuse it.
    """
    return all(
        _is_text(value)
        if isinstance(value, str)
        else -_LARGEST - 1 <= value <= _LARGEST
        for value in values
    )


def _is_text(text: str) -> bool:
    """Return whether the text has no NUL and no half of a surrogate pair."""
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
