"""Rounds read from a file of settled wagers: blocks of rounds, and meters.

The format is that of `croupier settle-file`'s output; a row that can't be read is
refused with its number and the reason. Each row is settled again on the way
(`row_check`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from croupier.audit.report.days import Days, DaySpan, read_day
from croupier.audit.report.rounds import (
    ROUNDS_AT_ONCE,
    Block,
    GameTable,
    Meter,
    Meters,
    game_table,
)
from croupier.audit.report.row_check import RowCheck, RowDifferences
from croupier.batch.compiled import Flags, Integers
from croupier.batch.decoder import Rejects, RowDecoder, WagerColumns
from croupier.batch.game_words import GameWords
from croupier.batch.moments import read_moment
from croupier.batch.rounds import Part, Rounds, join_parts
from croupier.batch.table_files import TableSource, open_table
from croupier.batch.table_format import ADDED, SETTLED, TableError, check_format
from croupier.batch.table_settlement import LaidPieces, lay_pieces
from croupier.batch.text_columns import MISSING, texts_of
from croupier.journal.sources import SourceError
from croupier.rules.game import Game, Settings
from croupier.rules.terms import Limits

_DAY, _TIME, _AT_MS = "day", "time", "at_ms"
_TABLE, _DEALER = "table", "dealer"


@dataclass(slots=True)
class FileRounds:
    """Reads a file of settled wagers; the meters are whole when the blocks are read."""

    path: Path
    table: GameTable
    source: TableSource
    days: Days
    span: DaySpan
    words: GameWords
    check: RowCheck
    meters: Meters = field(default_factory=Meters)

    @classmethod
    def open(
        cls,
        path: Path,
        game: Game,
        days: Days,
        span: DaySpan,
        *,
        limits: Limits,
        settings: Settings,
    ) -> FileRounds:
        """Open the file and check its columns; raises `SourceError`."""
        table = game_table(game)
        words = GameWords(table.compiled, limits, settings)
        with _told_of(path):
            source = open_table(path)
            _check(table, source.schema)
        check = RowCheck(table, words)
        return cls(path, table, source, days, span, words, check)

    @property
    def knows_tables(self) -> bool:
        return _TABLE in self.source.schema.names

    @property
    def knows_dealers(self) -> bool:
        return _DEALER in self.source.schema.names

    @property
    def knows_days(self) -> bool:
        names = self.source.schema.names
        return any(name in names for name in (_DAY, _TIME, _AT_MS))

    @property
    def differences(self) -> RowDifferences:
        """The rows that are not what the rules give; whole when the blocks are read."""
        return self.check.differences

    @property
    def writes_days(self) -> bool:
        return _DAY in self.source.schema.names

    def blocks(self) -> Iterator[Block]:
        """Return the rounds that reached an outcome; raises `SourceError`."""
        decoder, rounds = RowDecoder(self.table.compiled, self.words), Rounds()
        with _told_of(self.path):
            for batch in self.source.batches:
                for parts in rounds.take(batch):
                    yield from self._of_part(decoder, join_parts(parts))
            for parts in rounds.finish():
                yield from self._of_part(decoder, join_parts(parts))
            if not rounds.rows:
                raise TableError("there are no rows")

    def _of_part(self, decoder: RowDecoder, part: Part) -> Iterator[Block]:
        rejects = Rejects(len(part))
        wagers = decoder.decode(part.batch, part.ordinal, rejects)
        if len(rejects):
            row = min(rejects.reasons)
            raise TableError(f"row {part.first_row + row}: {rejects.reasons[row]}")
        laid = lay_pieces(self.words, wagers)
        rounds = _RoundsOfPart(self, part, wagers)
        amounts = self.check.amounts(part, wagers, laid, rounds.counted)
        pieces = rounds.place[_row_of(laid)]
        for some in rounds.in_pieces():
            kept = np.isin(pieces, some)
            block = Block(
                self.table,
                [rounds.tables[each] for each in some.tolist()],
                [rounds.days[each] for each in some.tolist()],
                [rounds.dealers[each] for each in some.tolist()],
                rounds.wagers[some],
                np.searchsorted(some, pieces[kept]),
                laid.wagers.wager[kept].astype(np.int64),
                amounts[kept],
            )
            self._meter(block)
            yield block

    def _meter(self, block: Block) -> None:
        """Add the rounds of a block to the meters."""
        sums: Integers = np.zeros((block.rounds, block.amounts.shape[1]), np.int64)
        np.add.at(sums, block.round_of, block.amounts)
        rows = zip(block.tables, block.days, sums.tolist(), strict=True)
        for table, day, (_, at_risk, paid, collected, _) in rows:
            counted = Meter(1, 0, None, at_risk, paid, collected - paid)
            self.meters.at((table, day)).add(counted)


@contextmanager
def _told_of(path: Path) -> Iterator[None]:
    """Turn a `TableError` into a `SourceError` that names the file."""
    try:
        yield
    except TableError as error:
        said = str(error)
        named = said if said.startswith(str(path)) else f"{path}: {said}"
        raise SourceError(named) from error


def _row_of(laid: LaidPieces) -> Integers:
    if laid.wager_of is None:
        return np.arange(len(laid.wagers))
    return laid.wager_of


class _RoundsOfPart:
    """The rounds of a part, by the first row of each; void ones are metered alone."""

    def __init__(self, file: FileRounds, part: Part, wagers: WagerColumns) -> None:
        _, first, self.place, self.wagers = np.unique(
            wagers.ordinal, return_index=True, return_inverse=True, return_counts=True
        )
        self.tables = _first_texts(part, _TABLE, first)
        self.dealers = _first_texts(part, _DEALER, first)
        self.days = _days(file, part, first)
        void = np.zeros(len(first), np.bool_)
        if wagers.void is not None:
            void[self.place[wagers.void]] = True
        within = np.array([day in file.span for day in self.days], np.bool_)
        self.counted: Flags = within[self.place]
        """By row, whether its round is of the days that are reported on."""
        self._kept = np.flatnonzero(within & ~void)
        for each in np.flatnonzero(within & void).tolist():
            file.meters.at((self.tables[each], self.days[each])).voids += 1

    def in_pieces(self) -> list[Integers]:
        """Return the rounds that count, some at a time."""
        kept = self._kept
        firsts = range(0, len(kept), ROUNDS_AT_ONCE)
        return [kept[first : first + ROUNDS_AT_ONCE] for first in firsts]


def _first_texts(part: Part, name: str, first: Integers) -> list[str]:
    if name not in part.batch.schema.names:
        return [""] * len(first)
    texts = texts_of(part.batch.column(name))
    distinct = texts.distinct.to_pylist()
    codes = texts.codes[first].tolist()
    return ["" if code == MISSING else distinct[code] for code in codes]


def _days(file: FileRounds, part: Part, first: Integers) -> Sequence[str | None]:
    """Return the gaming day of each round: as it is written, or by its moment."""
    names, rows = part.batch.schema.names, pa.array(first)
    columns = [
        part.batch.column(name).take(rows).to_pylist()
        if name in names
        else [None] * len(first)
        for name in (_DAY, _TIME, _AT_MS)
    ]
    found: list[str | None] = []
    known: dict[Any, str | None] = {}
    for row, told in zip(first.tolist(), zip(*columns, strict=True), strict=True):
        if told not in known:
            try:
                known[told] = _day(file.days, *told)
            except SourceError as error:
                raise TableError(f"row {part.first_row + row}: {error}") from error
        found.append(known[told])
    return found


def _day(days: Days, day: object, time: object, at_ms: object) -> str | None:
    if day not in (None, ""):
        return read_day(str(day))
    moment = read_moment(at_ms, time)
    return None if moment is None else days.day(moment)


def _check(table: GameTable, schema: Any) -> None:
    """Raise `TableError` unless it is a table of settled wagers at this game."""
    for name in SETTLED:
        if name not in schema.names:
            raise TableError(
                f"there is no column {name}: it is no file of settled wagers, such as"
                " croupier settle-file writes"
            )
    wagers = [column for column in schema if column.name not in ADDED]
    check_format(table.compiled, pa.schema(wagers))
