"""Journals as files: JSON Lines, Parquet, and backups, which are journals themselves.

A path ending in `.jsonl` is JSON Lines, one ending in `.parquet` is a Parquet file of
all tables; any other path is a folder with a Parquet file for each table. All of them
hold the same records. A file is written beside its place and moved there when whole.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
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

_JSON_LINES, _PARQUET = ".jsonl", ".parquet"
_LONGEST_LINE = 1_000_000_000


def export_journal(store: Store, path: Path) -> None:
    """Write everything that rebuilds the journal."""
    with _beside(path) as unfinished:
        write = _writer_for(path)
        with closing(records(store)) as given:
            write(unfinished, given)


def import_journal(store: Store, paths: Sequence[Path]) -> VerificationReport:
    """Fill an empty journal from an export; all of it, verified, or nothing."""
    return import_records(store, read_export(paths))


def backup_journal(store: Store, path: Path) -> VerificationReport:
    """Copy to an SQLite journal while others go on writing, and verify the copy."""
    with _beside(path) as unfinished:
        if isinstance(store, SqliteStore):
            store.backup_to(unfinished)
            with SqliteStore(unfinished) as copy:
                return verify(copy)
        with SqliteStore(unfinished) as copy:
            return _copy(store, copy)


def restore_journal(store: Store, path: Path) -> VerificationReport:
    """Fill an empty journal from a backup."""
    with SqliteStore(path) as backup:
        return _copy(backup, store)


def _copy(source: Store, target: Store) -> VerificationReport:
    with closing(records(source)) as given:
        return import_records(target, given)


def read_export(paths: Sequence[Path]) -> Iterator[msgspec.Struct]:
    """Return the records of an export; raises `BadExport` for what is none."""
    if len(paths) == 1 and paths[0].suffix == _JSON_LINES:
        return _read_lines(paths[0])
    from croupier.journal.parquet import read_parquet

    return read_parquet(paths)


def _writer_for(
    path: Path,
) -> Callable[[Path, Iterable[msgspec.Struct]], None]:
    if path.suffix == _JSON_LINES:
        return _write_lines
    from croupier.journal.parquet import write_folder, write_parquet

    return write_parquet if path.suffix == _PARQUET else write_folder


def _write_lines(path: Path, given: Iterable[msgspec.Struct]) -> None:
    make_private(path)
    with path.open("wb") as file:
        for record in given:
            file.write(to_line(record))


def _read_lines(path: Path) -> Iterator[msgspec.Struct]:
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
    """Yield a path to write to, and move it to `path` in the end.

    Nothing is overwritten, and what was not finished is removed.
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
