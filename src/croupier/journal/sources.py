"""Journals to read: in their database, or exported.

An export is loaded into a temporary journal without verification, so that damage can
be audited. A row that can't be loaded is a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import unique
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from croupier.errors import CroupierError
from croupier.journal.export import read_export
from croupier.journal.records import (
    END,
    FIELDS,
    BadExport,
    before_end,
    row_of,
    table_of,
)
from croupier.journal.store import JournalError, Store
from croupier.journal.stores import file_of, open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import TABLES, StoredTable
from croupier.rules.reasons import Reason, ReasonCode

_EXPORTS = frozenset({".jsonl", ".parquet"})
_PIECE = 10_000
_MOST_FAULTS = 1_000


@unique
class ExportFault(ReasonCode):
    """A part of an export that can't be loaded."""

    EXPORT_UNREADABLE = "{text}"
    ROW_NOT_LOADED = "a row of {table} ({row}) can't stand: {text}"
    MORE_ROWS_NOT_LOADED = "and {count} more rows can't be loaded"


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """An open journal, where others can open it too, and what it lost on the way."""

    store: Store
    address: str
    faults: tuple[Reason, ...] = ()
    """The parts of an export that could not be loaded."""


@contextmanager
def open_journal(source: str) -> Iterator[Store]:
    """Open the journal of a database or an export; raises `JournalError`."""
    with open_source(source) as opened:
        yield opened.store


@contextmanager
def open_source(source: str) -> Iterator[OpenedJournal]:
    """Open a journal with its address and its faults; raises `JournalError`."""
    if is_export(source):
        with TemporaryDirectory(prefix="croupier-audit-") as folder:
            path = Path(folder) / "export.db"
            with SqliteStore(path) as store:
                faults = _load_as_it_is(store, Path(source))
                yield OpenedJournal(store, f"sqlite:{path}", faults)
        return
    with open_store(source, create=False) as store:
        yield OpenedJournal(store, source)


def is_export(source: str) -> bool:
    """Return whether it is a file named as exports are, or a folder of them."""
    path = Path(source)
    return path.suffix.lower() in _EXPORTS or path.is_dir()


def _load_as_it_is(store: Store, path: Path) -> tuple[Reason, ...]:
    """Load everything that can be read and stored; return what can't."""
    if not path.exists():
        raise JournalError(f"{path}: there is no such export")
    faults = _Faults()
    given = _readable(read_export([path]), faults)
    loaded = 0
    for name, group in groupby(given, key=table_of):
        rows = (row_of(name, record) for record in group)
        while piece := list(islice(rows, _PIECE)):
            loaded += _load(store, TABLES[name], piece, faults)
    if not loaded and faults.told:
        first = str(faults.told[0])
        raise BadExport(first if str(path) in first else f"{path}: {first}")
    return (*faults.told, *faults.rest())


class _Faults:
    """The first thousand faults of an export, and how many more there are."""

    def __init__(self) -> None:
        self.told: list[Reason] = []
        self._more = 0

    def add(self, fault: Reason) -> None:
        if len(self.told) < _MOST_FAULTS:
            self.told.append(fault)
        else:
            self._more += 1

    def rest(self) -> tuple[Reason, ...]:
        return (
            (ExportFault.MORE_ROWS_NOT_LOADED(count=self._more),) if self._more else ()
        )


def _readable(
    given: Iterator[msgspec.Struct], faults: _Faults
) -> Iterator[msgspec.Struct]:
    """Return the records before the end, as far as they can be read."""
    try:
        yield from before_end(given, faults.add)
    except BadExport as error:
        faults.add(ExportFault.EXPORT_UNREADABLE(text=str(error)))


def _load(
    store: Store, table: StoredTable, piece: list[tuple[Any, ...]], faults: _Faults
) -> int:
    """Load rows, one by one if some are refused; return how many were loaded."""
    if _loaded(store, table, piece) is None:
        return len(piece)
    count = 0
    for row in piece:
        refusal = _loaded(store, table, [row])
        if refusal is None:
            count += 1
        else:
            faults.add(
                ExportFault.ROW_NOT_LOADED(
                    table=table.name, row=_shown(row), text=str(refusal)
                )
            )
    return count


def _loaded(
    store: Store, table: StoredTable, rows: Iterable[tuple[Any, ...]]
) -> JournalError | None:
    """Load the rows, or return why not: then none of them was."""
    try:
        with store.all_or_nothing():
            store.load(table, rows)
    except JournalError as error:
        return error
    return None


def _shown(row: tuple[Any, ...]) -> str:
    return " ".join(str(value)[:40] for value in row[:3])


_SQLITE = b"SQLite format 3\x00"
_PARQUET = ".parquet"
_LONGEST_LINE = 100_000


class SourceError(CroupierError):
    """The file can't be read; the message says why, in a sentence."""


def is_journal(source: str) -> bool:
    """Return whether it is a journal or an export of one; raises `SourceError`."""
    try:
        path = file_of(source)
    except JournalError:
        return False
    if path is None or str(path) != source or path.is_dir():
        return True
    if path.suffix.lower() == _PARQUET:
        return FIELDS[END].keys() <= set(_parquet_columns(path))
    if path.suffix.lower() == ".jsonl":
        return b'"outcome"' not in _first_line(path)
    return _first_line(path).startswith(_SQLITE)


def _first_line(path: Path) -> bytes:
    with _file_told(path), path.open("rb") as file:
        return file.readline(_LONGEST_LINE)


@contextmanager
def _file_told(path: Path) -> Iterator[None]:
    """Turn an error of the disk into a sentence."""
    try:
        yield
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def _parquet_columns(path: Path) -> list[str]:
    """Return the names of a Parquet file's columns."""
    with _parquet_told(path) as pq:
        return list(pq.read_schema(path).names)


@contextmanager
def _parquet_told(path: Path) -> Iterator[Any]:
    """Return the Parquet reader, and turn its errors into sentences."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError as error:
        raise SourceError(
            "Parquet needs pyarrow: pip install 'croupier[parquet]'"
        ) from error
    with _file_told(path):
        try:
            yield pq
        except pa.ArrowException as error:
            raise SourceError(f"{path} is no whole Parquet file") from error
