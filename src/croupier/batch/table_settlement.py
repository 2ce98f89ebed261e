"""A table of wagers settled piece by piece: rows in, settled and rejected rows out.

Between pieces it remembers only the Players whose under-minimum wagers have stood at a
table (A9).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from croupier.batch.column_settlement import Settled, Sums, exact_sum, settle_into
from croupier.batch.compiled import (
    Cents,
    Codes,
    Column,
    ColumnError,
    CompiledGame,
    pooled_column,
)
from croupier.batch.decoder import Rejects, RowDecoder, WagerColumns
from croupier.batch.game_words import GameWords
from croupier.batch.limit_tables import limit_tables
from croupier.batch.risk import LAWFUL, risk_columns
from croupier.batch.rounds import Part, Rounds, join_parts
from croupier.batch.table_format import ADDED
from croupier.batch.text_columns import Texts
from croupier.rules.cents import MAXIMUM_CENTS
from croupier.rules.game import Settings
from croupier.rules.terms import Limits

_ROW, _REASON = "row", "reason"
"""The columns that a table of rejected rows begins with."""


_Seat = tuple[str | None, str | None]
"""The names of a table and of a Player; None if the file has none."""


class _PlayerCodes:
    """The Players of a piece: a whole number for each Player at a table."""

    def __init__(self, tables: Texts | None, players: Texts | None, rows: int) -> None:
        self._texts, self._count = (tables, players), 1
        if players is not None:
            self._count = len(players.distinct)
        codes = np.zeros(rows, np.int32) if players is None else players.codes
        self.column: Column = codes
        if tables is not None:
            self.column = tables.codes.astype(np.int64) * self._count + codes

    @cached_property
    def _names(self) -> list[list[str | None]]:
        """The tables and the Players; few pieces need them."""
        return [
            [None] if texts is None else texts.distinct.to_pylist()
            for texts in self._texts
        ]

    def codes(self, seats: set[_Seat]) -> list[int]:
        """Return the codes of the seats that are in the piece."""
        if not seats:
            return []
        tables, players = (
            {name: place for place, name in enumerate(names)} for names in self._names
        )
        return [
            tables[table] * self._count + players[player]
            for table, player in seats
            if table in tables and player in players
        ]

    def seat(self, code: int) -> _Seat:
        tables, players = self._names
        table, player = divmod(code, self._count)
        return tables[table], players[player]


@dataclass(frozen=True, slots=True, eq=False)
class _LaidPieces:
    """Wagers as pieces: the `wager` of each row is an area, with its own stake."""

    wagers: WagerColumns
    wager_of: Column | None
    """The wager of each piece; None: each row is a wager."""

    def of_wagers(self, column: Codes) -> Codes:
        return column if self.wager_of is None else column[self.firsts]

    def sums(self, columns: Iterable[Cents]) -> list[Cents]:
        """Return each column of pieces by wager: as sums over the wager's pieces."""
        if self.wager_of is None:
            return list(columns)
        begins = self.firsts
        return [np.add.reduceat(each, begins) for each in columns]

    @property
    def firsts(self) -> Column:
        if self.wager_of is None:
            return np.arange(len(self.wagers))
        return np.flatnonzero(np.diff(self.wager_of, prepend=-1))


def _lay_pieces(words: GameWords, wagers: WagerColumns) -> _LaidPieces:
    """Return the pieces of wagers, those of one wager side by side."""
    if not words.multiples or int(wagers.wager.max(initial=0)) < words.areas:
        return _LaidPieces(wagers, None)
    counts, areas, maxima = words.pieces()
    begins = np.cumsum(counts) - counts
    laid = counts[wagers.wager]
    row = np.repeat(np.arange(len(wagers)), laid)
    place = np.arange(len(row)) - np.repeat(np.cumsum(laid) - laid, laid)
    chosen = begins[wagers.wager][row] + place
    pieces = wagers.take(row)
    stakes = np.where(maxima[chosen] > 0, maxima[chosen], pieces.stake_cents)
    return _LaidPieces(replace(pieces, wager=areas[chosen], stake_cents=stakes), row)


@dataclass(slots=True)
class Totals:
    """Counts of the rows read, settled and rejected so far."""

    rows: int = 0
    settled: int = 0
    rejected: int = 0
    rounds: int = 0
    stake_cents: int = 0
    paid_cents: int = 0
    collected_cents: int = 0
    returned_cents: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class SettledPart:
    """Rows of whole rounds: those that were settled, and those that were rejected."""

    part: Part
    rejects: Rejects
    """The rows that can't be read, and those that the rules refuse."""
    laid: _LaidPieces
    """The pieces of the rows that can be read."""
    pieces: Sequence[Cents]
    """The columns of `ADDED`, by piece."""
    columns: Sequence[Cents]
    """The columns of `ADDED`, by settled row."""
    first_unread: int | None
    """The first row that can't be read; None: all can."""

    @property
    def settled(self) -> Any:
        """The settled rows as they came, and the columns of `ADDED`."""
        batch = self.part.batch
        if len(self.rejects):
            batch = batch.filter(pa.array(self.rejects.accepted))
        added = [pa.array(column, pa.int64()) for column in self.columns]
        names = [*batch.schema.names, *ADDED]
        return pa.RecordBatch.from_arrays([*batch.columns, *added], names=names)

    @property
    def rejected(self) -> Any | None:
        """The other rows, each with its number and the reason; None: there are none."""
        if not len(self.rejects):
            return None
        return _rejected(self.part.batch, self.part.first_row, self.rejects)


