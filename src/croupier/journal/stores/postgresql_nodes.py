"""The registry of nodes on PostgreSQL: rows, and a session's advisory locks.

A node's session holds two locks: its own name, which nobody else may, and with all
other nodes the lease of the house, so that no process serves that house alone. When the
process ends, however it ends, the server lets go of both.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import Self

import psycopg
from psycopg import sql
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
from croupier.journal.stores.postgresql_lease import SCHEMA_NUMBER, lock_key
from croupier.journal.stores.postgresql_servers import (
    Connection,
    query,
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
_END_MS = 2_000
"""So long a session that is ended may take over it."""
_SESSION = (
    "SET lock_timeout = '1s'",
    "SET statement_timeout = '4s'",
    "SET idle_session_timeout = 0",
    "SET tcp_keepalives_idle = 2",
    "SET tcp_keepalives_interval = 1",
    "SET tcp_keepalives_count = 3",
)
_HELD = (
    "EXISTS (SELECT FROM pg_locks held WHERE held.locktype = 'advisory'"
    " AND held.granted AND held.objsubid = 1 AND held.database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (held.classid::bigint << 32) | held.objid::bigint = nodes.lock_key)"
)
_SILENT = "(extract(epoch FROM clock_timestamp() - nodes.beat_at) * 1000)::bigint"
_NODES = (
    f"SELECT name, address, version, {_HELD}, greatest({_SILENT}, 0),"  # noqa: S608
    " is_draining, clock_off_ms"
    ' FROM nodes ORDER BY name COLLATE "C"'
)
_OWNERS = (
    "SELECT stream, node, epoch, (extract(epoch FROM since) * 1000)::bigint,"
    " move_to, is_pinned, load FROM table_owners"
)
_JOIN = (
    "INSERT INTO nodes VALUES (?, ?, ?, ?, ?, clock_timestamp())"
    " ON CONFLICT (name) DO UPDATE SET address = excluded.address,"
    " version = excluded.version, lock_key = excluded.lock_key,"
    " sessions = excluded.sessions, beat_at = excluded.beat_at"
)
_FORGET_OLD = (
    "DELETE FROM nodes WHERE beat_at < clock_timestamp() - interval '1 day'"
    " AND NOT is_draining"
)
_BEAT = "UPDATE nodes SET beat_at = clock_timestamp(), clock_off_ms = ? WHERE name = ?"
_CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_LOADS = (
    "UPDATE table_owners SET load = told.load"
    " FROM unnest(?::text[], ?::bigint[]) AS told (stream, load)"
    " WHERE table_owners.stream = told.stream AND node = ?"
    " AND table_owners.load <> told.load"
)
_TAKE_NEW = (
    "INSERT INTO table_owners VALUES (?, ?, 1, clock_timestamp())"
    " ON CONFLICT DO NOTHING RETURNING epoch"
)
_TAKE = (
    "UPDATE table_owners SET node = ?, epoch = epoch + 1, since = clock_timestamp(),"
    " is_pinned = is_pinned AND move_to = ?, move_to = ''"
    " WHERE stream = ? AND node = ? AND epoch = ? RETURNING epoch"
)
_LET_GO = "UPDATE table_owners SET node = '' WHERE stream = ? AND node = ?"
_ASK_TO_MOVE = (
    "UPDATE table_owners SET move_to = CASE WHEN node = ? THEN '' ELSE ? END,"
    " is_pinned = ? WHERE stream = ? RETURNING node"
)
_CLAIM = (
    "WITH owner AS MATERIALIZED"
    " (SELECT 1 FROM table_owners WHERE stream = ? AND node = ? FOR SHARE)"
    " INSERT INTO streams SELECT ?, 1, 0, repeat('0', 64) FROM owner"
    " ON CONFLICT (stream) DO UPDATE SET epoch = streams.epoch + 1 RETURNING epoch"
)
_PUT_OUT = (
    f"SELECT pg_terminate_backend(pid, {_END_MS}) FROM pg_stat_activity"  # noqa: S608
    " WHERE usename = current_user AND datname = current_database()"
    " AND pid <> pg_backend_pid() AND application_name ="
    f" (SELECT sessions FROM nodes WHERE name = ? AND {_SILENT} >= {SILENT_MS})"
)


class NodeRows:
    """The rows of nodes and owners, for whoever may reach the database."""

    def __init__(self, dsn: str) -> None:
        self._connection = PostgresConnection(dsn)

    def registered(self) -> Registered:
        """Return all nodes and owners as they are now."""
        with self._connection.using("read") as connection:
            return _registered(connection)

    def ask_to_move(self, table: str, node: str, *, pins: bool) -> None:
        """Have the owner give a table to another node, between rounds."""
        with self._connection.using("written") as connection:
            query(connection, _ASK_TO_MOVE, (node, node, pins, table))
            _wake(connection)

    def drain(self, node: str, *, on: bool) -> None:
        """Have a node give all its tables away and take none, or take them again."""
        with self._connection.using("written") as connection:
            connection.execute(
                "UPDATE nodes SET is_draining = %s WHERE name = %s", (on, node)
            )
            _wake(connection)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PostgresNodes(NodeRows):
    """One node's registry: held from its making until `close`."""

    def __init__(self, dsn: str, name: str, address: str, version: str) -> None:
        """Take the name; raise `LeaseHeld` where a session has it, or all the house."""
        super().__init__(dsn)
        self.name, self.secret = name, b""
        self._row = (address, version)
        self._held_by: Connection | None = None
        """The session that holds the name, once its row says so."""
        self._heard_by: Connection | None = None
        try:
            with self._connection.using("joined") as connection:
                self._lock_key = self._lock(connection)
            self._listening = PostgresConnection(dsn)
        except BaseException:
            super().close()
            raise

    def join(self) -> None:
        """Be on the list of nodes, now that the database has one."""
        with self._connection.using("joined") as connection:
            self._list(connection)
            self.secret = _secret(connection)

    def _lock(self, connection: Connection) -> int:
        """Hold the house with other nodes, and this name alone; return its number."""
        for setting in _SESSION:
            connection.execute(setting.encode())
        house, mine = _key(connection, HOUSE_STREAM), _key(connection, self.name)
        _take_lock(
            connection,
            "SELECT pg_advisory_lock_shared(?)",
            house,
            "another process has this journal open as its house, without a node",
        )
        _take_lock(
            connection,
            "SELECT pg_advisory_lock(?)",
            mine,
            f"another process is the node {self.name}",
        )
        return mine

    def _list(self, connection: Connection) -> None:
        connection.execute(_FORGET_OLD)
        name = connection.info.parameter_status("application_name") or ""
        _run(connection, _JOIN, self.name, *self._row, self._lock_key, name)
        self._held_by = connection

    def beat(self, loads: Mapping[str, int]) -> Registered:
        try:
            return self._beat(loads)
        except ServerAway:  # the session may have ended, and a new one will do
            return self._beat(loads)

    def _beat(self, loads: Mapping[str, int]) -> Registered:
        with self._connection.using("beaten") as connection:
            if connection is not self._held_by:  # it was lost, and made anew
                self._lock(connection)
                self._list(connection)
            _run(connection, _BEAT, _clock_off_ms(connection), self.name)
            if loads:
                _run(connection, _LOADS, [*loads], [*loads.values()], self.name)
            return _registered(connection)

    def wait(self, seconds: float) -> bool:
        try:
            with self._listening.using("heard", is_bounded=False) as connection:
                if connection is not self._heard_by:
                    [(schema,)] = query(connection, SCHEMA_NUMBER)
                    channel = sql.Identifier(_channel(schema))
                    connection.execute(sql.SQL("LISTEN {}").format(channel))
                    self._heard_by = connection
                return any(connection.notifies(timeout=seconds, stop_after=1))
        except JournalFailed:
            time.sleep(seconds)
            return False

    def take(self, table: str, before: Ownership | None) -> Ownership | None:
        with self._connection.using("written") as connection:
            if connection is not self._held_by:  # whoever holds no name owns nothing
                return None
            if before is None:
                taken = query(connection, _TAKE_NEW, (table, self.name))
            else:
                was = (table, before.node, before.epoch)
                taken = query(connection, _TAKE, (self.name, self.name, *was))
            if not taken:
                return None
            _wake(connection)
            return _owners(connection, table)[table]

    def let_go(self, table: str) -> None:
        with self._connection.using("written") as connection:
            _run(connection, _LET_GO, table, self.name)
            _wake(connection)

    def forget(self, tables: Iterable[str]) -> None:
        with self._connection.using("written") as connection:
            for table in tables:
                connection.execute(
                    "DELETE FROM table_owners WHERE stream = %s AND node = %s",
                    (table, self.name),
                )

    def put_out(self, node: str) -> None:
        with self._connection.using("written") as connection:
            query(connection, _PUT_OUT, (node,))

    def close(self) -> None:
        """Let go of the name; a node that drains stays on the list as one."""
        try:
            with self._connection.using("written") as connection:
                connection.execute(
                    "DELETE FROM nodes WHERE name = %s AND NOT is_draining",
                    (self.name,),
                )
                _wake(connection)
        except JournalError:
            pass  # the session ends all the same
        self._listening.close()
        super().close()


