"""Journals as Parquet, for analysis: a folder with a file for each table.

pyarrow is an extra (`croupier[parquet]`): it is imported here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, islice
from pathlib import Path

import msgspec

from croupier.extras import needing
from croupier.journal.private_files import OWNER_ENTERS, make_private
from croupier.journal.records import FIELDS, table_of

with needing("parquet"):
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

_ROWS_AT_ONCE = 5_000
_KINDS = {int: pa.int64(), str: pa.string()}


def write_folder(path: Path, given: Iterable[msgspec.Struct]) -> None:
    """Write a file for each table, the empty ones too."""
    path.mkdir(mode=OWNER_ENTERS)
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
