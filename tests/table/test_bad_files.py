"""Files that are no journals, or not whole ones, are refused and left alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from croupier.journal.store import JournalError
from croupier.journal.stores.sqlite import SqliteStore
from croupier.table.table import Table
from tests.simulation.one_table import (
    OneTable,
)


def assert_is_one_sentence(text: str) -> None:
    assert 8 < len(text) < 200
    assert text.isprintable()
    assert "Traceback" not in text


def _file_of_a_table(path: Path) -> bytes:
    table = OneTable(open_store=lambda: SqliteStore(path)).bought_in(100_000)
    for _ in range(8):
        table.play_round("red", 1_000, "1")
    table.store.close()
    return path.read_bytes()


def _open_table(path: Path) -> None:
    with SqliteStore(path) as store:
        Table(store, "t1", clock=lambda: 0)


@pytest.mark.parametrize("kept", [1, 50, 99, 100, 1_000, 4_096, 12_288, 20_000])
def test_a_truncated_file_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "house.db"
    whole = _file_of_a_table(path)
    assert len(whole) > 30_000
    path.write_bytes(whole[:kept])

    with pytest.raises(JournalError) as refusal:
        _open_table(path)

    assert_is_one_sentence(str(refusal.value).replace(str(path), "the file"))
    assert path.read_bytes() == whole[:kept]


@pytest.mark.parametrize(
    "content",
    [b"hello\n", b"\x89PNG\r\n\x1a\n" + bytes(5_000), b"SQLite format 3\x00" * 300],
    ids=["a text", "a picture", "nearly a database"],
)
def test_a_foreign_file_is_refused_and_stays_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "house.db"
    path.write_bytes(content)

    with pytest.raises(JournalError) as refusal:
        _open_table(path)

    assert_is_one_sentence(str(refusal.value).replace(str(path), "the file"))
    assert path.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["house.db"]


def test_a_database_of_another_program_is_refused_and_stays_as_it_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "house.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE streams (stream TEXT)")
    other.commit()
    other.close()
    content = path.read_bytes()

    with pytest.raises(JournalError, match="is not a journal of croupier"):
        _open_table(path)

    assert path.read_bytes() == content


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        SqliteStore(tmp_path)


def test_a_table_that_was_never_opened_is_not_there(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "house.db") as store:
        with pytest.raises(JournalError, match="there is no table 't9' here"):
            Table(store, "t9", clock=lambda: 0)

        assert list(store.events("t9")) == []