class NodeStore(PostgresStore):
    """A journal of which this node writes the tables that it owns, and the house."""

    def __init__(self, dsn: str, node: str) -> None:
        super().__init__(dsn, create=False)
        self._node = node

    def claim_stream(self, stream: str) -> int:
        """Return a new epoch; raise `WriterConflict` where another node has it."""
        if self.frozen is not None or stream == HOUSE_STREAM:
            return super().claim_stream(stream)
        claimed = self._write(_CLAIM, (stream, self._node, stream))
        if not claimed:
            raise WriterConflict(stream)
        [(epoch,)] = claimed
        assert isinstance(epoch, int)
        return epoch


def node_dsn(dsn: str, name: str) -> str:
    """Return the address at which all sessions of a node can be told from others."""
    if not _NAME.fullmatch(name):
        raise JournalError(
            "a node is named by up to 32 letters, digits, dots, dashes or underscores"
        )
    probe = PostgresConnection(dsn)
    try:
        with probe.using("read") as connection:
            key = _key(connection, name)
    finally:
        probe.close()
    return make_conninfo(dsn, application_name=f"croupier {name} {key & (2**64 - 1):x}")


def _key(connection: Connection, name: str) -> int:
    """Return the number of the lock of the house, or of a node."""
    [(schema,)] = query(connection, SCHEMA_NUMBER)
    return lock_key(schema, name if name == HOUSE_STREAM else f"node {name}")


