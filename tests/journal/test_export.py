"""Export and import, backup and restore give the same journal or nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from pyarrow import parquet  # type: ignore[import-untyped]

from croupier.journal.export import (
    backup_journal,
    export_journal,
    import_journal,
    restore_journal,
)
from croupier.journal.records import FIELDS, BadExport, from_values, to_line
from croupier.journal.signing_keys import make_key
from croupier.journal.store import JournalError, Store
from croupier.journal.stores import open_lease, open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import TABLES
from croupier.journal.verification import verify
from tests.journal import tampering as tamper
from tests.journal.scene import Clock, Driver, play
from tests.journal.stored import checkpoints, publish_text
from tests.journal.stores import unguarded
from tests.waiting import wait_for

FORMATS = ("journal.jsonl", "journal")
Lines = list[bytes]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with SqliteStore(tmp_path_factory.mktemp("portable") / "journal.db") as opened:
        play(opened)
        yield opened


@pytest.fixture(scope="module")
def lines(journal: Store, tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """The journal as JSON Lines."""
    path = tmp_path_factory.mktemp("lines") / "journal.jsonl"
    export_journal(journal, path)
    return path.read_bytes().splitlines(keepends=True)


def is_empty(store: Store) -> bool:
    return all(not tamper.rows(store, table) for table in TABLES.values())


def test_a_journal_comes_back_as_it_was(
    journal: Store, store: Store, tmp_path: Path
) -> None:
    export_journal(journal, tmp_path / FORMATS[0])

    report = import_journal(store, tmp_path / FORMATS[0])

    assert tamper.content(store) == tamper.content(journal)
    assert checkpoints(store) == checkpoints(journal)
    assert report == verify(journal)


def test_a_journal_goes_from_one_database_to_the_other_and_back(
    sqlite_url: str, postgres_url: str, tmp_path: Path
) -> None:
    there, back = tmp_path / "there.jsonl", tmp_path / "back.jsonl"
    with open_store(postgres_url) as first, open_store(sqlite_url) as second:
        play(first)
        export_journal(first, there)
        import_journal(second, there)
        export_journal(second, back)

        assert tamper.content(first) == tamper.content(second)
        assert there.read_bytes() == back.read_bytes()


def test_every_format_holds_the_same_records(
    journal: Store, lines: Lines, tmp_path: Path
) -> None:
    export_journal(journal, tmp_path / "folder")

    files = {name: tmp_path / "folder" / f"{name}.parquet" for name in FIELDS}
    written = [
        to_line(from_values(name, row.values()))
        for name, file in files.items()
        for row in parquet.read_table(file).to_pylist()
    ]
    assert written == lines


def test_a_line_names_its_table_and_its_columns(lines: Lines) -> None:
    records = [json.loads(line) for line in lines]

    assert list(dict.fromkeys(each["table"] for each in records)) == [*TABLES, "end"]
    assert records[-1]["records"] == len(lines) - 1
    assert records[-1]["digest"] == sha256(b"".join(lines[:-1])).hexdigest()
    for record in records[:-1]:
        columns = TABLES[record["table"]].columns
        assert {k: type(v) for k, v in record.items() if k != "table"}.items() <= (
            columns.items()
        )


def test_a_table_goes_on_playing_after_an_import(
    lines: Lines, store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(lines))
    import_journal(store, path)

    driver = Driver(store, "t1", Clock(), asked=1_000)
    driver.round("17", ("17", 100))

    assert verify(store).is_clean


def test_an_export_is_of_one_moment_while_others_write(
    store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(store_url) as writer, open_store(store_url) as reader:
        driver = Driver(writer, "t1", Clock())
        read = reader.rows_of

        def rows_while_playing(table: Any) -> Iterator[Any]:
            driver.round("18")
            yield from read(table)

        monkeypatch.setattr(reader, "rows_of", rows_while_playing)
        export_journal(reader, tmp_path / "journal.jsonl")

    with SqliteStore(tmp_path / "copy.db") as copy:
        assert import_journal(copy, tmp_path / "journal.jsonl").is_clean


def _without(place: int) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[:place], *lines[place + 1 :]]


def _with_end(lines: Lines) -> Lines:
    """Write a valid end for the lines, so that only the journal's checks are left."""
    kept = lines[:-1]
    end = {
        "table": "end",
        "version": 1,
        "records": len(kept),
        "digest": sha256(b"".join(kept)).hexdigest(),
    }
    return [*kept, json.dumps(end, separators=(",", ":")).encode() + b"\n"]


