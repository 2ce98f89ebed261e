"""The embedded store: SQLite by apsw, WAL and synchronous=FULL, or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import chain, islice
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import Any

import apsw

from croupier.journal.private_files import make_private
from croupier.journal.store import (
    NUMBERED,
    UPSERTS,
    DiskFull,
    JournalError,
    JournalFailed,
    JournalReplaced,
    NotAJournal,
    Store,
    WriterConflict,
    migration_scripts,
)
from croupier.journal.tables import (
    BATCH_TABLES,
    TABLE_NAMES,
    TABLES,
    Row,
    StoredTable,
)
from croupier.journal.writable_rows import PreparedBatch, Problem, RowsRefused

_PIECE = 1_000
_APPLICATION_ID = 0x43525550  # "CRUP"
_OLDEST_SQLITE = 3_051_003
"""Before it, a WAL reset could corrupt the file."""
_FULL = 2
_IN_MEMORY = ":memory:"
_BUSY_MS = 10_000
_CACHED_KIB = 16 * 1024
_LOGGED_PAGES = 4_000
"""Fifty tables change some 800 pages a commit. By default SQLite caches 500 of them and
copies the log into the file after 1,000 pages, at every other commit."""
_LONGEST_LOG = 64 * 1024 * 1024
"""Bytes: a log that grew under a long reader is cut to this once the reader is gone."""
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""SQLite itself calls only the first of them a full disk."""
_STANDING = (
    "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)"
    " FROM pragma_application_id, pragma_user_version"
)
"""One statement, because another process may be creating the journal just now."""
_TABLE_NAMES = "SELECT name FROM sqlite_schema WHERE type = 'table'"
_REFUSALS = (apsw.ConstraintError, apsw.TooBigError, OverflowError)


def _insert(table: StoredTable, count: int) -> str:
    row = f"({', '.join('?' * len(table.columns))})"
    rows = ", ".join([row] * count)
    return f"INSERT INTO {table.name} VALUES {rows}{UPSERTS.get(table.name, '')}"  # noqa: S608


_COUNTS = (256, 64, 16, 4, 1)
"""The rows of one statement, many or few: a call of the library costs as much as a row,
and other threads may run between two calls."""
_INSERTS = {
    table.name: [(count, _insert(table, count)) for count in _COUNTS]
    for table in BATCH_TABLES
}
_END = "(?, ?, ?, ?, ?)"
_ENDS = [
    (
        count,
        f"INSERT INTO streams VALUES {', '.join([_END] * count)}"  # noqa: S608
        " ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence,"
        " hash = excluded.hash, mac = excluded.mac",
    )
    for count in _COUNTS
]
_STANDINGS = [
    (
        count,
        "SELECT stream, epoch, sequence FROM streams"  # noqa: S608
        f" WHERE stream IN ({', '.join('?' * count)})",
    )
    for count in _COUNTS
]


