"""The course of a round: opening, spin, close, draw, outcome, settlement."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.rules import commands
from croupier.rules.clause import Refusal, Rule
from croupier.rules.events import (
    BallAtRest,
    BallDropped,
    BallSpun,
    BonusNumbersDrawn,
    BonusNumberUnlit,
    EarlyCloseAllowed,
    NoMoreBetsAnnounced,
    OutcomeAnnounced,
    PlaceYourBetsAnnounced,
    RoundEvent,
    RoundSettled,
    RoundVoided,
)
from croupier.rules.game import Game, Irregularity
from croupier.rules.irregularities import closing, held, shown_result, void_or_held
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.refusals import (
    Verdict,
    bound_by_decision,
    missing_step,
    refuse,
    refuse_person,
)
from croupier.rules.round import Phase, RoundOfPlay, apply
from croupier.rules.sensors import dispute_over_number, dispute_over_spin
from croupier.rules.settlement import settle
from croupier.rules.wheel import Number


def place_your_bets(
    state: RoundOfPlay, person: Person, command: commands.PlaceYourBets
) -> Verdict:
    if not state.game.may(person, Rule.OPENING):
        return refuse_person(state.game, Rule.OPENING, person, command)
    if not state.allows(PlaceYourBetsAnnounced):
        return refuse(state, Rule.OPENING, RuleReason.OPENED_ALREADY())
    return (PlaceYourBetsAnnounced(person),)


def allow_early_close(
    state: RoundOfPlay, person: Person, command: commands.AllowEarlyClose
) -> Verdict:
    if not state.game.may(person, Rule.EARLY_CLOSE):
        return refuse_person(state.game, Rule.EARLY_CLOSE, person, command)
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    facts = state.facts
    too_late = facts.spun or not state.allows(EarlyCloseAllowed)
    if facts.early_close_allowed or too_late:
        return refuse(state, Rule.EARLY_CLOSE, RuleReason.EARLY_CLOSE_ONCE())
    return (EarlyCloseAllowed(person),)


def spin(state: RoundOfPlay, person: Person, command: commands.SpinBall) -> Verdict:
    game = state.game
    if not game.may(person, Rule.SPIN):
        return refuse_person(state.game, Rule.SPIN, person, command)
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    if state.facts.spun or not state.allows(BallSpun):
        return refuse(state, Rule.SPIN, RuleReason.SPUN_ALREADY())
    counted = game.provides(Rule.REVOLUTIONS)
    revolutions = command.revolutions if counted else None
    known = game.provides(Rule.SPIN_AGAINST_WHEEL)
    against_wheel = command.against_wheel if known else None
    spun = BallSpun(person, revolutions, against_wheel)
    if against_wheel is False:
        return spun, void_or_held(state, Irregularity.BALL_SAME_DIRECTION)
    if revolutions is None or revolutions >= game.row(Rule.SPIN).amount:
        return (spun, *dispute_over_spin(state, person, revolutions))
    return spun, void_or_held(state, Irregularity.FEWER_THAN_FOUR_REVOLUTIONS)


def no_more_bets(
    state: RoundOfPlay, person: Person, command: commands.NoMoreBets
) -> Verdict:
    game, facts = state.game, state.facts
    if not game.may(person, Rule.CLOSING):
        return refuse_person(state.game, Rule.CLOSING, person, command)
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    if facts.closed_by_sensor and state.phase is Phase.CLOSED:
        return (NoMoreBetsAnnounced(person, facts.dropped),)
    if facts.closed or not state.allows(NoMoreBetsAnnounced):
        return refuse(state, Rule.CLOSING, RuleReason.CLOSED_ALREADY())
    while_rotating = game.provides(Rule.CLOSE_DURING_SPIN)
    if while_rotating and not facts.spun and not facts.early_close_allowed:
        return _close_before_spin(state)
    return closing(state, person)


def _close_before_spin(state: RoundOfPlay) -> Refusal:
    if state.game.provides(Rule.EARLY_CLOSE):
        return refuse(state, Rule.EARLY_CLOSE, RuleReason.CLOSE_NEEDS_PIT_MANAGER())
    return refuse(state, Rule.CLOSE_DURING_SPIN, RuleReason.NOT_SPUN_YET())


def draw_bonus_numbers(
    state: RoundOfPlay, person: Person, command: commands.DrawBonusNumbers
) -> Verdict:
    game, facts = state.game, state.facts
    if not game.may(person, Rule.BONUS_DRAW):
        return refuse_person(state.game, Rule.BONUS_DRAW, person, command)
    if facts.bonus_numbers is not None or not state.allows(BonusNumbersDrawn):
        return refuse(
            state,
            Rule.BONUS_DRAW,
            RuleReason.DRAWN_ONCE(),
        )
    count = game.row(Rule.BONUS_DRAW).amount
    drawn = read_draw(game, command.numbers)
    if drawn is None or len(drawn) < count:
        return refuse(state, Rule.BONUS_DRAW, not_a_draw(game))
    if len(drawn) > count and state.phase is Phase.HELD:
        return refuse(state, Rule.BONUS_DRAW, not_a_draw(game))
    if len(drawn) > count:  # A15
        return (held(state, RuleReason.TOO_MANY_LIT(count=count)),)
    return (BonusNumbersDrawn(drawn),)


def not_a_draw(game: Game) -> Reason:
    count = game.row(Rule.BONUS_DRAW).amount
    return game.naming_numbers(RuleReason.NOT_A_DRAW(count=count))


def read_draw(game: Game, given: Sequence[Number]) -> tuple[Number, ...] | None:
    """Return the numbers as drawn, or None unless they are different and the game's."""
    different = set(given)
    if len(different) < len(given) or not different <= set(game.numbers):
        return None
    return tuple(given)


