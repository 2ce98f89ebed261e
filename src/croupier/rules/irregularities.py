"""Irregularities, “no spin”, interruptions and displays."""

from __future__ import annotations

from croupier.rules import commands
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.events import (
    DisplayShown,
    DollyPlaced,
    IrregularityReported,
    LayoutFrozen,
    NoMoreBetsAnnounced,
    NoSpinAnnounced,
    PowerFailed,
    ResultSent,
    RoundEvent,
    RoundHeld,
    RoundInterrupted,
    RoundVoided,
    TerminalsInterrupted,
)
from croupier.rules.game import Game, Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.refusals import (
    Verdict,
    bound_by_decision,
    may_not_do,
    not_in_play,
    refuse,
    refuse_person,
)
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.sensor_facts import least_revolutions
from croupier.rules.wheel import Number

DENIED_BY_REST = frozenset(
    {
        Irregularity.FOREIGN_OBJECT,
        Irregularity.WHEEL_STOPPED,
        Irregularity.BALL_NOT_IN_COMPARTMENT,
        Irregularity.BALL_OUT_OF_WHEEL,
    }
)
"""Irregularities that can't follow the ball's rest in a compartment (A32)."""


def void_or_held(state: RoundOfPlay, irregularity: Irregularity) -> RoundEvent:
    """Void the round by the irregularity's clause, or hold it if that is disputed.

    One person never takes back an announced winner or a recorded rest (A32).
    """
    clause = state.game.voiding.get(irregularity)
    if clause is None or _is_disputed(state, irregularity):
        return held(state, irregularity.reason)
    return RoundVoided(clause, irregularity.reason)


def _is_disputed(state: RoundOfPlay, irregularity: Irregularity) -> bool:
    facts = state.facts
    if state.phase is Phase.DECIDED or irregularity in facts.sensor.rejected:
        return True
    if irregularity is Irregularity.FEWER_THAN_FOUR_REVOLUTIONS:
        counted = max(facts.revolutions or 0, facts.sensor.revolutions or 0)
        return counted >= least_revolutions(state.game)
    return facts.at_rest is not None and irregularity in DENIED_BY_REST


def held(state: RoundOfPlay, reason: Reason) -> RoundHeld:
    return RoundHeld(state.game.clause(Rule.REFERRAL), reason)


def closing(state: RoundOfPlay, person: Person) -> tuple[RoundEvent, ...]:
    """Close the betting; hold the round if a wager changed after the drop (A28)."""
    game, facts = state.game, state.facts
    events: list[RoundEvent] = [NoMoreBetsAnnounced(person, facts.dropped)]
    if game.provides(Rule.SNAPSHOT):
        board = state.board
        events.append(LayoutFrozen(len(board.wagers), board.stake_cents))
    if facts.touched_after_drop:  # A28
        events.append(held(state, RuleReason.WAGER_AFTER_DROP()))
    return tuple(events)


def report_irregularity(
    state: RoundOfPlay, person: Person, command: commands.ReportIrregularity
) -> Verdict:
    game, irregularity = state.game, command.irregularity
    own = game.voiding.get(irregularity, game.clause(Rule.REFERRAL))
    if not game.is_staff(person):
        return Refusal(own, may_not_do(person, command))
    if state.phase is Phase.ENDED:
        return Refusal(own, RuleReason.SETTLED())
    refusal = not_in_play(state, Rule.REFERRAL) or bound_by_decision(state, (person,))
    if refusal is not None:
        return refusal
    return (
        IrregularityReported(person, irregularity, command.because),
        void_or_held(state, irregularity),
    )


def announce_no_spin(
    state: RoundOfPlay, person: Person, command: commands.AnnounceNoSpin
) -> Verdict:
    game = state.game
    known = game.provides(Rule.NO_SPIN)
    if not (game.may(person, Rule.NO_SPIN) if known else game.is_staff(person)):
        return refuse_person(game, Rule.NO_SPIN, person, command)
    late = state.phase is Phase.DECIDED and known
    reason = (
        RuleReason.NO_SPIN_AFTER_OUTCOME() if late else RuleReason.NO_SPIN_ANNOUNCED()
    )
    refusal = not_in_play(state, Rule.NO_SPIN) or bound_by_decision(state, (person,))
    if refusal is not None:
        return refusal
    announced = NoSpinAnnounced(person, command.because)
    if not known:
        return announced, *_held_unprovided(state, reason)
    if late:  # N1
        return announced, held(state, reason)
    return announced, RoundVoided(_no_spin_clause(state), reason)


