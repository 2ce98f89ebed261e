"""Opens a journal to read it, in its database or from an export.

An export is loaded into a temporary journal without verification, so that damage can
be audited. A row that can't be loaded is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import unique
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from croupier.journal.export import read_export
from croupier.journal.records import BadExport, before_end, pieces
from croupier.journal.store import JournalError, Store
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import Row, StoredTable
from croupier.rules.reasons import Reason, ReasonCode

_JSON_LINES = ".jsonl"
Report = Callable[[Reason], None]


@unique
class ExportFault(ReasonCode):
    """A part of an export that can't be loaded."""

    EXPORT_UNREADABLE = "{text}"
    ROW_NOT_LOADED = "a row of {table} ({row}) can't be loaded: {text}"


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """An open journal, and its address for others."""

    store: Store
    address: str


@contextmanager
def open_journal(source: str) -> Iterator[Store]:
    """Open the journal of a database or an export; raises `JournalError`."""
    with open_source(source) as opened:
        yield opened.store


@contextmanager
def open_source(
    source: str, report: Report = lambda _: None
) -> Iterator[OpenedJournal]:
    """Open a journal; report the parts of an export that can't be loaded."""
    if source.lower().endswith(_JSON_LINES):
        with TemporaryDirectory(prefix="croupier-audit-") as folder:
            path = Path(folder) / "export.db"
            with SqliteStore(path) as store:
                _load_as_it_is(store, Path(source), report)
                yield OpenedJournal(store, f"sqlite:{path}")
        return
    with open_store(source, create=False) as store:
        yield OpenedJournal(store, source)


def _load_as_it_is(store: Store, path: Path, report: Report) -> None:
    """Load everything that can be read and stored; report the rest."""
    if not path.exists():
        raise JournalError(f"{path}: there is no such export")
    first: list[Reason] = []

    def note(fault: Reason) -> None:
        first.extend([] if first else [fault])
        report(fault)

    given = pieces(_readable(read_export(path), note))
    loaded = sum(_load(store, table, rows, note) for table, rows in given)
    if not loaded and first:
        said = str(first[0])
        raise BadExport(said if str(path) in said else f"{path}: {said}")


def _readable(
    given: Iterator[msgspec.Struct], report: Report
) -> Iterator[msgspec.Struct]:
    """Return the records before the end, as far as they can be read."""
    try:
        yield from before_end(given, report)
    except BadExport as error:
        report(ExportFault.EXPORT_UNREADABLE(text=str(error)))


def _load(store: Store, table: StoredTable, rows: list[Row], report: Report) -> int:
    """Load rows, one by one if some are refused; return how many were loaded."""
    try:
        with store.all_or_nothing():
            store.load(table, rows)
    except JournalError as error:
        if len(rows) > 1:
            return sum(_load(store, table, [row], report) for row in rows)
        shown = " ".join(str(value)[:40] for value in rows[0][:3])
        fault = ExportFault.ROW_NOT_LOADED
        report(fault(table=table.name, row=shown, text=str(error)))
        return 0
    return len(rows)
