"""The databases that can hold a journal, SQLite and PostgreSQL, by address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.extras import needing
from croupier.journal.addresses import file_of
from croupier.journal.commit_key import commit_key_of
from croupier.journal.node_registry import NodeRegistry
from croupier.journal.sharing import HouseSharing, Lease
from croupier.journal.store import JournalError, NoSuchJournal, Store
from croupier.journal.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from croupier.journal.stores.postgresql_nodes import NodeRows


def open_store(url: str, *, create: bool = True) -> Store:
    """Open the store at a path, `sqlite:PATH`, `sqlite:///PATH` or `postgresql://...`.

    After `sqlite:///` a path is relative unless it begins with a slash of its own, as
    in other Python libraries. Raises `JournalError`; it never repeats a password.
    A missing journal is made; without `create`, `NoSuchJournal` is raised.
    """
    path = file_of(url)
    if path is None:
        with needing("postgresql"):
            from croupier.journal.stores.postgresql import PostgresStore
        return _with_key(PostgresStore(url, create=create))
    if not create:
        _expect_file(path)
    return _with_key(SqliteStore(path))


def _with_key(store: Store) -> Store:
    """Give a store the commit key that the environment names."""
    try:
        store.commit_key = commit_key_of()
    except JournalError:
        store.close()
        raise
    return store


def open_lease(url: str, *, create: bool = False) -> Lease:
    """Take the lease of a journal, before it is opened and anything in it changed.

    Raises `LeaseHeld` if another process has it,
    and `NoSuchJournal` if there is no file, unless `create` asks for one.
    """
    path = file_of(url)
    if path is None:
        with needing("postgresql"):
            from croupier.journal.stores.postgresql_sharing import SessionLease
        return SessionLease(url)
    if not create:
        _expect_file(path)
    from croupier.journal.stores.sqlite_lease import FileLease

    return FileLease(path)


def grant_server(url: str, role: str) -> None:
    """Let a role of the database serve a journal, and change no event of it.

    Raises `JournalError`, also for SQLite: access to a file is access to all of it.
    """
    if file_of(url) is not None:
        raise JournalError(
            "a file has no roles: who may write a journal on SQLite is the business of"
            " the file's owner"
        )
    with needing("postgresql"):
        from croupier.journal.stores.postgresql import grant_server as grant
    grant(url, role)


@contextmanager
def open_leased(url: str, *, create: bool = False) -> Iterator[tuple[Store, Lease]]:
    """Open a journal to write it, while no other process writes it."""
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
    """Open another connection to it, which names the node like all its sessions."""


@contextmanager
def open_node(url: str, name: str, *, version: str) -> Iterator[NodeJournal]:
    """Open a journal as a node of its house, beside others; then let it `join`.

    Raises `JournalError` if the journal is a file, and `LeaseHeld` if a process serves
    it alone or has the node's name.
    """
    _expect_server(url)
    with needing("postgresql"):
        from croupier.journal.stores import postgresql_nodes as nodes
        from croupier.journal.stores.postgresql_sharing import PostgresSharing
    dsn = nodes.node_dsn(url, name)
    registry = nodes.PostgresNodes(dsn, name, version)
    try:
        with nodes.NodeStore(dsn, name) as store, PostgresSharing(dsn) as sharing:
            registry.join()
            _with_key(store)

            def again() -> Store:
                return _with_key(nodes.NodeStore(dsn, name))

            yield NodeJournal(store, registry, sharing, again)
    finally:
        registry.close()


def open_node_rows(url: str) -> NodeRows:
    """Open the list of a house's nodes, for a process that is no node."""
    _expect_server(url)
    with needing("postgresql"):
        from croupier.journal.stores import postgresql_nodes as nodes
    return nodes.NodeRows(url)


def _expect_server(url: str) -> None:
    if file_of(url) is not None:
        raise JournalError(
            "a house on SQLite is served by one process: nodes need PostgreSQL"
        )


def _expect_file(path: Path) -> None:
    if not path.is_file():
        raise NoSuchJournal(f"{path}: there is no such journal")
