"""The round of each row, and the rounds that are complete.

Rows of one table and round stand together, and the rounds come in ascending order of
table and round. The last round read so far may go on, so it is held back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from croupier.batch.compiled import Cents, Column, pooled_column
from croupier.batch.kernels import compiled_loop, only_read
from croupier.batch.table_format import ROUND, TABLE, TableError, is_whole
from croupier.batch.text_columns import (
    MISSING,
    Texts,
    is_whole_text,
    look_up,
    numbers_of,
    texts_of,
    whole_texts,
)

MOST_ROWS_OF_A_ROUND = 5_000_000
NO_ROUND, _NO_TABLE, OUT_OF_ORDER = -1, -2, -3
"""Codes for a row that belongs to no round."""
_UNCLEAR = -1
"""Instead of a count of rounds, if each row must be examined."""
_ONE_TABLE: Cents = np.empty(0, np.int64)
"""Instead of a column of tables, if there is none."""

_REASONS = {
    NO_ROUND: "the row has no round, or one that is not written as the first one is",
    _NO_TABLE: "the row has no table",
    OUT_OF_ORDER: "the row is out of order: a later round stands before it",
}


def reason_of(ordinal: int) -> str:
    return _REASONS[ordinal]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Consecutive rows of the table, and the round of each."""

    batch: Any
    ordinal: Cents
    """An ascending number for each round; below 0 if the row belongs to none."""
    first_row: int
    """The number of the first row in the table, from 1."""

    def __len__(self) -> int:
        return len(self.ordinal)

    def slice(self, start: int, stop: int) -> Part:
        return Part(
            self.batch.slice(start, stop - start),
            self.ordinal[start:stop],
            self.first_row + start,
        )


def join_parts(parts: list[Part]) -> Part:
    """Join parts that follow each other."""
    if len(parts) == 1:
        return parts[0]
    batch = pa.concat_batches([part.batch for part in parts])
    ordinal = np.concatenate([part.ordinal for part in parts])
    return Part(batch, only_read(ordinal), parts[0].first_row)


class _Ranked(NamedTuple):
    """A column as numbers in the order of its values."""

    ranks: Cents
    """Below 0 if there is no value."""
    before: int
    """The rank of the last value of the piece before, or `MISSING`."""
    texts: Texts | None
    """The values, if they are texts."""

    def at(self, row: int) -> int | str | None:
        return int(self.ranks[row]) if self.texts is None else self.texts.at(row)


class Rounds:
    """Takes a table piece by piece; returns complete rounds."""

    def __init__(self) -> None:
        self.rows = 0
        self.rounds = 0
        self._counts: bool | None = None
        self._table: int | str | None = None
        self._round: int | str | None = None
        self._held: list[Part] = []

    def take(self, batch: Any) -> list[list[Part]]:
        """Take the next rows; return groups of parts, each of whole rounds."""
        ordinal, first, last = self._number(batch)
        part = Part(batch, only_read(ordinal), self.rows + 1)
        self.rows += batch.num_rows
        if last < 0:
            self._hold(part)
            return []
        # A round that ends with its piece has no rows to be joined to.
        rest = [part.slice(0, first)] if first else []
        groups = [[*self._held, *rest], [part.slice(first, last)]]
        self._held = []
        self._hold(part.slice(last, batch.num_rows))
        return [group for group in groups if sum(map(len, group))]

    def finish(self) -> list[list[Part]]:
        held, self._held = self._held, []
        return [held] if held else []

    def _hold(self, part: Part) -> None:
        self._held.append(part)
        if sum(map(len, self._held)) > MOST_ROWS_OF_A_ROUND:
            raise TableError(
                f"the round {self._round} has more than {MOST_ROWS_OF_A_ROUND:,} rows"
            )

    def _number(self, batch: Any) -> tuple[Cents, int, int]:
        """Return each row's round, and the first rows of the first and last new one."""
        tables, rounds = self._tables(batch), self._rounds(batch)
        # At one table, round numbers serve as ordinals as they are.
        are_numbers = tables.ranks is _ONE_TABLE and rounds.texts is None
        new = _count_rounds(rounds.ranks, rounds.before) if are_numbers else _UNCLEAR
        if new != _UNCLEAR:
            ordinal = rounds.ranks
            first, last = _edges(ordinal, rounds.before) if new else (-1, -1)
        else:
            ordinal = pooled_column(batch.num_rows, np.int64)
            first, last, new = _number_rows(
                tables.ranks,
                rounds.ranks,
                (tables.before, rounds.before),
                self.rounds - 1,
                ordinal,
            )
            if are_numbers:
                ordinal = np.where(ordinal < 0, ordinal, rounds.ranks)
        self.rounds += new
        if last >= 0:
            self._table = None if tables.texts is None else tables.at(last)
            self._round = rounds.at(last)
        return ordinal, first, last

    def _tables(self, batch: Any) -> _Ranked:
        if TABLE not in batch.schema.names:
            return _Ranked(_ONE_TABLE, 0, None)
        return _rank(texts_of(batch.column(TABLE)), self._table)

    def _rounds(self, batch: Any) -> _Ranked:
        array = batch.column(ROUND)
        if is_whole(array.type):
            return _as_they_are(numbers_of(array), self._round)
        texts = texts_of(array)
        if self._counts is None and (texts.codes != MISSING).any():
            first = texts.at(int(np.argmax(texts.codes != MISSING)))
            self._counts = first is not None and is_whole_text(first)
        if self._counts:
            return _as_they_are(whole_texts(texts), self._round)
        return _rank(texts, self._round)


