"""Tables to files, beside their place until whole: Parquet, CSV, JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.csv as pa_csv  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from croupier.batch.json_lines import write_json_lines
from croupier.batch.table_format import TableError, told_of

_ROWS_OF_A_GROUP = 1 << 19


class _File(Protocol):
    def write(self, table: Any) -> None: ...

    def close(self) -> None: ...


class _Parquet:
    def __init__(self, path: Path, schema: Any) -> None:
        # Texts that were read as a dictionary are texts in the file all the same.
        self._writer = pq.ParquetWriter(path, schema, store_schema=False)

    def write(self, table: Any) -> None:
        self._writer.write_table(table.unify_dictionaries())

    def close(self) -> None:
        self._writer.close()


class _Csv:
    def __init__(self, path: Path, schema: Any) -> None:
        plain = [
            field.with_type(field.type.value_type)
            if pa.types.is_dictionary(field.type)
            else field
            for field in schema
        ]
        self._schema = pa.schema(plain)
        self._writer = pa_csv.CSVWriter(path, self._schema)

    def write(self, table: Any) -> None:
        self._writer.write_table(table.cast(self._schema))

    def close(self) -> None:
        self._writer.close()


class _JsonLines:
    def __init__(self, path: Path, _schema: Any) -> None:
        self._file = path.open("wb")

    def write(self, table: Any) -> None:
        write_json_lines(self._file, table)

    def close(self) -> None:
        self._file.close()


_WRITERS: dict[str, type[_Parquet | _Csv | _JsonLines]] = {
    ".parquet": _Parquet,
    ".csv": _Csv,
    ".jsonl": _JsonLines,
}


class TableWriter:
    """Writes batches to a file; it is opened when the first one comes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: _File | None = None
        self._waiting: list[Any] = []

    def write(self, batch: Any) -> None:
        """Add rows; the first batch says which columns there are."""
        if self._file is None:
            unfinished = unfinished_path(self._path)
            with told_of(self._path):
                self._file = _WRITERS[self._path.suffix](unfinished, batch.schema)
        self._waiting.append(batch)
        if sum(each.num_rows for each in self._waiting) >= _ROWS_OF_A_GROUP:
            self._write_out()

    def _write_out(self) -> None:
        if self._file is not None and self._waiting:
            with told_of(self._path):
                self._file.write(pa.Table.from_batches(self._waiting))
        self._waiting = []

    def close(self) -> None:
        """Write what is waiting; the file is whole, but not at its place."""
        self._write_out()
        if self._file is not None:
            with told_of(self._path):
                self._file.close()

    def move_into_place(self) -> None:
        if self._file is not None:
            with told_of(self._path):
                unfinished_path(self._path).rename(self._path)

    def remove(self) -> None:
        """Leave nothing behind of a file that did not become whole."""
        unfinished_path(self._path).unlink(missing_ok=True)


def unfinished_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.unfinished")


@contextmanager
def new_tables(*paths: Path) -> Iterator[list[TableWriter]]:
    """Writers of files that are not there yet; all are moved into place, or none."""
    for path in paths:
        _check_place(path)
    writers = [TableWriter(path) for path in paths]
    try:
        yield writers
        for writer in writers:
            writer.close()
        for writer in writers:
            writer.move_into_place()
    finally:
        for writer in writers:
            writer.remove()


def _check_place(path: Path) -> None:
    if path.suffix not in _WRITERS:
        raise TableError(f"{path} must end in {' or '.join(_WRITERS)}")
    if path.exists():
        raise TableError(f"{path} is there already")
    if not path.parent.is_dir():
        raise TableError(f"{path}: there is no such folder")
