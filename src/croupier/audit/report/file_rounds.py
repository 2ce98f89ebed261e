"""Rounds read from a file of settled wagers: blocks of rounds, and meters.

The format is that of `croupier settle-file`'s output; a row that can't be read is
refused with its number and the reason.

The amount at risk stands in the file; where it does not, it is derived from the wager's
sums. A lost wager had at risk what was
collected; one that was neither paid nor collected had nothing at risk. A winning one
had its stake at risk, unless the game lets chips lie above a maximum and less was paid
than the whole stake would have brought (A10). A wager of several pieces has only sums:
its pieces are known where the sums are what the pay table gives on whole stakes, or
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from croupier.audit.journal.sources import SourceError
from croupier.audit.report.days import Days, DaySpan, read_day, read_moment
from croupier.audit.report.rounds import (
    ROUNDS_AT_ONCE,
    Block,
    GameTable,
    Meter,
    Meters,
    game_table,
)
from croupier.batch.column_settlement import Settled, settle_columns
from croupier.batch.compiled import Flags, Integers
from croupier.batch.decoder import Rejects, RowDecoder, WagerColumns
from croupier.batch.rounds import Part, Rounds, join_parts
from croupier.batch.table_files import TableSource, open_table
from croupier.batch.table_format import (
    ADDED,
    AT_RISK_CENTS,
    SETTLED,
    TableError,
    check_format,
)
from croupier.batch.table_settlement import LaidPieces, lay_pieces
from croupier.batch.texts import texts_of, whole_numbers
from croupier.batch.words import GameWords
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Settings
from croupier.rules.terms import Limits

_DAY, _TIME, _AT_MS, _TABLE = "day", "time", "at_ms", "table"


@dataclass(slots=True)
class FileRounds:
    """Reads a file of settled wagers; the meters are whole when the blocks are read."""

    path: Path
    table: GameTable
    source: TableSource
    days: Days
    span: DaySpan
    words: GameWords
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
        return cls(path, table, source, days, span, words)

    @property
    def knows_tables(self) -> bool:
        return _TABLE in self.source.schema.names

    @property
    def knows_days(self) -> bool:
        names = self.source.schema.names
        return any(name in names for name in (_DAY, _TIME, _AT_MS))

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
        amounts = _amounts(self.table, part, wagers, laid)
        rounds = _RoundsOfPart(self, part, wagers)
        pieces = rounds.place[_row_of(laid)]
        for some in rounds.in_pieces():
            kept = np.isin(pieces, some)
            block = Block(
                self.table,
                [rounds.tables[each] for each in some.tolist()],
                [rounds.days[each] for each in some.tolist()],
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
        self.days = _days(file, part, first)
        void = np.zeros(len(first), np.bool_)
        if wagers.void is not None:
            void[self.place[wagers.void]] = True
        within = np.array([day in file.span for day in self.days], np.bool_)
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
    return [texts.at(row) or "" for row in first.tolist()]


def _days(file: FileRounds, part: Part, first: Integers) -> Sequence[str | None]:
    """Return the gaming day of each round: as it is written, or by its moment."""
    names = part.batch.schema.names
    rows = part.batch.take(first.tolist()).select(
        [name for name in (_DAY, _TIME, _AT_MS) if name in names]
    )
    found: list[str | None] = []
    for row, fields in zip(first.tolist(), rows.to_pylist(), strict=True):
        try:
            found.append(_day(file.days, fields))
        except SourceError as error:
            raise TableError(f"row {part.first_row + row}: {error}") from error
    return found


def _day(days: Days, fields: dict[str, Any]) -> str | None:
    if fields.get(_DAY) not in (None, ""):
        return read_day(str(fields[_DAY]))
    at_ms = read_moment(fields.get(_AT_MS), fields.get(_TIME))
    return None if at_ms is None else days.day(at_ms)


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


def _amounts(
    table: GameTable, part: Part, wagers: WagerColumns, laid: LaidPieces
) -> Integers:
    """Return the amounts of a block by piece; raises `TableError` for wrong sums."""
    given = Settled(*(_cents(part, name) for name in SETTLED))
    at_risk = None
    if AT_RISK_CENTS in part.batch.schema.names:
        at_risk = _cents(part, AT_RISK_CENTS)
        over = at_risk > given.collected_cents + given.returned_cents
        _refuse(part, over, f"{AT_RISK_CENTS} is more than the stake")
    told = piece_amounts(table, wagers, laid, given, at_risk)
    _refuse(part, told.unequal, "the stake is not what was collected and returned")
    _refuse(
        part,
        told.untold,
        "what of the wager was at risk can't be told from its sums: write each piece"
        " on a row of its own",
    )
    return told.amounts


def _cents(part: Part, name: str) -> Integers:
    found = whole_numbers(part.batch.column(name))
    _refuse(part, found < 0, f"{name} is no whole number of cents")
    return found


def _refuse(part: Part, bad: Flags, why: str) -> None:
    if bad.any():
        raise TableError(f"row {part.first_row + int(np.argmax(bad))}: {why}")


@dataclass(frozen=True, slots=True, eq=False)
class PieceAmounts:
    """The amounts of each piece, and the wagers of which they can't be told."""

    amounts: Integers
    """By piece, then as in `rounds.AMOUNTS`."""
    unequal: Flags
    """By wager: collected and returned are not its stake."""
    untold: Flags
    """By wager: it has several pieces, and its sums are not those of whole stakes."""


