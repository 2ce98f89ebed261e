"""Exports as Parquet: a folder with a file for each table.

pyarrow is an extra (`croupier[parquet]`): it is imported here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path

import msgspec

from croupier.journal.private_files import make_private, make_private_folder
from croupier.journal.records import FIELDS, BadExport, from_values, table_of
from croupier.journal.store import JournalError

try:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]
except ImportError as error:
    raise JournalError(
        "Parquet needs the package pyarrow: install croupier[parquet]"
    ) from error

_ROWS_AT_ONCE = 5_000
_KINDS = {int: pa.int64(), str: pa.string()}


def write_folder(path: Path, given: Iterable[msgspec.Struct]) -> None:
    """Write a file for each table, the empty ones too."""
    make_private_folder(path)
    groups = groupby(given, key=table_of)
    name, group = next(groups, ("", iter(())))
    for table, fields in FIELDS.items():
        file = path / f"{table}.parquet"
        make_private(file)
        schema = pa.schema([(field, _KINDS[kind]) for field, kind in fields.items()])
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            if table != name:
                continue
            while rows := list(
                islice(map(msgspec.structs.asdict, group), _ROWS_AT_ONCE)
            ):
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
        name, group = next(groups, ("", iter(())))


def read_folder(path: Path) -> Iterator[msgspec.Struct]:
    """Yield the records of the files of a folder."""
    for name in FIELDS:
        file = path / f"{name}.parquet"
        if not file.exists():
            raise BadExport(f"the export is incomplete: {file} is missing")
        yield from _read_file(file, name)


def _read_file(path: Path, table: str) -> Iterator[msgspec.Struct]:
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
                columns = (batch.column(field).to_pylist() for field in FIELDS[table])
                for values in zip(*columns, strict=True):
                    yield from_values(table, values)
    except (
        pa.ArrowException,
        KeyError,
        msgspec.MsgspecError,
        UnicodeDecodeError,
    ) as error:
        raise BadExport(f"{path}: {_first_line(error)}") from error
    except OSError as error:
        raise BadExport(f"{path}: {error.strerror or _first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
