"""PostgreSQL read and filled whole: for verification, export, import, signed heads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from types import TracebackType
from typing import Any, Self

import psycopg
from psycopg import sql

from croupier.journal.chain import digest
from croupier.journal.store import JournalError, JournalFailed, NotAJournal
from croupier.journal.stores.postgresql_append import append
from croupier.journal.stores.postgresql_connection import (
    Connection,
    PostgresConnection,
    in_a_sentence,
    query,
)
from croupier.journal.stores.sql_store import (
    STREAMS_OF,
    SqlStore,
    batch_refused,
    check_secret,
    is_writable,
    migration_scripts,
    unwritable,
    voucher_of,
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
_WHOLE = 0x43525551
"""The advisory lock of those who write whole journals or sign their heads."""


class WholePostgres:
    """The part of a `Store` that is no `Store`."""

    _writer: PostgresConnection
    _reader: PostgresConnection
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

    def rows_of(self, table: StoredTable, stream: str | None = None) -> Iterator[Row]:
        where: sql.Composable = sql.SQL("")
        if stream is not None:
            where = sql.SQL(" WHERE stream = {}").format(sql.Literal(stream))
        query = sql.SQL("SELECT {} FROM {}{} ORDER BY {}").format(
            _names(table.columns), sql.Identifier(table.name), where, _order(table)
        )
        return self._rows(query)

    def streams_of(self, table: StoredTable) -> Iterator[str]:
        rows = self._rows(sql.SQL(STREAMS_OF).format(sql.Identifier(table.name)))
        return (stream for (stream,) in rows)

    def _rows(self, query: sql.Composed) -> Iterator[Row]:
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


_MIGRATING = 0x43525550  # "CRUP": the advisory lock of those who migrate.
_RETURNED = ", ".join(VoucherRow._fields)
_CLAIM_STREAM = (
    "INSERT INTO streams VALUES (?, 1, 0, ?) ON CONFLICT (stream) DO UPDATE"
    " SET epoch = streams.epoch + 1 RETURNING epoch"
)
_CLAIM_VOUCHER = (
    "WITH writer AS MATERIALIZED ("  # noqa: S608
    "SELECT 1 FROM streams WHERE stream = ? AND epoch = ? FOR SHARE)"
    " UPDATE vouchers SET state = 'claimed', holder = ? WHERE code = ?"
    " AND state = 'outstanding' AND (?::bigint IS NULL OR EXISTS (TABLE writer))"
    f" RETURNING {_RETURNED}"
)
_DROP = "DELETE FROM secrets WHERE digest = ? RETURNING digest"
_KEEP = "INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING digest"
_PUBLISH = "INSERT INTO published_heads (signed) VALUES (?) RETURNING number"
_RELEASE = (
    "UPDATE vouchers SET state = 'outstanding', holder = ''"
    " WHERE holder = ? AND state = 'claimed' RETURNING code"
)


class PostgresStore(WholePostgres, SqlStore):
    """A journal in one schema of a database."""

    def __init__(self, dsn: str) -> None:
        """Connect, and make the journal where the schema is empty."""
        self._writer = PostgresConnection(dsn)
        try:
            with self._writer.using("opened") as connection:
                _migrate(connection)
            self._reader = PostgresConnection(dsn)
        except BaseException:
            self._writer.close()
            raise

    def _query(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """Where only the connection was lost, a statement alone is read once more."""
        try:
            with self._reading() as connection:
                return query(connection, sql, bindings)
        except JournalFailed:
            if self._moment or self._one_commit or not self._reader.is_lost:
                raise
        with self._reader.using("read") as connection:
            return query(connection, sql, bindings)

    def _write(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """One statement, committed."""
        with self._writer.using("written") as connection:
            return query(connection, sql, bindings)

    def claim_stream(self, stream: str) -> int:
        if not is_writable(stream):
            raise batch_refused(stream, "its name is no text")
        with self._writer.using("written") as connection:
            try:
                [(epoch,)] = query(connection, _CLAIM_STREAM, (stream, GENESIS))
            except psycopg.IntegrityError as error:
                raise batch_refused(stream, in_a_sentence(error)) from error
        assert isinstance(epoch, int)
        return epoch

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        outcomes = [unwritable(batch) for batch in batches]
        sound = [b for b, out in zip(batches, outcomes, strict=True) if out is None]
        with self._writer.using("written") as connection:
            written = iter(append(connection, sound))
        return [next(written) if out is None else out for out in outcomes]

    def claim_voucher(
        self, code: str, holder: str, epoch: int | None = None
    ) -> VoucherRow | None:
        if not is_writable(code, holder):
            return None
        rows = self._write(_CLAIM_VOUCHER, (holder, epoch, holder, code, epoch))
        return voucher_of(rows[0]) if rows else None

    def release_vouchers(self, holder: str) -> int:
        return len(self._write(_RELEASE, (holder,))) if is_writable(holder) else 0

    def publish_head(self, signed: str) -> None:
        if not is_writable(signed):
            raise batch_refused("published_heads", "its text is none")
        self._write(_PUBLISH, (signed,))

    def keep_secret(self, value: str) -> str:
        check_secret(value)
        key = digest(value)
        self._write(_KEEP, (key, value))
        return key

    def drop_secret(self, digest: str) -> None:
        if is_writable(digest):
            self._write(_DROP, (digest,))

    def close(self) -> None:
        self._writer.close()
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _migrate(connection: Connection) -> None:
    """The schema brought up to date, by one at a time; a foreign one is refused."""
    wanted = migration_scripts("postgresql")
    if _version(connection) < len(wanted):
        with connection.transaction():
            query(connection, "SELECT pg_advisory_xact_lock(?)", (_MIGRATING,))
            for script in wanted[_version(connection) :]:
                connection.execute(script)
            connection.execute(
                "UPDATE croupier_journal SET version = %s", [len(wanted)]
            )
    missing = TABLE_NAMES - _durable_tables(connection)
    if missing:
        raise NotAJournal(f"the database is damaged: it has no durable {min(missing)}")


def _version(connection: Connection) -> int:
    """How many scripts the schema has had; raises `NotAJournal` where it is foreign."""
    [(ours, others)] = query(
        connection,
        "SELECT count(*) FILTER (WHERE relname = 'croupier_journal'), count(*)"
        " FROM pg_class WHERE relnamespace = current_schema()::regnamespace",
    )
    if not ours and not others:
        return 0
    foreign = NotAJournal("the PostgreSQL database is not a journal of croupier")
    if not ours:
        raise foreign
    try:
        [(version,)] = query(connection, "SELECT version FROM croupier_journal")
    except (psycopg.ProgrammingError, ValueError) as error:
        raise foreign from error
    if not isinstance(version, int) or version < 1:
        raise foreign
    if version > len(migration_scripts("postgresql")):
        raise JournalError("the PostgreSQL database was written by a newer croupier")
    return version


def _durable_tables(connection: Connection) -> set[str]:
    rows = query(
        connection,
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence = 'p'"
        " AND relnamespace = current_schema()::regnamespace",
    )
    return {name for (name,) in rows}
