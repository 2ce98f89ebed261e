"""The outcomes of a wheel, read from a list, a table, a frame or a journal.

A list has one number on each line. A table has a column `outcome`. It may have columns
`round` (rows of one round must agree), `table`, `wheel`, `dealer`, `time` or `at_ms`,
and `void`. Other columns are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from croupier.batch.compiled import Integers, compile_game
from croupier.batch.frames import as_arrow
from croupier.batch.game_words import MISTAKES, GameWords
from croupier.batch.moments import NO_TIME, read_moments
from croupier.batch.table_files import READERS, open_table
from croupier.batch.table_format import (
    TableError,
    check_named_once,
    errors_named_by,
    is_text,
    is_whole,
)
from croupier.games import UnknownGame, game_of_document
from croupier.journal.addresses import SourceError, is_journal
from croupier.journal.errors import JournalError
from croupier.lab.wheel.record import OutcomeLabel, RowLabels, WheelError, WheelRecord
from croupier.rules.game import Game, Settings
from croupier.rules.notation import shown
from croupier.rules.terms import Limits, read_settings

if TYPE_CHECKING:
    from croupier.journal.store import Store

_OUTCOME = "outcome"
_COLUMNS = (_OUTCOME, "round", "table", "wheel", "dealer", "time", "at_ms", "void")
_SEPARATOR = re.compile("[,;\t]")
_YES = frozenset({"true", "1", "yes"})
_NO = frozenset({"false", "0", "no", ""})


@dataclass(frozen=True, slots=True)
class _Request:
    """The source of outcomes, the game, and the table or wheel that is meant."""

    source: Any
    game: Game | None
    table: str | None
    wheel: str | None
    settings: Sequence[str]
    by: Sequence[OutcomeLabel]

    @property
    def name(self) -> str:
        """The name of the source; data in memory have none."""
        return self.source if isinstance(self.source, str) else ""

    @property
    def chosen(self) -> list[tuple[OutcomeLabel, str]]:
        both = (OutcomeLabel.TABLE, self.table), (OutcomeLabel.WHEEL, self.wheel)
        return [(label, name) for label, name in both if name is not None]


def read_wheel(
    source: Any,
    *,
    game: Game | None = None,
    table: str | None = None,
    wheel: str | None = None,
    settings: Sequence[str] = (),
    by: Sequence[OutcomeLabel] = (),
) -> WheelRecord:
    """Read the outcomes of one wheel, or of several that `by` tells apart.

    The source is the path of a file or journal, a frame as `settle_frame` takes it, or
    a list, array or Series of outcomes. Raises `WheelError`, `NotationError`.
    """
    if isinstance(source, PathLike):
        source = fspath(source)
    asked = _Request(source, game, table, wheel, settings, by)
    try:
        if not isinstance(source, str):
            return _record(_of_data(source), asked)
        if not is_journal(source):
            return _record(_of_file(Path(source), asked), asked)
        # Imported here: a file needs none of the journal's modules.
        from croupier.journal.sources import open_journal

        with open_journal(source) as store:
            return _of_journal(store, asked)
    except (JournalError, SourceError, TableError, UnknownGame) as error:
        raise WheelError(str(error)) from error
    except pa.ArrowException as error:
        said = f"a column can't be read: {' '.join(str(error).split())[:150]}"
        raise WheelError(f"{asked.name}: {said}" if asked.name else said) from error


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Rows of outcomes, with the number of each row in its source."""

    table: Any
    numbers: Integers
    counted: str = "row"
    """The word before a row's number, after the name of the file."""

    def where(self, row: int) -> str:
        return f"{self.counted} {self.numbers[row]}"

    def kept(self, rows: Integers) -> _Rows:
        if len(rows) == len(self.numbers):
            return self
        return replace(
            self, table=self.table.take(pa.array(rows)), numbers=self.numbers[rows]
        )

    def column(self, name: str) -> Any:
        """Return a column, texts without spaces around; None if there is none."""
        if name not in self.table.schema.names:
            return None
        column = self.table.column(name)
        if is_text(column.type):
            column = pc.utf8_trim_whitespace(column.cast(pa.string()))
            column = pc.if_else(pc.equal(column, ""), None, column)
        return column

    def labels(self, name: str) -> RowLabels:
        """Return the distinct texts of a column, and which of them each row has."""
        column = self.column(name)
        if column is None:
            return RowLabels((), np.full(len(self.numbers), -1))
        codes = column.combine_chunks().dictionary_encode()
        names = tuple(map(str, codes.dictionary.to_pylist()))
        return RowLabels(names, codes.indices.fill_null(-1).to_numpy().astype(np.int64))

    def values(self, name: str) -> list[Any] | None:
        column = self.column(name)
        return None if column is None else column.to_pylist()


