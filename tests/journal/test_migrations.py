"""A journal of an older version is brought up to date, with everything in it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import apsw
import psycopg
import pytest

from croupier.journal.store import JournalError, Store
from croupier.journal.stores import open_store, postgresql, sqlite
from croupier.journal.stores.sql_store import migration_scripts
from croupier.journal.stores.sqlite import APPLICATION_ID, SqliteStore
from croupier.journal.tables import TABLES, Row
from croupier.journal.verification import verify
from tests.journal import tampering as tamper
from tests.journal.scene import Clock, Driver, play
from tests.journal.stores import run_sql

Rows = dict[str, list[Row]]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """Of a house with everything in its journal."""
    with SqliteStore(tmp_path_factory.mktemp("old") / "journal.db") as played:
        play(played)
        return {name: tamper.rows(played, table) for name, table in TABLES.items()}


@pytest.fixture
def old_url(store_url: str, rows: Rows) -> str:
    """A journal as the first version left it, on each database."""
    if store_url.startswith("sqlite"):
        _make_old_file(store_url.removeprefix("sqlite:///"), rows)
    else:
        _make_old_schema(store_url, rows)
    assert _version(store_url) == 1
    return store_url


def _make_old_file(path: str, rows: Rows) -> None:
    connection = apsw.Connection(path)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    with connection:
        connection.execute(migration_scripts("sqlite")[0])
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        for name, stored in rows.items():
            connection.executemany(_insert(name, "?"), stored)
    connection.close()


def _make_old_schema(url: str, rows: Rows) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(migration_scripts("postgresql")[0].encode())
        connection.execute("UPDATE croupier_journal SET version = 1")
        for name, stored in rows.items():
            connection.cursor().executemany(_insert(name, "%s").encode(), stored)


def _insert(name: str, mark: str) -> str:
    columns = list(TABLES[name].columns)
    marks = ", ".join(mark for _ in columns)
    own = "" if "number" not in columns else " OVERRIDING SYSTEM VALUE"
    own = own if mark == "%s" else ""
    return f"INSERT INTO {name} ({', '.join(columns)}){own} VALUES ({marks})"


def _version(url: str) -> int:
    is_file = url.startswith("sqlite")
    sql = "PRAGMA user_version" if is_file else "SELECT version FROM croupier_journal"
    [(version,)] = run_sql(url, sql)
    assert isinstance(version, int)
    return version


def _held(store: Store) -> Rows:
    return {name: tamper.rows(store, table) for name, table in TABLES.items()}


def test_a_journal_of_version_1_is_brought_up_to_date_with_its_rows(
    old_url: str, rows: Rows
) -> None:
    with open_store(old_url) as store:
        held, report = _held(store), verify(store)
        settled = [row.sequence for row in store.settlements("t1")]

    events = rows["events"]
    assert _version(old_url) == len(migration_scripts(old_url.partition(":")[0]))
    assert held == rows
    assert report.is_clean
    assert report.checked["events"] == len(events)
    assert settled == [
        row[1] for row in events if row[0] == "t1" and row[8] == "RoundSettled"
    ]
    assert len(settled) > 3


def test_a_migrated_journal_keeps_secrets_and_goes_on(old_url: str, rows: Rows) -> None:
    with open_store(old_url) as store:
        key = store.keep_secret("a hash")
        driver = Driver(store, "t1", Clock(), first_id=1_000)
        driver.round("7", ("7", 100))

    with open_store(old_url) as store:
        assert store.secret(key) == "a hash"
        assert verify(store).is_clean
        assert len(tamper.rows(store, TABLES["events"])) > len(rows["events"])


def test_a_journal_is_migrated_once(old_url: str) -> None:
    with open_store(old_url) as store:
        key = store.keep_secret("a hash")

    for _ in range(2):
        with open_store(old_url) as store:
            assert store.secret(key) == "a hash"


def _failing_half_way(dialect: str) -> tuple[str, ...]:
    first, second, *_ = migration_scripts(dialect)
    return first, second, "CREATE TABLE another (digest TEXT); CREATE nonsense;"


def test_a_migration_that_fails_leaves_everything_as_it_was(
    old_url: str, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        for module in (sqlite, postgresql):
            patch.setattr(module, "migration_scripts", _failing_half_way)
        with pytest.raises(JournalError):
            open_store(old_url)
    version = _version(old_url)

    with open_store(old_url) as store:
        assert version == 1
        assert _held(store) == rows
        assert store.secret(store.keep_secret("a hash")) == "a hash"


def test_all_who_open_an_old_journal_at_once_get_it(old_url: str, rows: Rows) -> None:
    start = Barrier(4)

    def open_and_keep(number: int) -> str:
        start.wait()
        with open_store(old_url) as store:
            return store.keep_secret(f"secret {number}")

    with ThreadPoolExecutor(4) as pool:
        keys = list(pool.map(open_and_keep, range(4)))

    with open_store(old_url) as store:
        assert [store.secret(key) for key in keys] == [
            f"secret {number}" for number in range(4)
        ]
        assert _held(store) == rows


def test_the_backup_of_a_migrated_file_is_a_journal(
    sqlite_url: str, rows: Rows, tmp_path: Path
) -> None:
    _make_old_file(sqlite_url.removeprefix("sqlite:///"), rows)
    with SqliteStore(sqlite_url.removeprefix("sqlite:///")) as store:
        store.backup_to(tmp_path / "copy.db")

    with SqliteStore(tmp_path / "copy.db") as copy:
        assert _held(copy) == rows
