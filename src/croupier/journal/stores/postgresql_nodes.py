"""The registry of nodes on PostgreSQL: rows, and a session's advisory locks.

A node's session holds two locks: one on its own name, and one on the lease of the house
that it shares with all other nodes, so that no process serves the house without nodes.
The server releases both when the process ends in any way.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import Self

from psycopg.conninfo import make_conninfo

from croupier.journal.node_registry import (
    SILENT_MS,
    NodeRow,
    Ownership,
    Registered,
)
from croupier.journal.sharing import LeaseHeld
from croupier.journal.store import (
    HOUSE_STREAM,
    JournalError,
    JournalFailed,
    ServerAway,
    WriterConflict,
)
from croupier.journal.stores.postgresql import PostgresStore
from croupier.journal.stores.postgresql_connection import PostgresConnection
from croupier.journal.stores.postgresql_servers import Connection, query, servers_of
from croupier.journal.stores.postgresql_sharing import (
    HELD_LOCKS,
    SCHEMA_NUMBER,
    ChannelListener,
    begin_session,
    has_locked,
    lock_number,
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
_CHANNEL = f"'croupier_nodes_' || {SCHEMA_NUMBER}"
_HELD = f"EXISTS (SELECT FROM pg_locks lock WHERE {HELD_LOCKS} = nodes.lock_key)"
_SILENT = "(extract(epoch FROM clock_timestamp() - nodes.beat_at) * 1000)::bigint"
_NODES = (
    f"SELECT name, version, {_HELD}, greatest({_SILENT}, 0), clock_off_ms"  # noqa: S608
    ' FROM nodes ORDER BY name COLLATE "C"'
)
_OWNERS = (
    "SELECT stream, node, epoch,"
    " (extract(epoch FROM clock_timestamp() - since) * 1000)::bigint,"
    " wanted, left_at, summary FROM table_owners"
)
_JOIN = (
    "INSERT INTO nodes VALUES (?, ?, ?, ?, clock_timestamp())"
    " ON CONFLICT (name) DO UPDATE SET version = excluded.version,"
    " lock_key = excluded.lock_key, sessions = excluded.sessions,"
    " beat_at = excluded.beat_at"
)
_FORGET_OLD = "DELETE FROM nodes WHERE beat_at < clock_timestamp() - interval '1 day'"
_BEAT = "UPDATE nodes SET beat_at = clock_timestamp(), clock_off_ms = ? WHERE name = ?"
_CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_SUMMARIES = (
    "UPDATE table_owners SET summary = told.summary"
    " FROM unnest(?::text[], ?::text[]) AS told (stream, summary)"
    " WHERE table_owners.stream = told.stream AND node = ?"
)
_TAKE_NEW = (
    "INSERT INTO table_owners VALUES (?, ?, 1, clock_timestamp())"
    " ON CONFLICT DO NOTHING RETURNING epoch"
)
_TAKE = (
    "UPDATE table_owners SET node = ?, epoch = epoch + 1, since = clock_timestamp(),"
    " wanted = '', left_at = NULL"
    " WHERE stream = ? AND node = ? AND epoch = ? RETURNING epoch"
)
_WANT = (
    "INSERT INTO table_owners VALUES (?, '', 0, clock_timestamp(), ?)"
    " ON CONFLICT (stream) DO UPDATE SET wanted = excluded.wanted"
    " WHERE table_owners.node <> excluded.wanted"
)
_HAND_OVER = (
    "UPDATE table_owners SET node = '', since = clock_timestamp(), left_at = ?"
    " WHERE stream = ? AND node = ?"
)
_FORGET = "DELETE FROM table_owners WHERE stream = ? AND node = ?"
_CLAIM = (
    "WITH owner AS MATERIALIZED"
    " (SELECT 1 FROM table_owners WHERE stream = ? AND node = ? FOR SHARE)"
    " INSERT INTO streams (stream, epoch, sequence, hash)"
    " SELECT ?, 1, 0, repeat('0', 64) FROM owner"
    " ON CONFLICT (stream) DO UPDATE SET epoch = streams.epoch + 1 RETURNING epoch"
)
_PUT_OUT = (
    f"SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"  # noqa: S608
    " WHERE usename = current_user AND datname = current_database()"
    " AND pid <> pg_backend_pid() AND application_name ="
    f" (SELECT sessions FROM nodes WHERE name = ? AND {_SILENT} >= {SILENT_MS})"
)


class NodeRows:
    """Reads the rows of nodes and owners, for a process that is no node."""

    def __init__(self, dsn: str) -> None:
        self._connection = PostgresConnection(dsn)

    def registered(self) -> Registered:
        with self._connection.using("read") as connection:
            return _registered(connection)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PostgresNodes(NodeRows):
    """One node's access to the registry, which holds its name until `close`."""

    def __init__(self, dsn: str, name: str, version: str) -> None:
        """Take the name; raise `LeaseHeld` if a session has it, or the whole house."""
        super().__init__(dsn)
        self.name, self._version = name, version
        self._held_by: Connection | None = None
        """The session that holds the name, once its row says so."""
        try:
            with self._connection.using("joined") as connection:
                self._lock_key = self._lock(connection)
            self._listening = ChannelListener(dsn, _CHANNEL)
        except BaseException:
            super().close()
            raise

    def join(self) -> None:
        """Enter this node in the list, once the database has its tables."""
        with self._connection.using("joined") as connection:
            self._list(connection)

    def _lock(self, connection: Connection) -> int:
        """Lock the house with other nodes, and this name; return the name's number."""
        begin_session(connection, lock_ms=1_000, idle=2, interval=1, count=3)
        connection.execute("SET statement_timeout = '4s'")
        house = lock_number(connection, HOUSE_STREAM)
        mine = lock_number(connection, f"node {self.name}")
        if not has_locked(connection, house, "pg_advisory_lock_shared"):
            raise LeaseHeld(
                "another process has this journal open as its house, without a node"
            )
        if not has_locked(connection, mine):
            raise LeaseHeld(f"another process is the node {self.name}")
        return mine

    def _list(self, connection: Connection) -> None:
        connection.execute(_FORGET_OLD)
        name = connection.info.parameter_status("application_name") or ""
        query(connection, _JOIN, (self.name, self._version, self._lock_key, name))
        self._held_by = connection

    def beat(self, summaries: Mapping[str, str]) -> Registered:
        try:
            return self._beat(summaries)
        except ServerAway:  # the session may have ended, and a new one will do
            return self._beat(summaries)

    def _beat(self, summaries: Mapping[str, str]) -> Registered:
        with self._connection.using("beaten") as connection:
            if connection is not self._held_by:  # it was lost, and made again
                self._lock(connection)
                self._list(connection)
            query(connection, _BEAT, (_clock_off_ms(connection), self.name))
            if summaries:
                told = [*summaries], [*summaries.values()]
                query(connection, _SUMMARIES, (*told, self.name))
            return _registered(connection)

    def wait(self, seconds: float) -> bool:
        try:
            return self._listening.wait(seconds)
        except JournalFailed:
            time.sleep(seconds)
            return False

    def claim(self, table: str, before: Ownership | None) -> bool:
        with self._connection.using("written") as connection:
            if connection is not self._held_by:  # without its name it owns nothing
                return False
            if before is None:
                taken = query(connection, _TAKE_NEW, (table, self.name))
            else:
                was = (table, before.node, before.epoch)
                taken = query(connection, _TAKE, (self.name, *was))
            if taken:
                _wake(connection)
            return bool(taken)

    def want(self, table: str) -> None:
        with self._connection.using("written") as connection:
            query(connection, _WANT, (table, self.name))
            _wake(connection)

    def hand_over(self, table: str, left_at: int | None) -> None:
        with self._connection.using("written") as connection:
            query(connection, _HAND_OVER, (left_at, table, self.name))
            _wake(connection)

    def forget(self, tables: Iterable[str]) -> None:
        with self._connection.using("written") as connection:
            for table in tables:
                query(connection, _FORGET, (table, self.name))

    def put_out(self, node: str) -> None:
        with self._connection.using("written") as connection:
            query(connection, _PUT_OUT, (node,))

    def close(self) -> None:
        try:
            with self._connection.using("written") as connection:
                query(connection, "DELETE FROM nodes WHERE name = ?", (self.name,))
                _wake(connection)
        except JournalError:
            pass  # the session ends all the same
        self._listening.close()
        super().close()


