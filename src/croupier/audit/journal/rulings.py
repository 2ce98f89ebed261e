"""Rulings and decisions on wagers, and their effect.

Laws of this file:
- the last ruled position and the last ruled amount stand; a return is final (A31);
- a higher position's ruling and a Shift Manager's decision bind those below (A31, A33);
- in a void round no ruling counts: every wager is returned in full (A14).
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, AuditedRuling, PlacedWager
from croupier.ledger.accounts import CHIPS, Account, owed
from croupier.rules import events
from croupier.rules.clause import Rule


def unclear(round_: AuditedRound, event: events.WagerMarkedUnclear) -> None:
    if event.wager_id not in round_.wagers:
        round_.say(AuditProblem.WAGER_NOT_THERE, event.wager_id)
    elif round_.settled is not None or not round_.opened:
        round_.say(AuditProblem.ROUND_NOT_IN_PLAY, event.wager_id)
    else:
        round_.unclear.add(event.wager_id)


def ruled(round_: AuditedRound, event: events.WagerRuled) -> None:
    """Note a ruling: a position, an amount, a Player, or the return (A13, A41)."""
    wager_id, game = event.wager_id, round_.terms.game
    is_decision = event.clause == game.clause(Rule.REFERRAL)
    rule = Rule.REFERRAL if is_decision else Rule.RULING
    if not is_decision:
        round_.cites(event.clause, Rule.RULING)
    if not game.may(event.by, rule):
        round_.say(AuditProblem.PERSON_MAY_NOT_RULE, wager_id, person=event.by.named)
    if not (_may_decide_now(round_) if is_decision else _may_rule_now(round_)):
        round_.say(AuditProblem.RULED_UNTIMELY, wager_id)
    _in_rank(round_, event, is_decision=is_decision)
    wager = round_.wagers.get(wager_id)
    if wager is None:
        round_.say(AuditProblem.RULED_NOT_THERE, wager_id)
        return
    if event.area is not None and (
        len(wager.areas) != 1 or event.area not in game.area_by_name
    ):
        round_.say(AuditProblem.RULED_ELSEWHERE, wager_id, area=event.area)
        return
    if event.piece_cents is not None and not (
        0 < event.piece_cents <= min(wager.cents, default=0)
    ):
        round_.say(AuditProblem.RULED_AMOUNT, wager_id)
    if event.player is not None:
        _given(round_, event.player, wager_id, is_decision=is_decision)
    before, was = round_.rulings.get(wager_id), treated(round_, wager)
    round_.rulings[wager_id] = _added_up(before, event, is_decision=is_decision)
    if event.player not in {None, was.player} and not round_.terms.lays_above:
        _within_maximum(round_, treated(round_, wager), wager_id)
    round_.unclear.discard(wager_id)
    round_.settlement_due = round_.settled is not None


def _given(
    round_: AuditedRound, player: str, wager_id: str, *, is_decision: bool
) -> None:
    """Report a wager given by a ruling (A41), or to one of the acting staff (A42)."""
    if not is_decision:
        round_.say(AuditProblem.RULED_TO_PLAYER, wager_id, player=player)
    conflict = round_.terms.game.provides(Rule.CONFLICT_OF_INTEREST)
    if player in round_.staff and conflict:
        round_.say(AuditProblem.GIVEN_TO_STAFF, wager_id, player=player)
    round_.players.add(player)


def _within_maximum(round_: AuditedRound, given: TreatedWager, wager_id: str) -> None:
    """Report a wager that puts its new Player over a maximum (A51)."""
    totals: Counter[int] = Counter()
    for each in round_.wagers.values():
        left = treated(round_, each)
        if left.player == given.player:
            for area, cents in zip(left.areas, left.counted or (), strict=False):
                totals[area] += cents
    for area in dict.fromkeys(given.areas):
        limit, total = round_.terms.limit_of[area], totals[area]
        if limit is not None and total > limit.maximum_cents:
            name, sums = round_.terms.game.areas[area].name, {"found": total}
            sums["expected"] = limit.maximum_cents
            problem, player = AuditProblem.LIMIT_PASSED, given.player
            round_.say(problem, wager_id, player=player, area=name, **sums)


def _may_rule_now(round_: AuditedRound) -> bool:
    """Return if the ball rests and the round is not settled, void or held (A31)."""
    is_over = round_.settled is not None or round_.void is not None
    return round_.at_rest is not None and not round_.held and not is_over


def _may_decide_now(round_: AuditedRound) -> bool:
    """Return whether the round is held, decided, or settled (A41)."""
    decided = round_.decided_by is not None and round_.void is None
    return round_.held or decided or round_.settled is not None


def _in_rank(
    round_: AuditedRound, event: events.WagerRuled, *, is_decision: bool
) -> None:
    """Report a ruling over a higher one, or over a return of the same (A31, A33)."""
    before, game = round_.rulings.get(event.wager_id), round_.terms.game
    if before is None:
        return
    if before.is_decision:
        if not game.may(event.by, Rule.REFERRAL):
            problem, person = AuditProblem.DECISION_OVERRIDDEN, before.by.named
            round_.say(problem, event.wager_id, person=person)
        return
    if is_decision or not game.provides(Rule.RULING_RANK):
        return
    is_above = game.operator.is_above
    outranked = is_above(before.by.role, event.by.role)
    ended = before.returned and not is_above(event.by.role, before.by.role)
    if outranked or ended:
        round_.say(AuditProblem.RULED_ABOVE, event.wager_id, person=before.by.named)


def _added_up(
    before: AuditedRuling | None, event: events.WagerRuled, *, is_decision: bool
) -> AuditedRuling:
    area, cents, player = event.area, event.piece_cents, event.player
    returned = area is None and cents is None and player is None
    if before is not None and not before.returned and not returned:
        area = before.area if area is None else area
        cents = before.cents if cents is None else cents
        player = before.player if player is None else player
    by, clause = event.by, event.clause
    return AuditedRuling(by, clause, is_decision, returned, area, cents, player)


class TreatedWager(NamedTuple):
    """A wager after rulings, the drop and a void."""

    areas: tuple[int, ...]
    name: str
    player: str
    owner: Account
    counted: tuple[int, ...] | None
    """The stake that counts on each piece; None: the wager is returned (A30)."""
    clause: str | None
    """The clause that its pieces cite; None: that of the pay table or the limits."""


def treated(round_: AuditedRound, wager: PlacedWager) -> TreatedWager:
    """Return the wager to settle: its areas, stake, Player and account."""
    areas, name = wager.areas, wager.name
    player, account = wager.player, round_.holders.account_of(wager)
    if round_.void is not None:
        clause = round_.terms.game.clause(Rule.VOID_RETURNS).number
        return TreatedWager(areas, name, player, account, None, clause)
    ruling = round_.rulings.get(wager.wager_id)
    if ruling is None and wager.registered and not wager.lifted:
        return TreatedWager(areas, name, player, account, wager.cents, None)
    if ruling is not None and ruling.area is not None:
        areas = (round_.terms.compiled.area_index[ruling.area],)
        name = ruling.area
    if ruling is not None and ruling.player is not None:
        player = ruling.player
        account = owner(round_, wager, player)
    counted = _counted(wager, ruling)
    clause = _cited(round_, wager, ruling)
    return TreatedWager(areas, name, player, account, counted, clause)


def owner(round_: AuditedRound, wager: PlacedWager, player: str) -> Account:
    """Return the account of the Player who laid the wager, or got it by decision."""
    account_of = round_.holders.account_of
    if player == wager.player:
        return account_of(wager)
    if not wager.electronic:
        return CHIPS if wager.colour is None else owed(player)
    for each in round_.wagers.values():
        if each.player == player and each.electronic:
            return account_of(each)
    return owed(player)


def _counted(
    wager: PlacedWager, ruling: AuditedRuling | None
) -> tuple[int, ...] | None:
    """Return the cents that count; a late withdrawal needs a ruled amount (A28)."""
    amount = None if ruling is None else ruling.cents
    returned = ruling is not None and ruling.returned
    if not wager.registered or returned or (wager.lifted and amount is None):
        return None
    if amount is None:
        return wager.cents
    return tuple([min(cents, amount) for cents in wager.cents])


def _cited(
    round_: AuditedRound, wager: PlacedWager, ruling: AuditedRuling | None
) -> str:
    game = round_.terms.game
    if not wager.registered:
        return game.clause(Rule.UNREGISTERED_RETURNED).number
    if ruling is not None:
        return ruling.clause.number
    return game.clause(Rule.REFERRAL).number
