"""Tables of wagers from files, piece by piece: Parquet, CSV and JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.csv as pa_csv  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from croupier.batch.json_lines import Batches, read_json_lines
from croupier.batch.table_format import TEXTS, TableError, is_text, told_of

ROWS_AT_ONCE = 1 << 20
_FEW_ROWS = ROWS_AT_ONCE // 16
_BYTES_AT_ONCE = 1 << 24
_BUFFER = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A table that is being read."""

    schema: Any
    batches: Batches
    progress: Callable[[], tuple[int, int]]
    """How much has been read, of how much: rows, or bytes."""


def open_table(path: Path) -> Source:
    """The table in a file; what is wrong with the file is a `TableError`."""
    open_ = READERS.get(path.suffix)
    if open_ is None:
        raise TableError(f"{path} must end in {' or '.join(READERS)}")
    if not path.is_file():
        raise TableError(f"{path}: there is no such file")
    with told_of(path):
        source = open_(path)
    batches = _ahead(_gathered(_told(path, source.batches)))
    return Source(source.schema, batches, source.progress)


def _told(path: Path, batches: Batches) -> Batches:
    """The same; what goes wrong on the way is told with the file's name."""
    with told_of(path):
        yield from batches


def _gathered(batches: Batches) -> Batches:
    """The same rows; pieces of a few rows are put together."""
    waiting: list[Any] = []
    for batch in batches:
        if batch.num_rows < _FEW_ROWS:
            waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= _FEW_ROWS or (
            batch.num_rows >= _FEW_ROWS
        ):
            yield from _as_one(waiting)
            waiting = []
        if batch.num_rows >= _FEW_ROWS:
            yield batch
    yield from _as_one(waiting)


def _as_one(batches: list[Any]) -> list[Any]:
    if len(batches) < 2:
        return batches
    table = pa.Table.from_batches(batches).unify_dictionaries()
    whole: list[Any] = table.combine_chunks().to_batches()
    return whole


def _ahead(batches: Batches) -> Batches:
    """The same; the next one is read while the last one is settled."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = pool.submit(next, batches, None)
            yield batch


def _open_parquet(path: Path) -> Source:
    kinds = pq.read_schema(path)
    texts = [name for name in TEXTS if name in kinds.names]
    table = pq.ParquetFile(
        path,
        read_dictionary=[name for name in texts if is_text(kinds.field(name).type)],
        buffer_size=_BUFFER,
    )
    rows = table.metadata.num_rows
    reader = _Reader(_row_groups(table), lambda read: read)
    return Source(table.schema_arrow, reader.batches(), lambda: (reader.at, rows))


def _row_groups(table: Any) -> Batches:
    """Whole row groups, which are read quickest; a long one piece by piece."""
    for group in range(table.num_row_groups):
        if table.metadata.row_group(group).num_rows <= ROWS_AT_ONCE:
            yield from table.read_row_group(group).to_batches()
        else:
            yield from table.iter_batches(ROWS_AT_ONCE, row_groups=[group])


def _open_csv(path: Path) -> Source:
    """Every column as text: what a text means is for us to say, not to guess."""
    names = _csv_reader(path, None).schema.names
    file = pa.OSFile(str(path))
    table = _csv_reader(file, dict.fromkeys(names, pa.string()))
    reader = _Reader(table, lambda _read: file.tell())
    return Source(table.schema, reader.batches(), lambda: (reader.at, file.size()))


def _csv_reader(source: Any, types: dict[str, Any] | None) -> Any:
    return pa_csv.open_csv(
        source,
        read_options=pa_csv.ReadOptions(block_size=_BYTES_AT_ONCE),
        convert_options=pa_csv.ConvertOptions(
            column_types=types, strings_can_be_null=True, null_values=[""]
        ),
    )


def _open_json_lines(path: Path) -> Source:
    size = path.stat().st_size
    file = path.open("rb")
    schema, batches = read_json_lines(file)
    reader = _Reader(batches, lambda _read: size if file.closed else file.tell())
    return Source(schema, reader.batches(), lambda: (reader.at, size))


class _Reader:
    """Counts how far it has got."""

    def __init__(self, given: Iterable[Any], place: Callable[[int], int]) -> None:
        """`place` says where the file is being read, given how many rows were."""
        self.at = 0
        self._given = given
        self._place = place

    def batches(self) -> Batches:
        rows = 0
        for batch in self._given:
            rows += batch.num_rows
            self.at = self._place(rows)
            yield batch


READERS: dict[str, Callable[[Path], Source]] = {
    ".parquet": _open_parquet,
    ".csv": _open_csv,
    ".jsonl": _open_json_lines,
}
"""By the end of a file's name: how it is read."""