class _PieceRisk:
    """Finds the part of each piece at risk; remembers the warned Players (A9)."""

    def __init__(self, words: GameWords) -> None:
        """Judge by the limits and settings that the wagers were read with."""
        tables = limit_tables(words.compiled, words.limits, words.settings)
        self._words = words
        self.is_limited = tables is not None
        self._warned: set[_Seat] = set()

    def of(self, laid: _LaidPieces) -> tuple[Cents | None, Codes | None]:
        """Return the part of each piece at risk (None: all), and the refusals."""
        wagers = laid.wagers
        if not self.is_limited:
            if wagers.void is None:
                return None, None
            return np.where(wagers.void, 0, wagers.stake_cents), None
        seats = _PlayerCodes(wagers.tables, wagers.players, len(wagers))
        risk = risk_columns(
            self._words.compiled,
            self._words.limits,
            round_=wagers.ordinal,
            player=seats.column,
            order=wagers.order,
            area=wagers.wager,
            stake_cents=wagers.stake_cents,
            warned=seats.codes(self._warned),
            void=wagers.void,
            wager=laid.wager_of,
            settings=self._words.settings,
        )
        self._warned |= set(map(seats.seat, risk.stood))
        return risk.at_risk_cents, risk.refusals


class TableSettlement:
    """Settles a table of wagers of any length at one game."""

    def __init__(
        self,
        compiled: CompiledGame,
        limits: Limits,
        settings: Settings,
        *,
        by_area: bool = False,
    ) -> None:
        """`by_area` asks for pieces that name areas of the game, which costs time."""
        self.totals = Totals()
        self._compiled = compiled
        self._words = GameWords(compiled, limits, settings)
        self._decoder = RowDecoder(compiled, self._words)
        self._rounds = Rounds()
        self._risk = _PieceRisk(self._words)
        self._by_area = by_area or self._risk.is_limited

    @staticmethod
    def empty(schema: Any) -> Any:
        added = [pa.field(name, pa.int64()) for name in ADDED]
        return pa.RecordBatch.from_pylist([], schema=pa.schema([*schema, *added]))

    @staticmethod
    def empty_rejects(schema: Any) -> Any:
        batch = pa.RecordBatch.from_pylist([], schema=schema)
        return _rejected(batch, 1, Rejects(0))

    def take(self, batch: Any) -> Iterator[SettledPart]:
        for parts in self._rounds.take(batch):
            yield self._settle(join_parts(parts))

    def finish(self) -> Iterator[SettledPart]:
        """Yield the last round; check that no row was lost."""
        for parts in self._rounds.finish():
            yield self._settle(join_parts(parts))
        totals = self.totals
        totals.rows, totals.rounds = self._rounds.rows, self._rounds.rounds
        assert totals.settled + totals.rejected == totals.rows

    def _settle(self, part: Part, *, may_be_plain: bool = True) -> SettledPart:
        rejects = Rejects(len(part))
        rows: Column | None = None
        plain = may_be_plain and self._decoder.decode_plain(
            part.batch, part.ordinal, by_area=self._by_area
        )
        if plain:
            compiled, wagers = plain
            laid = _LaidPieces(wagers, None)
        else:
            compiled = self._compiled
            wagers = self._decoder.decode(part.batch, part.ordinal, rejects)
            if len(rejects):
                rows = np.flatnonzero(rejects.accepted)
                wagers = wagers.take(rows)
            laid = _lay_pieces(self._words, wagers)
        at_risk, refusals = self._risk.of(laid)
        pieces = laid.wagers
        given = Settled(*(pooled_column(len(pieces), np.int64) for _ in range(3)))
        try:
            sums = settle_into(
                compiled,
                pieces.wager,
                pieces.outcome,
                pieces.stake_cents,
                at_risk,
                into=given,
                stakes=(1, MAXIMUM_CENTS),
            )
        except ColumnError:
            # A bad stake of plain rows is found only here.
            if not plain:
                raise
            return self._settle(part, may_be_plain=False)
        risked = pieces.stake_cents if at_risk is None else at_risk
        settled = laid.sums((*given, risked))
        unread = min(rejects.reasons, default=None)
        if refusals is not None and refusals.any():
            refused = laid.of_wagers(refusals)
            lawful = np.flatnonzero(refused == LAWFUL)
            settled = [column[lawful] for column in settled]
            sums = Sums(*map(exact_sum, settled[:3]))
            for row in np.flatnonzero(refused != LAWFUL).tolist():
                reason = self._words.refusal(int(wagers.wager[row]), int(refused[row]))
                rejects.add_rows([row if rows is None else int(rows[row])], reason)
        self._count(len(settled[0]), sums, len(rejects))
        return SettledPart(part, rejects, laid, (*given, risked), settled, unread)

    def _count(self, settled: int, sums: Sums, rejected: int) -> None:
        totals = self.totals
        totals.settled += settled
        totals.rejected += rejected
        totals.paid_cents += sums.paid_cents
        totals.collected_cents += sums.collected_cents
        totals.returned_cents += sums.returned_cents
        totals.stake_cents += sums.collected_cents + sums.returned_cents


def _rejected(batch: Any, first_row: int, rejects: Rejects) -> Any:
    """Return the rejected rows, each after its number and its reason."""
    rows = sorted(rejects.reasons)
    others = batch.take(pa.array(rows, pa.int64()))
    columns = {
        _ROW: pa.array([first_row + row for row in rows], pa.int64()),
        _REASON: pa.array([rejects.reasons[row] for row in rows], pa.string()),
    }
    for name in others.schema.names:
        columns.setdefault(name, others.column(name))
    return pa.RecordBatch.from_pydict(columns)