class SqliteStore(Store):
    """A journal in one file."""

    # Without statistics, SQLite would walk through a stream by its primary key.
    _BY_INDEX = " INDEXED BY {}"
    _is_one_commit = False

    def __init__(self, path: str | Path, *, vfs: str | None = None) -> None:
        """Open the file, or make it; `vfs` names another way to the disk."""
        if apsw.SQLITE_VERSION_NUMBER < _OLDEST_SQLITE:
            raise JournalError(
                f"SQLite {apsw.sqlite_lib_version()} can damage a journal; 3.51.3 or"
                " later is needed"
            )
        self._lock = RLock()
        self._path = Path(path).absolute()
        self._identity: Mapping[str, os.stat_result] = {}
        """The journal, its log and its locks as they were opened, by their path."""
        unfinished = any(Path(f"{path}{e}").exists() for e in ("-wal", "-journal"))
        with suppress(OSError):  # SQLite's own message is better
            if str(path) != _IN_MEMORY and not self._path.exists():
                make_private(path)  # SQLite copies the mode for its log
        with _opening(str(path)):
            self._connection = apsw.Connection(str(path), vfs=vfs)
            try:
                # A file that is not known to be ours keeps its WAL unchanged.
                self._keep_wal_when_closed(unfinished)
                if not unfinished:
                    self._expect_whole_pages(Path(path))
                self._prepare(str(path))
                self._keep_wal_when_closed(False)
                self._identity = self._opened_files()
            except BaseException:
                self._connection.close()
                raise

    def _opened_files(self) -> Mapping[str, os.stat_result]:
        """Return the journal, its log and its locks, which lie beside the real file."""
        real = self._path.resolve()
        files = (self._path, Path(f"{real}-wal"), Path(f"{real}-shm"))
        return {str(file): file.stat() for file in files if file.exists()}

    @property
    def locks(self) -> str:
        """The id of SQLite's lock file; processes with another see no locks of ours."""
        opened = self._identity.get(f"{self._path.resolve()}-shm")
        return "" if opened is None else f"{opened.st_dev}:{opened.st_ino}"

    def _expect_whole_pages(self, path: Path) -> None:
        """Refuse a file whose last page is cut: SQLite itself overlooks it."""
        size = path.stat().st_size if path.is_file() else 0
        if size % self._value("PRAGMA page_size"):
            raise NotAJournal(f"{path} is not a journal of croupier, or is cut short")

    def _prepare(self, path: str) -> None:
        self._connection.set_busy_timeout(_BUSY_MS)
        self._judge(path)
        self._make_durable(path)
        self._migrate()
        missing = TABLE_NAMES - {name for (name,) in self._run(_TABLE_NAMES)}
        if missing:
            raise NotAJournal(f"{path} is damaged: it has no {min(missing)}")
        self._run(f"PRAGMA cache_size = {-_CACHED_KIB}")
        self._run(f"PRAGMA wal_autocheckpoint = {_LOGGED_PAGES}")
        self._run(f"PRAGMA journal_size_limit = {_LONGEST_LOG}")
        self._run("PRAGMA secure_delete = ON")  # erases replaced passwords

    def _keep_wal_when_closed(self, wanted: bool) -> None:
        self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, wanted)

    def _judge(self, path: str) -> None:
        """Refuse a database that is no journal, is newer, or can't be written."""
        standing: tuple[Any, ...] = self._run(_STANDING).fetchall()[0]
        application, version, tables = standing
        if tables:
            ours = application == _APPLICATION_ID and version > 0
        else:
            ours = application == version == 0
        if not ours:
            raise NotAJournal(f"{path} is not a journal of croupier")
        if version > len(migration_scripts("sqlite")):
            raise JournalError(f"{path} was written by a newer croupier")
        if self._connection.readonly("main"):
            raise JournalError(f"{path} can't be written: it is read-only")

    def _make_durable(self, path: str) -> None:
        mode = self._write_ahead()
        self._run(f"PRAGMA synchronous = {_FULL}")
        self._run("PRAGMA fullfsync = ON")
        self._run("PRAGMA foreign_keys = ON")
        if mode != "wal" or self._value("PRAGMA synchronous") != _FULL:
            raise JournalError(
                f"{path} can't be written durably: it needs WAL and synchronous=FULL"
            )

    def _write_ahead(self) -> Any:
        """Turn WAL on; wait while another process does so, because SQLite does not."""
        end = monotonic() + _BUSY_MS / 1_000
        while True:
            try:
                return self._value("PRAGMA journal_mode = WAL")
            except apsw.BusyError:
                if monotonic() > end:
                    raise
            sleep(0.01)

    def _migrate(self) -> None:
        wanted = migration_scripts("sqlite")
        if self._value("PRAGMA user_version") == len(wanted):
            return
        with self._transaction():
            version = self._value("PRAGMA user_version")
            for script in wanted[version:]:
                self._run(script)
            self._run(f"PRAGMA application_id = {_APPLICATION_ID}")
            self._run(f"PRAGMA user_version = {len(wanted)}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Make one commit, or none of it if anything in it fails."""
        with self._lock:
            self._run("BEGIN IMMEDIATE")
            try:
                yield
                self._run("COMMIT")
                self.check_identity()  # the file may have been replaced
            except BaseException:
                if not self._connection.get_autocommit():
                    self._run("ROLLBACK")
                raise

    @contextmanager
    def _commit(self) -> Iterator[None]:
        """Make one commit, or raise `JournalFailed`."""
        try:
            with self._transaction():
                yield
        except (apsw.Error, MemoryError) as error:
            is_full = isinstance(error, apsw.FullError) or (
                isinstance(error, apsw.IOError)
                and self._connection.system_errno in _NO_ROOM
            )
            said = "the journal can't be written"
            if is_full:
                raise DiskFull(f"{said}: disk full ({error})") from error
            raise JournalFailed(f"{said}: {_one_line(error)}") from error

    def _run(self, sql: str, bindings: Sequence[Any] = ()) -> apsw.Cursor:
        return self._connection.execute(sql, bindings)

    def _value(self, sql: str) -> Any:
        with self._lock:
            return self._run(sql).get

    def _query(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        try:
            with self._lock:
                return self._run(sql, bindings).fetchall()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise JournalFailed(
                f"the journal can't be read: {_one_line(error)}"
            ) from error

    def _write(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        commit = nullcontext() if self._is_one_commit else self._commit()
        with commit, _rows_refused():
            return self._run(sql, bindings).fetchall()

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        self._run("SAVEPOINT batch")
        try:
            yield
        except RowsRefused:
            self._run("ROLLBACK TO batch")
            self._run("RELEASE batch")
            raise
        self._run("RELEASE batch")

    def _append_group(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        """Write the rows of all tables together, then the end of each stream."""
        streams = {each.batch.stream for each in group}
        found = self._run_for(_STANDINGS, [(stream,) for stream in streams])
        standing = {
            stream: (epoch, sequence)
            for rows in found
            for stream, epoch, sequence in rows
        }
        ends: dict[str, Row] = {}
        sound: list[PreparedBatch] = []
        problems: list[Problem] = []
        for each in group:
            stream, last = each.batch.stream, each.batch.events[-1]
            if standing.get(stream) != (each.batch.epoch, each.batch.after):
                problems.append(WriterConflict(stream))
                continue
            standing[stream] = each.batch.epoch, last.sequence
            mac = self.mac_of(stream, last.sequence, last.hash)
            epoch, sequence = each.batch.epoch, last.sequence
            ends[stream] = (stream, epoch, sequence, last.hash, mac)
            sound.append(each)
            problems.append(None)
        with _rows_refused():
            for table in BATCH_TABLES:
                rows = [row for b in sound for row in b.rows[table.name]]
                self._run_for(_INSERTS[table.name], rows)
            self._run_for(_ENDS, list(ends.values()))
        return problems

    def _run_for(
        self, statements: Sequence[tuple[int, str]], rows: Sequence[Row]
    ) -> list[apsw.Cursor]:
        """Run the statement for the most rows that fit, until none are left."""
        found: list[apsw.Cursor] = []
        place, left = 0, len(rows)
        for count, sql in statements if rows else ():
            while left >= count:
                some = chain.from_iterable(rows[place : place + count])
                found.append(self._connection.execute(sql, tuple(some)))
                place, left = place + count, left - count
        return found

    def lacks_standby(self) -> bool:
        return False  # a file has no server

    def check_identity(self) -> None:
        for name, opened in self._identity.items():
            try:
                is_same = os.path.samestat(os.stat(name), opened)  # noqa: PTH116
            except OSError:
                is_same = False
            if not is_same:
                raise JournalReplaced(f"{name} was deleted, moved or replaced")

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read as of one moment; this store's own writers wait, others do not."""
        with self._lock:
            if self._is_one_commit:
                yield
                return
            try:
                self._connection.execute("BEGIN")
                self._connection.execute("SELECT 1 FROM streams").fetchone()
                yield
            except apsw.Error as error:
                raise JournalFailed(f"the journal can't be read: {error}") from error
            finally:
                if not self._connection.get_autocommit():
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        self._expect_writable()
        with self._commit():
            self._is_one_commit = True
            try:
                yield
            finally:
                self._is_one_commit = False

    def _rows(self, sql: str, bindings: Sequence[Any]) -> Iterator[Row]:
        try:
            cursor = self._connection.cursor().execute(sql, bindings)
            while piece := list(islice(cursor, _PIECE)):
                yield from piece
        except (apsw.Error, UnicodeDecodeError) as error:
            raise NotAJournal(f"it can't be read: {_one_line(error)}") from error

    def number_entries(self, rows: Sequence[tuple[int, str, str, int]]) -> int:
        assert self._is_one_commit
        before = self._connection.total_changes()
        with _rows_refused():
            self._connection.executemany(NUMBERED, rows)
        return self._connection.total_changes() - before

    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        self._insert("INSERT", table, rows)

    def put(self, table: StoredTable, rows: Iterable[Row]) -> None:
        """Insert rows, each instead of one with its key; inside `all_or_nothing`."""
        with _rows_refused():
            self._insert("REPLACE", table, rows)

    def _insert(self, verb: str, table: StoredTable, rows: Iterable[Row]) -> None:
        assert self._is_one_commit
        names = ", ".join(table.written)
        places = ", ".join("?" for _ in table.written)
        sql = f"{verb} INTO {table.name} ({names}) VALUES ({places})"
        self._connection.executemany(sql, rows)

    def damage(self) -> Iterator[str]:
        try:
            for (line,) in self._connection.execute("PRAGMA integrity_check"):
                if line != "ok":
                    yield str(line)
        except apsw.Error as error:
            yield str(error)

    def backup_to(self, path: str | Path) -> None:
        """Write a copy without the secrets, while others go on writing."""
        SqliteStore(path).close()
        with self._lock:
            self._run("ATTACH ? AS copy", (str(path),))
            try:
                with self.at_one_moment():
                    for name in TABLES:
                        self._run(f"INSERT INTO copy.{name} SELECT * FROM main.{name}")  # noqa: S608
                    self._run("COMMIT")
            finally:
                self._run("DETACH copy")

    def close(self) -> None:
        with self._lock:
            try:
                self.check_identity()
            except JournalReplaced:  # the log may be another process's by now
                self._keep_wal_when_closed(True)
            self._identity = {}
            self._connection.close()


@contextmanager
def _rows_refused() -> Iterator[None]:
    try:
        yield
    except _REFUSALS as error:
        raise RowsRefused(str(error)) from error


def _one_line(error: Exception) -> str:
    """Return an error in one line; SQLite quotes damaged SQL as it finds it."""
    return " ".join(str(error).split())


@contextmanager
def _opening(path: str) -> Iterator[None]:
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise NotAJournal(
            f"{path} is not a journal of croupier, or is damaged: {_one_line(error)}"
        ) from error
    except apsw.Error as error:
        raise JournalError(f"{path} can't be opened: {_one_line(error)}") from error