def _no_spin_clause(state: RoundOfPlay) -> Clause:
    """Cite the clause on power failures only if the ball had not dropped (5.11.1)."""
    facts, game = state.facts, state.game
    rule = Rule.NO_SPIN_AFTER_POWER_FAILURE
    after_failure = facts.power_failed_before_drop and not facts.dropped
    is_own = after_failure and game.provides(rule)
    return game.clause(rule if is_own else Rule.NO_SPIN)


def report_power_failure(
    state: RoundOfPlay, person: Person, command: commands.ReportPowerFailure
) -> Verdict:
    game = state.game
    if game.provides(Rule.INTERRUPTION_VOIDS):
        return report_interruption(state, person, commands.ReportRoundInterrupted())
    refusal = _report_refused(state, person, Rule.POWER_FAILURE_CONTINUES, command)
    if refusal is not None:
        return refusal
    failed = PowerFailed(person)
    dropped = state.facts.dropped
    goes_on = Rule.POWER_FAILURE_AFTER_DROP if dropped else Rule.POWER_FAILURE_CONTINUES
    if game.provides(goes_on):
        return (failed,)
    return failed, *_held_unprovided(state, RuleReason.POWER_FAILED())


def report_interruption(
    state: RoundOfPlay, person: Person, command: commands.ReportRoundInterrupted
) -> Verdict:
    game = state.game
    known = game.provides(Rule.INTERRUPTION_CONCLUDED)
    own = Rule.INTERRUPTION_CONCLUDED if known else Rule.REFERRAL
    refusal = _report_refused(state, person, own, command)
    if refusal is not None:
        return refusal
    interrupted = RoundInterrupted(person)
    established = state.facts.at_rest is not None  # A20
    if established and known:
        return (interrupted,)
    if not established and game.provides(Rule.INTERRUPTION_VOIDS):
        clause = game.clause(Rule.INTERRUPTION_VOIDS)
        reason = RuleReason.INTERRUPTED_BEFORE_OUTCOME()
        return interrupted, RoundVoided(clause, reason)
    if state.decided_by is not None:  # A33
        return (interrupted,)
    return interrupted, held(state, RuleReason.INTERRUPTED())


def report_terminals(
    state: RoundOfPlay, person: Person, command: commands.ReportTerminalsInterrupted
) -> Verdict:
    if not state.game.provides(Rule.TERMINALS_INTERRUPTED):
        return refuse(
            state, Rule.TERMINALS_INTERRUPTED, RuleReason.NO_PLAYER_TERMINALS()
        )
    refusal = _report_refused(state, person, Rule.TERMINALS_INTERRUPTED, command)
    if refusal is not None:
        return refusal
    return (TerminalsInterrupted(person, command.terminals),)


def _report_refused(
    state: RoundOfPlay, person: Person, rule: Rule, command: commands.RoundCommand
) -> Refusal | None:
    if not _is_staff_or_system(state, person):
        return refuse_person(state.game, rule, person, command)
    return not_in_play(state, rule)


def _is_staff_or_system(state: RoundOfPlay, person: Person) -> bool:
    return person.role is Role.SYSTEM or state.game.is_staff(person)


def _held_unprovided(state: RoundOfPlay, reason: Reason) -> tuple[RoundEvent, ...]:
    """Hold the round if no clause covers the interruption (A12, 6.2).

    A decided outcome stands (A33); then the interruption is only recorded.
    """
    game = state.game
    if state.decided_by is not None:
        return ()
    for rule in (Rule.UNPROVIDED, Rule.REFERRAL):
        if game.provides(rule):
            return (RoundHeld(game.clause(rule), reason),)
    return ()


def show_display(
    state: RoundOfPlay, person: Person, command: commands.ShowDisplay
) -> Verdict:
    game = state.game
    if not _is_staff_or_system(state, person):
        return refuse_person(game, Rule.DISPLAY, person, command)
    clause = game.clause(Rule.DISPLAY) if game.provides(Rule.DISPLAY) else None
    return (DisplayShown(command.number, clause, person),)


def shown_result(game: Game, number: Number) -> tuple[RoundEvent, ...]:
    """Place the dolly and send the result, if the game's rules do (1.1.2, 1.3)."""
    events: list[RoundEvent] = []
    if game.provides(Rule.DOLLY):
        events.append(DollyPlaced(number))
    if game.provides(Rule.RESULT_TO_TERMINALS):
        events.append(ResultSent(number))
    return tuple(events)
