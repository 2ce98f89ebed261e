"""A PostgreSQL server, for reports on journals that are kept there."""

from __future__ import annotations

from tests.journal.stores import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]
