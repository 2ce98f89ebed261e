"""Connections to PostgreSQL: only to a server that keeps what it acknowledges.

An address may name several servers, of which one can be written: after a standby was
promoted, the next connection goes there. What was acknowledged is there where the
standby is a synchronous one, and so nothing is read that it may not have:
- a commit that a server kept to itself (its wait for the standby was called off) counts
  as one of which nobody knows;
- a connection made again is used once the standby has what the server has;
- a server that was the first before another was promoted is none any more.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from threading import RLock, Thread
from time import monotonic, sleep
from typing import Any
from weakref import WeakSet

import psycopg
from psycopg.conninfo import conninfo_to_dict

from croupier.journal.store import (
    DiskFull,
    JournalError,
    JournalFailed,
    JournalReplaced,
    ServerAway,
)
from croupier.journal.stores.writable_rows import RowsRefused

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
    "application_name": "croupier",
}
"""What an address may say otherwise."""
_OF_SEVERAL = {"target_session_attrs": "read-write", "connect_timeout": 3}
"""Where it names several servers: that which can be written, and not long for each."""
_LOCK_SECONDS = 10
_STATEMENT_SECONDS = 12
"""So long a statement may take, but for those over whole journals."""
_SILENT_SECONDS = 13
"""A server that has said nothing for so long will not: stopped, or overrun."""
_END_MS = 2_000
_LASTING = re.compile(
    r"authentication|password|pg_hba|does not exist|permission|not permitted"
    r"|certificate|does not support|invalid|unsupported",
    re.IGNORECASE,
)
"""What the server says where waiting for it would not help."""
_NO_DATABASE = re.compile(r"database .* does not exist")
"""What it says where the database of before was deleted."""
_SETTINGS = (
    "fsync",
    "server_encoding",
    "synchronous_commit",
    "transaction_read_only",
)
_TIMELINE = (
    "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint"
)
_WAIT_FOR_STANDBY = "SELECT pg_logical_emit_message(true, 'croupier', '')"
"""A commit of its own: it is done when a synchronous standby has all before it."""
_WAITING_FOR_STANDBY = "SyncRepWaitForLSN"
"""What of the server warns that a commit is on its disk alone."""


class PostgresConnection:
    """One connection, used by one thread at a time; made again after it was lost.

    Before it is used again, the session before it has ended: what was sent there is on
    disk by then, or never will be.
    """

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._lock = RLock()
        self._closed = False
        self._is_used = False
        self._busy_since: float | None = None
        self._is_alone = False
        """Whether a commit is on the server's own disk, and perhaps on no other."""
        self.expects: Callable[[Connection], None] | None = None
        """Judges a connection made again, and raises `JournalError`."""
        self._connection = self._connected()
        try:
            self._session = _session_of(self._connection)
        except psycopg.Error as error:
            raise self._failure("opened", error) from error
        _WATCHED.add(self)
        _start_watching()

    @contextmanager
    def using(self, purpose: str, *, is_bounded: bool = True) -> Iterator[Connection]:
        """Use the connection, for this thread alone; raises `JournalFailed`.

        A server that says nothing for too long is given up, unless `is_bounded` says
        that it is asked for a whole journal.
        """
        with self._lock:
            is_outermost, self._is_used = not self._is_used, True
            try:
                if is_outermost:
                    self._come_alive()
                    self._busy_since = monotonic() if is_bounded else None
                yield self._connection
                self._expect_confirmed(purpose)
            except (psycopg.Error, MemoryError) as error:
                raise self._failure(purpose, error) from error
            finally:
                if is_outermost:
                    self._busy_since, self._is_used = None, False

    def _failure(self, purpose: str, error: BaseException) -> JournalFailed:
        said = f"the journal can't be {purpose}"
        if isinstance(error, psycopg.errors.DiskFull):
            return DiskFull(f"{said}: disk full ({in_a_sentence(error)})")
        kind = ServerAway if self._connection.closed else JournalFailed
        return kind(f"{said}: {in_a_sentence(error)}")

    def _connected(self) -> Connection:
        connection = connect(self._dsn)
        connection.add_notice_handler(self._hear)
        return connection

    def _hear(self, said: psycopg.errors.Diagnostic) -> None:
        if said.source_function == _WAITING_FOR_STANDBY:
            self._is_alone = True

    def _expect_confirmed(self, purpose: str) -> None:
        """Raise `ServerAway` where a commit was not confirmed by the standby."""
        if self._is_alone:
            self._is_alone = False
            self._connection.close()
            raise ServerAway(
                f"the journal can't be {purpose}: the standby has not confirmed it"
            )

    def give_up_if_silent(self, now: float) -> None:
        """Cut a connection on which a server has been silent for too long."""
        since = self._busy_since
        if since is not None and now - since > _SILENT_SECONDS:
            with suppress(OSError, psycopg.Error):
                cut = socket.socket(fileno=os.dup(self._connection.fileno()))
                with cut:
                    cut.shutdown(socket.SHUT_RDWR)

    @property
    def is_lost(self) -> bool:
        """Whether the next use will connect again."""
        return self._connection.closed and not self._closed

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._connection.close()

    def _come_alive(self) -> None:
        """Connect again where the connection was lost."""
        if not self.is_lost:
            return
        try:
            connection = self._connected()
        except JournalFailed:
            raise
        except JournalError as error:
            gone = _NO_DATABASE.search(str(error))
            raise (JournalReplaced if gone else JournalFailed)(str(error)) from error
        try:
            _end_session(connection, self._session)
            if self.expects is not None:
                self.expects(connection)
            self._session = _session_of(connection)
            self._connection, self._busy_since = connection, monotonic()
            self._is_alone = False
            connection.execute(_WAIT_FOR_STANDBY)
        except BaseException:
            connection.close()
            raise


