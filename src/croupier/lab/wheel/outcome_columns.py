"""The columns of a file of outcomes: a list, CSV, JSON Lines or Parquet.

A list has one number a line. A table has a column `outcome`, and is read as tables of
wagers are. Columns that no check asks for are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from croupier.batch.table_files import READERS, open_table
from croupier.batch.table_format import is_text
from croupier.lab.wheel.record import WheelError

_OUTCOME = "outcome"
_COLUMNS = (_OUTCOME, "round", "table", "wheel", "dealer", "time", "at_ms", "void")
_SEPARATOR = re.compile("[,;\t]")


@dataclass(frozen=True, slots=True)
class OutcomeColumns:
    """Some rows of a file: the columns that it has, and the number of each row."""

    counted: str
    """The file's name, and what is counted: rows or lines."""
    numbers: Sequence[int]
    values: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(self.numbers)

    def column(self, name: str) -> Sequence[Any] | None:
        return self.values.get(name)

    def where(self, row: int) -> str:
        return f"{self.counted} {self.numbers[row]}"

    def rows(self, kept: Sequence[int]) -> OutcomeColumns:
        """Return these rows alone."""
        if len(kept) == len(self):
            return self
        values = {
            name: [column[row] for row in kept] for name, column in self.values.items()
        }
        return OutcomeColumns(self.counted, [self.numbers[row] for row in kept], values)


def outcome_columns(path: Path) -> Iterator[OutcomeColumns]:
    """Return the file's rows, some at a time; raises `WheelError`, `TableError`."""
    suffix = path.suffix.lower()
    if suffix not in READERS or suffix == ".csv":
        _, first = next(_lines(path), (0, ""))
        if _OUTCOME not in map(str.strip, _SEPARATOR.split(first.replace('"', ""))):
            yield _of_list(path)
            return
        suffix = ".csv"
    yield from _of_table(path, suffix)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text and their numbers, less empty ones and remarks."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(map(str.strip, file), 1):
                if line and line[0] != "#":
                    yield number, line
    except UnicodeDecodeError as error:
        raise WheelError(f"{path} is not UTF-8 text") from error
    except OSError as error:
        raise WheelError(f"{path}: {error.strerror or error}") from error


def _of_list(path: Path) -> OutcomeColumns:
    lines = dict(_lines(path))
    for number, line in lines.items():
        if _SEPARATOR.search(line):
            raise WheelError(
                f"{path}: line {number} has several cells where one number belongs; a"
                " table has its columns' names, and outcome among them, in its first"
                " line"
            )
    return OutcomeColumns(
        f"{path}: line", list(lines), {_OUTCOME: list(lines.values())}
    )


def _of_table(path: Path, suffix: str) -> Iterator[OutcomeColumns]:
    """Yield the rows of a table; if it names rounds, the first of each run alike."""
    table = open_table(path, suffix)
    if _OUTCOME not in table.schema.names:
        raise WheelError(f"{path} has no column outcome")
    passed = 1
    with closing(table.batches) as batches:
        for whole in batches:
            batch = whole.select([n for n in _COLUMNS if n in whole.schema.names])
            begins = _begins(batch)
            kept = batch if len(begins) == len(batch) else batch.take(pa.array(begins))
            values = {name: _values(kept.column(name)) for name in kept.schema.names}
            yield OutcomeColumns(f"{path}: row", (begins + passed).tolist(), values)
            passed += batch.num_rows


def _values(column: Any) -> list[Any]:
    if is_text(column.type):
        column = pc.utf8_trim_whitespace(column.cast(pa.string()))
    values: list[Any] = column.to_pylist()
    return values


def _begins(batch: Any) -> Any:
    """Return the rows at which something begins to differ; all without rounds."""
    begins = np.full(batch.num_rows, "round" not in batch.schema.names)
    begins[:1] = True
    for column in batch.columns:
        codes = column if hasattr(column, "indices") else pc.dictionary_encode(column)
        values = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        begins[1:] |= values[1:] != values[:-1]
    return np.flatnonzero(begins)
