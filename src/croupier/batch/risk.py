"""What of each wager is at risk: the limits, judged on a Player's total on an area.

The readings A8 to A11 over columns. Rows of one round stand together and the rounds are
in order. Laws of this file:
- the limits judge a Player's total on an area in a round, not a row (A8);
- what lies under a minimum stands in one round of a Player that reaches an outcome, and
  is not at risk in the later ones (A9);
- a maximum is used up in the order of placing (A10);
- where no clause treats a breach, the wager is refused, whole, as it is placed (A11).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from croupier.batch.columns import (
    Cents,
    Codes,
    Column,
    ColumnError,
    Flags,
    check_columns,
)
from croupier.batch.compiled import CompiledGame
from croupier.batch.judging import (
    AREA_FULL,
    LAWFUL,
    OUTSIDE_LIMITS,
    Judged,
    Places,
    Wagers,
    judge_rounds,
)
from croupier.batch.kernels import share_out
from croupier.batch.limit_tables import NO_MAXIMUM, LimitTables, limit_tables
from croupier.rules.game import Settings
from croupier.rules.limits import Limits

__all__ = ["AREA_FULL", "LAWFUL", "OUTSIDE_LIMITS", "Risk", "risk_columns"]


@dataclass(frozen=True, slots=True, eq=False)
class Risk:
    """What is at risk, and what was no lawful wager at all."""

    at_risk_cents: Cents
    stood: frozenset[int]
    """The Players whose under-minimum wagers stood in these rounds (A9)."""
    refusals: Codes
    """`LAWFUL`, or why the wager was refused as it was placed (A11, A8)."""

    @property
    def unlawful(self) -> Flags:
        """Rows that are no wagers: the game refuses them as they are placed."""
        return np.not_equal(self.refusals, LAWFUL)


def risk_columns(
    compiled: CompiledGame,
    limits: Limits,
    *,
    round_: Column,
    player: Column,
    order: Column | None,
    area: Column,
    stake_cents: Column,
    warned: Collection[int] = (),
    void: Flags | None = None,
    wager: Column | None = None,
    settings: Settings | None = None,
) -> Risk:
    """What of each row is at risk; a row of a void round, or a refused one: nothing.

    `round_` and `player` are any whole numbers that tell rounds and Players apart;
    `order` is the order of placing within a round (None: as the rows stand). `wager`
    tells the wagers apart whose pieces are several rows, side by side (None: each row
    is one). `warned` are the Players whose under-minimum wagers stood before.
    """
    columns = {"round_": round_, "player": player, "area": area, "order": order}
    columns |= {"stake_cents": stake_cents, "void": void, "wager": wager}
    check_columns(columns, len(area))
    _check_amounts(compiled, area, stake_cents)
    tables = limit_tables(compiled, limits, settings or Settings())
    stood: frozenset[int] = frozenset()
    if tables is None:
        at_risk, refusals = stake_cents.astype(np.int64), np.zeros(len(area), np.uint8)
    else:
        wagers = Wagers(player, area, stake_cents, _joined(wager, len(area)))
        starts = _starts(round_)
        at_risk, refusals, under = _judge(tables, wagers, starts, order)
        if void is not None:
            under &= ~void
        stood = _stand_once(at_risk, np.flatnonzero(under), player, starts, warned)
    if void is not None:
        at_risk[void] = 0
    return Risk(at_risk, stood, refusals)


def _check_amounts(compiled: CompiledGame, area: Column, stake: Column) -> None:
    if len(area) == 0:
        return
    if area.min() < 0 or area.max() >= len(compiled.game.areas):
        raise ColumnError(f"an area is none of {compiled.game.title}")
    if stake.min() < 0:
        raise ColumnError("a stake is below 0")
    if stake.sum(dtype=np.float64) > NO_MAXIMUM:
        raise ColumnError("the stakes are too large to be added up")


def _joined(wager: Column | None, rows: int) -> Flags:
    joined = np.zeros(rows, np.bool_)
    if wager is not None:
        np.equal(wager[1:], wager[:-1], out=joined[1:])
    return joined


def _starts(round_: Column) -> Places:
    """Where each round begins, and the end."""
    changes = np.flatnonzero(round_[1:] != round_[:-1]) + 1
    return np.concatenate(([0], changes, [len(round_)])) if len(round_) else changes


def _judge(
    tables: LimitTables, wagers: Wagers, starts: Places, order: Column | None
) -> Judged:
    """Judge all rounds, each in the order of placing."""
    rows = len(wagers.area)
    placing = None if order is None else _placing(order, starts)
    if placing is not None:
        wagers = Wagers(*(column[placing] for column in wagers))
    judged = Judged(
        np.empty(rows, np.int64), np.zeros(rows, np.uint8), np.zeros(rows, np.bool_)
    )

    def work(first: int, last: int) -> int:
        some = np.searchsorted(starts, (first, last))
        judge_rounds(starts[some[0] : some[1] + 1], wagers, tables, judged)
        return 0

    share_out(rows, work)
    if placing is None:
        return judged
    for column in judged:
        column[placing] = column.copy()
    return judged


def _placing(order: Column, starts: Places) -> Places | None:
    """The rows in the order of placing within each round; None: as they stand."""
    falls = np.flatnonzero(order[1:] < order[:-1]) + 1
    if np.isin(falls, starts).all():
        return None
    ordinal = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.lexsort((order, ordinal))


def _stand_once(
    at_risk: Cents,
    under: Places,
    player: Column,
    starts: Places,
    warned: Collection[int],
) -> frozenset[int]:
    """Take what lies under the minimum out of risk but for each Player's first round.

    `under` are its rows. Gives back the Players whose wagers stood (A9).
    """
    players, first, code = np.unique(
        player[under], return_index=True, return_inverse=True
    )
    ordinal = np.searchsorted(starts, under, side="right")
    stands = ~np.isin(players, list(warned))
    at_risk[under[~(stands[code] & (ordinal == ordinal[first][code]))]] = 0
    return frozenset(players[stands].tolist())
