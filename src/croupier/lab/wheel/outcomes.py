"""The outcomes of a wheel, read from a list, a table or a journal.

A row may give its `round` (whose rows must agree), its `table`, `wheel` and `dealer`,
its `time` or `at_ms`, and whether the round is `void`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from croupier.batch.compiled import Flags, Integers, compile_game
from croupier.batch.game_words import MISTAKES, GameWords
from croupier.batch.moments import read_moments
from croupier.batch.table_format import TableError
from croupier.games import UnknownGame, game_of_document
from croupier.journal.settlements import chosen_tables, dealers_of, settlements
from croupier.journal.sources import SourceError, is_journal, open_journal
from croupier.journal.store import JournalError, Store
from croupier.lab.wheel.outcome_columns import OutcomeColumns, outcome_columns
from croupier.lab.wheel.record import OutcomeLabel, RowLabels, WheelError, WheelRecord
from croupier.rules.game import Game, Settings
from croupier.rules.notation import shown
from croupier.rules.terms import Limits, read_settings
from croupier.rules.wheel import Number

_YES = frozenset({"true", "1", "yes"})
_NO = frozenset({"false", "0", "no", ""})


@dataclass(frozen=True, slots=True)
class _OutcomeSource:
    """A request for outcomes: whose, and by what they are told apart later."""

    source: str
    game: Game | None = None
    table: str | None = None
    wheel: str | None = None
    settings: Sequence[str] = ()
    by: Sequence[OutcomeLabel] = ()


def read_wheel(
    source: str,
    *,
    game: Game | None = None,
    table: str | None = None,
    wheel: str | None = None,
    settings: Sequence[str] = (),
    by: Sequence[OutcomeLabel] = (),
) -> WheelRecord:
    """Read the outcomes of one wheel, or of several that `by` tells apart.

    Raises `WheelError`, `NotationError`.
    """
    wanted = _OutcomeSource(source, game, table, wheel, settings, by)
    try:
        if not is_journal(source):
            return _of_file(wanted)
        with open_journal(source) as store:
            return _of_journal(store, wanted)
    except (JournalError, SourceError, TableError, UnknownGame) as error:
        raise WheelError(str(error)) from error


def _of_journal(store: Store, wanted: _OutcomeSource) -> WheelRecord:
    """Read the rounds of a table that have an outcome, each as it was settled last."""
    tables = chosen_tables(store, wanted.table)
    if wanted.wheel is not None or OutcomeLabel.WHEEL in wanted.by:
        raise WheelError(
            f"{wanted.source}: a journal does not tell wheels apart: each table has one"
        )
    if len(tables) > 1 and OutcomeLabel.TABLE not in wanted.by:
        raise WheelError(_name_one(wanted.source, OutcomeLabel.TABLE, tables))
    rounds = [each for table in tables for each in _table_rounds(store, table, wanted)]
    if not rounds:
        raise WheelError(
            f"{wanted.source} has no outcome of the table {', '.join(tables)}"
        )
    games = {each.game for each in rounds}
    of_table = wanted.game or next(iter(games))
    if games != {of_table}:
        names = ", ".join(sorted(each.name for each in games))
        raise WheelError(
            f"the table {', '.join(tables)} has rounds of {names}: a wheel is checked"
            " for one game"
        )
    one = f", table {tables[0]}" if len(tables) == 1 else ""
    return WheelRecord.of(
        of_table,
        [each.number for each in rounds],
        times_ms=[each.at_ms for each in rounds],
        source=f"{wanted.source}{one}",
        ring=read_settings(of_table, wanted.settings).ring,
        labels={
            OutcomeLabel.TABLE: RowLabels.of([each.table for each in rounds]),
            OutcomeLabel.DEALER: RowLabels.of([each.dealer for each in rounds]),
        },
    )


@dataclass(frozen=True, slots=True)
class _TableRound:
    game: Game
    table: str
    at_ms: int
    number: Number
    dealer: str | None


def _table_rounds(
    store: Store, table: str, wanted: _OutcomeSource
) -> Iterable[_TableRound]:
    """Return the rounds of a table in order, by whom they were dealt if that counts."""
    dealers = dealers_of(store, table) if OutcomeLabel.DEALER in wanted.by else {}
    played = {}
    for each in settlements(store, table):
        if each.is_last and each.winning_number is not None:
            number = each.round_number
            played[number] = _TableRound(
                game_of_document(each.document),
                table,
                each.first_ms,
                each.winning_number,
                dealers.get(number),
            )
    return [played[number] for number in sorted(played)]


def _name_one(source: str, label: OutcomeLabel, names: Iterable[str]) -> str:
    said = ", ".join(sorted(names))
    if label is OutcomeLabel.TABLE:
        return f"{source} has several tables, and each has a wheel: --table {said}"
    return f"{source} has several wheels: --wheel {said}, or --by wheel"


def _of_file(wanted: _OutcomeSource) -> WheelRecord:
    path = Path(wanted.source)
    if wanted.game is None:
        raise WheelError(
            f"{path}: say which game its outcomes are of, as in --game mbs-roulette-v3"
        )
    ring = read_settings(wanted.game, wanted.settings).ring
    outcomes = _OutcomeList(wanted, wanted.game)
    for columns in outcome_columns(path):
        outcomes.add(columns)
    return outcomes.record(ring)


class _OutcomeList:
    """One outcome for each round, in the order in which they come."""

    def __init__(self, wanted: _OutcomeSource, game: Game) -> None:
        self._wanted, self._game = wanted, game
        self._words = GameWords(compile_game(game), Limits(), Settings())
        self._known: dict[Any, int] = {}
        self._rounds: dict[object, int] = {}
        """By round the place of its first row in `_of_rounds`."""
        self._of_rounds: Integers = np.zeros(0, np.int64)
        self._numbers: list[Integers] = []
        self._times: list[Integers | None] = []
        self._labels: dict[OutcomeLabel, list[str | None]] = {
            label: [] for label in OutcomeLabel
        }

    def add(self, columns: OutcomeColumns) -> None:
        """Add the rows that count; each round once."""
        columns = columns.rows(self._counting(columns))
        if not len(columns):
            return
        numbers = self._read_numbers(columns)
        kept = self._first_of_rounds(columns, numbers)
        columns = columns.rows(kept)
        self._numbers.append(numbers[kept])
        self._times.append(
            read_moments(columns.column("at_ms"), columns.column("time"), columns.where)
        )
        for label, told in self._labels.items():
            column = columns.column(label.value)
            told.extend(map(_text, column) if column else repeat(None, len(kept)))

    def _counting(self, columns: OutcomeColumns) -> list[int]:
        """Return the rows of the table and wheel that are asked for, void ones not."""
        counts = ~_void(columns)
        chosen = (
            (OutcomeLabel.TABLE, self._wanted.table),
            (OutcomeLabel.WHEEL, self._wanted.wheel),
        )
        for label, name in chosen:
            if name is not None:
                column = columns.column(label.value) or [None] * len(columns)
                counts &= np.array([_text(each) == name for each in column])
        kept: list[int] = np.flatnonzero(counts).tolist()
        return kept

    def _read_numbers(self, columns: OutcomeColumns) -> Integers:
        """Return each row's number, by its place among those of the game."""
        words = columns.column("outcome") or [None] * len(columns)
        known = self._known
        # Each word is read once, in the order of the rows.
        for word in dict.fromkeys(words):
            if word not in known:
                known[word] = self._read_number(word, columns, words.index(word))
        return np.fromiter(map(known.__getitem__, words), np.int64, len(words))

    def _read_number(self, word: Any, columns: OutcomeColumns, row: int) -> int:
        if word is None or word == "":
            raise WheelError(f"{columns.where(row)}: the outcome is missing")
        is_whole = isinstance(word, int)
        read = self._words.whole_number if is_whole else self._words.number
        try:
            return read(str(word))
        except MISTAKES as error:
            raise WheelError(f"{columns.where(row)}: {error}") from error

    def _first_of_rounds(self, columns: OutcomeColumns, numbers: Integers) -> list[int]:
        """Return the rows that are the first of their round; its rows must agree."""
        column = columns.column("round")
        if column is None:
            return list(range(len(columns)))
        keys = _keys(column, columns.column(OutcomeLabel.TABLE.value))
        rows = range(len(self._of_rounds), len(self._of_rounds) + len(keys))
        firsts = map(self._rounds.setdefault, keys, rows)
        codes = np.fromiter(firsts, np.int64, len(keys))
        kept: list[int] = np.flatnonzero(codes == np.array(rows)).tolist()
        self._of_rounds = np.concatenate([self._of_rounds, numbers])
        differing = np.flatnonzero(self._of_rounds[codes] != numbers)
        if len(differing):
            row = int(differing[0])
            self._refuse_second(columns, row, int(numbers[row]), int(codes[row]))
        return kept

    def _refuse_second(
        self, columns: OutcomeColumns, row: int, number: int, round_code: int
    ) -> None:
        names = self._game.numbers
        said = _text((columns.column("round") or [None])[row]) or ""
        raise WheelError(
            f"{columns.where(row)}: round {shown(said)} has two outcomes,"
            f" {names[int(self._of_rounds[round_code])]} and {names[number]}"
        )

    def record(self, ring: tuple[Number, ...] | None) -> WheelRecord:
        """Return all that was added; raises `WheelError` if it is of several wheels."""
        wanted = self._wanted
        labels = {label: RowLabels.of(told) for label, told in self._labels.items()}
        chosen = (
            (OutcomeLabel.TABLE, wanted.table),
            (OutcomeLabel.WHEEL, wanted.wheel),
        )
        for label, name in chosen:
            if name is None and label not in wanted.by and len(labels[label].names) > 1:
                raise WheelError(_name_one(wanted.source, label, labels[label].names))
        said = [f"{label.value} {name}" for label, name in chosen if name is not None]
        if not self._numbers:
            where = "".join(f" of the {each}" for each in _shown_names(chosen))
            raise WheelError(f"{wanted.source} has no outcome{where}")
        times = [each for each in self._times if each is not None]
        is_timed = len(times) == len(self._times)
        numbers = self._game.numbers
        places = np.array([(ring or self._game.ring).index(each) for each in numbers])
        return WheelRecord.placed(
            self._game,
            places[np.concatenate(self._numbers)],
            times_ms=np.concatenate(times) if is_timed else None,
            source=", ".join([wanted.source, *said]),
            ring=ring,
            labels=labels,
        )


def _keys(rounds: Sequence[Any], tables: Sequence[Any] | None) -> Sequence[object]:
    keys: Sequence[object] = _texts(rounds)
    if not all(keys):
        # A row that names no round is one of its own.
        keys = [each or object() for each in keys]
    if tables is None:
        return keys
    return list(zip(map(_text, tables), keys, strict=True))


def _shown_names(chosen: Iterable[tuple[OutcomeLabel, str | None]]) -> list[str]:
    return [f"{label.value} {shown(name)}" for label, name in chosen if name]


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)


def _texts(column: Sequence[Any]) -> Sequence[str | None]:
    """Return the texts of a column; they are there already in most."""
    return column if set(map(type, column)) == {str} else list(map(_text, column))


def _void(columns: OutcomeColumns) -> Flags:
    """Return which rows are of void rounds; raises `WheelError`."""
    column = columns.column("void")
    if column is None:
        return np.zeros(len(columns), dtype=bool)
    texts = ["" if value is None else str(value).lower() for value in column]
    for said in dict.fromkeys(texts):
        if said not in _YES | _NO:
            where = columns.where(texts.index(said))
            raise WheelError(f"{where}: void is true or false, not {shown(said)}")
    return np.array([said in _YES for said in texts])