def _cents(becomes: bytes) -> Callable[[Lines], Lines]:
    """Replace an amount."""
    return lambda lines: [
        line.replace(b'"cents":1000', b'"cents":' + becomes) for line in lines
    ]


def _twice(lines: Lines) -> Lines:
    return [*lines[:20], lines[19], *lines[20:]]


DAMAGE: dict[str, Callable[[Lines], Lines]] = {
    "nothing at all": lambda _: [],
    "no end": lambda lines: lines[:-1],
    "half a line": lambda lines: [*lines[:10], lines[10][:40]],
    "first line gone": _without(0),
    "a line gone": _without(20),
    "a line twice": _twice,
    "two lines swapped": lambda lines: [*lines[:20], lines[21], lines[20], *lines[22:]],
    "two ends": lambda lines: [*lines, lines[-1]],
    "more after the end": lambda lines: [*lines, lines[0]],
    "tables out of order": lambda lines: [*lines[1:-1], lines[0], lines[-1]],
    "an amount changed": _cents(b"1001"),
    "an unknown table": lambda lines: [b'{"table":"bets"}\n', *lines],
    "an unknown column": lambda lines: [
        lines[0].replace(b"{", b'{"epoch":1,', 1),
        *lines[1:],
    ],
    "a column gone": lambda lines: [
        lines[0].replace(b'"sequence":', b'"sequenze":'),
        *lines[1:],
    ],
    "text for a number": _cents(b'"1000"'),
    "a number beyond 64 bits": _cents(b"9223372036854775808"),
    "not JSON": lambda lines: [b"stream,sequence\n", *lines],
    "not UTF-8": lambda lines: [lines[0].replace(b"house", b"h\xff\xfese"), *lines[1:]],
    "another version": lambda lines: [
        *lines[:-1],
        lines[-1].replace(b'"version":1', b'"version":2'),
    ],
    "a fitting end after a missing line": lambda lines: _with_end(_without(20)(lines)),
    "a fitting end after an edit": lambda lines: _with_end(_cents(b"1001")(lines)),
    "a fitting end after a line twice": lambda lines: _with_end(_twice(lines)),
    "a fitting end after a NUL": lambda lines: _with_end(
        [lines[0].replace(b"house", b"ho\\u0000se"), *lines[1:]]
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_export_is_refused_and_nothing_is_written(
    lines: Lines, store: Store, name: str, tmp_path: Path
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(DAMAGE[name](lines)))

    with pytest.raises(JournalError) as refused:
        import_journal(store, path)

    assert "\n" not in str(refused.value)
    assert is_empty(store)


def test_an_export_cut_after_any_line_is_refused(lines: Lines, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"

    with SqliteStore(tmp_path / "copy.db") as copy:
        for count in range(len(lines)):
            path.write_bytes(b"".join(lines[:count]))
            with pytest.raises(BadExport, match="its end is missing"):
                import_journal(copy, path)

        assert is_empty(copy)


def test_a_journal_that_is_not_empty_is_not_imported_into(
    lines: Lines, store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(lines))
    store.claim_stream("t1")
    before = tamper.content(store)

    with pytest.raises(JournalError, match="not empty"):
        import_journal(store, path)

    assert tamper.content(store) == before


def test_a_file_that_is_not_there_is_named(store: Store, tmp_path: Path) -> None:
    for name in FORMATS:
        with pytest.raises(JournalError, match="journal"):
            import_journal(store, tmp_path / name)


@pytest.mark.parametrize("write", [export_journal, backup_journal])
@pytest.mark.parametrize("name", FORMATS)
def test_no_file_is_overwritten(
    journal: Store, name: str, write: Callable[..., object], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text("mine")

    with pytest.raises(JournalError, match="there already"):
        write(journal, path)

    assert path.read_text() == "mine"


@pytest.mark.parametrize("name", FORMATS)
def test_an_export_that_fails_leaves_no_file(
    journal: Store,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = journal.rows_of

    def failing(table: Any) -> Iterator[Any]:
        if table.name == "vouchers":
            raise JournalError("the disk is gone")
        return read(table)

    monkeypatch.setattr(journal, "rows_of", failing)

    with pytest.raises(JournalError, match="the disk is gone"):
        export_journal(journal, tmp_path / name)

    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_json_lines_still_work(tmp_path: Path) -> None:
    """Runs in a process that can't import pyarrow."""
    script = """
        import sys
        from pathlib import Path
        sys.modules["pyarrow"] = None
        from croupier.journal.export import export_journal
        from croupier.journal.stores.sqlite import SqliteStore
        from croupier.extras import MissingExtra
        store = SqliteStore(sys.argv[1] + "/journal.db")
        export_journal(store, Path(sys.argv[1]) / "journal.jsonl")
        try:
            export_journal(store, Path(sys.argv[1]) / "journal")
        except MissingExtra as error:
            print(error)
    """

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), tmp_path],
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )

    assert done.stdout == "this needs pyarrow: pip install 'croupier[parquet]'\n"
    assert (tmp_path / "journal.jsonl").exists()


def test_a_backup_is_a_journal_of_its_own(store: Store, tmp_path: Path) -> None:
    play(store)

    report = backup_journal(store, tmp_path / "backup.db")

    assert report.is_clean
    assert [path.name for path in tmp_path.glob("backup*")] == ["backup.db"]
    with SqliteStore(tmp_path / "backup.db") as copy:
        assert tamper.content(copy) == tamper.content(store)


def test_a_backup_is_restored_on_either_database(
    journal: Store, store: Store, tmp_path: Path
) -> None:
    backup_journal(journal, tmp_path / "backup.db")

    report = restore_journal(store, tmp_path / "backup.db")

    assert report == verify(journal)
    assert tamper.content(store) == tamper.content(journal)


def test_a_tampered_journal_is_backed_up_with_its_findings(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "journal.db") as store:
        play(store)
        unguarded(store._connection).execute("UPDATE entries SET cents = cents + 1")

        report = backup_journal(store, tmp_path / "backup.db")

    assert not report.is_clean
    assert (tmp_path / "backup.db").exists()


def test_a_file_that_is_no_backup_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    path.write_text("this is no database, whatever its name may be " * 100)

    with pytest.raises(JournalError):
        restore_journal(store, path)

    assert is_empty(store)


def test_a_tampered_backup_is_not_restored(store: Store, tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "backup.db") as backup:
        play(backup)
        backup._connection.execute("DELETE FROM answers WHERE first = 5")

    with pytest.raises(BadExport, match="answers"):
        restore_journal(store, tmp_path / "backup.db")

    assert is_empty(store)


def test_a_backup_is_made_while_a_table_plays(store_url: str, tmp_path: Path) -> None:
    """Another connection writes all the time; the copy still shows one moment."""
    with open_store(store_url) as writer, open_store(store_url) as reader:
        driver = Driver(writer, "t1", Clock())
        for _ in range(20):
            driver.round("17")
        stop = Event()
        rounds = []

        def play_on() -> None:
            while not stop.is_set():
                driver.round("18")
                rounds.append(1)

        player = Thread(target=play_on)
        player.start()
        wait_for(lambda: len(rounds) > 1)
        report = backup_journal(reader, tmp_path / "backup.db")
        at_backup = len(rounds)
        wait_for(lambda: len(rounds) > at_backup + 1)
        stop.set()
        player.join()

        assert report.is_clean
        assert report.checked["events"] < writer.heads()[0].sequence
        assert verify(writer).is_clean


def test_a_backup_of_a_large_journal_does_not_wait_for_a_quiet_moment(
    tmp_path: Path,
) -> None:
    """SQLite restarts a copy after each write, unless a transaction pins its moment."""
    path = tmp_path / "journal.db"
    with SqliteStore(path) as store:
        for _ in range(400):
            publish_text(store, "no head, but large " * 5_000)
    started, stop = Event(), Event()

    def write_on() -> None:
        end = time.monotonic() + 10
        with SqliteStore(path) as writer:
            while not stop.is_set() and time.monotonic() < end:
                writer.claim_stream("busy")
                started.set()

    busy = Thread(target=write_on)
    busy.start()
    started.wait(10)
    with SqliteStore(path) as reader:
        backup_journal(reader, tmp_path / "backup.db")
    was_busy = busy.is_alive()
    stop.set()
    busy.join()

    assert was_busy


@pytest.fixture
def _no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_no_umask")
def test_only_the_owner_reads_each_file_under_any_umask(tmp_path: Path) -> None:
    with (
        SqliteStore(tmp_path / "journal.db") as store,
        open_lease(f"sqlite:{tmp_path}/journal.db"),
    ):
        play(store)
        for name in FORMATS:
            export_journal(store, tmp_path / name)
        backup_journal(store, tmp_path / "backup.db")
        make_key(tmp_path / "house.key")

        modes = {
            str(file.relative_to(tmp_path)): file.stat().st_mode & 0o777
            for file in tmp_path.rglob("*")
        }

    assert modes.keys() >= {"journal.db", "journal.db-wal", "journal.db-shm"}
    assert modes.pop("journal") == 0o700
    assert {name: mode for name, mode in modes.items() if mode != 0o600} == {}
