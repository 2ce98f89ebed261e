"""Rulings on wagers (v3 3.9), and a Shift Manager's decisions on held rounds."""

from __future__ import annotations

from croupier.rules import commands, events
from croupier.rules.cents import is_amount
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.irregularities import shown_result
from croupier.rules.operator import Person
from croupier.rules.pieces import find_placement
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.refusals import (
    Verdict,
    lacks_draw,
    not_in_play,
    outside_limit,
    refuse,
    refuse_person,
    wager_of_staff,
)
from croupier.rules.round import Phase, RoundOfPlay, apply
from croupier.rules.sensors import continued
from croupier.rules.settlement import ruled_totals
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number


def mark_unclear(
    state: RoundOfPlay, person: Person, command: commands.MarkUnclear
) -> Verdict:
    game = state.game
    if not game.provides(Rule.RULING):
        return _no_rulings(state)
    if not game.is_staff(person):
        return refuse_person(state.game, Rule.RULING, person, command)
    refusal = not_in_play(state, Rule.RULING)
    if refusal is not None:
        return refusal
    if command.wager_id not in state.board.wagers:
        return refuse(state, Rule.RULING, _not_on_layout(command.wager_id))
    return (events.WagerMarkedUnclear(person, command.wager_id),)


def rule_on_wager(
    state: RoundOfPlay, person: Person, command: commands.RuleOnWager
) -> Verdict:
    game = state.game
    if not game.provides(Rule.RULING):
        return _no_rulings(state)
    if not game.may(person, Rule.RULING):
        return refuse_person(state.game, Rule.RULING, person, command)
    if state.facts.at_rest is None or not state.is_in_play():
        return refuse(state, Rule.RULING, RuleReason.RULING_AFTER_REST())
    refusal = _outranked(state, person, command.wager_id)
    return refusal or _treat_wager(state, person, command, Rule.RULING)


def _outranked(state: RoundOfPlay, person: Person, wager_id: str) -> Refusal | None:
    """Refuse to change a higher position's ruling or an equal one's return (A31)."""
    before = state.rulings.get(wager_id)
    if before is None:
        return None
    game, by = state.game, before.by
    if before.clause == game.clause(Rule.REFERRAL):  # A33
        decides = game.may(person, Rule.REFERRAL)
        return None if decides else Refusal(before.clause, RuleReason.DECISION_BINDS())
    if not game.provides(Rule.RULING_RANK):
        return None
    if game.operator.is_above(by.role, person.role):
        reason = RuleReason.HIGHER_RULING(person=by.named, wager_id=wager_id)
        return refuse(state, Rule.RULING_RANK, reason)
    if before.returned and not game.operator.is_above(person.role, by.role):
        reason = RuleReason.RETURNED_BY_RULING(person=by.named, wager_id=wager_id)
        return refuse(state, Rule.RULING_RANK, reason)
    return None


def _no_rulings(state: RoundOfPlay) -> Refusal:
    return refuse(state, Rule.RULINGS_EXCLUDED, RuleReason.NO_RULINGS())


def _treat_wager(
    state: RoundOfPlay,
    person: Person,
    command: commands.RuleOnWager | commands.DecideWager,
    rule: Rule,
) -> Verdict:
    """Judge the treatment of one wager by a ruling or a decision."""
    clause = state.game.clause(rule)
    wager = state.board.wagers.get(command.wager_id)
    if wager is None:
        return Refusal(clause, _not_on_layout(command.wager_id))
    area: str | None = None
    cents: int | None = None
    player: str | None = None
    match command.treatment:
        case commands.GiveAmount(cents=cents):
            if not is_amount(cents):
                return Refusal(clause, RuleReason.RULING_NOT_AN_AMOUNT())
            if cents > min(wager.piece_cents):
                return Refusal(
                    clause, RuleReason.RULING_ABOVE_STAKE(wager_id=wager.wager_id)
                )
        case commands.GivePosition():
            moved = _new_position(state, wager, command.treatment, clause)
            if isinstance(moved, Refusal):
                return moved
            area = moved
        case commands.GiveTo(player=player):
            refusal = wager_of_staff(state, player, acting=person)
            if refusal is not None:
                return refusal
    ruled = events.WagerRuled(
        by=person,
        wager_id=wager.wager_id,
        area=area,
        piece_cents=cents,
        clause=clause,
        player=player,
        because=command.because,
    )
    return _given_over_maximum(state, ruled) or (ruled,)


