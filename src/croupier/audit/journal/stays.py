"""Stays of anonymous Players, claims against them and what is kept for them (A37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.audit.journal.problems import AuditProblem
from croupier.ledger import accounts as acc
from croupier.ledger import money

if TYPE_CHECKING:
    from croupier.audit.journal.replay import Replay


def judge_debt(
    replay: Replay, event: money.ClaimPaid | money.ClaimSetOff | money.OwedPaid
) -> None:
    """Check that no more is paid than is owed, and nobody pays for another (A37)."""
    player, cents = event.player, event.cents
    if isinstance(event, money.OwedPaid):
        owed = replay.balance(acc.owed(player))
    else:
        owed = -replay.balance(acc.claim(player))
    if not 0 < cents <= owed:
        problem = AuditProblem.CLAIM_OWED(expected=owed, player=player, found=cents)
        replay.say(problem, None, owed, cents)
    if isinstance(event, money.ClaimSetOff):
        own = {acc.claim(event.seat), replay.holders.debtor(acc.seat(event.seat))}
        if acc.claim(player) not in own:
            problem = AuditProblem.SET_OFF_FOR_ANOTHER(seat=event.seat, player=player)
            replay.say(problem)


def end_stay(replay: Replay, event: money.StayEnded) -> None:
    """Note the end of a stay; what is left of its credit is kept for it (A37)."""
    left = replay.balance(acc.seat(event.seat))
    if replay.holders.stay_at(event.seat) != event.stay:
        replay.say(AuditProblem.STAY_NOT_THERE(stay=event.stay, seat=event.seat))
    if event.cents != left:
        problem = AuditProblem.STAY_LEFT(expected=left, found=event.cents)
        replay.say(problem, None, left, event.cents)
    replay.holders.stays[event.seat] = (event.stay, False)


def begin_stay(replay: Replay, event: money.StayBegun) -> None:
    """Note the beginning of a stay: the next number, at a seat where nobody stays."""
    last, goes_on = replay.holders.stays.get(event.seat, (0, False))
    if goes_on or event.stay != last + 1:
        replay.say(AuditProblem.STAY_NUMBER(stay=event.stay, last=last))
    replay.holders.stays[event.seat] = (event.stay, True)
    replay.begun_stays.add(event.seat)


def judge_credit(replay: Replay, seat: str) -> None:
    """Check that credit at an empty terminal begins a stay: who sat there has gone."""
    if seat not in replay.holders.stays or seat in replay.begun_stays:
        return
    stay = replay.holders.stay_at(seat)
    is_empty = not replay.balance(acc.seat(seat)) and not _is_at_stake(replay, seat)
    if stay is None or is_empty:
        replay.say(AuditProblem.STAY_NOT_BEGUN(seat=seat))


def _is_at_stake(replay: Replay, seat: str) -> bool:
    current = replay.current
    if current is None or current.is_over:
        return False
    return any(
        each.player == seat and each.electronic for each in current.wagers.values()
    )


def judge_pay_out(replay: Replay, seat: str) -> None:
    """Check that nothing is paid out while the same Player owes something."""
    for debtor in {acc.claim(seat), replay.holders.debtor(acc.seat(seat))}:
        owed = -replay.balance(debtor)
        if owed > 0:
            problem = AuditProblem.CLAIM_NOT_SET_OFF(account=debtor, found=owed)
            replay.say(problem, None, 0, owed)