class NodeStore(PostgresStore):
    """A journal in which this node writes the tables that it owns, and the house."""

    def __init__(self, dsn: str, node: str) -> None:
        super().__init__(dsn, create=False)
        self._node = node

    def claim_stream(self, stream: str) -> int:
        """Return a new epoch; raise `WriterConflict` if another node owns the table."""
        if self.frozen is not None or stream == HOUSE_STREAM:
            return super().claim_stream(stream)
        claimed = self._write(_CLAIM, (stream, self._node, stream))
        if not claimed:
            raise WriterConflict(stream)
        [(epoch,)] = claimed
        assert isinstance(epoch, int)
        return epoch


def node_dsn(dsn: str, name: str) -> str:
    """Return an address that names the node in each of its sessions."""
    if not _NAME.fullmatch(name):
        raise JournalError(
            "a node is named by up to 32 letters, digits, dots, dashes or underscores"
        )
    servers_of(dsn)  # refuses an address that can't be read
    return make_conninfo(dsn, application_name=f"croupier {name} {token_hex(8)}")


def _clock_off_ms(connection: Connection) -> int:
    """Return this clock's lead over the database's, less the time of the query."""
    before = time.time_ns() // 1_000_000
    [(there,)] = query(connection, _CLOCK)
    assert isinstance(there, int)
    after = time.time_ns() // 1_000_000
    return max(before - there, 0) + min(after - there, 0)


def _registered(connection: Connection) -> Registered:
    nodes = tuple(NodeRow(*row) for row in query(connection, _NODES))
    owners = {row[0]: Ownership(*row) for row in query(connection, _OWNERS)}
    return Registered(nodes, owners)


def _wake(connection: Connection) -> None:
    """Make the other nodes look at the list now."""
    query(connection, f"SELECT pg_notify({_CHANNEL}, '')")
