"""Journals on both databases."""

from tests.journal.stores import (
    postgres_server,
    postgres_url,
    sqlite_url,
    store,
    store_url,
)

__all__ = ["postgres_server", "postgres_url", "sqlite_url", "store", "store_url"]
