"""Leases, turns and notifications on PostgreSQL: advisory locks, and NOTIFY.

Each lock and each listener has a session of its own, and a lock ends with its session.
A pooler that shares one session among clients can't keep a lock. The times of last use
of staff's sessions are outside the journal, and are written without waiting for the
disk: a crash may forget the last use.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from hashlib import blake2b
from time import monotonic
from typing import Self

import psycopg

from croupier.journal.sharing import Lease, LeaseHeld
from croupier.journal.store import HOUSE_STREAM, JournalFailed, ServerAway
from croupier.journal.stores.postgresql_append import CHANNEL
from croupier.journal.stores.postgresql_connection import PostgresConnection
from croupier.journal.stores.postgresql_servers import Connection, query

_log = logging.getLogger(__name__)
_LONGEST_TURN_S = 8
"""A process that holds a turn for longer hangs; its session is ended."""
_LOOK_EVERY_MS = 2_000
"""The wait for a turn after which a process checks if its holder hangs."""
_GIVE_UP_S = 30
SCHEMA_NUMBER = "coalesce(current_schema()::regnamespace::oid, 0)::bigint"
HELD_LOCKS = (
    "lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 1"
    " AND lock.database = (SELECT oid FROM pg_database"
    " WHERE datname = current_database())"
    " AND (lock.classid::bigint << 32) | lock.objid::bigint"
)
"""The condition for rows of `pg_locks lock`, before `= NUMBER`."""
_HOLDERS = (
    "SELECT lock.pid, coalesce(host(activity.client_addr), 'this machine')"  # noqa: S608
    " FROM pg_locks lock LEFT JOIN pg_stat_activity activity USING (pid)"
    f" WHERE {HELD_LOCKS} = ?"
)
# The session does nothing else: it was last at work when it took the turn.
_PUT_OUT = (
    "SELECT pid, pg_terminate_backend(pid, 2000) FROM pg_locks lock"  # noqa: S608
    f" JOIN pg_stat_activity activity USING (pid) WHERE {HELD_LOCKS} = ?"
    " AND activity.state_change < clock_timestamp() - make_interval(secs => ?)"
)
_FORGET_SEEN = "DELETE FROM sessions_seen WHERE at < now() - interval '1 day'"
_NOTE = """
INSERT INTO sessions_seen (digest, seen_ms)
SELECT * FROM unnest(?::text[], ?::bigint[]) AS row (digest, seen_ms)
ON CONFLICT (digest) DO UPDATE SET at = now(),
    seen_ms = greatest(sessions_seen.seen_ms, excluded.seen_ms)
