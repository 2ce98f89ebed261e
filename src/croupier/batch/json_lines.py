"""JSON Lines as Arrow and back: one object a line, a row of a table.

Values come in as text, as they are written: money keeps its decimals, and no number
goes through a float.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import chain, count, islice
from typing import Any, BinaryIO

import msgspec
import pyarrow as pa  # type: ignore[import-untyped]

from croupier.batch.table_format import OUTCOME, TableError

Batches = Generator[Any, None, None]

_ROWS_AT_ONCE = 50_000
_LONGEST_LINE = 1 << 20
_DECODER = msgspec.json.Decoder(dict[str, Any], float_hook=str)


def read_json_lines(file: BinaryIO) -> tuple[Any, Batches]:
    """Return the columns, which are those of the first line, and the rows."""
    rows = _rows(file)
    first = next(rows, None)
    if first is None:
        raise TableError("it is empty")
    # Whether an outcome 0 was written as a number or as a text makes a difference.
    whole = {OUTCOME} if type(first.get(OUTCOME)) is int else set()
    kinds = {name: pa.int64() if name in whole else pa.string() for name in first}
    schema = pa.schema(kinds)
    return schema, _batches(schema, chain([first], rows))


def _rows(file: BinaryIO) -> Iterator[dict[str, Any]]:
    with file:
        for number in count(1):
            line = file.readline(_LONGEST_LINE)
            if not line:
                return
            if line.strip():
                yield _object(line, number)


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


def write_json_lines(file: BinaryIO, table: Any) -> None:
    """Write a line for each row."""
    encoder = msgspec.json.Encoder()
    file.writelines(encoder.encode(row) + b"\n" for row in table.to_pylist())
