"""The lease of a journal on PostgreSQL: a session's advisory lock, kept by the server.

It needs a session of its own. A pooler that hands one session to many clients can't
keep it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Self

import psycopg

from croupier.journal.sharing import LeaseHeld
from croupier.journal.stores.postgresql_connection import PostgresConnection
from croupier.journal.stores.postgresql_servers import (
    Connection,
    query,
)

_WAIT = "1s"
"""So long a server may take to notice that the process before has ended."""
_SESSION = (
    f"SET lock_timeout = '{_WAIT}'",
    "SET idle_session_timeout = 0",
    # A machine that lost its power lets go within half a minute.
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
)
SCHEMA_NUMBER = "SELECT coalesce(current_schema()::regnamespace::oid, 0)::bigint"
_TAKE = "SELECT pg_advisory_lock(?)"
_HOLDER = (
    "SELECT lock.pid, coalesce(host(activity.client_addr), 'this machine')"
    " FROM pg_locks lock LEFT JOIN pg_stat_activity activity USING (pid)"
    " WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 1"
    " AND lock.database = (SELECT oid FROM pg_database"
    " WHERE datname = current_database())"
    " AND (lock.classid::bigint << 32) | lock.objid::bigint = ?"
)


class SessionLease:
    """An advisory lock on one name in one schema: all of a house, or one stream."""

    def __init__(self, dsn: str, name: str) -> None:
        """Take the lease; raises `LeaseHeld` where a session that lives has it."""
        self._name = name
        self._connection = PostgresConnection(dsn)
        self._held_by: Connection | None = None
        try:
            self.renew()
        except BaseException:
            self._connection.close()
            raise

    def renew(self) -> None:
        """Take it again where its session was lost; one that is idle is asked."""
        with self._connection.using("leased") as connection:
            if connection is self._held_by:
                query(connection, "SELECT 1")
            else:
                self._take(connection)
                self._held_by = connection

    def _take(self, connection: Connection) -> None:
        for setting in _SESSION:
            connection.execute(setting.encode())
        [(schema,)] = query(connection, SCHEMA_NUMBER)
        key = lock_key(schema, self._name)
        try:
            query(connection, _TAKE, (key,))
        except psycopg.errors.LockNotAvailable:
            holders = query(connection, _HOLDER, (key,))
            named = "another process"
            if holders:
                named = "a process on {1} (session {0})".format(*holders[0])
            raise LeaseHeld(f"{named} has this journal open as its house") from None

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def lock_key(schema: int, name: str) -> int:
    """Return the number of an advisory lock, which all schemas of a database share."""
    text = f"croupier lease {schema} {name}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), signed=True)
