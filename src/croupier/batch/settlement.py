"""A table of wagers settled piece by piece: rows in, settled and rejected rows out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from croupier.batch.columns import Cents, Codes, Column
from croupier.batch.compiled import CompiledGame
from croupier.batch.decoding import Decoder, Wagers
from croupier.batch.limit_tables import limit_tables
from croupier.batch.memory import pooled_column
from croupier.batch.pieces import Laid, lay_pieces
from croupier.batch.players import Seats, WarnedPlayers
from croupier.batch.rejects import Rejects
from croupier.batch.risk import LAWFUL, risk_columns
from croupier.batch.rounds import Part, Rounds, join_parts
from croupier.batch.settling import Settled, settle_into
from croupier.batch.table_format import SETTLED
from croupier.batch.words import GameWords
from croupier.rules.game import Settings
from croupier.rules.limits import Limits

ROW, REASON = "row", "reason"
"""The columns that a table of rejected rows begins with."""


@dataclass(slots=True)
class Totals:
    """What has been read, settled and rejected so far."""

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
    """The rows as they came, and what was paid, collected and returned."""
    rejected: Any | None
    """The other rows, each with its number and the reason; None: there are none."""


class TableSettlement:
    """Settles a table of wagers at one game, however long it is."""

    def __init__(
        self, compiled: CompiledGame, limits: Limits, settings: Settings
    ) -> None:
        self.totals = Totals()
        self._compiled = compiled
        self._limits = limits
        self._settings = settings
        self._is_limited = limit_tables(compiled, limits, settings) is not None
        self._words = GameWords(compiled, limits, settings)
        self._decoder = Decoder(compiled, self._words)
        self._rounds = Rounds()
        self._warned = WarnedPlayers()

    @staticmethod
    def empty(schema: Any) -> Any:
        """No rows, with the columns that settled rows have."""
        added = [pa.field(name, pa.int64()) for name in SETTLED]
        return pa.RecordBatch.from_pylist([], schema=pa.schema([*schema, *added]))

    @staticmethod
    def empty_rejects(schema: Any) -> Any:
        """No rows, with the columns that rejected rows have."""
        batch = pa.RecordBatch.from_pylist([], schema=schema)
        return _rejected(batch, 1, Rejects(0))

    def take(self, batch: Any) -> Iterator[SettledPart]:
        """Rows that come next; gives back those whose rounds are whole."""
        for parts in self._rounds.take(batch):
            yield self._settle(join_parts(parts))

    def finish(self) -> Iterator[SettledPart]:
        """The last round; nothing has been lost on the way."""
        for parts in self._rounds.finish():
            yield self._settle(join_parts(parts))
        totals = self.totals
        totals.rows, totals.rounds = self._rounds.rows, self._rounds.rounds
        assert totals.settled + totals.rejected == totals.rows

    def _settle(self, part: Part) -> SettledPart:
        rejects = Rejects(len(part))
        wagers = self._decoder.decode(part.batch, part.ordinal, rejects)
        rows: Column | None = None
        if len(rejects):
            rows = np.flatnonzero(rejects.accepted)
            wagers = wagers.take(rows)
        laid = lay_pieces(self._words, wagers)
        at_risk, refusals = self._at_risk(laid)
        settled = laid.sums(self._settle_pieces(laid.wagers, at_risk))
        if refusals is not None and refusals.any():
            refused = laid.of_wagers(refusals)
            settled = settled.take(np.flatnonzero(refused == LAWFUL))
            for row in np.flatnonzero(refused != LAWFUL).tolist():
                reason = self._words.refusal(int(wagers.wager[row]), int(refused[row]))
                rejects.add_rows([row if rows is None else int(rows[row])], reason)
        self._count(settled, rejects)
        return _told(part, settled, rejects)

    def _settle_pieces(self, wagers: Wagers, at_risk: Cents | None) -> Settled:
        columns = (pooled_column(len(wagers), np.int64) for _ in SETTLED)
        into = Settled(*columns)
        settle_into(
            self._compiled,
            wagers.wager,
            wagers.outcome,
            wagers.stake_cents,
            at_risk,
            into=into,
        )
        return into

    def _at_risk(self, laid: Laid) -> tuple[Cents | None, Codes | None]:
        """What of each piece is at risk (None: all of it), and what was refused."""
        wagers = laid.wagers
        if not self._is_limited:
            if wagers.void is None:
                return None, None
            return np.where(wagers.void, 0, wagers.stake_cents), None
        seats = Seats(wagers.tables, wagers.players, len(wagers))
        risk = risk_columns(
            self._compiled,
            self._limits,
            round_=wagers.ordinal,
            player=seats.column,
            order=wagers.order,
            area=wagers.wager,
            stake_cents=wagers.stake_cents,
            warned=self._warned.codes(seats),
            void=wagers.void,
            wager=laid.wager_of,
            settings=self._settings,
        )
        self._warned.add(seats, risk.stood)
        return risk.at_risk_cents, risk.refusals

    def _count(self, settled: Settled, rejects: Rejects) -> None:
        totals = self.totals
        totals.settled += len(settled.paid_cents)
        totals.rejected += len(rejects)
        paid, collected, returned = settled.sums()
        totals.paid_cents += paid
        totals.collected_cents += collected
        totals.returned_cents += returned
        totals.stake_cents += collected + returned


def _told(part: Part, settled: Settled, rejects: Rejects) -> SettledPart:
    """The rows with what was added to them."""
    batch = part.batch
    kept = batch.filter(pa.array(rejects.accepted)) if len(rejects) else batch
    added = [pa.array(column) for column in settled.columns]
    names = [*kept.schema.names, *SETTLED]
    whole = pa.RecordBatch.from_arrays([*kept.columns, *added], names=names)
    rejected = _rejected(batch, part.first_row, rejects) if len(rejects) else None
    return SettledPart(whole, rejected)


def _rejected(batch: Any, first_row: int, rejects: Rejects) -> Any:
    """The rejected rows, each after its number and its reason."""
    rows = sorted(rejects.reasons)
    others = batch.take(pa.array(rows, pa.int64()))
    columns = {
        ROW: pa.array([first_row + row for row in rows], pa.int64()),
        REASON: pa.array([rejects.reasons[row] for row in rows], pa.string()),
    }
    for name in others.schema.names:
        columns.setdefault(name, others.column(name))
    return pa.RecordBatch.from_pydict(columns)