def _session_of(connection: Connection) -> tuple[Any, ...]:
    """Return what no other session of the server is ever called."""
    [session] = connection.execute(
        "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
    ).fetchall()
    return session


def _end_session(connection: Connection, session: tuple[Any, ...]) -> None:
    """End a session that was lost, if the server still has it at work."""
    ended = connection.execute(
        f"SELECT pg_terminate_backend(pid, {_END_MS}) FROM pg_stat_activity"  # noqa: S608
        " WHERE pid = %s AND backend_start = %s".encode(),
        session,
    ).fetchall()
    if ended == [(False,)]:
        raise JournalFailed("the journal's session before is still at work")


_WATCHED: WeakSet[PostgresConnection] = WeakSet()
"""The connections of this process: one thread looks after them all."""


@cache
def _start_watching() -> None:
    Thread(target=_watch, name="silent servers", daemon=True).start()


def _watch() -> None:
    while True:
        sleep(1)
        for each in list(_WATCHED):
            each.give_up_if_silent(monotonic())


def connect(dsn: str) -> Connection:
    """Connect to a durable server; raises `JournalError` where it is none."""
    try:
        given = conninfo_to_dict(dsn)
    except psycopg.Error:
        # What the library says repeats the address, and with it the password.
        raise JournalError("the PostgreSQL address can't be read") from None
    usual = _CONNECTING | (_OF_SEVERAL if "," in str(given.get("host")) else {})
    try:
        connection = psycopg.connect(
            dsn,
            autocommit=True,
            **{k: v for k, v in usual.items() if k not in given},  # type: ignore[arg-type]
            client_encoding="UTF8",
        )
    except psycopg.Error as error:
        why = in_a_sentence(error)
        kind = JournalError if _LASTING.search(why) else ServerAway
        raise kind(f"the PostgreSQL server can't be reached: {why}") from error
    try:
        _judge(connection)
        _expect_latest(connection, dsn)
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


_TIMELINES: dict[str, int] = {}
"""By address, the latest timeline seen: each promotion of a standby begins one."""


def _expect_latest(connection: Connection, dsn: str) -> None:
    """Raise `ServerAway` for a server in whose place another was promoted."""
    [(timeline,)] = query(connection, _TIMELINE)
    if timeline < _TIMELINES.setdefault(dsn, timeline):
        raise ServerAway(
            "the PostgreSQL server that answers was replaced: a standby was promoted"
            " since, and has what this one lacks"
        )
    _TIMELINES[dsn] = timeline


def has_standby(connection: Connection) -> bool:
    """Return whether a commit waits for another server that keeps it too."""
    [(names,)] = query(connection, "SHOW synchronous_standby_names")
    return bool(names.strip())


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
    connection.execute(f"SET lock_timeout = '{_LOCK_SECONDS}s'".encode())
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