RETURNING digest
"""


def lock_number(connection: Connection, name: str) -> int:
    """Return the number of this schema's lock of that name.

    All schemas of a database share the numbers of advisory locks.
    """
    [(schema,)] = query(connection, f"SELECT {SCHEMA_NUMBER}")
    text = f"croupier lease {schema} {name}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), signed=True)


def begin_session(
    connection: Connection, *, lock_ms: int, idle: int, interval: int, count: int
) -> None:
    """Let a session idle for ever, and wait for a lock at most `lock_ms`.

    The server probes an idle session after `idle` seconds, then every `interval`, and
    ends it after `count` probes without an answer.
    """
    for setting in (
        f"lock_timeout = '{lock_ms}ms'",
        "idle_session_timeout = 0",
        f"tcp_keepalives_idle = {idle}",
        f"tcp_keepalives_interval = {interval}",
        f"tcp_keepalives_count = {count}",
    ):
        connection.execute(f"SET {setting}".encode())


def has_locked(
    connection: Connection, key: int, function: str = "pg_advisory_lock"
) -> bool:
    """Take an advisory lock; return False if it was not free for too long."""
    try:
        query(connection, f"SELECT {function}(?)", (key,))
    except psycopg.errors.LockNotAvailable:
        return False
    return True


class SessionLease(Lease):
    """An advisory lock on the house of one schema."""

    def __init__(self, dsn: str) -> None:
        """Take the lease; raises `LeaseHeld` if another live session has it."""
        self._session = PostgresConnection(dsn, self._take)

    def renew(self) -> None:
        """Take it again if its session was lost; a query shows that."""
        with self._session.using("leased") as connection:
            query(connection, "SELECT 1")

    def _take(self, connection: Connection) -> None:
        # The lease of a machine that lost power ends within half a minute.
        begin_session(connection, lock_ms=1_000, idle=10, interval=5, count=3)
        key = lock_number(connection, HOUSE_STREAM)
        if not has_locked(connection, key):
            holders = query(connection, _HOLDERS, (key,))
            named = "another process"
            if holders:
                named = "a process on {1} (session {0})".format(*holders[0])
            raise LeaseHeld(f"{named} has this journal open as its house")

    def close(self) -> None:
        self._session.close()


class ChannelListener:
    """Listens to a channel; `channel` is an SQL expression for its name."""

    def __init__(self, dsn: str, channel: str) -> None:
        self._channel = channel
        self._session = PostgresConnection(dsn, self._listen)

    def _listen(self, connection: Connection) -> None:
        [(channel,)] = query(connection, f"SELECT {self._channel}")
        connection.execute(f'LISTEN "{channel}"'.encode())
        self._is_new = True

    def wait(self, seconds: float) -> bool:
        """Return whether a notification came, or may have been lost with a session."""
        with self._session.using("followed", is_bounded=False) as connection:
            if self._is_new:
                self._is_new = False
                return True
            return any(True for _ in connection.notifies(timeout=seconds, stop_after=1))

    def close(self) -> None:
        self._session.close()


class _Turns:
    """Turns of one kind."""

    def __init__(self, dsn: str, name: str) -> None:
        self._name = name
        self._session = PostgresConnection(dsn, self._prepare)

    def _prepare(self, connection: Connection) -> None:
        begin_session(connection, lock_ms=_LOOK_EVERY_MS, idle=4, interval=2, count=2)
        self._key = lock_number(connection, self._name)

    def take(self) -> None:
        end = monotonic() + _GIVE_UP_S
        while not self._try_turn_twice():
            if monotonic() > end:
                raise JournalFailed(f"the {self._name} can't be had")

    def _try_turn_twice(self) -> bool:
        try:
            return self._try_turn()
        except ServerAway:  # an idle session may have ended, and a new one will do
            return self._try_turn()

    def _try_turn(self) -> bool:
        with self._session.using("written") as connection:
            if has_locked(connection, self._key):
                return True
            late = (self._key, _LONGEST_TURN_S)
            for pid, _ in query(connection, _PUT_OUT, late):
                _log.warning("session %d held the %s for too long", pid, self._name)
        return False

    def end(self) -> None:
        try:
            with self._session.using("written") as connection:
                query(connection, "SELECT pg_advisory_unlock(?)", (self._key,))
        except JournalFailed as error:
            _log.warning("the %s was lost: %s", self._name, error)

    def close(self) -> None:
        self._session.close()


class PostgresSharing:
    """The turns and the notifications of one schema's house."""

    def __init__(self, dsn: str) -> None:
        with ExitStack() as opened:
            self._turns = _Turns(dsn, f"{HOUSE_STREAM} turn")
            opened.callback(self._turns.close)
            self._payments = _Turns(dsn, "payment turn")
            opened.callback(self._payments.close)
            self._news = ChannelListener(dsn, CHANNEL)
            opened.callback(self._news.close)
            self._seen = PostgresConnection(dsn, _hurry)
            opened.callback(self._seen.close)
            self._opened = opened.pop_all()
        self.take_turn, self.end_turn = self._turns.take, self._turns.end
        self.take_payment_turn = self._payments.take
        self.end_payment_turn = self._payments.end
        self.wait = self._news.wait

    def note_seen(self, seen: Mapping[str, int]) -> dict[str, int]:
        with self._seen.using("written") as connection:
            if seen:
                ordered = sorted(seen.items())  # so no two nodes deadlock
                digests, times = zip(*ordered, strict=True)
                query(connection, _NOTE, (list(digests), list(times)))
            connection.execute(_FORGET_SEEN)
            rows = query(connection, "SELECT digest, seen_ms FROM sessions_seen")
        return dict(rows)

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _hurry(connection: Connection) -> None:
    connection.execute("SET synchronous_commit = off")
