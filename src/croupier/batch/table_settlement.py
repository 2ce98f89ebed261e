"""A table of wagers settled piece by piece: rows in, settled and rejected rows out.

From piece to piece only the Players are remembered whose under-minimum wagers have
stood at a table (A9).
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

ROW, REASON = "row", "reason"
"""The columns that a table of rejected rows begins with."""


class _WarnedPlayers:
    """Who has had the one round in which an under-minimum wager stands."""

    def __init__(self) -> None:
        self._by_table: dict[str | None, set[str | None]] = {}

    def codes(self, seats: _PlayerCodes) -> list[int]:
        """Return the codes of those among the Players of the piece."""
        return [
            seats.code(place, player)
            for place, table in enumerate(seats.tables)
            if (warned := self._by_table.get(table))
            for player, name in enumerate(seats.players)
            if name in warned
        ]

    def add(self, seats: _PlayerCodes, codes: frozenset[int]) -> None:
        for code in codes:
            place, player = seats.names(code)
            self._by_table.setdefault(place, set()).add(player)


class _PlayerCodes:
    """Players at tables, told apart by a whole number."""

    def __init__(self, tables: Texts | None, players: Texts | None, rows: int) -> None:
        self._tables, self._players = tables, players
        self._count = 1 if players is None else len(players.distinct)
        nobody = np.zeros(rows, np.int32) if players is None else players.codes
        self.column: Column = nobody
        if tables is not None:
            self.column = tables.codes.astype(np.int64) * self._count + nobody

    @cached_property
    def tables(self) -> list[str | None]:
        return _names(self._tables)

    @cached_property
    def players(self) -> list[str | None]:
        return _names(self._players)

    def code(self, table: int, player: int) -> int:
        return table * self._count + player

    def names(self, code: int) -> tuple[str | None, str | None]:
        table, player = divmod(code, self._count)
        return self.tables[table], self.players[player]


def _names(texts: Texts | None) -> list[Any]:
    return [None] if texts is None else texts.distinct.to_pylist()


@dataclass(frozen=True, slots=True, eq=False)
class LaidPieces:
    """Wagers as pieces: the `wager` of each row is an area, its stake its own."""

    wagers: WagerColumns
    wager_of: Column | None
    """The wager that each row is a piece of; None: each row is a wager."""

    def of_wagers(self, column: Codes) -> Codes:
        """Return a column of pieces as one of wagers: that of the first piece."""
        return column if self.wager_of is None else column[self.firsts]

    def sums(self, columns: Iterable[Cents]) -> list[Cents]:
        """Return each column of pieces as one of wagers: the sums over their pieces."""
        if self.wager_of is None:
            return list(columns)
        begins = self.firsts
        return [np.add.reduceat(each, begins) for each in columns]

    @property
    def firsts(self) -> Column:
        """By wager the row of its first piece."""
        if self.wager_of is None:
            return np.arange(len(self.wagers))
        return np.flatnonzero(np.diff(self.wager_of, prepend=-1))


def lay_pieces(words: GameWords, wagers: WagerColumns) -> LaidPieces:
    """Return the pieces of wagers, those of one wager side by side."""
    if not words.multiples or int(wagers.wager.max(initial=0)) < words.areas:
        return LaidPieces(wagers, None)
    counts, areas, maxima = words.pieces()
    begins = np.cumsum(counts) - counts
    laid = counts[wagers.wager]
    row = np.repeat(np.arange(len(wagers)), laid)
    place = np.arange(len(row)) - np.repeat(np.cumsum(laid) - laid, laid)
    chosen = begins[wagers.wager][row] + place
    pieces = wagers.take(row)
    stakes = np.where(maxima[chosen] > 0, maxima[chosen], pieces.stake_cents)
    return LaidPieces(replace(pieces, wager=areas[chosen], stake_cents=stakes), row)


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

    settled: Any
    """The rows as they came, and the columns of `ADDED`."""
    rejected: Any | None
    """The other rows, each with its number and the reason; None: there are none."""


class PieceRisk:
    """Says what of each piece is at risk; remembers whose wagers have stood (A9)."""

    def __init__(self, words: GameWords) -> None:
        """Judge by the limits and settings that the wagers were read with."""
        tables = limit_tables(words.compiled, words.limits, words.settings)
        self._words = words
        self.is_limited = tables is not None
        self._warned = _WarnedPlayers()

    def of(self, laid: LaidPieces) -> tuple[Cents | None, Codes | None]:
        """Return what of each piece is at risk (None: all), and what was refused."""
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
            warned=self._warned.codes(seats),
            void=wagers.void,
            wager=laid.wager_of,
            settings=self._words.settings,
        )
        self._warned.add(seats, risk.stood)
        return risk.at_risk_cents, risk.refusals


class TableSettlement:
    """Settles a table of wagers at one game, however long it is."""

    def __init__(
        self, compiled: CompiledGame, limits: Limits, settings: Settings
    ) -> None:
        self.totals = Totals()
        self._compiled = compiled
        self._words = GameWords(compiled, limits, settings)
        self._decoder = RowDecoder(compiled, self._words)
        self._rounds = Rounds()
        self._risk = PieceRisk(self._words)

    @staticmethod
    def empty(schema: Any) -> Any:
        """Return no rows, with the columns that settled rows have."""
        added = [pa.field(name, pa.int64()) for name in ADDED]
        return pa.RecordBatch.from_pylist([], schema=pa.schema([*schema, *added]))

    @staticmethod
    def empty_rejects(schema: Any) -> Any:
        """Return no rows, with the columns that rejected rows have."""
        batch = pa.RecordBatch.from_pylist([], schema=schema)
        return _rejected(batch, 1, Rejects(0))

    def take(self, batch: Any) -> Iterator[SettledPart]:
        """Yield rows that come next; gives back those whose rounds are whole."""
        for parts in self._rounds.take(batch):
            yield self._settle(join_parts(parts))

    def finish(self) -> Iterator[SettledPart]:
        """Yield the last round; nothing has been lost on the way."""
        for parts in self._rounds.finish():
            yield self._settle(join_parts(parts))
        totals = self.totals
        totals.rows, totals.rounds = self._rounds.rows, self._rounds.rounds
        assert totals.settled + totals.rejected == totals.rows

    def _settle(self, part: Part, *, may_be_plain: bool = True) -> SettledPart:
        rejects = Rejects(len(part))
        rows: Column | None = None
        plain = may_be_plain and self._decoder.decode_plain(
            part.batch, part.ordinal, by_area=self._risk.is_limited
        )
        if plain:
            compiled, wagers = plain
            laid = LaidPieces(wagers, None)
        else:
            compiled = self._compiled
            wagers = self._decoder.decode(part.batch, part.ordinal, rejects)
            if len(rejects):
                rows = np.flatnonzero(rejects.accepted)
                wagers = wagers.take(rows)
            laid = lay_pieces(self._words, wagers)
        at_risk, refusals = self._risk.of(laid)
        pieces = laid.wagers
        given = _new_columns(len(pieces))
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
            # Whether plain rows have stakes is found out here.
            if not plain:
                raise
            return self._settle(part, may_be_plain=False)
        risked = pieces.stake_cents if at_risk is None else at_risk
        settled = laid.sums((*given, risked))
        if refusals is not None and refusals.any():
            refused = laid.of_wagers(refusals)
            lawful = np.flatnonzero(refused == LAWFUL)
            settled = [column[lawful] for column in settled]
            sums = Sums(*map(exact_sum, settled[:3]))
            for row in np.flatnonzero(refused != LAWFUL).tolist():
                reason = self._words.refusal(int(wagers.wager[row]), int(refused[row]))
                rejects.add_rows([row if rows is None else int(rows[row])], reason)
        self._count(len(settled[0]), sums, len(rejects))
        return _told(part, settled, rejects)

    def _count(self, settled: int, sums: Sums, rejected: int) -> None:
        totals = self.totals
        totals.settled += settled
        totals.rejected += rejected
        totals.paid_cents += sums.paid_cents
        totals.collected_cents += sums.collected_cents
        totals.returned_cents += sums.returned_cents
        totals.stake_cents += sums.collected_cents + sums.returned_cents


def _new_columns(rows: int) -> Settled:
    return Settled(*(pooled_column(rows, np.int64) for _ in range(3)))


def _told(part: Part, settled: Sequence[Cents], rejects: Rejects) -> SettledPart:
    """Return the rows with what was added to them."""
    batch = part.batch
    kept = batch.filter(pa.array(rejects.accepted)) if len(rejects) else batch
    added = [pa.array(column, pa.int64()) for column in settled]
    names = [*kept.schema.names, *ADDED]
    whole = pa.RecordBatch.from_arrays([*kept.columns, *added], names=names)
    rejected = _rejected(batch, part.first_row, rejects) if len(rejects) else None
    return SettledPart(whole, rejected)


def _rejected(batch: Any, first_row: int, rejects: Rejects) -> Any:
    """Return the rejected rows, each after its number and its reason."""
    rows = sorted(rejects.reasons)
    others = batch.take(pa.array(rows, pa.int64()))
    columns = {
        ROW: pa.array([first_row + row for row in rows], pa.int64()),
        REASON: pa.array([rejects.reasons[row] for row in rows], pa.string()),
    }
    for name in others.schema.names:
        columns.setdefault(name, others.column(name))
    return pa.RecordBatch.from_pydict(columns)
