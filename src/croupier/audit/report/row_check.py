"""Rows of a file held against their outcomes: each is settled again by the rules.

With the table's limits, what of a wager was at risk follows from them, and every figure
is checked. Without them it is what the file says, or what its sums tell: a lost wager
had at risk what was collected, one that was neither paid nor collected had nothing at
risk, and a winning one had its stake at risk, unless the game lets chips lie above a
maximum and just so much less was paid (A10). Then the other figures are checked.

A row that differs counts in a report with the figures that were found. A wager of
several pieces has only sums: its pieces are those that the rules give, and what differs
is put on the first.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from croupier.audit.report.rounds import GameTable
from croupier.audit.rows import Figures, difference_text, differing_rows, figures_at
from croupier.batch.column_settlement import Settled, settle_columns
from croupier.batch.compiled import Codes, Flags, Integers
from croupier.batch.decoder import WagerColumns
from croupier.batch.game_words import GameWords
from croupier.batch.risk import LAWFUL
from croupier.batch.rounds import Part
from croupier.batch.table_format import (
    ADDED,
    AREA,
    AT_RISK_CENTS,
    ROUND,
    SETTLED,
    TABLE,
    TableError,
)
from croupier.batch.table_settlement import LaidPieces, PieceRisk
from croupier.batch.text_columns import whole_numbers
from croupier.rules.clause import Rule
from croupier.rules.terms import Limits

MOST_KEPT = 1_000
"""So many differing rows are listed; the rest are counted."""


@dataclass(frozen=True, slots=True)
class RowFigures:
    """The parts of a row's settled stake, in cents."""

    paid_cents: int
    collected_cents: int
    returned_cents: int
    at_risk_cents: int | None = None
    """None if the file does not tell."""


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row that is not what the rules give."""

    row: int
    table: str
    round: str
    area: str
    stake_cents: int
    expected: RowFigures | None
    """None: the rules refuse the wager, and `reason` says why."""
    found: RowFigures
    reason: str = ""

    def __str__(self) -> str:
        """`paid 9999.99, not 5.00; …`, or why the wager is refused."""
        if self.expected is None:
            return self.reason
        found = {
            n: cents for n, cents in asdict(self.found).items() if cents is not None
        }
        return difference_text(asdict(self.expected), found)


@dataclass(slots=True)
class RowDifferences:
    """The differing rows of a file: all are counted, the first are kept."""

    rows: int = 0
    """How many rows were checked."""
    count: int = 0
    kept: list[RowDifference] = field(default_factory=list)


class _FileFigures(NamedTuple):
    """The file's own figures of each wager."""

    stake: Integers
    settled: Settled
    at_risk: Integers | None


class _Risk(NamedTuple):
    """The amount at risk of each piece, and the wagers that the rules refuse."""

    at_risk: Integers
    refused: Codes | None


class _NotedRows(NamedTuple):
    """The rows of a part, and what of them is to be noted."""

    part: Part
    counted: Flags
    wagers: WagerColumns
    refused: Codes | None


