"""Outcomes read from a list, a table of rows or a journal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from croupier.audit.report_journal import chosen_tables, settlements
from croupier.audit.report_source import SourceError, is_journal
from croupier.audit.sources import open_journal
from croupier.audit.wheel_record import WheelError, WheelRecord
from croupier.audit.wheel_rows import OutcomeRow, json_rows, parquet_rows, text_rows
from croupier.batch.compiled import compile_game
from croupier.batch.words import MISTAKES, GameWords
from croupier.journal.store import JournalError, Store
from croupier.rules.game import Game, Settings
from croupier.rules.limits import Limits
from croupier.rules.notation import shown
from croupier.rules.terms import read_settings
from croupier.rules.wheel import Number

_READERS = {".parquet": parquet_rows, ".jsonl": json_rows}
"""By the end of a file's name; every other is a list or CSV."""


def read_wheel(
    source: str,
    *,
    game: Game | None = None,
    table: str | None = None,
    settings: Sequence[str] = (),
) -> WheelRecord:
    """The outcomes of one wheel; raises `WheelError`, `NotationError`."""
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
    """The rounds of one table that have an outcome, each as it was settled last."""
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
