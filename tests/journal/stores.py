"""A new, empty journal on each of the two databases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from croupier.journal.store import Store
from croupier.journal.stores import open_store
from tests.journal.server import Server, running_server

_schemas = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """The server of this process; stopping it twice does no harm."""
    server = running_server()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server: Server) -> str:
    """The address of a new schema, one for each test."""
    schema = f"journal_{next(_schemas)}"
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    return postgres_server.url(f"-c search_path={schema}")


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'journal.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty journal, once on each database."""
    name = {"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param]
    url = request.getfixturevalue(name)
    assert isinstance(url, str)
    return url


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An empty journal, once on each database."""
    with open_store(store_url) as opened:
        yield opened


UNGUARDED = b"SET session_replication_role = replica"
"""Lets an owner of a journal on PostgreSQL change its events."""


def unguarded(connection: apsw.Connection) -> apsw.Connection:
    """Return the connection without the triggers that protect events."""
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    return connection


def run_sql(url: str, sql: str) -> list[tuple[Any, ...]]:
    """Run a statement straight on the database, past the store."""
    if url.startswith("sqlite:///"):
        connection = unguarded(apsw.Connection(url.removeprefix("sqlite:///")))
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(UNGUARDED)
        cursor = server.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []
