"""Journals as files: JSON Lines, Parquet, and backups, which are journals themselves.

A path ending in `.jsonl` is JSON Lines, which rebuild a journal. Any other path is a
folder with a Parquet file for each table: the same records, for analysis. A file is
written beside its place and moved there when it is whole.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from croupier.journal.private_files import make_private
from croupier.journal.records import (
    BadExport,
    from_line,
    import_records,
    records,
    to_line,
)
from croupier.journal.store import JournalError, Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.verification import VerificationReport, verify

_JSON_LINES = ".jsonl"
_LONGEST_LINE = 1_000_000_000


def export_journal(store: Store, path: Path) -> None:
    """Write everything that rebuilds the journal."""
    with _beside(path) as unfinished, closing(records(store)) as given:
        if path.suffix == _JSON_LINES:
            _write_lines(unfinished, given)
        else:
            from croupier.journal.parquet import write_folder

            write_folder(unfinished, given)


def import_journal(store: Store, path: Path) -> VerificationReport:
    """Fill an empty journal from an export; all of it, verified, or nothing."""
    return import_records(store, read_export(path))


def backup_journal(store: Store, path: Path) -> VerificationReport:
    """Copy to an SQLite journal while others go on writing, and verify the copy."""
    with _beside(path) as unfinished:
        if isinstance(store, SqliteStore):
            store.backup_to(unfinished)
            with SqliteStore(unfinished) as copy:
                return verify(copy)
        with SqliteStore(unfinished) as copy:
            copy.commit_key = store.commit_key
            return _copy(store, copy)


def restore_journal(store: Store, path: Path) -> VerificationReport:
    with SqliteStore(path) as backup:
        return _copy(backup, store)


def _copy(source: Store, target: Store) -> VerificationReport:
    with closing(records(source)) as given:
        return import_records(target, given)


def _write_lines(path: Path, given: Iterable[msgspec.Struct]) -> None:
    make_private(path)
    with path.open("wb") as file:
        for record in given:
            file.write(to_line(record))


def read_export(path: Path) -> Iterator[msgspec.Struct]:
    """Yield the records of JSON Lines; raises `BadExport`."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                try:
                    yield from_line(line)
                except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                    raise BadExport(f"{path}, line {number}: {error}") from error
    except OSError as error:
        raise BadExport(f"{path}: {error.strerror}") from error


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Yield a path to write to, and move the file to `path` in the end.

    Overwrites nothing, and removes an unfinished file.
    """
    if path.exists():
        raise JournalError(f"{path} is there already")
    if not path.parent.is_dir():
        raise JournalError(f"{path}: there is no such folder")
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        _remove(unfinished)
        yield unfinished
        unfinished.rename(path)
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror}") from error
    finally:
        _remove(unfinished)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
