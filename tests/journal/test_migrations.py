"""The next release migrates a journal of this one with all its contents."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from croupier.journal.store import JournalError, Store, migration_scripts
from croupier.journal.stores import open_store, postgresql, sqlite
from croupier.journal.tables import TABLES, Row
from croupier.journal.verification import verify
from tests.journal import tampering as tamper
from tests.journal.scene import Clock, Driver, play
from tests.journal.stores import run_sql

Rows = dict[str, list[Row]]
Plant = Callable[[str], None]
SECOND = "CREATE TABLE planted (word TEXT); INSERT INTO planted VALUES ('once');"
BROKEN = "CREATE TABLE planted (word TEXT); CREATE nonsense;"


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Return a function that gives this program a second migration."""

    def planted(script: str) -> None:
        for module in (sqlite, postgresql):
            monkeypatch.setattr(
                module,
                "migration_scripts",
                lambda dialect: (*migration_scripts(dialect), script),
            )

    return planted


@pytest.fixture
def rows(store_url: str) -> Rows:
    """Play a house with everything in its journal; return the rows."""
    with open_store(store_url) as store:
        play(store)
        return _held(store)


def _held(store: Store) -> Rows:
    return {name: tamper.rows(store, table) for name, table in TABLES.items()}


def _version(url: str) -> int:
    is_file = url.startswith("sqlite")
    sql = "PRAGMA user_version" if is_file else "SELECT version FROM croupier_journal"
    [(version,)] = run_sql(url, sql)
    assert isinstance(version, int)
    return version


def test_a_new_journal_has_version_1(store_url: str) -> None:
    open_store(store_url).close()

    assert _version(store_url) == 1


def test_a_second_migration_runs_once_and_keeps_the_rows(
    store_url: str, rows: Rows, plant: Plant
) -> None:
    plant(SECOND)

    for _ in range(2):
        with open_store(store_url) as store:
            assert _held(store) == rows

    assert _version(store_url) == 2
    assert run_sql(store_url, "SELECT word FROM planted") == [("once",)]


def test_a_migrated_journal_goes_on(store_url: str, rows: Rows, plant: Plant) -> None:
    plant(SECOND)

    with open_store(store_url) as store:
        Driver(store, "t1", Clock(), asked=1_000).round("7", ("7", 100))

        assert verify(store).is_clean
        assert len(_held(store)["events"]) > len(rows["events"])


def test_a_migration_that_fails_leaves_everything_as_it_was(
    store_url: str, rows: Rows, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(BROKEN)
    with pytest.raises(JournalError):
        open_store(store_url)
    monkeypatch.undo()

    with open_store(store_url) as store:
        assert _held(store) == rows
    assert _version(store_url) == 1


def test_processes_that_open_an_old_journal_at_once_all_get_it(
    store_url: str, rows: Rows, plant: Plant
) -> None:
    plant(SECOND)
    start = Barrier(4)

    def open_and_read(_: int) -> Rows:
        start.wait()
        with open_store(store_url) as store:
            return _held(store)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(open_and_read, range(4))) == [rows] * 4
    assert run_sql(store_url, "SELECT word FROM planted") == [("once",)]
