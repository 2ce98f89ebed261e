"""The columns of a file of outcomes: a list, CSV, JSON Lines or Parquet.

A list has one number a line. A CSV file names its columns in the first line, `outcome`
among them. Columns that no check asks for are passed over.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, chain, islice, repeat
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

from croupier.journal.sources import parquet_batches, parquet_columns
from croupier.lab.wheel.record import WheelError

COLUMNS = (
    "outcome",
    "round",
    "table",
    "wheel",
    "dealer",
    "time",
    "at_ms",
    "void",
)
_ROWS_AT_ONCE = 100_000
_JSON = msgspec.json.Decoder(dict[str, Any])


@dataclass(frozen=True, slots=True)
class OutcomeColumns:
    """Some rows of a file: each column that it has, and the line of each row."""

    path: Path
    lines: Sequence[int]
    values: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(self.lines)

    def column(self, name: str) -> Sequence[Any] | None:
        return self.values.get(name)

    def where(self, row: int) -> str:
        return f"{self.path}:{self.lines[row]}"

    def rows(self, kept: Sequence[int]) -> OutcomeColumns:
        """Return these rows alone."""
        if len(kept) == len(self):
            return self
        values = {
            name: [column[row] for row in kept] for name, column in self.values.items()
        }
        return OutcomeColumns(self.path, [self.lines[row] for row in kept], values)


def outcome_columns(path: Path) -> Iterator[OutcomeColumns]:
    """Return the file's rows, some at a time; raises `WheelError`, `SourceError`."""
    yield from _READERS.get(path.suffix.lower(), _text_columns)(path)


def _text_columns(path: Path) -> Iterator[OutcomeColumns]:
    """Return the rows of a list or of a CSV file."""
    with _told(path), path.open(encoding="utf-8-sig", newline="") as file:
        names: list[str] | None = None
        passed = 0
        while texts := list(islice(file, _ROWS_AT_ONCE)):
            plain = _plain_columns(path, passed, texts, names)
            if plain is not None:
                yield plain
                passed += len(texts)
                continue
            # A quoted cell may go on over several lines, beyond these.
            rest = file if '"' in "".join(texts) else ()
            reader = csv.reader(chain(texts, rest), skipinitialspace=True)
            while some := _lines(reader, passed):
                lines, cells = some
                if names is None and cells:
                    first = [cell.strip() for cell in cells[0]]
                    names = first if "outcome" in first else ["outcome"]
                    if names is first:
                        lines, cells = lines[1:], cells[1:]
                if names is not None and cells:
                    yield _of_cells(path, lines, cells, names)
            passed += reader.line_num


def _plain_columns(
    path: Path, passed: int, texts: list[str], names: list[str] | None
) -> OutcomeColumns | None:
    """Return lines that are split at each comma; None where one may not be.

    There is no quoted cell, no empty line, no remark, and a cell for each name: there
    is no row then that the reader of CSV would read otherwise.
    """
    if (
        names is None
        or '"' in "".join(texts)
        or not "".join(set(map(itemgetter(0), texts))).isalnum()
        or set(map(str.count, texts, repeat(","))) != {len(names) - 1}
    ):
        return None
    cells = ",".join(texts).split(",")
    values = {
        name: list(map(str.strip, cells[place :: len(names)]))
        for place, name in enumerate(names)
        if name in COLUMNS
    }
    lines = range(passed + 1, passed + len(texts) + 1)
    return OutcomeColumns(path, lines, values)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn the errors of a text file into sentences."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise WheelError(f"{path} is not UTF-8 text") from error
    except OSError as error:
        raise WheelError(f"{path}: {error.strerror or error}") from error
    except csv.Error as error:
        raise WheelError(f"{path} is no CSV file: {error}") from error
    except msgspec.MsgspecError as error:
        raise WheelError(f"{path} is no file of JSON Lines: {error}") from error


