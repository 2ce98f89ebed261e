"""Rows that tell an outcome: of a plain list, or of CSV, JSON Lines or Parquet.

A list has one number a line. A CSV file names its columns in the first line, `outcome`
among them. A row may say its `round` (whose rows must agree), its `table`, when it was
(`time`, or `at_ms`), and whether the round is `void`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from croupier.audit.report_days import read_moment
from croupier.audit.report_source import SourceError, parquet_batches, parquet_columns
from croupier.audit.wheel_record import WheelError
from croupier.rules.notation import shown

_COLUMNS = ("outcome", "round", "table", "time", "at_ms", "void")
_YES = frozenset({"true", "1", "yes"})
_JSON = msgspec.json.Decoder(dict[str, Any])
_NO = frozenset({"false", "0", "no", ""})


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    line: int
    outcome: str
    is_whole: bool
    """Whether the outcome was kept as a whole number: then 0 and 00 look alike."""
    round: str | None
    table: str | None
    at_ms: int | None
    is_void: bool


def text_rows(path: Path) -> Iterator[OutcomeRow]:
    """The rows of a list or of a CSV file; raises `WheelError`."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _lines(path, csv.reader(file, skipinitialspace=True))
    except UnicodeDecodeError as error:
        raise WheelError(f"{path} is not UTF-8 text") from error
    except OSError as error:
        raise WheelError(f"{path}: {error.strerror or error}") from error
    except csv.Error as error:
        raise WheelError(f"{path} is no CSV file: {error}") from error


def _lines(path: Path, reader: Any) -> Iterator[OutcomeRow]:
    names: list[str] | None = None
    for cells in reader:
        line, said = reader.line_num, [cell.strip() for cell in cells]
        if not any(said) or said[0].startswith("#"):
            continue
        if names is None:
            is_head = "outcome" in said
            names = said if is_head else ["outcome"]
            if is_head:
                continue
        if len(said) != len(names):
            raise WheelError(f"{path}:{line}: {_cells(len(said), names)}")
        fields = dict(zip(names, said, strict=True))
        yield _row(f"{path}:{line}", line, fields)


def _cells(count: int, names: list[str]) -> str:
    if names == ["outcome"]:
        return (
            f"{count} cells where one number belongs; a table has its columns' names,"
            " and outcome among them, in its first line"
        )
    return f"{count} cells where there are {len(names)} columns"


def json_rows(path: Path) -> Iterator[OutcomeRow]:
    """The rows of a file of JSON Lines; raises `WheelError`."""
    try:
        with path.open("rb") as file:
            for line, text in enumerate(file, 1):
                if text.strip():
                    yield _row(f"{path}:{line}", line, _JSON.decode(text))
    except msgspec.MsgspecError as error:
        raise WheelError(f"{path} is no file of JSON Lines: {error}") from error
    except OSError as error:
        raise WheelError(f"{path}: {error.strerror or error}") from error


def parquet_rows(path: Path) -> Iterator[OutcomeRow]:
    """The rows of a Parquet file, of each spell of like ones the first."""
    there = parquet_columns(path)
    names = [name for name in _COLUMNS if name in there]
    if "outcome" not in names:
        raise WheelError(f"{path} has no column outcome")
    line = 1
    for batch in parquet_batches(path, names):
        for place, fields in _spells(batch):
            yield _row(f"{path}: row {line + place}", line + place, fields)
        line += batch.num_rows


def _spells(batch: Any) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows at which something begins to differ, each with its place."""
    import numpy as np
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    rows = batch.num_rows
    if "round" not in batch.schema.names:
        yield from enumerate(batch.to_pylist())
        return
    begins = np.zeros(rows, dtype=bool)
    begins[:1] = True
    for column in batch.columns:
        codes = column if hasattr(column, "indices") else pc.dictionary_encode(column)
        values = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        begins[1:] |= values[1:] != values[:-1]
    places = np.flatnonzero(begins)
    kept = batch.take(places.tolist()).to_pylist()
    yield from zip(places.tolist(), kept, strict=True)


def _row(where: str, line: int, fields: Mapping[str, Any]) -> OutcomeRow:
    outcome = fields.get("outcome")
    is_void = _is_void(where, fields.get("void"))
    if not is_void and (outcome is None or outcome == ""):
        raise WheelError(f"{where}: the outcome is missing")
    return OutcomeRow(
        line,
        "" if outcome is None else str(outcome),
        isinstance(outcome, int),
        _text(fields.get("round")),
        _text(fields.get("table")),
        _at_ms(where, fields),
        is_void,
    )


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)


def _is_void(where: str, value: object) -> bool:
    said = "" if value is None else str(value).lower()
    if said not in _YES | _NO:
        raise WheelError(f"{where}: void is true or false, not {shown(said)}")
    return said in _YES


def _at_ms(where: str, fields: Mapping[str, Any]) -> int | None:
    try:
        return read_moment(fields.get("at_ms"), fields.get("time"))
    except SourceError as error:
        raise WheelError(f"{where}: {error}") from error
