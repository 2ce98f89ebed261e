"""Rounds read from a file of settled wagers: blocks of rounds, and meters.

The format is that of `croupier settle-file`'s output; a row that can't be read is
refused with its number and the reason. Each row is settled again. A differing row
counts with its own figures. For a wager of several pieces a file has only sums: the
rules divide them, and the first piece gets the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from croupier.audit.report.days import Days, DaySpan, read_day
from croupier.audit.report.rounds import (
    ROUNDS_AT_ONCE,
    Block,
    Meter,
    Meters,
    game_table,
)
from croupier.audit.rows import CheckedPart, RowDifference, WagerFile
from croupier.batch.compiled import Flags, Integers
from croupier.batch.moments import NO_TIME, read_moments
from croupier.batch.rounds import Part
from croupier.batch.table_format import SETTLED, TABLE, TableError, errors_named_by
from croupier.batch.text_columns import MISSING, texts_of
from croupier.journal.addresses import SourceError
from croupier.rules.game import Game, Settings
from croupier.rules.terms import Limits

_DAY, _TIME, _AT_MS = "day", "time", "at_ms"
_DEALER = "dealer"
MOST_KEPT = 1_000
"""Differing rows that are listed; the rest are counted."""


@dataclass(slots=True)
class RowDifferences:
    """The differing rows of a file: all are counted, the first are kept."""

    has_limits: bool
    """Whether the rows were settled again under limits."""
    rows: int = 0
    """The number of checked rows."""
    count: int = 0
    kept: list[RowDifference] = field(default_factory=list)


class FileRounds:
    """Reads a file of settled wagers; the meters are complete once all blocks are."""

    def __init__(
        self,
        source: Path | Any,
        game: Game,
        days: Days,
        span: DaySpan,
        *,
        limits: Limits,
        settings: Settings,
    ) -> None:
        """Open the file or frame and check its columns; raises `TableError`."""
        self.days, self.span = days, span
        self.table = game_table(game)
        self._file = WagerFile(
            source,
            self.table.compiled,
            limits,
            settings,
            needed=SETTLED,
            by_area=True,
        )
        self.names = self._file.names
        """The columns of the file."""
        self.writes_days = _DAY in self.names
        self.knows_days = not {_DAY, _TIME, _AT_MS}.isdisjoint(self.names)
        self.meters = Meters()
        self.differences = RowDifferences(limits != Limits())
        """The rows that differ from the rules; complete once the blocks are read."""

    def blocks(self) -> Iterator[Block]:
        """Return the rounds that reached an outcome; raises `TableError`."""
        for part in self._file.parts():
            with errors_named_by(self._file.name):
                yield from self._of_part(part)
        if not self._file.settlement.totals.rows:
            raise TableError(f"{self._file.name}: there are no rows")

    def _of_part(self, part: CheckedPart) -> Iterator[Block]:
        _refuse_unread(part)
        laid, rounds = part.settled.laid, _RoundsOfPart(self, part)
        self._note(part, rounds.counted)
        amounts, pieces = _amounts(part), rounds.pieces
        for first in range(0, len(rounds.kept), ROUNDS_AT_ONCE):
            some = rounds.kept[first : first + ROUNDS_AT_ONCE]
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

    def _note(self, part: CheckedPart, counted: Flags) -> None:
        """Note each counted row that differs from the rules."""
        noted = self.differences
        noted.rows += int(np.count_nonzero(counted))
        rows = [row for row in part.differing if counted[row]]
        noted.count += len(rows)
        noted.kept += map(part.difference, rows[: MOST_KEPT - len(noted.kept)])


def _refuse_unread(part: CheckedPart) -> None:
    """Raise `TableError` for a row that is no settled wager."""
    row = part.settled.first_unread
    if row is not None:
        reason = part.settled.rejects.reasons[row]
        raise TableError(f"row {part.first_row + row}: {reason}")
    for name, column in part.found.items():
        if (column < 0).any():
            row = part.first_row + int(np.argmax(column < 0))
            raise TableError(f"row {row}: {name} is no whole number of cents")


def _amounts(part: CheckedPart) -> Integers:
    """Return the `AMOUNTS` of each piece; they add up to the file's figures."""
    laid, pieces = part.settled.laid, part.settled.pieces
    *settled, at_risk = pieces
    columns = [laid.wagers.stake_cents, at_risk, *settled]
    amounts = np.stack(columns, axis=1).astype(np.int64)
    found = [part.found[name] for name in SETTLED]
    amounts[laid.firsts, 2:] += np.stack(found, axis=1) - np.stack(
        laid.sums(settled), axis=1
    )
    return amounts


class _RoundsOfPart:
    """The rounds of a part, by the first row of each; void ones are only metered."""

    def __init__(self, file: FileRounds, part: CheckedPart) -> None:
        laid, rows = part.settled.laid, part.settled.part
        _, first, self.place, self.wagers = np.unique(
            rows.ordinal, return_index=True, return_inverse=True, return_counts=True
        )
        self.pieces: Integers = self.place
        """The place of each piece's round."""
        if laid.wager_of is not None:
            self.pieces = self.place[laid.wager_of]
        self.tables = _first_texts(rows, TABLE, first)
        self.dealers = _first_texts(rows, _DEALER, first)
        self.days = _days(file, rows, first)
        void = np.zeros(len(first), np.bool_)
        if laid.wagers.void is not None:
            void[self.pieces[laid.wagers.void]] = True
        within = np.array([day in file.span for day in self.days], np.bool_)
        self.counted: Flags = within[self.place]
        """True for each row whose round is in the days of the report."""
        self.kept: Integers = np.flatnonzero(within & ~void)
        for each in np.flatnonzero(within & void).tolist():
            file.meters.at((self.tables[each], self.days[each])).voids += 1


def _first_texts(part: Part, name: str, first: Integers) -> list[str]:
    if name not in part.batch.schema.names:
        return [""] * len(first)
    texts = texts_of(part.batch.column(name))
    distinct = texts.distinct.to_pylist()
    codes = texts.codes[first].tolist()
    return ["" if code == MISSING else distinct[code] for code in codes]


def _days(file: FileRounds, part: Part, first: Integers) -> Sequence[str | None]:
    """Return the gaming day of each round: as written, or by its time."""
    written, moments = _first_texts(part, _DAY, first), None

    def cells(name: str) -> list[Any] | None:
        if name not in part.batch.schema.names:
            return None
        found: list[Any] = part.batch.column(name).take(pa.array(first)).to_pylist()
        return found

    def where(place: int) -> str:
        return f"row {part.first_row + int(first[place])}"

    if not all(written):
        moments = read_moments(cells(_AT_MS), cells(_TIME), where)
    days: list[str | None] = []
    for place, text in enumerate(written):
        if not text:
            moment = NO_TIME if moments is None else int(moments[place])
            days.append(None if moment == NO_TIME else file.days.day(moment))
            continue
        try:
            days.append(read_day(text))
        except SourceError as error:
            raise TableError(f"{where(place)}: {error}") from error
    return days
