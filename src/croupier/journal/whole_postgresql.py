"""PostgreSQL read and filled whole: for verification, export, import, signed heads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count

import psycopg
from psycopg import sql

from croupier.journal.postgresql_session import Connection, Session, in_a_sentence
from croupier.journal.store import NotAJournal
from croupier.journal.tables import Row, StoredTable

_PIECE = 1_000
_WHOLE = 0x43525551
"""The advisory lock of those who write whole journals or sign their heads."""


class WholePostgres:
    """The part of a `Store` that is no `Store`."""

    _writer: Session
    _reader: Session
    _moment: Connection | None = None
    """Where rows are read from now."""
    _one_commit: Connection | None = None
    _cursors = count()

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Reads of one moment; nobody waits."""
        if self._one_commit is not None:
            yield
            return
        with self._reader.using("read") as connection, connection.transaction():
            connection.execute(
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
            )
            self._moment = connection
            try:
                yield
            finally:
                self._moment = None

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        with self._writer.using("written") as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_WHOLE,))
            self._one_commit = connection
            try:
                yield
            finally:
                self._one_commit = None

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """The connection that sees what is being written whole, or any."""
        session = self._reader if self._one_commit is None else self._writer
        with session.using("read") as connection:
            yield connection

    def rows_of(self, table: StoredTable) -> Iterator[Row]:
        query = sql.SQL("SELECT {} FROM {} ORDER BY {}").format(
            _names(table.columns), sql.Identifier(table.name), _order(table)
        )
        connection = self._one_commit or self._moment
        assert connection is not None
        name = f"rows_{next(self._cursors)}"
        try:
            with connection.cursor(name=name) as cursor:
                cursor.itersize = _PIECE
                yield from cursor.execute(query)
        except psycopg.Error as error:
            raise NotAJournal(f"it can't be read: {in_a_sentence(error)}") from error

    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        assert self._one_commit is not None
        query = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table.name), _names(table.written)
        )
        with self._one_commit.cursor() as cursor, cursor.copy(query) as copy:
            for row in rows:
                copy.write_row(row)

    def damage(self) -> Iterator[str]:
        """The server does not say; it refuses to read a page that is broken."""
        return iter(())


def _names(columns: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _order(table: StoredTable) -> sql.Composed:
    """By code points, whatever the language of the database."""
    return sql.SQL(", ").join(
        sql.SQL('{} COLLATE "C"').format(sql.Identifier(name))
        if table.columns[name] is str
        else sql.Identifier(name)
        for name in table.order
    )
