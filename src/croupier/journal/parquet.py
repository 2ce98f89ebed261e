"""Exports as Parquet: one file of all tables, or a folder with a file for each.

pyarrow is an extra (`croupier[parquet]`): it is imported here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import msgspec

from croupier.journal.private_files import make_private, make_private_folder
from croupier.journal.records import FIELDS, BadExport, from_values, to_fields
from croupier.journal.store import JournalError

try:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]
except ImportError as error:
    raise JournalError(
        "Parquet needs the package pyarrow: install croupier[parquet]"
    ) from error

_ROWS_AT_ONCE = 5_000
_TABLE = "table"


def write_parquet(path: Path, given: Iterable[msgspec.Struct]) -> None:
    """Write all records to one file; a field that a table lacks is null."""
    every = {name: kind for fields in FIELDS.values() for name, kind in fields.items()}
    schema = _schema({_TABLE: str, **every})
    with _writer(path, schema) as writer:
        for piece in _pieces(map(to_fields, given)):
            writer.write_table(pa.Table.from_pylist(piece, schema=schema))


def write_folder(path: Path, given: Iterable[msgspec.Struct]) -> None:
    """Write a file for each table, the empty ones too."""
    make_private_folder(path)
    with ExitStack() as stack:
        writers = {
            name: stack.enter_context(
                _writer(path / f"{name}.parquet", _schema(fields))
            )
            for name, fields in FIELDS.items()
        }
        for name, group in groupby(map(to_fields, given), key=lambda f: f[_TABLE]):
            for piece in _pieces(group):
                table = pa.Table.from_pylist(piece, schema=writers[name].schema)
                writers[name].write_table(table)


def _writer(path: Path, schema: Any) -> Any:
    make_private(path)
    return pq.ParquetWriter(path, schema, compression="zstd")


def read_parquet(paths: Sequence[Path]) -> Iterator[msgspec.Struct]:
    """Yield the records of one file, of a folder, or of the files of a folder."""
    if len(paths) == 1 and paths[0].is_dir():
        paths = [paths[0] / f"{name}.parquet" for name in FIELDS]
    if len(paths) == 1:
        yield from _read_file(paths[0], None)
        return
    by_table = {path.stem: path for path in paths}
    for name in FIELDS:
        if name not in by_table:
            raise BadExport(f"the export is incomplete: {name}.parquet is missing")
        yield from _read_file(by_table[name], name)


def _read_file(path: Path, table: str | None) -> Iterator[msgspec.Struct]:
    """Yield the records of a file, of one table where it is named."""
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
                yield from _read_batch(batch, table)
    except (
        pa.ArrowException,
        KeyError,
        msgspec.MsgspecError,
        UnicodeDecodeError,
    ) as error:
        raise BadExport(f"{path}: {_first_line(error)}") from error
    except OSError as error:
        raise BadExport(f"{path}: {error.strerror or _first_line(error)}") from error


def _read_batch(batch: Any, table: str | None) -> Iterator[msgspec.Struct]:
    """Yield each row's record, from the columns that its table has."""
    given = batch.column(_TABLE).to_pylist() if table is None else [table] * len(batch)
    start = 0
    for name, group in groupby(given):
        count = len(list(group))
        part, start = batch.slice(start, count), start + count
        fields = FIELDS[name]
        for values in zip(*(part.column(f).to_pylist() for f in fields), strict=True):
            yield from_values(name, values)


def _schema(fields: Mapping[str, type[int] | type[str]]) -> Any:
    kinds = {int: pa.int64(), str: pa.string()}
    return pa.schema([(name, kinds[kind]) for name, kind in fields.items()])


def _pieces(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    given = iter(rows)
    while piece := list(islice(given, _ROWS_AT_ONCE)):
        yield piece


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
