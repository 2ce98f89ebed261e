"""Connections to PostgreSQL: only to a server that keeps what it acknowledges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from croupier.journal.store import JournalError, JournalFailed, ServerAway
from croupier.journal.stores.sql_store import RowsRefused

Connection = psycopg.Connection[tuple[Any, ...]]
_OLDEST_SERVER = 15
_CONNECTING = {
    "connect_timeout": 10,
    # A server that is cut off is found out in ten seconds, idle or asked.
    "tcp_user_timeout": 10_000,
    "keepalives": 1,
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""What an address may say otherwise."""
_STATEMENT_SECONDS = 20
"""So long a statement may take, but for those over whole journals."""
_LASTING = re.compile(
    r"authentication|password|pg_hba|does not exist|permission|not permitted"
    r"|certificate|SSL|invalid|unsupported",
    re.IGNORECASE,
)
"""What the server says where waiting for it would not help."""
_SETTINGS = (
    "fsync",
    "server_encoding",
    "synchronous_commit",
    "transaction_read_only",
)


class PostgresConnection:
    """One connection, used by one thread at a time; made again after it was lost."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._lock = RLock()
        self._closed = False
        self._connection = connect(dsn)

    @contextmanager
    def using(self, purpose: str) -> Iterator[Connection]:
        """Use the connection, for this thread alone; raises `JournalFailed`."""
        with self._lock:
            try:
                yield self._living()
            except (psycopg.Error, MemoryError) as error:
                raise JournalFailed(
                    f"the journal can't be {purpose}: {in_a_sentence(error)}"
                ) from error

    @property
    def is_lost(self) -> bool:
        """Whether the next use will connect again."""
        return self._connection.closed and not self._closed

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._connection.close()

    def _living(self) -> Connection:
        if self.is_lost:
            try:
                self._connection = connect(self._dsn)
            except JournalError as error:
                raise JournalFailed(str(error)) from error
        return self._connection


def connect(dsn: str) -> Connection:
    """Connect to a durable server; raises `JournalError` where it is none."""
    try:
        given = conninfo_to_dict(dsn)
    except psycopg.Error:
        # What the library says repeats the address, and with it the password.
        raise JournalError("the PostgreSQL address can't be read") from None
    try:
        connection = psycopg.connect(
            dsn,
            autocommit=True,
            **{k: v for k, v in _CONNECTING.items() if k not in given},  # type: ignore[arg-type]
            client_encoding="UTF8",
            application_name="croupier",
        )
    except psycopg.Error as error:
        why = in_a_sentence(error)
        kind = JournalError if _LASTING.search(why) else ServerAway
        raise kind(f"the PostgreSQL server can't be reached: {why}") from error
    try:
        _judge(connection)
        _pin(connection)
    except psycopg.Error as error:
        connection.close()
        raise JournalError(
            f"the PostgreSQL server can't be used: {in_a_sentence(error)}"
        ) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _judge(connection: Connection) -> None:
    version = connection.info.server_version // 10_000
    if version < _OLDEST_SERVER:
        raise JournalError(
            f"PostgreSQL {version} is too old: {_OLDEST_SERVER} or later is needed"
        )
    settings = _settings(connection)
    if settings["fsync"] != "on" or settings["synchronous_commit"] == "off":
        raise JournalError(
            "the PostgreSQL server can't be written durably: it needs fsync=on and"
            " synchronous_commit=on"
        )
    if settings["transaction_read_only"] != "off":
        raise JournalError("the PostgreSQL database can't be written: it is read-only")
    if settings["server_encoding"] != "UTF8":
        raise JournalError(
            "the PostgreSQL database can't hold every text: it needs the encoding UTF8"
        )


def _settings(connection: Connection) -> Mapping[str, str]:
    rows = connection.execute(
        "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", (list(_SETTINGS),)
    )
    return dict(rows.fetchall())


def _pin(connection: Connection) -> None:
    """Set what a later change of the server's settings must not weaken."""
    connection.execute(
        "SELECT set_config('synchronous_commit', CASE"
        " current_setting('synchronous_commit') WHEN 'remote_apply'"
        " THEN 'remote_apply' ELSE 'on' END, false)"
    )
    connection.execute("SET default_transaction_isolation = 'read committed'")
    connection.execute("SET lock_timeout = '10s'")
    connection.execute(f"SET statement_timeout = '{_STATEMENT_SECONDS}s'".encode())
    connection.execute("SET jit = off")


def take_as_long_as_it_takes(connection: Connection) -> None:
    """Let the statements of this transaction run on: they are over whole journals."""
    connection.execute("SET LOCAL statement_timeout = 0")


@contextmanager
def rows_refused() -> Iterator[None]:
    """Raise `RowsRefused` where the server holds rows for wrong."""
    try:
        yield
    except (psycopg.IntegrityError, psycopg.DataError, OverflowError) as error:
        raise RowsRefused(in_a_sentence(error)) from error


def in_a_sentence(error: BaseException) -> str:
    """Return the first line of what the server or its library says."""
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__


def query(
    connection: Connection, sql: str, bindings: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """Return all rows of a statement in which `?` stands for a binding."""
    return connection.execute(sql.replace("?", "%s"), bindings).fetchall()
