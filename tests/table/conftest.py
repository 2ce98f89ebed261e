"""Journals on both databases and tables served by a writer, for every test here."""

from tests.journal.stores import (
    postgres_server,
    postgres_url,
    sqlite_url,
    store,
    store_url,
)
from tests.table.serving import serve

__all__ = [
    "postgres_server",
    "postgres_url",
    "serve",
    "sqlite_url",
    "store",
    "store_url",
]
