"""Addresses that open a journal, and addresses that are refused without a change."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import apsw
import pytest

from croupier.errors import CroupierError
from croupier.extras import MissingExtra
from croupier.journal.store import JournalError, JournalFailed, NotAJournal, Store
from croupier.journal.stores import open_store
from croupier.journal.stores.postgresql import PostgresStore
from croupier.journal.stores.sqlite import SqliteStore
from tests.journal.batches import append, batch, everything
from tests.journal.stores import run_sql

SEVERAL_PAGES = ["x" * 1_000] * 60


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A closed journal of several pages in one file."""
    path = tmp_path / "journal.db"
    with SqliteStore(path) as store:
        store.claim_stream("one")
        append(store, batch("one", bodies=SEVERAL_PAGES))
    return path


def _refused(url: object, kind: type[CroupierError] = JournalError) -> str:
    """Return the one sentence that refuses an address."""
    with pytest.raises(kind) as refusal:
        open_store(str(url))
    sentence = str(refusal.value)
    assert sentence
    assert "\n" not in sentence
    return sentence


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("form", ["{}", "sqlite:{}", "sqlite:///{}", "SQLite:{}"])
@pytest.mark.parametrize("absolute", [True, False])
def test_a_file_is_opened_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, absolute: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "my journal.db") if absolute else "my journal.db"

    with open_store(form.format(path)) as store:
        assert isinstance(store, SqliteStore)

    assert (tmp_path / "my journal.db").stat().st_size > 0


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_database_is_opened_by_its_url(postgres_url: str, scheme: str) -> None:
    with open_store(postgres_url.replace("postgresql", scheme, 1)) as store:
        assert isinstance(store, PostgresStore)
        assert store.heads() == []


@pytest.mark.parametrize(
    "url", ["", "sqlite:", "sqlite:///", "sqlite://host/file", "a\0b", "a\ud83c"]
)
def test_an_address_without_a_file_is_refused(url: str) -> None:
    assert _refused(url) == f"{url!r} names no file for a journal"


@pytest.mark.parametrize(
    "url", ["mysql://root:secret@host/db", "http://x/y", "file:x.db", "sqlite3:x"]
)
def test_an_unknown_scheme_is_refused_without_its_password(url: str) -> None:
    scheme = url.partition(":")[0]

    assert _refused(url) == (
        f"a journal is a file or begins with sqlite: or postgresql:, not {scheme}:"
    )


def test_postgresql_without_psycopg_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in list(sys.modules):
        if name.startswith(("psycopg", "croupier.journal.stores.postgresql")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)

    assert _refused("postgresql://", MissingExtra) == (
        "this needs psycopg: pip install 'croupier[postgresql]'"
    )


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:secret@127.0.0.1:1/db?connect_timeout=2",
        "postgresql:///db?host=/nowhere/at/all&password=secret",
    ],
)
def test_an_unreachable_server_is_one_sentence_without_the_password(url: str) -> None:
    sentence = _refused(url)

    assert sentence.startswith("the PostgreSQL server can't be reached: ")
    assert "secret" not in sentence


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:secret@[/db",
        "postgresql:///db?password=secret&nonsense=1",
        "postgresql:secret",
        "postgresql://anna:%zz@host/db",
    ],
)
def test_a_bad_address_is_not_repeated(url: str) -> None:
    assert _refused(url) == "the PostgreSQL address can't be read"


def test_a_folder_and_a_file_in_no_folder_are_refused(tmp_path: Path) -> None:
    assert "can't be opened" in _refused(tmp_path)
    assert "can't be opened" in _refused(tmp_path / "none" / "journal.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [":memory:", "sqlite::memory:"])
def test_memory_is_refused_because_nothing_in_it_lasts(path: str) -> None:
    assert _refused(path) == (
        ":memory: can't be written durably: it needs WAL and synchronous=FULL"
    )


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.touch()

    with open_store(str(path)) as store:
        assert store.heads() == []

    assert run_sql(f"sqlite:///{path}", "PRAGMA application_id") == [(0x43525550,)]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"x", id="one byte"),
        pytest.param(b"Dear house,\n" * 1_000, id="a letter"),
        pytest.param(bytes(8_192), id="zeros"),
        pytest.param(b"SQLite format 3\0" + bytes(8_176), id="only the magic word"),
    ],
)
def test_a_foreign_file_is_refused_and_left_as_it_was(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)

    sentence = _refused(path, NotAJournal)

    assert sentence.startswith(f"{path} is not a journal of croupier")
    assert _files(tmp_path) == {"foreign": content}


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param("CREATE TABLE events (x)", id="tables of its own"),
        pytest.param("PRAGMA application_id = 77; CREATE TABLE t (x)", id="its id"),
        pytest.param("PRAGMA application_id = 77", id="its id and no table"),
        pytest.param("PRAGMA user_version = 1", id="its version and no table"),
        pytest.param(
            f"PRAGMA application_id = {0x43525550}; CREATE TABLE t (x)",
            id="our id and no version",
        ),
    ],
)
@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_the_database_of_another_application_is_refused_and_left_as_it_was(
    tmp_path: Path, statements: str, mode: str
) -> None:
    path = tmp_path / "other.db"
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA journal_mode = {mode}; {statements}").fetchall()
    connection.close()
    before = _files(tmp_path)

    sentence = _refused(path, NotAJournal)

    assert sentence == f"{path} is not a journal of croupier"
    assert _files(tmp_path) == before


