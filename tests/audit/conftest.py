"""A house that was played once, for every test here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.journal.stores.sqlite import SqliteStore
from tests.audit.floor import play
from tests.journal.stores import postgres_server, postgres_url

__all__ = ["played", "postgres_server", "postgres_url"]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """The journal of five tables and the house, open; nothing may change it."""
    with SqliteStore(tmp_path_factory.mktemp("played") / "house.db") as store:
        play(store)
        yield store
