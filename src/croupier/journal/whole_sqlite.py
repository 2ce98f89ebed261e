"""SQLite read and filled whole: for verification, export, import and signed heads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from threading import RLock

import apsw

from croupier.journal.store import JournalFailed, NotAJournal
from croupier.journal.tables import Row, StoredTable

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

    def rows_of(self, table: StoredTable) -> Iterator[Row]:
        columns, order = ", ".join(table.columns), ", ".join(table.order)
        sql = f"SELECT {columns} FROM {table.name} ORDER BY {order}"  # noqa: S608
        try:
            cursor = self._connection.cursor().execute(sql)
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