class RowCheck:
    """Settles the rows of a file again, part by part."""

    def __init__(self, table: GameTable, words: GameWords) -> None:
        self.differences = RowDifferences()
        self._table = table
        self._words = words
        self._over = table.game.provides(Rule.OVER_MAXIMUM)
        self._risk: PieceRisk | None = None
        if words.limits != Limits():
            self._risk = PieceRisk(words)

    def amounts(
        self, part: Part, wagers: WagerColumns, laid: LaidPieces, counted: Flags
    ) -> Integers:
        """Return the amounts of each piece as in `AMOUNTS`, and note what differs.

        Only the rows that are counted are checked. Raises `TableError` for a row whose
        stake is not what was collected and returned, or whose pieces can't be told.
        """
        names = part.batch.schema.names
        given = {name: _cents(part, name) for name in ADDED if name in names}
        found, told = (
            Settled(*(given[name] for name in SETTLED)),
            given.get(AT_RISK_CENTS),
        )
        pieces = laid.wagers
        [stake] = laid.sums([pieces.stake_cents])
        unequal = stake != found.collected_cents + found.returned_cents
        _refuse(part, unequal, "the stake is not what was collected and returned")
        if told is not None:
            _refuse(part, told > stake, f"{AT_RISK_CENTS} is more than the stake")
        risk = self._at_risk(part, wagers, laid, _FileFigures(stake, found, told))
        settled = self._settled(pieces, risk.at_risk)
        sums = laid.sums((*settled, risk.at_risk))
        noted = _NotedRows(part, counted, wagers, risk.refused)
        self._compare(noted, dict(zip(ADDED, sums, strict=True)), given)
        columns = [pieces.stake_cents, risk.at_risk, *settled]
        amounts = np.stack(columns, axis=1).astype(np.int64)
        amounts[laid.firsts, 2:] += np.stack(found, axis=1) - np.stack(sums[:3], axis=1)
        return amounts

    def _settled(self, pieces: WagerColumns, at_risk: Integers) -> Settled:
        return settle_columns(
            self._table.compiled,
            pieces.wager,
            pieces.outcome,
            pieces.stake_cents,
            at_risk,
        )

    def _at_risk(
        self, part: Part, wagers: WagerColumns, laid: LaidPieces, given: _FileFigures
    ) -> _Risk:
        pieces = laid.wagers
        if self._risk is not None:
            at_risk, refusals = self._risk.of(laid)
            risked = pieces.stake_cents if at_risk is None else at_risk
            refused = None if refusals is None else laid.of_wagers(refusals)
            return _Risk(risked, refused)
        of_one = given.at_risk
        if of_one is None:
            of_one = self._by_sums(wagers, given)
        if not self._over:
            of_one = np.where(of_one == 0, 0, given.stake)
        if laid.wager_of is None:
            at_risk = of_one
        else:
            at_risk = self._of_pieces(part, laid, given.settled, of_one)
        if pieces.void is not None:
            at_risk = np.where(pieces.void, 0, at_risk)
        return _Risk(at_risk, None)

    def _by_sums(self, wagers: WagerColumns, given: _FileFigures) -> Integers:
        """Return what of wagers of one piece each was at risk, by their sums."""
        paid, collected = given.settled.paid_cents, given.settled.collected_cents
        stake = given.stake
        area = np.minimum(wagers.wager, len(self._table.type_of) - 1)
        to_one = self._table.compiled.pays[wagers.outcome, area].astype(np.int64)
        pays = np.maximum(to_one, 1)
        is_part = (paid < stake * pays) & (paid % pays == 0)
        won = np.where(is_part, paid // pays, stake)
        lost = np.where(paid > 0, stake, collected)
        return np.where(to_one >= 0, won, lost)

    def _of_pieces(
        self, part: Part, laid: LaidPieces, found: Settled, of_one: Integers
    ) -> Integers:
        """Return what of each piece was at risk: of several, all or nothing."""
        assert laid.wager_of is not None
        row, pieces = laid.wager_of, laid.wagers
        several = np.bincount(row, minlength=len(of_one)) > 1
        whole = Settled(*laid.sums(self._settled(pieces, pieces.stake_cents)))
        is_whole = (whole.paid_cents == found.paid_cents) & (
            whole.collected_cents == found.collected_cents
        )
        nothing = (found.paid_cents == 0) & (found.collected_cents == 0)
        if self._over:
            is_part = (found.paid_cents <= whole.paid_cents) & (
                found.collected_cents <= whole.collected_cents
            )
            _refuse(
                part,
                several & is_part & ~is_whole & ~nothing,
                "what of the wager was at risk can't be told from its sums: give the"
                " table's limits, or write each piece on a row of its own",
            )
        of_several = np.where(nothing[row], 0, pieces.stake_cents)
        return np.where(several[row], of_several, of_one[row])

    def _compare(self, rows: _NotedRows, expected: Figures, found: Figures) -> None:
        """Note each counted row that is not what the rules give."""
        differs = differing_rows(expected, found)
        if rows.refused is not None:
            differs |= rows.refused != LAWFUL
        noted = self.differences
        noted.rows += int(np.count_nonzero(rows.counted))
        differing = np.flatnonzero(differs & rows.counted)
        noted.count += len(differing)
        for row in differing[: MOST_KEPT - len(noted.kept)].tolist():
            figures = (
                RowFigures(**figures_at(each, row)) for each in (expected, found)
            )
            noted.kept.append(self._difference(rows, row, *figures))

    def _difference(
        self, rows: _NotedRows, row: int, expected: RowFigures, found: RowFigures
    ) -> RowDifference:
        reason = ""
        if rows.refused is not None and rows.refused[row] != LAWFUL:
            wager, refused = int(rows.wagers.wager[row]), int(rows.refused[row])
            reason = self._words.refusal(wager, refused)
        table, round_, area = (
            _text(rows.part, name, row) for name in (TABLE, ROUND, AREA)
        )
        stake = found.collected_cents + found.returned_cents
        return RowDifference(
            rows.part.first_row + row,
            table,
            round_,
            area,
            stake,
            None if reason else expected,
            found,
            reason,
        )


def _text(part: Part, name: str, row: int) -> str:
    if name not in part.batch.schema.names:
        return ""
    value: Any = part.batch.column(name)[row].as_py()
    return "" if value is None else str(value)


def _cents(part: Part, name: str) -> Integers:
    found = whole_numbers(part.batch.column(name))
    _refuse(part, found < 0, f"{name} is no whole number of cents")
    return found


def _refuse(part: Part, bad: Flags, why: str) -> None:
    if bad.any():
        raise TableError(f"row {part.first_row + int(np.argmax(bad))}: {why}")
