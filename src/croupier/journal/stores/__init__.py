"""The databases that can hold a journal, SQLite and PostgreSQL, by address."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.journal.store import JournalError, Store
from croupier.journal.stores.sql_store import is_writable
from croupier.journal.stores.sqlite import SqliteStore

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)
_POSTGRESQL = ("postgresql", "postgres")


def open_store(url: str) -> Store:
    """Open the store at a path, `sqlite:PATH`, `sqlite:///PATH` or `postgresql://...`.

    After `sqlite:///` a path is relative unless it begins with a slash of its own, as
    in other Python libraries. Raises `JournalError`; it never repeats a password.
    """
    path = file_of(url)
    return _open_postgresql(url) if path is None else SqliteStore(path)


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


def _open_postgresql(url: str) -> Store:
    try:
        from croupier.journal.stores.postgresql import PostgresStore
    except ImportError as error:
        raise JournalError(
            "a journal on PostgreSQL needs psycopg: install croupier[postgresql]"
        ) from error
    return PostgresStore(url)