def _of_data(data: Any) -> _Rows:
    """Return the rows of a frame, or of a list, array or Series of outcomes."""
    is_flat = isinstance(data, list | tuple | pa.Array | pa.ChunkedArray)
    if not is_flat and len(getattr(data, "shape", ())) != 1:
        table = as_arrow(data)
        check_named_once(table.schema.names)
        return _of_batches("row", table.schema, iter(table.to_batches()))
    for name in ("tolist", "to_list", "to_pylist"):
        data = getattr(data, name)() if hasattr(data, name) else data
    if any(isinstance(each, str) for each in data):
        data = [None if each is None else str(each) for each in data]
    column = pa.array(data)
    return _Rows(pa.table({_OUTCOME: column}), np.arange(1, len(column) + 1))


def _of_file(path: Path, asked: _Request) -> _Rows:
    if asked.game is None:
        raise WheelError(
            f"{path}: say which game its outcomes are of, as in --game mbs-roulette-v3"
        )
    suffix = path.suffix.lower()
    if suffix not in READERS or suffix == ".csv":
        _, first = next(_lines(path), (0, ""))
        if _OUTCOME not in map(str.strip, _SEPARATOR.split(first.replace('"', ""))):
            return _of_list(path)
        suffix = ".csv"
    source = open_table(path, suffix)
    if _OUTCOME not in source.schema.names:
        raise WheelError(f"{path} has no column outcome")
    with errors_named_by(path):
        check_named_once(source.schema.names)
    with closing(source.batches) as batches:
        return _of_batches(f"{path}: row", source.schema, batches)


def _of_list(path: Path) -> _Rows:
    lines = dict(_lines(path))
    for number, line in lines.items():
        if _SEPARATOR.search(line):
            raise WheelError(
                f"{path}: line {number} has several cells where one number belongs; a"
                " table has its columns' names, and outcome among them, in its first"
                " line"
            )
    table = pa.table({_OUTCOME: pa.array(lines.values(), pa.string())})
    return _Rows(table, np.array(list(lines), np.int64), f"{path}: line")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text and their numbers, without empty ones and remarks."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(map(str.strip, file), 1):
                if line and line[0] != "#":
                    yield number, line
    except UnicodeDecodeError as error:
        raise WheelError(f"{path} is not UTF-8 text") from error
    except OSError as error:
        raise WheelError(f"{path}: {error.strerror or error}") from error


def _of_batches(counted: str, schema: Any, batches: Iterable[Any]) -> _Rows:
    """Return the rows of a table, without a row that repeats the one before it."""
    if _OUTCOME not in schema.names:
        raise WheelError("there is no column outcome")
    names = [name for name in _COLUMNS if name in schema.names]
    empty = pa.RecordBatch.from_pylist([], schema=pa.schema(map(schema.field, names)))
    kept, numbers, passed = [empty], [np.zeros(0, np.int64)], 1
    for whole in batches:
        batch = whole.select(names)
        begins = _begins(batch)
        kept.append(batch.take(pa.array(begins)))
        numbers.append(begins + passed)
        passed += batch.num_rows
    table = pa.Table.from_batches(kept).unify_dictionaries()
    return _Rows(table, np.concatenate(numbers), counted)


def _begins(batch: Any) -> Integers:
    """Return the rows that differ from the row before; without rounds, all rows."""
    begins = np.full(batch.num_rows, "round" not in batch.schema.names)
    begins[:1] = True
    for column in batch.columns:
        codes = column if hasattr(column, "indices") else pc.dictionary_encode(column)
        values = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        begins[1:] |= values[1:] != values[:-1]
    return np.flatnonzero(begins)


def _of_journal(store: Store, asked: _Request) -> WheelRecord:
    """Read the rounds of a table that have an outcome, each as it was settled last."""
    from croupier.journal.settlements import chosen_tables, dealers_of, settlements

    tables = chosen_tables(store, asked.table)
    if asked.wheel is not None or OutcomeLabel.WHEEL in asked.by:
        raise WheelError(
            f"{asked.source}: a journal does not tell wheels apart: each table has one"
        )
    if len(tables) > 1 and OutcomeLabel.TABLE not in asked.by:
        raise WheelError(_name_one(asked, OutcomeLabel.TABLE, tables))
    rounds: list[tuple[str, int, str, str | None]] = []
    games = set()
    for table in tables:
        dealers = dealers_of(store, table) if OutcomeLabel.DEALER in asked.by else {}
        played = {
            each.round_number: each
            for each in settlements(store, table)
            if each.is_last and each.winning_number is not None
        }
        for number, each in sorted(played.items()):
            games.add(game_of_document(each.document))
            dealer = dealers.get(number)
            rounds.append((str(each.winning_number), each.first_ms, table, dealer))
    if not rounds:
        raise WheelError(
            f"{asked.source} has no outcome of the table {', '.join(tables)}"
        )
    game = asked.game or next(iter(games))
    if games != {game}:
        names = ", ".join(sorted(each.name for each in games))
        raise WheelError(
            f"the table {', '.join(tables)} has rounds of {names}: a wheel is checked"
            " for one game"
        )
    columns = zip(
        (_OUTCOME, "at_ms", "table", "dealer"), zip(*rounds, strict=True), strict=True
    )
    found = _Rows(pa.table(dict(columns)), np.arange(len(rounds)))
    one = tables[0] if len(tables) == 1 else None
    return _record(found, replace(asked, game=game, table=one))


