"""The servers of an address: the one to write, and those that were replaced.

Each is asked by itself. The writable one with the latest timeline is used: every
promotion of a standby begins a timeline. Two that can be written are two histories of
one house. So no process starts with them. A running process goes on with the later one
and marks the other: a process that reaches only the marked one does not use it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from croupier.journal.store import JournalError, ServerAway, ServerReplaced
from croupier.journal.writable_rows import RowsRefused

Connection = psycopg.Connection[tuple[Any, ...]]
_log = logging.getLogger(__name__)
_OLDEST_SERVER = 15
_CONNECTING = {
    "connect_timeout": 10,
    # A cut-off server is noticed within ten seconds, whether idle or in use.
    "tcp_user_timeout": 10_000,
    "keepalives": 1,
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "application_name": "croupier",
}
"""Defaults that an address may override."""
_OF_SEVERAL = {"connect_timeout": 3}
"""If it names several servers: each is tried before one is used."""
_LOCK_SECONDS = 10
_STATEMENT_SECONDS = 12
"""The limit of a statement, except those over whole journals."""
_LASTING = re.compile(
    r"authentication|password|pg_hba|does not exist|permission|not permitted"
    r"|certificate|does not support|invalid|unsupported",
    re.IGNORECASE,
)
"""The server's words if waiting would not help."""
_SETTINGS = (
    "fsync",
    "server_encoding",
    "synchronous_commit",
    "transaction_read_only",
)
_TIMELINE = (
    "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint"
)
# The mark that a process leaves at a server that was replaced.
_MARKED = "SELECT latest_timeline FROM croupier_journal"
_MARK = "UPDATE croupier_journal SET latest_timeline = %s WHERE latest_timeline < %s"


@dataclass(frozen=True, slots=True)
class _Server:
    """A server that answers and can be written."""

    name: str
    connection: Connection
    timeline: int
    latest: int
    """The latest timeline that this server or its mark knows of."""

    def __str__(self) -> str:
        return f"{self.name} (timeline {self.timeline})"


class Servers:
    """The servers of one address, and the latest timeline seen among them."""

    def __init__(self) -> None:
        self.timeline = 0
        """0: none has been used yet."""
        self.rival: str | None = None
        """The servers that can be written, if there are several, and the remedy."""
        self._dsn = ""
        """The address last used, if it names several servers."""

    def connect(self, dsn: str) -> tuple[Connection, int]:
        """Connect to the server with the latest timeline, and return that too.

        Raises `JournalError` if none can be used; `ServerAway` if one may be soon.
        """
        with ExitStack() as opened:
            found, problems = _reached(_addresses(dsn), opened)
            if not found:
                raise _unreached(problems)
            first = self._first(found)
            opened.pop_all()
        for each in found:
            if each is not first:
                each.connection.close()
        self._dsn = dsn if len(found) + len(problems) > 1 else ""
        return first.connection, first.timeline

    def look(self) -> None:
        """Look for a server that has come back, and for one that was promoted."""
        if self._dsn:
            with suppress(JournalError):
                self.connect(self._dsn)[0].close()

    def _first(self, found: Sequence[_Server]) -> _Server:
        """Return the server to use; note and mark the others that can be written."""
        first, *others = sorted(found, key=lambda each: -each.timeline)
        kind = ServerReplaced if self.timeline else JournalError
        latest = max(self.timeline, *(each.latest for each in found), 0)
        if first.timeline < latest:
            raise kind(
                f"the PostgreSQL server that answers was replaced: {first}, but a"
                f" standby was promoted since to timeline {latest}; start that one, and"
                " make this one its standby"
            )
        self._note(found)
        is_torn = bool(others) and others[0].timeline == first.timeline
        if self.rival is not None and (is_torn or not self.timeline):
            raise kind(self.rival)
        self.timeline = max(self.timeline, first.timeline)
        for each in others:
            _mark(each.connection, first.timeline)
        return first

    def _note(self, found: Sequence[_Server]) -> None:
        """Note whether several servers can be written, and log it once."""
        before, self.rival = self.rival, None
        if len(found) > 1:
            self.rival = (
                f"{len(found)} PostgreSQL servers of this address can be written,"
                f" {' and '.join(map(str, found))}: stop all but the one that was"
                " promoted"
            )
            if self.rival != before:
                _log.error(self.rival)


_SERVERS: dict[tuple[Any, ...], Servers] = {}


def servers_of(dsn: str) -> Servers:
    """Return the servers of an address, the same for the whole process."""
    given = _given(dsn)
    key = tuple(given.get(name) for name in ("host", "hostaddr", "port", "dbname"))
    return _SERVERS.setdefault(key, Servers())


def _given(dsn: str) -> Mapping[str, Any]:
    try:
        return conninfo_to_dict(dsn)
    except psycopg.Error:
        # The library's message repeats the address, and with it the password.
        raise JournalError("the PostgreSQL address can't be read") from None


