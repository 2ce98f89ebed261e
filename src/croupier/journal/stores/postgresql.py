"""The store for many nodes: PostgreSQL by psycopg, durable or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from itertools import count
from typing import Any

import psycopg
from psycopg import sql

from croupier.journal.store import (
    NUMBERED,
    JournalError,
    JournalFailed,
    JournalReplaced,
    NoSuchJournal,
    NotAJournal,
    ServerAway,
    Store,
    migration_scripts,
)
from croupier.journal.stores.postgresql_acknowledged import Acknowledged
from croupier.journal.stores.postgresql_append import append_group, independent
from croupier.journal.stores.postgresql_connection import PostgresConnection
from croupier.journal.stores.postgresql_servers import (
    Connection,
    has_standby,
    in_a_sentence,
    query,
    rows_refused,
    take_as_long_as_it_takes,
)
from croupier.journal.tables import TABLE_NAMES, Row, StoredTable, StreamBatch
from croupier.journal.writable_rows import PreparedBatch, Problem

_PIECE = 1_000
_WHOLE = 0x43525551
"""The advisory lock for writing a whole journal or signing its heads."""
_MIGRATING = 0x43525550  # "CRUP": the advisory lock for migrations.
_MAY_ACT_AS_OWNER = (
    "SELECT pg_has_role(role.oid, events.relowner, 'MEMBER')"
    " FROM pg_roles role, pg_class events"
    " WHERE rolname = {} AND events.oid = to_regclass('events')"
)


class PostgresStore(Store):
    """A journal in one schema of a database."""

    _BY_CODE_POINTS = '{} COLLATE "C"'
    _SHARE_LOCK = " FOR SHARE"
    _POSITION = "strpos"
    _moment: Connection | None = None
    """The connection of `at_one_moment`."""
    _one_commit: Connection | None = None
    _cursors = count()

    def __init__(self, dsn: str, *, create: bool = True) -> None:
        """Connect, and make the journal if the schema is empty."""
        self._acknowledged = Acknowledged()
        self._writer = PostgresConnection(dsn)
        try:
            with self._writer.using("opened", is_bounded=False) as connection:
                if not create and not _version(connection):
                    raise NoSuchJournal("the PostgreSQL database holds no journal yet")
                _migrate(connection)
                self._identity = _identity(connection)
            self._reader = PostgresConnection(dsn)
            self._writer.prepare = self._reader.prepare = self._expect_all
        except BaseException:
            self._writer.close()
            raise

    def _query(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """Read once more if only the connection was lost."""
        try:
            with self._reading() as connection:
                return query(connection, sql, bindings)
        except JournalFailed:
            if self._moment or self._one_commit or not self._reader.is_lost:
                raise
        with self._reader.using("read") as connection:
            return query(connection, sql, bindings)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Use the writer's connection inside `all_or_nothing`, else the reader's.

        A lost writer connects again first: then its last commit is on disk or never
        will be, and the read sees the final state.
        """
        if self._writer.is_lost:
            with self._writer.using("read"):
                pass
        session = self._reader if self._one_commit is None else self._writer
        with session.using("read") as connection:
            yield connection

    def _write(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        with self._writer.using("written") as connection, rows_refused():
            return query(connection, sql, bindings)

    @contextmanager
    def _commit(self) -> Iterator[None]:
        with self._writer.using("written") as connection, connection.transaction():
            yield

    # Inside a transaction, psycopg makes another one a savepoint.
    _savepoint = _commit

    def append(self, batches: Sequence[StreamBatch]) -> list[Problem]:
        problems = super().append(batches)
        for batch, problem in zip(batches, problems, strict=True):
            if problem is None:
                self._acknowledged.note(batch)
        return problems

    def _append_together(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        """Write in one statement, which is a commit of its own, or in several."""
        groups = list(independent(group))
        if len(groups) == 1:
            return self._append_group(group)
        with self._commit():
            return [out for each in groups for out in self._append_group(each)]

    def _append_group(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        with self._writer.using("written") as connection, rows_refused():
            return append_group(connection, group, self.mac_of)

    def check_identity(self) -> None:
        with self._reader.using("read") as connection:
            self._expect_same(connection)

    def _expect_same(self, connection: Connection) -> None:
        """Raise `JournalReplaced` if a connection leads to another journal."""
        if _identity(connection) != self._identity:
            raise JournalReplaced(
                "the journal was deleted from the PostgreSQL database, or replaced"
            )

    def _expect_all(self, connection: Connection) -> None:
        """Judge a connection made again: it may lead to another server."""
        self._expect_same(connection)
        self._acknowledged.expect_in(connection)

    @property
    def timeline(self) -> int:
        return self._writer.servers.timeline

    @property
    def rival(self) -> str | None:
        return self._writer.servers.rival

    def lacks_standby(self) -> bool:
        with self._reader.using("read") as connection:
            return not has_standby(connection)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read as of one moment; no writer waits."""
        if self._one_commit is not None or self._moment is not None:
            yield
            return
        with (
            self._reader.using("read", is_bounded=False) as connection,
            connection.transaction(),
        ):
            connection.execute(
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
            )
            take_as_long_as_it_takes(connection)
            self._moment = connection
            try:
                yield
            finally:
                self._moment = None

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        self._expect_writable()
        with (
            self._writer.using("written", is_bounded=False) as connection,
            connection.transaction(),
        ):
            take_as_long_as_it_takes(connection)
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_WHOLE,))
            self._one_commit = connection
            try:
                yield
            finally:
                self._one_commit = None

    def _rows(self, sql: str, bindings: Sequence[Any]) -> Iterator[Row]:
        connection = self._one_commit or self._moment
        assert connection is not None
        name = f"rows_{next(self._cursors)}"
        try:
            with connection.cursor(name=name) as cursor:
                cursor.itersize = _PIECE
                yield from cursor.execute(sql.replace("?", "%s").encode(), bindings)
        except psycopg.Error as error:
            said = f"it can't be read: {in_a_sentence(error)}"
            kind = ServerAway if connection.closed else NotAJournal
            raise kind(said) from error

    def number_entries(self, rows: Sequence[tuple[int, str, str, int]]) -> int:
        assert self._one_commit is not None
        with self._one_commit.cursor() as cursor, rows_refused():
            cursor.executemany(NUMBERED.replace("?", "%s").encode(), rows)
            return cursor.rowcount

    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        assert self._one_commit is not None
        columns = sql.SQL(", ").join(map(sql.Identifier, table.written))
        query = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table.name), columns
        )
        with self._one_commit.cursor() as cursor, cursor.copy(query) as copy:
            for row in rows:
                copy.write_row(row)

    def damage(self) -> Iterator[str]:
        """Yield nothing: the server itself refuses to read a broken page."""
        return iter(())

    def close(self) -> None:
        self._writer.close()
        self._reader.close()


def _migrate(connection: Connection) -> None:
    """Bring the schema up to date, one process at a time; refuse a foreign one."""
    wanted = migration_scripts("postgresql")
    if _version(connection) < len(wanted):
        with connection.transaction():
            take_as_long_as_it_takes(connection)
            query(connection, "SELECT pg_advisory_xact_lock(?)", (_MIGRATING,))
            for script in wanted[_version(connection) :]:
                connection.execute(script)
            connection.execute(
                "UPDATE croupier_journal SET version = %s", [len(wanted)]
            )
    missing = TABLE_NAMES - _durable_tables(connection)
    if missing:
        raise NotAJournal(f"the database is damaged: it has no durable {min(missing)}")


def _identity(connection: Connection) -> tuple[Any, ...]:
    """Return the numbers of the server, the database and the table of streams.

    A standby has its server's numbers, and so has a server restored from its files. A
    database made from a template keeps its tables' numbers, but has one of its own.
    """
    [numbers] = query(
        connection,
        "SELECT system_identifier, oid::bigint, to_regclass('streams')::oid::bigint"
        " FROM pg_control_system(), pg_database WHERE datname = current_database()",
    )
    return tuple(numbers)


def _version(connection: Connection) -> int:
    """Return the number of scripts that have run; raises `NotAJournal`."""
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


def grant_server(dsn: str, role: str) -> None:
    """Let a role serve the journal, and no more than that; raises `JournalError`.

    The journal must exist, and this session must own it.
    """
    PostgresStore(dsn, create=False).close()  # brings the journal up to date
    session = PostgresConnection(dsn)
    try:
        with session.using("granted") as connection, connection.transaction():
            _expect_roles(connection, role)
            [(schema,)] = query(connection, "SELECT current_schema()")
            connection.execute(
                sql.SQL(_script()).format(
                    role=sql.Identifier(role), schema=sql.Identifier(schema)
                )
            )
    finally:
        session.close()


def _expect_roles(connection: Connection, role: str) -> None:
    """Refuse a session that does not own the journal, and a role that does."""
    [(is_owner,)] = query(connection, _MAY_ACT_AS_OWNER.format("current_user"))
    if not is_owner:
        raise JournalError("only the owner of the journal may grant it to a role")
    standing = query(connection, _MAY_ACT_AS_OWNER.format("?"), (role,))
    if not standing:
        raise JournalError(f"there is no role {role}: CREATE ROLE … LOGIN makes one")
    if standing[0][0]:
        raise JournalError(
            f"{role} owns the journal, or may act as its owner: serve it as another"
        )


def _script() -> str:
    script = files("croupier.journal") / "grants" / "server.sql"
    return script.read_text("utf-8")
