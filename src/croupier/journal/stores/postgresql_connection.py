"""Connections to PostgreSQL: only to a server that keeps what it acknowledges.

An address may name several servers, of which one can be written: after a standby was
promoted, the next connection goes to it. A synchronous standby has everything that was
acknowledged, and a read shows nothing that the standby may lack:
- a commit that is on one server only (its wait for the standby was cancelled) counts
  as unsure;
- a new connection is used once the standby has all that the server has;
- a server that another was promoted over is not used again: see `postgresql_servers`.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import RLock, Thread
from time import monotonic, sleep
from typing import Any
from weakref import WeakSet

import psycopg

from croupier.journal.store import (
    DiskFull,
    JournalError,
    JournalFailed,
    JournalReplaced,
    ServerAway,
)
from croupier.journal.stores.postgresql_servers import (
    Connection,
    in_a_sentence,
    servers_of,
)

_SILENT_SECONDS = 13
"""A server that is silent for longer counts as stopped or overloaded."""
_LOOK_EVERY_SECONDS = 10
"""The interval between looks at the servers that are not in use."""
_END_MS = 2_000
_NO_DATABASE = re.compile(r"database .* does not exist")
"""The server's words if the database was deleted."""
_WAIT_FOR_STANDBY = "SELECT pg_logical_emit_message(true, 'croupier', '')"
"""A commit of its own: it ends when a synchronous standby has all before it."""
_WAITING_FOR_STANDBY = "SyncRepWaitForLSN"
"""The server's function that warns of a commit that is only on its own disk."""


class PostgresConnection:
    """One connection, used by one thread at a time; made again after it was lost.

    Before a new connection is used, the old session has ended: its last commit is on
    disk by then, or never will be.
    """

    def __init__(
        self, dsn: str, prepare: Callable[[Connection], None] | None = None
    ) -> None:
        self._dsn = dsn
        self.prepare = prepare
        """Runs on each connection before its first use; may raise `JournalError`."""
        self.servers = servers_of(dsn)
        self._lock = RLock()
        self._closed = False
        self._is_used = False
        self._busy_since: float | None = None
        self._is_alone = False
        """Whether a commit is on the server's own disk, and perhaps on no other."""
        self._connection = self._connected()
        try:
            self._session = _session_of(self._connection)
            if prepare is not None:
                prepare(self._connection)
        except psycopg.Error as error:
            self._connection.close()
            raise self._failure("opened", error) from error
        except BaseException:
            self._connection.close()
            raise
        _WATCHED.add(self)
        _start_watching()

    @contextmanager
    def using(self, purpose: str, *, is_bounded: bool = True) -> Iterator[Connection]:
        """Use the connection in this thread only; raises `JournalFailed`.

        A server that is silent for too long is given up, unless `is_bounded` is false:
        a whole journal takes long.
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
        connection, self._timeline = self.servers.connect(self._dsn)
        connection.add_notice_handler(self._hear)
        return connection

    def _hear(self, said: psycopg.errors.Diagnostic) -> None:
        if said.source_function == _WAITING_FOR_STANDBY:
            self._is_alone = True

    def _expect_confirmed(self, purpose: str) -> None:
        """Raise `ServerAway` if the standby has not confirmed a commit."""
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
            self._cut()

    def give_up_if_replaced(self) -> None:
        """Cut a connection to a server that was replaced."""
        if self._timeline < self.servers.timeline:
            self._cut()

    def _cut(self) -> None:
        with suppress(OSError, psycopg.Error):
            cut = socket.socket(fileno=os.dup(self._connection.fileno()))
            with cut:
                cut.shutdown(socket.SHUT_RDWR)

    @property
    def is_lost(self) -> bool:
        """Whether the next use will connect again."""
        return self._connection.closed and not self._closed

    @property
    def is_open(self) -> bool:
        return not self._closed

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._connection.close()

    def _come_alive(self) -> None:
        """Connect again if the connection was lost, or leads to a replaced server."""
        if self._timeline < self.servers.timeline:
            self._connection.close()
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
            if self.prepare is not None:
                self.prepare(connection)
            self._session = _session_of(connection)
            self._connection, self._busy_since = connection, monotonic()
            self._is_alone = False
            connection.execute(_WAIT_FOR_STANDBY)
        except BaseException:
            connection.close()
            raise


def _session_of(connection: Connection) -> tuple[Any, ...]:
    """Return the session's process and start time, which no other session has."""
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
    Thread(target=_look_for_rivals, name="rival servers", daemon=True).start()


def _watch() -> None:
    while True:
        sleep(1)
        for each in list(_WATCHED):
            each.give_up_if_silent(monotonic())
            each.give_up_if_replaced()


def _look_for_rivals() -> None:
    while True:
        sleep(_LOOK_EVERY_SECONDS)
        for servers in {each.servers for each in list(_WATCHED) if each.is_open}:
            servers.look()