def _as_they_are(numbers: Cents, before: int | str | None) -> _Ranked:
    return _Ranked(numbers, before if isinstance(before, int) else MISSING, None)


def _rank(texts: Texts, before: int | str | None) -> _Ranked:
    """Rank texts by odd numbers, so that the value before fits in between."""
    distinct = texts.distinct
    ranks = 2 * pc.rank(distinct, tiebreaker="dense").to_numpy().astype(np.int64) - 1
    place = MISSING
    if before is not None:
        smaller = pc.sum(pc.less(distinct, before)).as_py() or 0
        place = 2 * smaller + (pc.index(distinct, before).as_py() >= 0)
    return _Ranked(look_up(ranks, texts.codes), place, texts)


@compiled_loop
def _count_rounds(rounds: Cents, before: int) -> int:
    """Count the rounds after `before`; `_UNCLEAR` unless each row is of one, in order.

    The loop is simple enough for vector code.
    """
    if len(rounds) == 0:
        return 0
    if rounds[0] < 0 or rounds[0] < before:
        return _UNCLEAR
    new, falls = np.int64(rounds[0] != before), 0
    for row in range(np.uint64(1), np.uint64(len(rounds))):
        last = rounds[row - np.uint64(1)]
        new += rounds[row] != last
        falls += rounds[row] < last
    return _UNCLEAR if falls else int(new)


def _edges(rounds: Cents, before: int) -> tuple[int, int]:
    """Return the first rows of the first round after `before` and of the last."""
    first = np.searchsorted(rounds, before, side="right")
    return int(first), int(np.searchsorted(rounds, rounds[-1]))


@compiled_loop
def is_told_alike(ordinal: Cents, told: Column) -> bool:
    """Return whether each row has a round and agrees with that round's row before it.

    The loop is simple enough for vector code.
    """
    if len(ordinal) == 0:
        return True
    others = 0
    for row in range(np.uint64(1), np.uint64(len(ordinal))):
        before = row - np.uint64(1)
        differs = (ordinal[row] == ordinal[before]) & (told[row] != told[before])
        others += differs | (ordinal[row] < 0)
    return others == 0 and ordinal[0] >= 0


@compiled_loop
def _number_rows(
    tables: Cents, rounds: Cents, before: tuple[int, int], ordinal: int, ordinals: Cents
) -> tuple[int, int, int]:
    """Give each row its round; a row of an earlier round than its predecessor has none.

    Return the first row of the first and of the last new round, and their count.
    """
    table, round_ = before
    first = last = -1
    new = 0
    here = np.int64(0)
    for row in range(len(rounds)):
        if len(tables):
            here = tables[row]
        if rounds[row] == round_ >= 0 and here == table >= 0:
            ordinals[row] = ordinal  # most rows are of the same round as the row before
        elif rounds[row] < 0:
            ordinals[row] = NO_ROUND
        elif here < 0:
            ordinals[row] = _NO_TABLE
        elif here < table or (here == table and rounds[row] < round_):
            ordinals[row] = OUT_OF_ORDER
        else:
            table, round_ = int(here), int(rounds[row])
            ordinal += 1
            ordinals[row] = ordinal
            new += 1
            last = row
            if first < 0:
                first = row
    return first, last, new