def _name_one(asked: _Request, label: OutcomeLabel, names: Iterable[str]) -> str:
    source, said = asked.name or "the table", ", ".join(sorted(names))
    if label is OutcomeLabel.TABLE:
        return f"{source} has several tables, and each has a wheel: --table {said}"
    return f"{source} has several wheels: --wheel {said}, or --by wheel"


def _record(rows: _Rows, asked: _Request) -> WheelRecord:
    """Return the requested outcomes; raise `WheelError` if they can't be read."""
    if asked.game is None:
        raise WheelError("name the game that the outcomes are of")
    ring = read_settings(asked.game, asked.settings).ring or asked.game.ring
    rows = rows.kept(_counting(rows, asked))
    numbers = _numbers(rows, asked.game)
    firsts = _first_of_rounds(rows, numbers, asked.game)
    rows, numbers = rows.kept(firsts), numbers[firsts]
    labels = {label: rows.labels(label.value) for label in OutcomeLabel}
    chosen = dict(asked.chosen)
    for label, told in labels.items():
        is_free = label is not OutcomeLabel.DEALER and label not in chosen
        if is_free and label not in asked.by and len(told.names) > 1:
            raise WheelError(_name_one(asked, label, told.names))
    if not len(numbers):
        where = "".join(f" of the {each.value} {shown(n)}" for each, n in asked.chosen)
        raise WheelError(f"{asked.name or 'the table'} has no outcome{where}")
    said = [f"{label.value} {name}" for label, name in chosen.items()]
    places = np.array([ring.index(number) for number in asked.game.numbers])
    return WheelRecord.placed(
        asked.game,
        places[numbers],
        times_ms=_times(rows),
        source=", ".join(filter(None, [asked.name, *said])),
        ring=ring,
        labels=labels,
    )


def _times(rows: _Rows) -> Integers | None:
    times = read_moments(rows.values("at_ms"), rows.values("time"), rows.where)
    if times is not None and (times == NO_TIME).any():
        where = rows.where(int(np.argmax(times == NO_TIME)))
        raise WheelError(f"{where}: the time is missing")
    return times


def _counting(rows: _Rows, asked: _Request) -> Integers:
    """Return the rows of the requested table and wheel, without void rounds."""
    void = rows.labels("void")
    for code, said in enumerate(void.names):
        if said.lower() not in _YES | _NO:
            where = rows.where(int(np.argmax(void.codes == code)))
            raise WheelError(f"{where}: void is true or false, not {shown(said)}")
    is_void = [code for code, said in enumerate(void.names) if said.lower() in _YES]
    counts = ~np.isin(void.codes, is_void)
    for label, name in asked.chosen:
        told = rows.labels(label.value)
        counts &= np.isin(
            told.codes, [c for c, n in enumerate(told.names) if n == name]
        )
    return np.flatnonzero(counts)


def _numbers(rows: _Rows, game: Game) -> Integers:
    """Return each row's number, as its place among the game's numbers."""
    told = rows.labels(_OUTCOME)
    if (told.codes < 0).any():
        where = rows.where(int(np.argmax(told.codes < 0)))
        raise WheelError(f"{where}: the outcome is missing")
    words = GameWords(compile_game(game), Limits(), Settings())
    whole = is_whole(rows.table.schema.field(_OUTCOME).type)
    read, found = words.whole_number if whole else words.number, []
    for code, word in enumerate(told.names):
        try:
            found.append(read(word))
        except MISTAKES as error:
            where = rows.where(int(np.argmax(told.codes == code)))
            raise WheelError(f"{where}: {error}") from error
    return np.array(found, np.int64)[told.codes]


def _first_of_rounds(rows: _Rows, numbers: Integers, game: Game) -> Integers:
    """Return the first row of each round; all rows of a round must agree."""
    told, tables = rows.labels("round"), rows.labels(OutcomeLabel.TABLE.value)
    # A row without a round is a round of its own.
    codes = np.where(
        told.codes < 0, np.arange(len(numbers)) + len(told.names), told.codes
    )
    keys = codes * (len(tables.names) + 1) + tables.codes + 1
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    others = numbers[first][place]
    differing = np.flatnonzero(others != numbers)
    if len(differing):
        row, names = int(differing[0]), game.numbers
        said = shown(told.names[int(told.codes[row])])
        raise WheelError(
            f"{rows.where(row)}: round {said} has two outcomes,"
            f" {names[int(others[row])]} and {names[int(numbers[row])]}"
        )
    return np.sort(first)
