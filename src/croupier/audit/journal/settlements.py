"""The end of a round: its settlement read, noted for comparison, and posted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from croupier.audit.journal.devices import passed_over
from croupier.audit.journal.money import SettlementSums
from croupier.audit.journal.money import settled as entries_of
from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.resettlement import (
    Compare,
    Resettlement,
    add_meters,
    figures_of,
)
from croupier.audit.journal.rounds import AuditedRound, PlacedWager
from croupier.audit.journal.rulings import TreatedWager, owner, treated
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import Account, Entry
from croupier.rules import events
from croupier.rules.clause import Rule

_Posted = list[tuple[PlacedWager, str, tuple[events.SettledPiece, ...]]]


def settled(
    round_: AuditedRound,
    event: events.RoundSettled,
    row: EventRow,
    resettlement: Resettlement | None,
    credit: Mapping[Account, int],
) -> list[Entry]:
    """Return the entries of a settlement, with the reversal of the one before it.

    Without a `resettlement` the settlement is only noted: it has been compared before.
    """
    _in_order(round_, event)
    compare = resettlement.begin(round_, event, row) if resettlement else None
    earlier, before = round_.settled, round_.posted
    round_.posted = _read(round_, event, compare)
    round_.settled, round_.settlement_due = event, False
    if earlier is not None and resettlement is not None:
        _unmeter(round_, earlier, resettlement)
    sums = None if before is None else _sums(round_, before)
    return entries_of(sums, _sums(round_, round_.posted), credit, round_.holders)


def _sums(round_: AuditedRound, posted: _Posted) -> SettlementSums:
    """Sum up a settlement by the accounts of its wagers now (A37)."""
    sums = SettlementSums()
    for wager, player, pieces in posted:
        sums.add(owner(round_, wager, player), pieces)
    return sums


def _in_order(round_: AuditedRound, event: events.RoundSettled) -> None:
    if round_.is_over:
        round_.say(AuditProblem.SETTLED_BEFORE)
    elif round_.held or (round_.outcome is None and round_.void is None):
        round_.say(AuditProblem.SETTLED_UNDECIDED)
    draws = round_.terms.game.provides(Rule.BONUS_DRAW)
    if round_.void is None and round_.drawn is None and draws:  # A35
        round_.say(AuditProblem.DRAW_MISSING)
    if round_.settled is None and round_.void is None:
        passed_over(round_, round_.outcome)
    # A decision on a settled round replaces the steps that it lacked (A41).
    if round_.unclear and round_.void is None and round_.settled is None:
        for wager_id in sorted(round_.unclear):
            round_.say(AuditProblem.UNCLEAR_UNRULED, wager_id)
    if event.winning_number != round_.result:
        found, expected = event.winning_number, round_.result
        round_.say(AuditProblem.SETTLED_NUMBER, found=found, expected=expected)


def _read(
    round_: AuditedRound, event: events.RoundSettled, compare: Compare | None
) -> _Posted:
    """Compare settled wagers with those on the layout; return those that count."""
    wagers_by_id = round_.wagers
    posted: _Posted = []
    seen: set[str] = set()
    for settled_wager in event.wagers:
        wager_id = settled_wager.wager_id
        wager = wagers_by_id.get(wager_id)
        if wager is None:
            round_.say(AuditProblem.SETTLED_NOT_THERE, wager_id)
            continue
        if wager_id in seen:
            round_.say(AuditProblem.SETTLED_MORE_THAN_ONCE, wager_id)
            continue
        seen.add(wager_id)
        pieces, left = settled_wager.pieces, treated(round_, wager)
        if not _is_same(round_, settled_wager, left):
            due = {"expected": left.name, "expected_player": left.player}
            said = {"found": settled_wager.wager, "found_player": settled_wager.player}
            round_.say(AuditProblem.SETTLED_AS_ANOTHER, wager_id, **due, **said)
        elif compare is not None:
            compare(wager, pieces, left)
        if wager.registered:
            posted.append((wager, left.player, pieces))
    if len(seen) < len(wagers_by_id) and compare is not None:
        named = round_.terms.game.areas
        for wager in [each for name, each in wagers_by_id.items() if name not in seen]:
            left = treated(round_, wager)
            nothing = [
                events.SettledPiece(named[a].name, 0, 0, 0, 0, 0, "")
                for a in left.areas
            ]
            compare(wager, tuple(nothing), left)
    return posted


def _is_same(
    round_: AuditedRound, found: events.SettledWager, left: TreatedWager
) -> bool:
    """Return whether name, Player and pieces are those of the wager on the layout."""
    if (found.player, found.wager) != (left.player, left.name):
        return False
    named = round_.terms.game.areas
    return [piece[0] for piece in found.pieces] == [named[a].name for a in left.areas]


def _unmeter(
    round_: AuditedRound, earlier: events.RoundSettled, resettlement: Resettlement
) -> None:
    """Subtract the settlement before this one from the meters."""
    if earlier.winning_number is None:
        resettlement.meters["voids"] -= 1
        return
    resettlement.meters["rounds"] -= 1
    index = round_.terms.compiled.area_index
    pieces = [
        piece
        for wager in earlier.wagers
        for piece in wager.pieces
        if piece.area in index
    ]
    area = np.array([index[piece.area] for piece in pieces], np.int64)
    add_meters(resettlement.meters, round_.terms, area, figures_of(pieces), sign=-1)
