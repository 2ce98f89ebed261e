"""SQLite read and filled whole: for verification, export, import and signed heads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self

import apsw

from croupier.journal.chain import digest
from croupier.journal.store import (
    JournalError,
    JournalFailed,
    NotAJournal,
    WriterConflict,
)
from croupier.journal.stores.sql_store import (
    STREAMS_OF,
    SqlStore,
    batch_refused,
    check_secret,
    is_writable,
    migration_scripts,
    unwritable,
)
from croupier.journal.tables import (
    GENESIS,
    TABLE_NAMES,
    Row,
    StoredTable,
    StreamBatch,
    VoucherRow,
)

_PIECE = 1_000


class WholeSqlite(ABC):
    """The part of a `Store` that is no `Store`."""

    _lock: RLock
    _connection: apsw.Connection
    _is_one_commit = False

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[None]: ...

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Reads of one moment; this store's own writers wait, others do not."""
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
        try:
            with self._transaction():
                self._is_one_commit = True
                try:
                    yield
                finally:
                    self._is_one_commit = False
        except apsw.Error as error:
            raise JournalFailed(f"the journal can't be written: {error}") from error

    def rows_of(self, table: StoredTable, stream: str | None = None) -> Iterator[Row]:
        columns, order = ", ".join(table.columns), ", ".join(table.order)
        where = "" if stream is None else " WHERE stream = ?"
        bindings = () if stream is None else (stream,)
        sql = f"SELECT {columns} FROM {table.name}{where} ORDER BY {order}"  # noqa: S608
        return self._rows(sql, bindings)

    def streams_of(self, table: StoredTable) -> Iterator[str]:
        return (stream for (stream,) in self._rows(STREAMS_OF.format(table.name)))

    def _rows(self, sql: str, bindings: tuple[str, ...] = ()) -> Iterator[Row]:
        try:
            cursor = self._connection.cursor().execute(sql, bindings)
            while piece := list(islice(cursor, _PIECE)):
                yield from piece
        except (apsw.Error, UnicodeDecodeError) as error:
            raise NotAJournal(f"it can't be read: {error}") from error

    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        assert self._is_one_commit
        names = ", ".join(table.written)
        places = ", ".join("?" for _ in table.written)
        sql = f"INSERT INTO {table.name} ({names}) VALUES ({places})"  # noqa: S608
        self._connection.executemany(sql, rows)

    def damage(self) -> Iterator[str]:
        try:
            for (line,) in self._connection.execute("PRAGMA integrity_check"):
                if line != "ok":
                    yield str(line)
        except apsw.Error as error:
            yield str(error)


APPLICATION_ID = 0x43525550  # "CRUP"
_OLDEST_SQLITE = 3_051_003
"""Before it, a WAL reset could corrupt the file."""
_FULL = 2
_BUSY_MS = 10_000
_STANDING = (
    "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)"
    " FROM pragma_application_id, pragma_user_version"
)
"""In one statement, because another process may be making the journal just now."""
_TABLE_NAMES = "SELECT name FROM sqlite_schema WHERE type = 'table'"
_REFUSALS = (apsw.ConstraintError, apsw.TooBigError, OverflowError)


class _Refused(Exception):
    """The database holds rows like these for wrong; nothing is wrong with itself."""


