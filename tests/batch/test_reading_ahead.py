"""A table is read while it is settled: in order, not too far, and to a clean end."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from croupier.batch import TableError, settle_file, table_files
from croupier.batch.table_files import TableSource, open_table
from croupier.games import find_game

ROWS = 1 << 16
"""As many are a piece by themselves."""
PIECES = 12


class Reader:
    """A file of pieces, each of which says which one it is."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.read = 0
        self.third = threading.Event()
        self.is_closed = False
        self._fails_at = fails_at

    def open(self, _: Path) -> TableSource:
        return TableSource(pa.schema([]), self._pieces(), lambda: (self.read, PIECES))

    def _pieces(self) -> table_files.Batches:
        try:
            for piece in range(PIECES):
                if piece == self._fails_at:
                    raise OSError(5, "the disk is broken")
                self.read += 1
                if self.read == 3:
                    self.third.set()
                yield pa.RecordBatch.from_pydict({"piece": [piece] * ROWS})
        finally:
            self.is_closed = True


def opened(
    reader: Reader, path: Path, monkeypatch: pytest.MonkeyPatch
) -> table_files.Batches:
    path = path / "wagers.parquet"
    path.touch()
    monkeypatch.setitem(table_files.READERS, ".parquet", reader.open)
    return open_table(path).batches


def number(batch: Any) -> int:
    return int(batch.column("piece")[0].as_py())


def reading_threads() -> list[str]:
    names = (thread.name for thread in threading.enumerate())
    return [name for name in names if name.startswith("reading")]


def test_pieces_come_in_order_and_two_are_read_ahead_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader()
    batches = opened(reader, tmp_path, monkeypatch)

    taken = [number(next(batches))]
    went_on = reader.third.wait(60)
    for batch in batches:
        taken.append(number(batch))
        assert reader.read <= len(taken) + 2

    assert went_on
    assert taken == list(range(PIECES))
    assert reader.is_closed
    assert not reading_threads()


def test_a_readers_failure_is_raised_after_its_last_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(fails_at=5)
    batches = opened(reader, tmp_path, monkeypatch)
    taken = [number(next(batches)) for _ in range(5)]

    with pytest.raises(TableError, match=r"wagers\.parquet: the disk is broken"):
        next(batches)

    assert taken == list(range(5))
    assert reader.is_closed
    assert not reading_threads()


@pytest.mark.parametrize("taken", [0, 1, 4])
def test_a_table_that_is_closed_early_leaves_no_thread(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader()
    batches = opened(reader, tmp_path, monkeypatch)
    numbers = [number(next(batches)) for _ in range(taken)]

    batches.close()

    assert numbers == list(range(taken))
    assert reader.read <= taken + 2
    assert not reading_threads()


def test_a_file_that_is_damaged_in_the_middle_leaves_no_file_and_no_thread(
    tmp_path: Path,
) -> None:
    source = tmp_path / "wagers.parquet"
    rows = 4 * ROWS
    columns = {
        "round": range(rows),
        "area": ["red"] * rows,
        "stake_cents": [500] * rows,
        "outcome": ["5"] * rows,
    }
    pq.write_table(pa.table(columns), source, row_group_size=ROWS)
    page = pq.ParquetFile(source).metadata.row_group(2).column(0).data_page_offset
    damaged = bytearray(source.read_bytes())
    damaged[page : page + 64] = b"\xff" * 64
    source.write_bytes(damaged)

    with pytest.raises(TableError, match=r"wagers\.parquet: it is no such table"):
        settle_file(find_game("mbs-roulette-v3"), source, tmp_path / "settled.parquet")

    assert [path.name for path in tmp_path.iterdir()] == ["wagers.parquet"]
    assert not reading_threads()
