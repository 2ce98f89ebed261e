"""What of settled wagers was at risk, told from their sums.

A lost wager tells it: what was collected. A wager that was neither paid nor collected
had nothing at risk. A winning one had its stake at risk, unless the game lets chips lie
above a maximum and less was paid than the whole stake would have brought (A10). Of a
wager of several pieces only sums are known, and they are told apart only where they are
just what the pay table gives on the whole stake, or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from croupier.audit.report_blocks import GameTable
from croupier.audit.wheel_record import Whole
from croupier.batch.columns import Flags
from croupier.batch.decoding import Wagers
from croupier.batch.pieces import Laid
from croupier.batch.settling import Settled, settle_columns
from croupier.rules.clause import Rule


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """The amounts of each piece, and the wagers of which they can't be told."""

    amounts: Whole
    """By piece, then as in `report_blocks.AMOUNTS`."""
    unequal: Flags
    """By wager: collected and returned are not its stake."""
    untold: Flags
    """By wager: it has several pieces, and its sums are not those of whole stakes."""


def told_amounts(table: GameTable, wagers: Wagers, laid: Laid, given: Settled) -> Told:
    """The amounts of every piece, from what became of each wager."""
    pieces, pays = laid.wagers, table.compiled
    full = settle_columns(pays, pieces.wager, pieces.outcome, pieces.stake_cents)
    sums = laid.sums(full)
    stake = sums.collected_cents + sums.returned_cents
    unequal = stake != given.collected_cents + given.returned_cents
    if laid.wager_of is None:
        amounts = _single(table, wagers, stake, given)
        return Told(amounts, unequal, np.zeros(len(wagers), np.bool_))
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
    # A row of one piece has its own sums, whatever they are.
    of_one = _single(table, wagers, stake, given)[row]
    amounts = np.where(several[row, np.newaxis], of_several, of_one)
    return Told(amounts, unequal, untold)


def _columns(*columns: Whole) -> Whole:
    return np.stack(columns, axis=1).astype(np.int64)


def _at_stake(pieces: Wagers, full: Settled) -> Whole:
    """Every piece with its whole stake at risk."""
    stake = pieces.stake_cents
    return _columns(
        stake, stake, full.paid_cents, full.collected_cents, full.returned_cents
    )


def _returned(pieces: Wagers) -> Whole:
    stake, none = pieces.stake_cents, np.zeros_like(pieces.stake_cents)
    return _columns(stake, none, none, none, stake)


def _single(table: GameTable, wagers: Wagers, stake: Whole, given: Settled) -> Whole:
    """Wagers of one piece each; what it says of others is not used."""
    paid, collected = given.paid_cents, given.collected_cents
    won = stake
    if table.game.provides(Rule.OVER_MAXIMUM):
        area = np.minimum(wagers.wager, len(table.type_of) - 1)
        to_one = table.compiled.pays[wagers.outcome, area]
        pays = np.maximum(to_one, 1).astype(np.int64)
        capped = (paid < stake * pays) & (paid % pays == 0)
        won = np.where(capped, paid // pays, stake)
    at_risk = np.where(paid > 0, won, collected)
    return _columns(stake, at_risk, paid, collected, given.returned_cents)