class SqliteStore(WholeSqlite, SqlStore):
    """A journal in one file."""

    # Without statistics, SQLite would walk through a stream by its primary key.
    _BY_SETTLED = " INDEXED BY events_settled"

    def __init__(self, path: str | Path, *, vfs: str | None = None) -> None:
        """Open the file, or make it; `vfs` names another way to the disk."""
        if apsw.SQLITE_VERSION_NUMBER < _OLDEST_SQLITE:
            raise JournalError(
                f"SQLite {apsw.sqlite_lib_version()} can damage a journal; 3.51.3 or"
                " later is needed"
            )
        self._lock = RLock()
        unfinished = any(Path(f"{path}{e}").exists() for e in ("-wal", "-journal"))
        with _opening(str(path)):
            self._connection = apsw.Connection(str(path), vfs=vfs)
            try:
                # Until it is known to be ours, another's WAL stays as it was found.
                self._keep_wal_when_closed(unfinished)
                if not unfinished:
                    self._expect_whole_pages(Path(path))
                self._prepare(str(path))
                self._keep_wal_when_closed(False)
            except BaseException:
                self._connection.close()
                raise

    def _expect_whole_pages(self, path: Path) -> None:
        """SQLite itself overlooks that the end of the last page is missing."""
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

    def _keep_wal_when_closed(self, wanted: bool) -> None:
        self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, wanted)

    def _judge(self, path: str) -> None:
        """Refuse what is not ours to write."""
        standing: tuple[Any, ...] = self._run(_STANDING).fetchall()[0]
        application, version, tables = standing
        if tables:
            ours = application == APPLICATION_ID and version > 0
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
        """SQLite itself does not wait for others who do the same just now."""
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
            self._run(f"PRAGMA application_id = {APPLICATION_ID}")
            self._run(f"PRAGMA user_version = {len(wanted)}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """One commit; whatever fails in it, nothing of it is there afterwards."""
        with self._lock:
            self._run("BEGIN IMMEDIATE")
            try:
                yield
                self._run("COMMIT")
            except BaseException:
                if not self._connection.get_autocommit():
                    self._run("ROLLBACK")
                raise

    @contextmanager
    def _written(self) -> Iterator[None]:
        """One commit, or `JournalFailed`."""
        try:
            with self._transaction():
                yield
        except (apsw.Error, MemoryError) as error:
            raise JournalFailed(f"the journal can't be written: {error}") from error

    def _run(self, sql: str, bindings: Sequence[Any] = ()) -> apsw.Cursor:
        return self._connection.execute(sql, bindings)

    def _value(self, sql: str) -> Any:
        with self._lock:
            return self._run(sql).get

    def _query(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        try:
            with self._lock:
                return self._run(sql, bindings).fetchall()
        except apsw.Error as error:
            raise JournalFailed(f"the journal can't be read: {error}") from error

    def claim_stream(self, stream: str) -> int:
        if not is_writable(stream):
            raise batch_refused(stream, "its name is no text")
        with self._written():
            try:
                row = self._run(
                    "INSERT INTO streams VALUES (?, 1, 0, ?) ON CONFLICT DO UPDATE"
                    " SET epoch = epoch + 1 RETURNING epoch",
                    (stream, GENESIS),
                ).fetchall()
            except apsw.ConstraintError as error:
                raise batch_refused(stream, error) from error
        epoch = row[0][0]
        assert isinstance(epoch, int)
        return epoch

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        try:
            with self._written():
                return [unwritable(each) or self._append_one(each) for each in batches]
        except _Refused:
            return self._append_apart(batches)

    def _append_apart(
        self, batches: Sequence[StreamBatch]
    ) -> list[JournalError | None]:
        """In one commit, but what the database refuses of one batch harms no other."""
        outcomes: list[JournalError | None] = []
        with self._written():
            for batch in batches:
                self._run("SAVEPOINT batch")
                try:
                    outcomes.append(unwritable(batch) or self._append_one(batch))
                except _Refused as error:
                    self._run("ROLLBACK TO batch")
                    outcomes.append(batch_refused(batch.stream, error))
                self._run("RELEASE batch")
        return outcomes

    def _append_one(self, batch: StreamBatch) -> JournalError | None:
        standing = self._run(
            "SELECT epoch, sequence FROM streams WHERE stream = ?", (batch.stream,)
        ).fetchone()
        if standing != (batch.epoch, batch.after):
            return WriterConflict(f"{batch.stream} is written by somebody else now")
        try:
            self._insert(batch)
        except _REFUSALS as error:
            raise _Refused(str(error)) from error
        return None

    def _insert(self, batch: StreamBatch) -> None:
        stream, many = batch.stream, self._connection.executemany
        many("INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?)", batch.events)
        many(
            "INSERT INTO entries VALUES (?,?,?,?,?)",
            (
                (stream, sequence, line, account, cents)
                for sequence, line, (account, cents) in batch.entries
            ),
        )
        many(
            "INSERT INTO answers VALUES (?,?,?,?)",
            ((stream, *answer) for answer in batch.answers),
        )
        many(
            "INSERT INTO balances VALUES (?,?,?)"
            " ON CONFLICT DO UPDATE SET cents = excluded.cents",
            ((stream, *balance) for balance in batch.balances),
        )
        many(
            "INSERT INTO vouchers VALUES (?,?,?,?,?,?) ON CONFLICT DO UPDATE"
            " SET state = excluded.state, holder = excluded.holder",
            (
                (row.code, row.cents, row.state.value, *row[3:])
                for row in batch.vouchers
            ),
        )
        if batch.snapshot is not None:
            self._run("INSERT INTO snapshots VALUES (?,?,?,?)", batch.snapshot)
        last = batch.events[-1]
        self._run(
            "UPDATE streams SET sequence = ?, hash = ? WHERE stream = ?",
            (last.sequence, last.hash, stream),
        )

    def claim_voucher(
        self, code: str, holder: str, epoch: int | None = None
    ) -> VoucherRow | None:
        if not is_writable(code, holder):
            return None
        with self._written():
            claimed = self._run(
                "UPDATE vouchers SET state = 'claimed', holder = ?"
                " WHERE code = ? AND state = 'outstanding' AND (? IS NULL OR EXISTS"
                " (SELECT 1 FROM streams WHERE stream = ? AND epoch = ?))"
                " RETURNING code",
                (holder, code, epoch, holder, epoch),
            ).fetchall()
        return self.voucher(code) if claimed else None

    def release_vouchers(self, holder: str) -> int:
        if not is_writable(holder):
            return 0
        with self._written():
            self._run(
                "UPDATE vouchers SET state = 'outstanding', holder = ''"
                " WHERE holder = ? AND state = 'claimed'",
                (holder,),
            )
            return self._connection.changes()

    def publish_head(self, signed: str) -> None:
        if not is_writable(signed):
            raise batch_refused("published_heads", "its text is none")
        with self._written():
            self._run("INSERT INTO published_heads (signed) VALUES (?)", (signed,))

    def keep_secret(self, value: str) -> str:
        check_secret(value)
        key = digest(value)
        with self._written():
            # Not OR IGNORE: what a CHECK refuses must not pass for kept.
            self._run(
                "INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING", (key, value)
            )
        return key

    def drop_secret(self, digest: str) -> None:
        if not is_writable(digest):
            return
        with self._written():
            self._run("DELETE FROM secrets WHERE digest = ?", (digest,))

    def backup_to(self, path: str | Path) -> None:
        """A whole copy, made while others go on writing."""
        target = apsw.Connection(str(path))
        try:
            with target.backup("main", self._connection, "main") as backup:
                while not backup.done:
                    backup.step(1_000)
        finally:
            target.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@contextmanager
def _opening(path: str) -> Iterator[None]:
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise NotAJournal(
            f"{path} is not a journal of croupier, or is damaged: {error}"
        ) from error
    except apsw.Error as error:
        raise JournalError(f"{path} can't be opened: {error}") from error