def _given_over_maximum(state: RoundOfPlay, ruled: events.WagerRuled) -> Refusal | None:
    """Refuse a wager that puts its new Player over a maximum (A51).

    A game with a clause for such totals settles them by it.
    """
    game, player = state.game, ruled.player
    if player is None or game.provides(Rule.OVER_MAXIMUM):
        return None
    before = ruled_totals(state)
    for key, total in ruled_totals(apply(state, ruled)).items():
        area = game.area_by_name[key[1]]
        limit = state.limits.of(area.wager_type)
        if limit and total > max(limit.maximum_cents, before.get(key, 0)):
            return outside_limit(state, player, area, total, limit)
    return None


def _new_position(
    state: RoundOfPlay, wager: Wager, treatment: commands.GivePosition, clause: Clause
) -> str | Refusal:
    if len(wager.areas) > 1:
        return Refusal(clause, RuleReason.RULE_AN_AMOUNT(wager=wager.name))
    placement = find_placement(state.game, state.settings, treatment.area)
    return placement if isinstance(placement, Refusal) else placement.name


def _not_on_layout(wager_id: str) -> Reason:
    return RuleReason.NO_WAGER_ON_LAYOUT(wager_id=wager_id)


def decide_held(
    state: RoundOfPlay, person: Person, command: commands.DecideCommand
) -> Verdict:
    refusal = may_not_decide(state, person, command)
    if refusal is not None:
        return refusal
    held = state.phase is Phase.HELD
    if held and isinstance(command, commands.DecideContinue):
        seen, announced = state.facts.sensor.unanswered_rest, state.winning_number
        if seen is not None and announced not in {None, seen}:  # A33
            reason = RuleReason.AT_REST_ELSEWHERE(number=seen)
            return refuse(state, Rule.OUTCOME, reason)
        clause = state.game.clause(Rule.REFERRAL)
        return continued(state, events.PlayContinued(person, clause, command.because))
    decided = state.phase is Phase.DECIDED and state.decided_by is not None
    if isinstance(command, commands.DecideContinue) or not (held or decided):
        return refuse(state, Rule.REFERRAL, RuleReason.NOT_HELD())
    return decide_on(state, person, command)


def may_not_decide(
    state: RoundOfPlay, person: Person, command: commands.DecideCommand
) -> Refusal | None:
    if state.game.may(person, Rule.REFERRAL):
        return None
    return refuse_person(state.game, Rule.REFERRAL, person, command)


def decide_on(
    state: RoundOfPlay,
    person: Person,
    decision: commands.DecideOutcome | commands.DecideVoid | commands.DecideWager,
) -> Verdict:
    """Return the events of a Shift Manager's decision on a round or one wager of it."""
    clause = state.game.clause(Rule.REFERRAL)
    match decision:
        case commands.DecideWager():
            return _treat_wager(state, person, decision, Rule.REFERRAL)
        case commands.DecideVoid(because=because):
            reason = RuleReason.DECIDED_SO(person=person.named)
            return (events.RoundVoided(clause, reason, because),)
        case commands.DecideOutcome(number=number, because=because):
            refusal = _outcome_not_decidable(state, number)
            if refusal is not None:
                return refusal
            decided = events.OutcomeDecided(person, number, clause, because)
            return decided, *shown_result(state.game, number)


def _outcome_not_decidable(state: RoundOfPlay, number: Number) -> Refusal | None:
    """Refuse an outcome without a spin, without the draw, or against the ball."""
    game, facts = state.game, state.facts
    if number not in game.numbers:
        return refuse(state, Rule.REFERRAL, game.no_compartment(number))
    if not (facts.ball_spun or facts.dropped):  # A44
        return refuse(state, Rule.SPIN, RuleReason.NOT_SPUN())
    on_record = facts.compartment, facts.keyed_rest, facts.sensor.unanswered_rest
    for seen in on_record:  # A33
        if seen not in {None, number}:
            reason = RuleReason.AT_REST_ELSEWHERE(number=seen)
            return refuse(state, Rule.OUTCOME, reason)
    if lacks_draw(state):
        return refuse(state, Rule.BONUS_DRAW, RuleReason.NOT_DRAWN())
    return None