def _take_lock(connection: Connection, taking: str, key: int, held: str) -> None:
    try:
        query(connection, taking, (key,))
    except psycopg.errors.LockNotAvailable:
        raise LeaseHeld(held) from None


def _clock_off_ms(connection: Connection) -> int:
    """Return how far this clock is ahead or behind, less the time that asking took."""
    before = time.time_ns() // 1_000_000
    [(there,)] = query(connection, _CLOCK)
    assert isinstance(there, int)
    after = time.time_ns() // 1_000_000
    return max(before - there, 0) + min(after - there, 0)


def _registered(connection: Connection) -> Registered:
    nodes = tuple(NodeRow(*row) for row in query(connection, _NODES))
    return Registered(nodes, _owners(connection))


def _owners(connection: Connection, table: str | None = None) -> dict[str, Ownership]:
    if table is None:
        rows = query(connection, _OWNERS)
    else:
        rows = query(connection, f"{_OWNERS} WHERE stream = ?", (table,))
    return {row[0]: Ownership(*row) for row in rows}


def _secret(connection: Connection) -> bytes:
    """Return what the nodes share; the first of them makes it."""
    _run(
        connection,
        "INSERT INTO node_secret (secret) VALUES (?) ON CONFLICT DO NOTHING",
        token_hex(32),
    )
    [(secret,)] = query(connection, "SELECT secret FROM node_secret")
    return bytes.fromhex(secret)


def _channel(schema: int) -> str:
    return f"croupier_nodes_{schema}"


def _wake(connection: Connection) -> None:
    """Have the other nodes look at once."""
    [(schema,)] = query(connection, SCHEMA_NUMBER)
    query(connection, "SELECT pg_notify(?, '')", (_channel(schema),))


def _run(connection: Connection, statement: str, *bindings: object) -> None:
    """Run a statement that returns no rows; `?` stands for a binding."""
    connection.execute(statement.replace("?", "%s").encode(), bindings)