def test_the_wal_of_another_application_is_not_checkpointed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "other.db"
    connection = apsw.Connection(str(path))
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)").fetchall()
    connection.close()
    before = _files(tmp_path)

    _refused(path, NotAJournal)

    after = _files(tmp_path)
    assert len(before["other.db-wal"]) > 0
    assert after["other.db"] == before["other.db"]
    assert after["other.db-wal"] == before["other.db-wal"]


@pytest.mark.parametrize("kept", [1, 99, 511, 4_095, 4_096, 5_000, 40_000, -4_096, -1])
def test_a_truncated_journal_is_refused_and_left_as_it_was(
    journal: Path, kept: int
) -> None:
    cut = journal.read_bytes()[:kept]
    journal.write_bytes(cut)

    sentence = _refused(journal, NotAJournal)

    assert sentence.startswith(f"{journal} is not a journal of croupier")
    assert _files(journal.parent) == {journal.name: cut}


def test_a_journal_without_one_of_its_tables_is_refused(journal: Path) -> None:
    run_sql(f"sqlite:///{journal}", "DROP TABLE entries")
    before = _files(journal.parent)

    assert _refused(journal, NotAJournal) == f"{journal} is damaged: it has no entries"

    assert _files(journal.parent) == before


def test_the_journal_of_a_newer_croupier_is_refused_and_left_as_it_was(
    journal: Path,
) -> None:
    run_sql(f"sqlite:///{journal}", "PRAGMA user_version = 99")
    before = _files(journal.parent)

    assert _refused(journal) == f"{journal} was written by a newer croupier"

    assert _files(journal.parent) == before


class ReadOnlyDisk(apsw.VFS):
    """A disk on which no database can be written."""

    def __init__(self) -> None:
        super().__init__("read-only disk", "")

    def xOpen(  # noqa: N802
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        if flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            writing = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
            flags[0] = flags[0] & ~writing | apsw.SQLITE_OPEN_READONLY
        return apsw.VFSFile("", name, flags)


@pytest.fixture
def read_only_disk() -> Iterator[str]:
    disk = ReadOnlyDisk()
    yield "read-only disk"
    disk.unregister()


def test_a_journal_that_cant_be_written_is_refused(
    journal: Path, read_only_disk: str
) -> None:
    run_sql(f"sqlite:///{journal}", "PRAGMA journal_mode = DELETE")

    with pytest.raises(JournalError) as refusal:
        SqliteStore(journal, vfs=read_only_disk)

    assert str(refusal.value) == f"{journal} can't be written: it is read-only"


def test_a_disk_that_cant_have_a_wal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError) as refusal:
        SqliteStore(tmp_path / "journal.db", vfs="unix-dotfile")

    assert str(refusal.value).endswith("it needs WAL and synchronous=FULL")


def test_sqlite_writes_ahead_and_syncs_every_commit(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with SqliteStore(path) as store:
        modes = [
            store._value(f"PRAGMA {name}")
            for name in ("journal_mode", "synchronous", "fullfsync")
        ]

    assert modes == ["wal", 2, 1]


def test_a_sqlite_that_could_damage_a_journal_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apsw.SQLITE_VERSION_NUMBER", 3_051_002)

    assert "3.51.3 or later is needed" in _refused(tmp_path / "journal.db")
    assert list(tmp_path.iterdir()) == []


OPENING = """
import sys
from croupier.journal.stores import open_store

print("ready", flush=True)
sys.stdin.readline()
with open_store(sys.argv[1]) as store:
    print(store.claim_stream("one"))
"""


def test_processes_that_create_one_journal_at_once_all_open_it(
    store_url: str,
) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPENING, store_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(5)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()

    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    epochs = [process.communicate()[0].strip() for process in processes]

    assert sorted(epochs) == ["1", "2", "3", "4", "5"]


def test_a_process_waits_for_a_locked_file(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")

    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(SqliteStore, path)
        with pytest.raises(TimeoutError):
            opening.result(timeout=0.2)
        other.execute("COMMIT")
        other.close()

        with opening.result() as store:
            assert store.claim_stream("one") == 1


def test_threads_that_create_one_file_at_once_all_open_it(
    tmp_path: Path,
) -> None:
    def open_and_claim(path: Path, start: Barrier) -> int:
        start.wait()
        with SqliteStore(path) as store:
            return store.claim_stream("one")

    for number in range(40):
        path, start = tmp_path / f"{number}.db", Barrier(4)
        with ThreadPoolExecutor(4) as pool:
            epochs = list(pool.map(open_and_claim, [path] * 4, [start] * 4))

        assert sorted(epochs) == [1, 2, 3, 4]


def test_a_closed_store_fails_in_a_sentence(store: Store) -> None:
    store.claim_stream("one")
    store.close()

    with pytest.raises(JournalFailed, match="the journal can't be written: "):
        store.append([batch("one")])
    with pytest.raises(JournalFailed, match="the journal can't be read: "):
        store.head("one")


def test_a_journal_opened_again_is_the_same(store_url: str) -> None:
    with open_store(store_url) as store:
        store.claim_stream("one")
        append(store, batch("one"))
        before = everything(store)

    with open_store(store_url) as store:
        assert everything(store) == before