def report_unlit(
    state: RoundOfPlay, person: Person, command: commands.ReportUnlit
) -> Verdict:
    game, drawn = state.game, state.facts.bonus_numbers
    if not game.may(person, Rule.BONUS_UNLIT):
        return refuse_person(state.game, Rule.BONUS_UNLIT, person, command)
    if not drawn or not state.allows(BonusNumberUnlit):
        return refuse(state, Rule.BONUS_UNLIT, RuleReason.LIGHTS_COUNT_AFTER_DRAW())
    if command.number not in drawn:
        return refuse(
            state,
            Rule.BONUS_UNLIT,
            RuleReason.NOT_A_BONUS_NUMBER(number=command.number),
        )
    unlit = BonusNumberUnlit(person, command.number)
    reason = RuleReason.BONUS_NUMBER_DARK(number=command.number)
    refusal = bound_by_decision(state, (person,))
    if refusal is not None:
        return refusal
    if state.phase is Phase.DECIDED:  # A35
        return unlit, held(state, reason)
    return unlit, RoundVoided(game.clause(Rule.BONUS_UNLIT), reason)


def report_ball_dropped(
    state: RoundOfPlay, person: Person, command: commands.ReportBallDropped
) -> Verdict:
    refusal = _ball_fact_refused(state, person, command)
    if refusal is not None:
        return refusal
    if state.facts.dropped or not state.allows(BallDropped):
        return refuse(state, Rule.OUTCOME, RuleReason.DROPPED_ALREADY())
    return (BallDropped(person),)


def report_ball_at_rest(
    state: RoundOfPlay, person: Person, command: commands.ReportBallAtRest
) -> Verdict:
    refusal = _ball_fact_refused(state, person, command)
    if refusal is not None:
        return refusal
    facts = state.facts
    is_sensors = facts.keyed_rest is None and facts.sensor.at_rest is not None
    is_known = facts.at_rest is not None and not is_sensors
    if is_known or not state.allows(BallAtRest):
        return refuse(state, Rule.OUTCOME, RuleReason.AT_REST_ALREADY())
    if command.number not in state.game.numbers:
        return refuse(state, Rule.OUTCOME, state.game.no_compartment(command.number))
    rest = BallAtRest(person, command.number, command.confirmed_by)
    disputed = dispute_over_number(state, person, command.number, is_outcome=False)
    return (rest, *disputed)


def _ball_fact_refused(
    state: RoundOfPlay, person: Person, command: commands.RoundCommand
) -> Refusal | None:
    if not state.game.may(person, Rule.OUTCOME):
        return refuse_person(state.game, Rule.OUTCOME, person, command)
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    if not state.facts.ball_spun and state.phase in {Phase.BETTING, Phase.CLOSED}:
        return refuse(state, Rule.SPIN, RuleReason.NOT_SPUN())
    return None


def announce_outcome(
    state: RoundOfPlay, person: Person, command: commands.AnnounceOutcome
) -> Verdict:
    game, number = state.game, command.number
    if not game.may(person, Rule.OUTCOME):
        return refuse_person(state.game, Rule.OUTCOME, person, command)
    missing = missing_step(state)
    if missing is not None:
        return missing
    if not state.allows(OutcomeAnnounced):
        return refuse(state, Rule.OUTCOME, RuleReason.OUTCOME_ALREADY())
    if number not in game.numbers:
        return refuse(state, Rule.OUTCOME, game.no_compartment(number))
    facts = state.facts
    is_sensors = facts.sensor.unanswered_rest is not None
    disputed = dispute_over_number(state, person, number, is_outcome=True)
    if disputed and (is_sensors or facts.at_rest in {None, number}):
        return disputed
    if facts.at_rest not in {None, number}:
        return refuse(
            state,
            Rule.OUTCOME,
            RuleReason.AT_REST_ELSEWHERE(number=facts.at_rest),
        )
    events = [OutcomeAnnounced(person, number), *shown_result(game, number)]
    if not game.provides(Rule.ROUND_ENDS_SETTLED):
        events.append(settle(apply(state, events[0])))
    return tuple(events)


def settle_round(
    state: RoundOfPlay, person: Person, command: commands.Settle
) -> Verdict:
    if not state.game.may(person, Rule.SETTLING):
        return refuse_person(state.game, Rule.SETTLING, person, command)
    return conclude(state)


def conclude(state: RoundOfPlay) -> Verdict:
    """Settle a void round or one with an outcome; refuse any other."""
    if state.phase is Phase.ENDED:
        return refuse(state, Rule.SETTLING, RuleReason.SETTLED_ALREADY())
    if not state.allows(RoundSettled):
        return refuse(state, Rule.OUTCOME, RuleReason.NO_OUTCOME_YET())
    if state.unclear and state.phase is not Phase.VOID:
        first, *others = sorted(state.unclear)
        reason = RuleReason.RULING_NEEDED(wager_id=first)
        if others:
            reason = RuleReason.RULINGS_NEEDED(wager_id=first, count=len(others))
        return refuse(state, Rule.RULING, reason)
    return (settle(state),)


def conclude_late(state: RoundOfPlay) -> tuple[RoundEvent, ...]:
    """Settle a round before the next one; hold it if a ruling is missing (A48)."""
    verdict = conclude(state)
    if not isinstance(verdict, Refusal):
        return verdict
    owes_ruling = state.unclear and state.is_in_play()
    return (held(state, RuleReason.RULING_OWED()),) if owes_ruling else ()