def _lines(reader: Any, passed: int) -> tuple[Sequence[int], list[list[str]]] | None:
    """Return the next rows and their lines, less empty ones and remarks.

    So many lines were `passed` before the reader began.
    """
    before = passed + reader.line_num
    rows = list(islice(reader, _ROWS_AT_ONCE))
    if not rows:
        return None
    lines: Sequence[int] = range(before + 1, before + len(rows) + 1)
    if passed + reader.line_num != lines[-1]:
        # A quoted cell goes on over several lines.
        sizes = (1 + sum(cell.count("\n") for cell in cells) for cells in rows)
        lines = list(accumulate(sizes, initial=before))[1:]
    kept = [
        row
        for row, cells in enumerate(rows)
        if (cells and cells[0].isalnum()) or _is_row(cells)
    ]
    if len(kept) < len(rows):
        return [lines[row] for row in kept], [rows[row] for row in kept]
    return lines, rows


def _is_row(cells: list[str]) -> bool:
    return any(map(str.strip, cells)) and not cells[0].lstrip().startswith("#")


def _of_cells(
    path: Path, lines: Sequence[int], rows: list[list[str]], names: list[str]
) -> OutcomeColumns:
    width = len(names)
    if set(map(len, rows)) != {width}:
        row = next(row for row, cells in enumerate(rows) if len(cells) != width)
        raise WheelError(f"{path}:{lines[row]}: {_misfit(len(rows[row]), names)}")
    values = {
        name: list(map(str.strip, map(itemgetter(place), rows)))
        for place, name in enumerate(names)
        if name in COLUMNS
    }
    return OutcomeColumns(path, lines, values)


def _misfit(count: int, names: list[str]) -> str:
    if names == ["outcome"]:
        return (
            f"{count} cells where one number belongs; a table has its columns' names,"
            " and outcome among them, in its first line"
        )
    return f"{count} cells where there are {len(names)} columns"


def _json_columns(path: Path) -> Iterator[OutcomeColumns]:
    """Return the rows of a file of JSON Lines."""
    with _told(path), path.open("rb") as file:
        numbered = enumerate(file, 1)
        while some := list(islice(numbered, _ROWS_AT_ONCE)):
            lines = [line for line, text in some if text.strip()]
            rows = [_JSON.decode(text) for _, text in some if text.strip()]
            values = {
                name: [row.get(name) for row in rows]
                for name in COLUMNS
                if any(name in row for row in rows)
            }
            yield OutcomeColumns(path, lines, values)


def _parquet_columns(path: Path) -> Iterator[OutcomeColumns]:
    """Return the rows of a Parquet file, of each run of like ones the first."""
    there = parquet_columns(path)
    names = [name for name in COLUMNS if name in there]
    if "outcome" not in names:
        raise WheelError(f"{path} has no column outcome")
    passed = 1
    for batch in parquet_batches(path, names):
        places = _begins(batch)
        kept = batch if len(places) == batch.num_rows else batch.take(places)
        values = {name: kept.column(name).to_pylist() for name in names}
        yield OutcomeColumns(path, [passed + place for place in places], values)
        passed += batch.num_rows


def _begins(batch: Any) -> list[int]:
    """Return the rows at which something begins to differ; all where no round is."""
    import numpy as np
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    rows = batch.num_rows
    if "round" not in batch.schema.names:
        return list(range(rows))
    begins = np.zeros(rows, dtype=bool)
    begins[:1] = True
    for column in batch.columns:
        codes = column if hasattr(column, "indices") else pc.dictionary_encode(column)
        values = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        begins[1:] |= values[1:] != values[:-1]
    places: list[int] = np.flatnonzero(begins).tolist()
    return places


_READERS: Mapping[str, Callable[[Path], Iterator[OutcomeColumns]]] = {
    ".parquet": _parquet_columns,
    ".jsonl": _json_columns,
}
"""By the end of a file's name; every other is a list or CSV."""