def _addresses(dsn: str) -> dict[str, str]:
    """Return the address of each server, by its name."""
    given = _given(dsn)
    parts = {
        name: str(given[name]).split(",")
        for name in ("host", "hostaddr", "port")
        if given.get(name)
    }
    count = max((len(parts.get(name, ())) for name in ("host", "hostaddr")), default=1)
    if count < 2:
        return {str(given.get("host") or "it"): dsn}
    found = {}
    for place in range(count):
        own = {name: some[min(place, len(some) - 1)] for name, some in parts.items()}
        name = own.get("host") or own["hostaddr"]
        name = f"{name}:{own['port']}" if own.get("port") else name
        found[name] = make_conninfo(dsn, **own, target_session_attrs="any")
    return found


def _reached(
    addresses: Mapping[str, str], opened: ExitStack
) -> tuple[list[_Server], list[JournalError]]:
    """Ask all servers at once; return the writable ones, and the others' errors.

    `opened` closes the connections.
    """
    usual = _CONNECTING | (_OF_SEVERAL if len(addresses) > 1 else {})

    def ask(name: str, dsn: str) -> _Server | JournalError:
        try:
            return _asked(name, dsn, usual)
        except JournalError as error:
            return error

    if len(addresses) == 1:  # on this thread, because a signal can interrupt it
        answers = list(map(ask, addresses, addresses.values()))
    else:
        with ThreadPoolExecutor(len(addresses)) as pool:
            answers = list(pool.map(ask, addresses, addresses.values()))
    found = [each for each in answers if isinstance(each, _Server)]
    for each in found:
        opened.callback(each.connection.close)
    return found, [each for each in answers if isinstance(each, JournalError)]


def _unreached(problems: Sequence[JournalError]) -> JournalError:
    """Return why no server can be used; one of several may be promoted soon."""
    if len(problems) == 1:
        return problems[0]
    said = "; ".join(dict.fromkeys(map(str, problems)))
    may_come = any(isinstance(each, ServerAway | _Standby) for each in problems)
    return (ServerAway if may_come else JournalError)(said)


class _Standby(JournalError):
    """The server can't be written, until it is promoted."""


def _asked(name: str, dsn: str, usual: Mapping[str, Any]) -> _Server:
    """Connect to one server; raises `JournalError` if it is not durable."""
    given = _given(dsn)
    try:
        connection = psycopg.connect(
            dsn,
            autocommit=True,
            **{k: v for k, v in usual.items() if k not in given},
            client_encoding="UTF8",
        )
    except psycopg.Error as error:
        why = in_a_sentence(error)
        kind = JournalError if _LASTING.search(why) else ServerAway
        raise kind(f"the PostgreSQL server can't be reached: {why}") from error
    try:
        _judge(connection)
        [(timeline,)] = query(connection, _TIMELINE)
        latest = max(timeline, _marked(connection))
        _pin(connection)
    except psycopg.Error as error:
        connection.close()
        raise JournalError(
            f"the PostgreSQL server can't be used: {in_a_sentence(error)}"
        ) from error
    except BaseException:
        connection.close()
        raise
    return _Server(name, connection, timeline, latest)


def _marked(connection: Connection) -> int:
    """Return the timeline that another process saw when this server was replaced."""
    try:
        return int(query(connection, _MARKED)[0][0])
    except (psycopg.ProgrammingError, LookupError):  # there is no journal yet
        return 0


def _mark(connection: Connection, timeline: int) -> None:
    """Mark a server as replaced, without waiting for a standby."""
    with suppress(psycopg.Error):
        connection.execute("SET synchronous_commit = local")
        connection.execute(_MARK, (timeline, timeline))


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
        raise _Standby("the PostgreSQL database can't be written: it is read-only")
    if settings["server_encoding"] != "UTF8":
        raise JournalError(
            "the PostgreSQL database can't hold every text: it needs the encoding UTF8"
        )


def has_standby(connection: Connection) -> bool:
    """Return whether commits wait for a synchronous standby."""
    [(names,)] = query(connection, "SHOW synchronous_standby_names")
    return bool(names.strip())


def _settings(connection: Connection) -> Mapping[str, str]:
    rows = connection.execute(
        "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", (list(_SETTINGS),)
    )
    return dict(rows.fetchall())


def _pin(connection: Connection) -> None:
    """Set the options that a later change of the server's settings must not weaken."""
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
    """Lift the limit on this transaction's statements, which read whole journals."""
    connection.execute("SET LOCAL statement_timeout = 0")


@contextmanager
def rows_refused() -> Iterator[None]:
    """Raise `RowsRefused` if the server rejects the rows."""
    try:
        yield
    except (psycopg.IntegrityError, psycopg.DataError, OverflowError) as error:
        raise RowsRefused(in_a_sentence(error)) from error


def in_a_sentence(error: BaseException) -> str:
    """Return the first line of an error of the server or its library."""
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__


def query(
    connection: Connection, sql: str, bindings: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """Return all rows of a statement, if it has any; `?` stands for a binding."""
    cursor = connection.execute(sql.replace("?", "%s"), bindings)
    return cursor.fetchall() if cursor.description else []
