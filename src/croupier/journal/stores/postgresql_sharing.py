"""The house's stream shared on PostgreSQL: an advisory lock for turns, NOTIFY for news.

Each has a session of its own. A turn ends with its session, however that ends. What
nodes count together stands in rows of no journal, written without waiting for the disk:
a crash may forget a try or two.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from time import monotonic
from typing import Self

import psycopg

from croupier.journal.store import HOUSE_STREAM, JournalFailed, ServerAway
from croupier.journal.stores.postgresql_append import CHANNEL
from croupier.journal.stores.postgresql_connection import PostgresConnection
from croupier.journal.stores.postgresql_lease import SCHEMA_NUMBER, lock_key
from croupier.journal.stores.postgresql_servers import (
    Connection,
    query,
)

_log = logging.getLogger(__name__)
_LONGEST_TURN_S = 8
"""A process that has its turn for longer hangs, and is put out."""
_LOOK_EVERY_MS = 2_000
"""So long a turn is waited for before whoever has it is looked at."""
_GIVE_UP_S = 30
# The session does nothing else: it was last at work when it took the turn.
_PUT_OUT = (
    "SELECT pid, pg_terminate_backend(pid, 2000) FROM pg_locks lock"
    " JOIN pg_stat_activity activity USING (pid)"
    " WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 1"
    " AND lock.database = (SELECT oid FROM pg_database"
    " WHERE datname = current_database())"
    " AND (lock.classid::bigint << 32) | lock.objid::bigint = ?"
    " AND activity.state_change < clock_timestamp() - make_interval(secs => ?)"
)
_SEEN_KEPT = "1 day"
_BUCKETS_KEPT = "1 hour"
_CLEAR_EVERY = 1_000
_TAKE = """
WITH given AS (
    SELECT ?::text AS key, ?::float8 AS a_second, ?::float8 AS at_once
), stood AS (
    INSERT INTO shared_buckets AS bucket (key, tokens, is_taken, at)
    SELECT key, at_once - 1, true, clock_timestamp() FROM given
    ON CONFLICT (key) DO UPDATE SET (tokens, is_taken, at) = (
        SELECT CASE WHEN had.tokens >= 1 THEN had.tokens - 1 ELSE had.tokens END,
            had.tokens >= 1, clock_timestamp()
        FROM (SELECT least(given.at_once, bucket.tokens + given.a_second
            * greatest(0, extract(epoch FROM clock_timestamp() - bucket.at))) AS tokens
            FROM given) AS had
    )
    RETURNING tokens, is_taken
)
SELECT CASE WHEN is_taken THEN 0 ELSE (1 - tokens) / a_second END FROM stood, given
"""
_NOTE = """
INSERT INTO sessions_seen (digest, seen_ms)
SELECT * FROM unnest(?::text[], ?::bigint[]) AS row (digest, seen_ms)
ON CONFLICT (digest) DO UPDATE SET at = now(),
    seen_ms = greatest(sessions_seen.seen_ms, excluded.seen_ms)
RETURNING digest
"""


class _Turns:
    """Turns of one kind: an advisory lock, over a session of its own."""

    def __init__(self, dsn: str, name: str) -> None:
        self._session, self._name = PostgresConnection(dsn), name
        self._taking: tuple[Connection, int] | None = None

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
            key = self._key(connection)
            try:
                query(connection, "SELECT pg_advisory_lock(?)", (key,))
            except psycopg.errors.LockNotAvailable:
                for pid, _ in query(connection, _PUT_OUT, (key, _LONGEST_TURN_S)):
                    _log.warning("session %d held the %s for too long", pid, self._name)
                return False
        return True

    def _key(self, connection: Connection) -> int:
        """Return the lock's number; a new session is told how long to wait for it."""
        if self._taking is None or self._taking[0] is not connection:
            for setting in (
                f"SET lock_timeout = '{_LOOK_EVERY_MS}ms'",
                "SET idle_session_timeout = 0",
                "SET tcp_keepalives_idle = 4",
                "SET tcp_keepalives_interval = 2",
                "SET tcp_keepalives_count = 2",
            ):
                connection.execute(setting.encode())
            [(schema,)] = query(connection, SCHEMA_NUMBER)
            self._taking = (connection, lock_key(schema, self._name))
        return self._taking[1]

    def end(self) -> None:
        try:
            with self._session.using("written") as connection:
                query(
                    connection, "SELECT pg_advisory_unlock(?)", (self._key(connection),)
                )
        except JournalFailed as error:
            _log.warning("the %s was lost: %s", self._name, error)

    def close(self) -> None:
        self._session.close()


class PostgresSharing:
    """The turns and the news of one schema's house."""

    def __init__(self, dsn: str) -> None:
        with ExitStack() as opened:
            self._turns = _Turns(dsn, f"{HOUSE_STREAM} turn")
            opened.callback(self._turns.close)
            self._payments = _Turns(dsn, "payment turn")
            opened.callback(self._payments.close)
            self._news = PostgresConnection(dsn)
            opened.callback(self._news.close)
            self._counters = PostgresCounters(dsn)
            opened.callback(self._counters.close)
            self._opened = opened.pop_all()
        self._listening: Connection | None = None

    @property
    def counters(self) -> PostgresCounters:
        return self._counters

    def take_turn(self) -> None:
        self._turns.take()

    def end_turn(self) -> None:
        self._turns.end()

    def take_payment_turn(self) -> None:
        self._payments.take()

    def end_payment_turn(self) -> None:
        self._payments.end()

    def wait(self, seconds: float) -> bool:
        with self._news.using("followed", is_bounded=False) as connection:
            if self._listening is not connection:
                [(channel,)] = query(connection, f"SELECT {CHANNEL}")
                connection.execute(f'LISTEN "{channel}"'.encode())
                self._listening = connection
                return True  # who knows what was said before
            return any(True for _ in connection.notifies(timeout=seconds, stop_after=1))

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PostgresCounters:
    """The rows of one schema, over a session of their own."""

    def __init__(self, dsn: str) -> None:
        self._connection = PostgresConnection(dsn)
        self._relaxed: Connection | None = None
        self._taken = 0

    def note_seen(self, seen: Mapping[str, int]) -> dict[str, int]:
        with self._connection.using("written") as connection:
            self._relax(connection)
            if seen:
                ordered = sorted(seen.items())  # two nodes never wait for each other
                digests, times = zip(*ordered, strict=True)
                query(connection, _NOTE, (list(digests), list(times)))
            self._clear(connection, "sessions_seen", _SEEN_KEPT)
            rows = query(connection, "SELECT digest, seen_ms FROM sessions_seen")
        return dict(rows)

    def take_token(self, key: str, a_second: float, at_once: int) -> float:
        with self._connection.using("written") as connection:
            self._relax(connection)
            [(seconds,)] = query(connection, _TAKE, (key, a_second, at_once))
            self._taken += 1
            if self._taken % _CLEAR_EVERY == 0:
                self._clear(connection, "shared_buckets", _BUCKETS_KEPT)
        return float(seconds)

    @staticmethod
    def _clear(connection: Connection, table: str, kept: str) -> None:
        """Forget rows that nobody has touched for long: all is well with them again."""
        connection.execute(
            f"DELETE FROM {table} WHERE at < now() - interval '{kept}'".encode()  # noqa: S608
        )

    def _relax(self, connection: Connection) -> None:
        if self._relaxed is not connection:
            connection.execute("SET synchronous_commit = off")
            self._relaxed = connection

    def close(self) -> None:
        self._connection.close()
