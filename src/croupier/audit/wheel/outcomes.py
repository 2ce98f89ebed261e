"""Outcomes read from a list, a CSV, JSON Lines or Parquet file, or a journal.

A list has one number a line. A CSV file names its columns in the first line, `outcome`
among them. A row may give its `round` (whose rows must agree), its `table`, its `time`
or `at_ms`, and whether the round is `void`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from croupier.audit.journal.sources import (
    SourceError,
    is_journal,
    open_journal,
    parquet_batches,
    parquet_columns,
)
from croupier.audit.report.days import read_moment
from croupier.audit.report.journal_rounds import chosen_tables, settlements
from croupier.audit.wheel.record import WheelError, WheelRecord
from croupier.batch.compiled import compile_game
from croupier.batch.words import MISTAKES, GameWords
from croupier.journal.store import JournalError, Store
from croupier.rules.game import Game, Settings
from croupier.rules.notation import shown
from croupier.rules.terms import Limits, read_settings
from croupier.rules.wheel import Number

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
    """Return the rows of a list or of a CSV file; raises `WheelError`."""
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
    """Return the rows of a file of JSON Lines; raises `WheelError`."""
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
    """Return the rows of a Parquet file, of each run of like ones the first."""
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
    """Return the rows at which something begins to differ, each with its place."""
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


_READERS = {".parquet": parquet_rows, ".jsonl": json_rows}
"""By the end of a file's name; every other is a list or CSV."""


def read_wheel(
    source: str,
    *,
    game: Game | None = None,
    table: str | None = None,
    settings: Sequence[str] = (),
) -> WheelRecord:
    """Read the outcomes of one wheel; raises `WheelError`, `NotationError`."""
    try:
        if not is_journal(source):
            return _of_file(Path(source), game, table, settings)
        with open_journal(source) as store:
            return _of_journal(store, source, game, table, settings)
    except (JournalError, SourceError) as error:
        raise WheelError(str(error)) from error


def _of_journal(
    store: Store,
    source: str,
    game: Game | None,
    table: str | None,
    settings: Sequence[str],
) -> WheelRecord:
    """Read the rounds of a table that have an outcome, each as it was settled last."""
    tables = chosen_tables(store, table)
    if len(tables) > 1:
        raise WheelError(_name_one(source, tables))
    played: dict[int, tuple[int, Number]] = {}
    games: set[Game] = set()
    for each in settlements(store, tables[0]):
        games.add(each.game)
        if each.is_last and each.winning_number is not None:
            played[each.round_number] = each.first_ms, each.winning_number
    if not played:
        raise WheelError(f"{source} has no outcome of the table {tables[0]}")
    of_table = game or next(iter(games))
    if games != {of_table}:
        names = ", ".join(sorted(each.name for each in games))
        raise WheelError(
            f"the table {tables[0]} has rounds of {names}: a wheel is checked for one"
            " game"
        )
    in_order = [played[number] for number in sorted(played)]
    return WheelRecord.of(
        of_table,
        [number for _, number in in_order],
        times_ms=[at_ms for at_ms, _ in in_order],
        source=f"{source}, table {tables[0]}",
        ring=read_settings(of_table, settings).ring,
    )


def _name_one(source: str, tables: Iterable[str]) -> str:
    names = ", ".join(sorted(tables))
    return f"{source} has several tables, and each has a wheel: --table {names}"


def _of_file(
    path: Path, game: Game | None, table: str | None, settings: Sequence[str]
) -> WheelRecord:
    if game is None:
        raise WheelError(
            f"{path}: say which game its outcomes are of, as in --game mbs-roulette-v3"
        )
    ring = read_settings(game, settings).ring
    read = _READERS.get(path.suffix.lower(), text_rows)
    gathered = _Gathered(path, game, table)
    for row in read(path):
        gathered.add(row)
    return gathered.record(ring)


class _Gathered:
    """One outcome for each round, in the order in which they come."""

    def __init__(self, path: Path, game: Game, table: str | None) -> None:
        self._path, self._game, self._table = path, game, table
        self._words = GameWords(compile_game(game), Limits(), Settings())
        self._numbers: list[Number] = []
        self._times: list[int] = []
        self._places: dict[tuple[str | None, str], int] = {}
        self._tables: set[str] = set()

    def add(self, row: OutcomeRow) -> None:
        if row.table is not None:
            self._tables.add(row.table)
        if row.is_void or (self._table is not None and row.table != self._table):
            return
        number = self._number(row)
        if row.round is not None:
            key = row.table, row.round
            before = self._places.setdefault(key, len(self._numbers))
            if before < len(self._numbers):
                self._compare(row, self._numbers[before], number)
                return
        self._numbers.append(number)
        if row.at_ms is not None:
            self._times.append(row.at_ms)

    def _number(self, row: OutcomeRow) -> Number:
        read = self._words.whole_number if row.is_whole else self._words.number
        try:
            return self._game.numbers[read(row.outcome)]
        except MISTAKES as error:
            raise WheelError(f"{self._path}:{row.line}: {error}") from error

    def _compare(self, row: OutcomeRow, before: Number, now: Number) -> None:
        if before != now:
            raise WheelError(
                f"{self._path}:{row.line}: round {shown(row.round or '')} has two"
                f" outcomes, {before} and {now}"
            )

    def record(self, ring: tuple[Number, ...] | None) -> WheelRecord:
        if self._table is None and len(self._tables) > 1:
            raise WheelError(_name_one(str(self._path), self._tables))
        if not self._numbers:
            where = f" of the table {shown(self._table)}" if self._table else ""
            raise WheelError(f"{self._path} has no outcome{where}")
        timed = len(self._times) == len(self._numbers)
        source = str(self._path)
        return WheelRecord.of(
            self._game,
            self._numbers,
            times_ms=self._times if timed else None,
            source=f"{source}, table {self._table}" if self._table else source,
            ring=ring,
        )
