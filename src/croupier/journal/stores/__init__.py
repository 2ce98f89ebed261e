"""The databases that can hold a journal, SQLite and PostgreSQL, by address."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.journal.node_registry import NodeRegistry
from croupier.journal.sharing import HouseSharing, Lease
from croupier.journal.store import HOUSE_STREAM, JournalError, NoSuchJournal, Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.stores.writable_rows import is_writable

if TYPE_CHECKING:
    from croupier.journal.stores.postgresql_nodes import NodeRows

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)
_POSTGRESQL = ("postgresql", "postgres")


def open_store(url: str, *, create: bool = True) -> Store:
    """Open the store at a path, `sqlite:PATH`, `sqlite:///PATH` or `postgresql://...`.

    After `sqlite:///` a path is relative unless it begins with a slash of its own, as
    in other Python libraries. Raises `JournalError`; it never repeats a password.
    Where there is no journal one is made, or `NoSuchJournal` raised without `create`.
    """
    path = file_of(url)
    if path is None:
        with _needing_psycopg():
            from croupier.journal.stores.postgresql import PostgresStore
        return PostgresStore(url, create=create)
    if not create:
        _expect_file(path)
    return SqliteStore(path)


def open_lease(url: str, name: str = HOUSE_STREAM, *, create: bool = False) -> Lease:
    """Take the lease of a journal, before it is opened and anything in it changed.

    One lease is for the house as a whole. Raises `LeaseHeld` where another process has
    it, and `NoSuchJournal` where there is no file and `create` does not ask for one.
    """
    path = file_of(url)
    if path is None:
        with _needing_psycopg():
            from croupier.journal.stores.postgresql_lease import SessionLease
        return SessionLease(url, name)
    if not create:
        _expect_file(path)
    from croupier.journal.stores.sqlite_lease import FileLease

    return FileLease(path)


def open_sharing(url: str) -> HouseSharing:
    """Share the house of a journal with other processes; raises `JournalError`."""
    if file_of(url) is not None:
        raise JournalError(
            "only a journal on PostgreSQL can be shared by several processes"
        )
    with _needing_psycopg():
        from croupier.journal.stores.postgresql_sharing import PostgresSharing
    return PostgresSharing(url)


def grant_server(url: str, role: str) -> None:
    """Let a role of the database serve a journal, and change no event of it.

    Raises `JournalError`, also for SQLite: there who can write a file can write all.
    """
    if file_of(url) is not None:
        raise JournalError(
            "a file has no roles: who may write a journal on SQLite is the business of"
            " the file's owner"
        )
    with _needing_psycopg():
        from croupier.journal.stores.postgresql import grant_server as grant
    grant(url, role)


@contextmanager
def open_leased(url: str, *, create: bool = False) -> Iterator[tuple[Store, Lease]]:
    """Open a journal to write it, while no other process does."""
    with (
        open_lease(url, create=create) as lease,
        open_store(url, create=create) as store,
    ):
        if isinstance(store, SqliteStore):
            from croupier.journal.stores.sqlite_lease import FileLease

            assert isinstance(lease, FileLease)
            lease.name_locks(store.locks)
        yield store, lease


@contextmanager
def open_beside(url: str) -> Iterator[Store]:
    """Open a journal to write it, also beside the process that serves it.

    Raises `LeaseHeld` if the two would not see each other's locks.
    """
    with open_store(url, create=False) as store, ExitStack() as stack:
        path = file_of(url)
        if path is not None and isinstance(store, SqliteStore):
            from croupier.journal.stores.sqlite_lease import beside_holder

            stack.enter_context(beside_holder(path, store.locks))
        yield store


@dataclass(frozen=True, slots=True)
class NodeJournal:
    """The journal of a house, opened for one of its nodes."""

    store: Store
    registry: NodeRegistry
    sharing: HouseSharing
    open_again: Callable[[], Store]
    """Another connection to it; all sessions of a node can be told from others."""


@contextmanager
def open_node(
    url: str, name: str, *, address: str, version: str
) -> Iterator[NodeJournal]:
    """Open a journal as a node of its house, beside others; then let it `join`.

    Raises `JournalError` where it is a file, and `LeaseHeld` where a process serves it
    alone, or has the node's name.
    """
    if file_of(url) is not None:
        raise JournalError(
            "a house on SQLite is served by one process: nodes need PostgreSQL"
        )
    with _needing_psycopg():
        from croupier.journal.stores import postgresql_nodes as nodes
        from croupier.journal.stores.postgresql_sharing import PostgresSharing
    dsn = nodes.node_dsn(url, name)
    registry = nodes.PostgresNodes(dsn, name, address, version)
    try:
        with nodes.NodeStore(dsn, name) as store, PostgresSharing(dsn) as sharing:
            registry.join()
            again = partial(nodes.NodeStore, dsn, name)
            yield NodeJournal(store, registry, sharing, again)
    finally:
        registry.close()


def open_node_rows(url: str) -> NodeRows:
    """Open the list of a house's nodes, for whoever is none of them."""
    if file_of(url) is not None:
        raise JournalError(
            "a house on SQLite is served by one process: nodes need PostgreSQL"
        )
    with _needing_psycopg():
        from croupier.journal.stores import postgresql_nodes as nodes
    return nodes.NodeRows(url)


def _expect_file(path: Path) -> None:
    if not path.is_file():
        raise NoSuchJournal(f"{path}: there is no such journal")


def file_of(url: str) -> Path | None:
    """Return the file of a journal on SQLite, or None for one on PostgreSQL."""
    match = _SCHEME.match(url)
    scheme = match[1].lower() if match else "sqlite"
    if scheme in _POSTGRESQL:
        return None
    if scheme != "sqlite":
        raise JournalError(
            f"a journal is a file or begins with sqlite: or postgresql:, not {scheme}:"
        )
    path = url[match.end() :] if match else url
    path = path.removeprefix("///")
    if not path or not is_writable(path) or path.startswith("//"):
        raise JournalError(f"{url!r} names no file for a journal")
    return Path(path)


@contextmanager
def _needing_psycopg() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise JournalError(
            "a journal on PostgreSQL needs psycopg: install croupier[postgresql]"
        ) from error
