"""Tables of wagers from and to files: Parquet, CSV and JSON Lines.

They are read piece by piece, and written beside their place until they are whole. The
values of JSON Lines come in as text, as they are written: money keeps its decimals, and
no number goes through a float.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Semaphore
from typing import Any, Protocol

import msgspec
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.csv as pa_csv  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from croupier.batch.compiled import unsigned
from croupier.batch.table_format import (
    OUTCOME,
    TEXTS,
    TableError,
    errors_named_by,
    is_text,
)
from croupier.tabular import harmless_cell

ROWS_AT_ONCE = 1 << 20
_FEW_ROWS = ROWS_AT_ONCE // 16
_BYTES_AT_ONCE = 1 << 24
_BUFFER = 1 << 20
_PIECES_AHEAD = 2
"""One piece that is being read, and one that waits to be settled."""
_ROWS_OF_A_GROUP = 1 << 19

_SIGN_OF_A_FORMULA = r"^[=+\-@\t\r]"
"""Only texts with such a beginning are examined one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class TableSource:
    """A table that is being read."""

    schema: Any
    batches: Batches
    progress: Callable[[], tuple[int, int]]
    """The rows or bytes read so far, and of the whole."""


def open_table(path: Path, suffix: str = "") -> TableSource:
    """Return the table in a file, by the end of its name; raises `TableError`."""
    open_ = READERS.get(suffix or path.suffix)
    if open_ is None:
        raise TableError(f"{path} must end in {' or '.join(READERS)}")
    if not path.is_file():
        raise TableError(f"{path}: there is no such file")
    with errors_named_by(path):
        source = open_(path)
    batches = _ahead(_gathered(_told(path, source.batches)))
    return TableSource(source.schema, batches, source.progress)


def _told(path: Path, batches: Batches) -> Batches:
    with errors_named_by(path):
        yield from batches


def _gathered(batches: Batches) -> Batches:
    """Yield the same rows; pieces of a few rows are put together."""
    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= _FEW_ROWS:
            yield from _as_one(waiting)
            waiting = []
    yield from _as_one(waiting)


def _as_one(batches: list[Any]) -> list[Any]:
    if len(batches) < 2:
        return batches
    table = pa.Table.from_batches(batches).unify_dictionaries()
    whole: list[Any] = table.combine_chunks().to_batches()
    return whole


def _ahead(batches: Batches) -> Batches:
    """Yield the batches, reading on while earlier ones are settled.

    If the reader waited for requests, a core would be idle: settlement holds Python's
    lock for long.
    """
    ready: SimpleQueue[Any] = SimpleQueue()
    room, is_closed = Semaphore(_PIECES_AHEAD), Event()

    def read() -> None:
        try:
            with closing(batches):
                while room.acquire() and not is_closed.is_set():
                    ready.put(next(batches))
        except StopIteration:
            pass
        finally:
            ready.put(None)

    with ThreadPoolExecutor(1, "reading") as pool:
        reading = pool.submit(read)
        try:
            while (batch := ready.get()) is not None:
                room.release()
                yield batch
        finally:
            is_closed.set()
            room.release()
        reading.result()


def _open_parquet(path: Path) -> TableSource:
    kinds = pq.read_schema(path)
    texts = [
        name
        for name in TEXTS
        if name in kinds.names and is_text(kinds.field(name).type)
    ]
    table = pq.ParquetFile(path, read_dictionary=texts, buffer_size=_BUFFER)
    rows = table.metadata.num_rows
    batches = (_checked(batch, texts) for batch in _row_groups(table))
    return _source(table.schema_arrow, batches, lambda read: read, rows)


def _row_groups(table: Any) -> Batches:
    """Yield whole row groups, which are read quickest, and a long one in pieces."""
    for group in range(table.num_row_groups):
        if table.metadata.row_group(group).num_rows <= ROWS_AT_ONCE:
            yield from table.read_row_group(group).to_batches()
        else:
            yield from table.iter_batches(ROWS_AT_ONCE, row_groups=[group])


def _checked(batch: Any, texts: list[str]) -> Any:
    """Return the rows; raise `TableError` if a code of a text has no text.

    Arrow does not check the codes of a damaged file.
    """
    for name in texts:
        column = batch.column(name)
        if column.null_count == len(column):
            continue
        column.dictionary.validate(full=True)
        codes = column.indices
        if codes.null_count:
            codes = codes.fill_null(0)
        if unsigned(codes.to_numpy()).max() >= len(column.dictionary):
            raise TableError(f"the column {name} is damaged: a text is not there")
    return batch


def _open_csv(path: Path) -> TableSource:
    """Return every column as text: our readers interpret it, not Arrow."""
    names = _csv_reader(path, None).schema.names
    for sign, said in (";", "semicolons"), ("\t", "tabs"):
        if len(names) == 1 and sign in names[0]:
            raise TableError(f"it has {said} between its cells; write commas")
    file = pa.OSFile(str(path))
    table = _csv_reader(file, dict.fromkeys(names, pa.string()))
    return _source(table.schema, table, lambda _read: file.tell(), file.size())


def _csv_reader(source: Any, types: dict[str, Any] | None) -> Any:
    return pa_csv.open_csv(
        source,
        read_options=pa_csv.ReadOptions(block_size=_BYTES_AT_ONCE),
        convert_options=pa_csv.ConvertOptions(
            column_types=types, strings_can_be_null=True, null_values=[""]
        ),
    )


def _open_json_lines(path: Path) -> TableSource:
    size = path.stat().st_size
    rows = _JsonRows(path)
    schema = _json_schema(rows.first())
    return _source(schema, _batches(schema, iter(rows)), lambda _read: rows.at, size)


