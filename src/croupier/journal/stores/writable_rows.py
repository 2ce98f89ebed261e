"""Rows that both databases can hold unchanged, and batches refused for others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress
from typing import NamedTuple

from croupier.journal.store import JournalError
from croupier.journal.tables import BATCH_TABLES, Row, StreamBatch

Problem = JournalError | None
_LARGEST = 2**63 - 1
_ARE_TEXT = {
    table.name: [kind is str for kind in table.columns.values()]
    for table in BATCH_TABLES
}
"""Which columns of a row are text, by table."""


class RowsRefused(JournalError):
    """The database holds rows like these for wrong; nothing is wrong with itself."""


class PreparedBatch(NamedTuple):
    """A batch with its rows, made once for checking and writing them."""

    batch: StreamBatch
    rows: dict[str, Sequence[Row]]


def unwritable(each: PreparedBatch) -> Problem:
    """Return why a batch can't be written to any store, or None."""
    assert each.batch.events, "a batch without events"
    columns = chain.from_iterable(
        compress(zip(*rows, strict=True), _ARE_TEXT[name])
        for name, rows in each.rows.items()
    )
    is_text = _is_text("".join(chain.from_iterable(columns)))
    return None if is_text else batch_refused(each.batch.stream, "its text is none")


def batch_refused(stream: str, reason: object) -> JournalError:
    """Return why a batch was left out; the others of its commit were not."""
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
    """Return whether it is text without NUL or half a character."""
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
