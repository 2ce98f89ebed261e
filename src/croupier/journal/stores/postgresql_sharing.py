"""The house's stream shared on PostgreSQL: an advisory lock for turns, NOTIFY for news.

Each has a session of its own. A turn ends with its session, however that ends.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from time import monotonic
from typing import Self

import psycopg

from croupier.journal.store import HOUSE_STREAM, JournalFailed, ServerAway
from croupier.journal.stores.postgresql_append import CHANNEL
from croupier.journal.stores.postgresql_connection import (
    Connection,
    PostgresConnection,
    query,
)
from croupier.journal.stores.postgresql_counters import PostgresCounters
from croupier.journal.stores.postgresql_lease import SCHEMA_NUMBER, lock_key

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


class PostgresSharing:
    """The turns and the news of one schema's house."""

    def __init__(self, dsn: str) -> None:
        with ExitStack() as opened:
            self._turns = PostgresConnection(dsn)
            opened.callback(self._turns.close)
            self._news = PostgresConnection(dsn)
            opened.callback(self._news.close)
            self._counters = PostgresCounters(dsn)
            opened.callback(self._counters.close)
            self._opened = opened.pop_all()
        self._taking: tuple[Connection, int] | None = None
        self._listening: Connection | None = None

    @property
    def counters(self) -> PostgresCounters:
        return self._counters

    def take_turn(self) -> None:
        end = monotonic() + _GIVE_UP_S
        while not self._try_turn_twice():
            if monotonic() > end:
                raise JournalFailed("the turn to write the house can't be had")

    def _try_turn_twice(self) -> bool:
        try:
            return self._try_turn()
        except ServerAway:  # an idle session may have ended, and a new one will do
            return self._try_turn()

    def _try_turn(self) -> bool:
        with self._turns.using("written") as connection:
            key = self._key(connection)
            try:
                query(connection, "SELECT pg_advisory_lock(?)", (key,))
            except psycopg.errors.LockNotAvailable:
                for pid, _ in query(connection, _PUT_OUT, (key, _LONGEST_TURN_S)):
                    _log.warning("session %d held the house for too long", pid)
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
            self._taking = (connection, lock_key(schema, f"{HOUSE_STREAM} turn"))
        return self._taking[1]

    def end_turn(self) -> None:
        try:
            with self._turns.using("written") as connection:
                query(
                    connection, "SELECT pg_advisory_unlock(?)", (self._key(connection),)
                )
        except JournalFailed as error:
            _log.warning("the turn at the house was lost: %s", error)

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