def _source(
    schema: Any, given: Iterable[Any], place: Callable[[int], int], whole: int
) -> TableSource:
    """Return a source; `place` turns rows read into a place in the `whole` file."""
    rows = at = 0

    def batches() -> Batches:
        nonlocal rows, at
        for batch in given:
            rows += batch.num_rows
            at = place(rows)
            yield batch

    return TableSource(schema, batches(), lambda: (at, whole))


READERS: dict[str, Callable[[Path], TableSource]] = {
    ".parquet": _open_parquet,
    ".csv": _open_csv,
    ".jsonl": _open_json_lines,
}
"""The reader by the end of a file's name."""


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
        named = [field.with_name(harmless_cell(field.name)) for field in plain]
        self._writer = pa_csv.CSVWriter(path, pa.schema(named))
        self._named = pa.schema(named)

    def write(self, table: Any) -> None:
        columns = map(_harmless, table.cast(self._schema).columns)
        self._writer.write_table(pa.table(list(columns), schema=self._named))

    def close(self) -> None:
        self._writer.close()


def _harmless(column: Any) -> Any:
    """Return a column in which a spreadsheet runs no text."""
    if pa.types.is_null(column.type) or not is_text(column.type):
        return column
    if not pc.any(pc.match_substring_regex(column, _SIGN_OF_A_FORMULA)).as_py():
        return column
    return pa.chunked_array([[*map(harmless_cell, column.to_pylist())]], column.type)


class _JsonLines:
    def __init__(self, path: Path, _schema: Any) -> None:
        self._file = path.open("wb")

    def write(self, table: Any) -> None:
        encode = msgspec.json.Encoder().encode
        self._file.writelines(encode(row) + b"\n" for row in table.to_pylist())

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
        """Add rows; the first batch sets the columns."""
        if self._file is None:
            unfinished = _unfinished_path(self._path)
            with errors_named_by(self._path):
                self._file = _WRITERS[self._path.suffix](unfinished, batch.schema)
        self._waiting.append(batch)
        if sum(each.num_rows for each in self._waiting) >= _ROWS_OF_A_GROUP:
            self._write_out()

    def _write_out(self) -> None:
        if self._file is not None and self._waiting:
            with errors_named_by(self._path):
                self._file.write(pa.Table.from_batches(self._waiting))
        self._waiting = []

    def close(self) -> None:
        """Write the rest; the file is complete, but not at its place yet."""
        self._write_out()
        if self._file is not None:
            with errors_named_by(self._path):
                self._file.close()

    def move_into_place(self) -> None:
        with errors_named_by(self._path):
            if self._file is not None:
                _unfinished_path(self._path).rename(self._path)
            else:
                # A file of an earlier run would be taken for this one's.
                self._path.unlink(missing_ok=True)

    def remove(self) -> None:
        _unfinished_path(self._path).unlink(missing_ok=True)


def _unfinished_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.unfinished")


@contextmanager
def new_tables(*paths: Path, force: bool = False) -> Iterator[list[TableWriter]]:
    """Open writers of new files; all are moved into place, or none.

    Only `force` overwrites files.
    """
    for path in paths:
        _check_place(path, force=force)
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


def _check_place(path: Path, *, force: bool) -> None:
    if path.suffix not in _WRITERS:
        raise TableError(f"{path} must end in {' or '.join(_WRITERS)}")
    if path.exists() and not (force and path.is_file()):
        hint = ": --force writes over it" if path.is_file() else ""
        raise TableError(f"{path} is there already{hint}")
    if not path.parent.is_dir():
        raise TableError(f"{path}: there is no such folder")


Batches = Generator[Any, None, None]

_ROWS_AT_ONCE = 50_000
_LONGEST_LINE = 1 << 20
_DECODER = msgspec.json.Decoder(dict[str, Any], float_hook=str)


class _JsonRows:
    """The rows of a file, which is open only while they are read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.at = 0
        """The bytes read so far."""

    def first(self) -> dict[str, Any]:
        with closing(iter(self)) as rows:
            found = next(rows, None)
        if found is None:
            raise TableError("it is empty")
        return found

    def __iter__(self) -> Generator[dict[str, Any], None, None]:
        self.at = 0
        with self._path.open("rb") as file:
            for number in count(1):
                line = file.readline(_LONGEST_LINE)
                if not line:
                    return
                self.at += len(line)
                if line.strip():
                    yield _object(line, number)


def _json_schema(first: dict[str, Any]) -> Any:
    """Return the columns, which are those of the first line."""
    # The text 0 names one number; the whole number 0 may also stand for 00 and 000.
    whole = {OUTCOME} if type(first.get(OUTCOME)) is int else set()
    return pa.schema(
        {name: pa.int64() if name in whole else pa.string() for name in first}
    )


def _object(line: bytes, number: int) -> dict[str, Any]:
    try:
        return _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise TableError(f"line {number} is not a JSON object: {error}") from error


def _batches(schema: Any, rows: Iterator[dict[str, Any]]) -> Batches:
    numbered = enumerate(rows, start=1)
    while some := list(islice(numbered, _ROWS_AT_ONCE)):
        columns: dict[str, list[Any]] = {name: [] for name in schema.names}
        for number, row in some:
            for name, values in columns.items():
                values.append(_value(schema.field(name), row.pop(name, None), number))
            if row:
                raise TableError(
                    f"row {number} has {', '.join(row)}, which the first row has not"
                )
        yield pa.RecordBatch.from_pydict(columns, schema=schema)


def _value(field: Any, value: Any, row: int) -> Any:
    """Return a value as it is written; objects and lists as JSON."""
    if pa.types.is_integer(field.type):
        if value is not None and (type(value) is not int or abs(value) >= 1 << 63):
            raise TableError(
                f"row {row} has a {field.name} that is not a whole number, as that of"
                " the first row is"
            )
        return value
    if value is None or isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