def piece_amounts(
    table: GameTable,
    wagers: WagerColumns,
    laid: LaidPieces,
    given: Settled,
    at_risk: Integers | None,
) -> PieceAmounts:
    """Return the amounts of every piece, from what became of each wager."""
    pieces, pays = laid.wagers, table.compiled
    full = settle_columns(pays, pieces.wager, pieces.outcome, pieces.stake_cents)
    sums = Settled(*laid.sums(full))
    stake = sums.collected_cents + sums.returned_cents
    unequal = stake != given.collected_cents + given.returned_cents
    if at_risk is None:
        at_risk = _derived_at_risk(table, wagers, stake, given)
    # A row of one piece has its own sums, whatever they are.
    of_one = _columns(stake, at_risk, *given)
    if laid.wager_of is None:
        return PieceAmounts(of_one, unequal, np.zeros(len(wagers), np.bool_))
    row = laid.wager_of
    several = np.bincount(row, minlength=len(wagers)) > 1
    as_paid = (sums.paid_cents == given.paid_cents) & (
        sums.collected_cents == given.collected_cents
    )
    nothing = (given.paid_cents == 0) & (given.collected_cents == 0)
    untold = several & ~as_paid & ~nothing
    if wagers.void is not None:
        untold &= ~wagers.void
    of_several = np.where(
        nothing[row, np.newaxis], _returned(pieces), _at_stake(pieces, full)
    )
    amounts = np.where(several[row, np.newaxis], of_several, of_one[row])
    return PieceAmounts(amounts, unequal, untold)


def _columns(*columns: Integers) -> Integers:
    return np.stack(columns, axis=1).astype(np.int64)


def _at_stake(pieces: WagerColumns, full: Settled) -> Integers:
    """Every piece with its whole stake at risk."""
    return _columns(pieces.stake_cents, pieces.stake_cents, *full)


def _returned(pieces: WagerColumns) -> Integers:
    stake, none = pieces.stake_cents, np.zeros_like(pieces.stake_cents)
    return _columns(stake, none, none, none, stake)


def _derived_at_risk(
    table: GameTable, wagers: WagerColumns, stake: Integers, given: Settled
) -> Integers:
    """Return what of wagers of one piece each was at risk, by their sums."""
    paid, collected = given.paid_cents, given.collected_cents
    won = stake
    if table.game.provides(Rule.OVER_MAXIMUM):
        area = np.minimum(wagers.wager, len(table.type_of) - 1)
        to_one = table.compiled.pays[wagers.outcome, area]
        pays = np.maximum(to_one, 1).astype(np.int64)
        capped = (paid < stake * pays) & (paid % pays == 0)
        won = np.where(capped, paid // pays, stake)
    return np.where(paid > 0, won, collected)
