"""Irregularities, “no spin”, interruptions and displays."""

from __future__ import annotations

from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.refusals import Verdict, bound_by_decision, not_in_play, refuse
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


def void_or_held(state: RoundOfPlay, irregularity: Irregularity) -> ev.RoundEvent:
    """Void the round by the irregularity's clause; refer what is open or disputed.

    One person never takes back an announced winner, nor what is on record (A32).
    """
    clause = state.game.voiding.get(irregularity)
    if clause is None or _is_disputed(state, irregularity):
        return held(state, irregularity.reason)
    return ev.RoundVoided(clause, irregularity.reason)


def _is_disputed(state: RoundOfPlay, irregularity: Irregularity) -> bool:
    facts = state.facts
    if state.phase is Phase.DECIDED or irregularity in facts.sensor.rejected:
        return True
    if irregularity is Irregularity.FEWER_THAN_FOUR_REVOLUTIONS:
        counted = max(facts.revolutions or 0, facts.sensor.revolutions or 0)
        return counted >= least_revolutions(state.game)
    return facts.at_rest is not None and irregularity in DENIED_BY_REST


def held(state: RoundOfPlay, reason: Reason) -> ev.RoundHeld:
    """Hold the round for the decision of a Shift Manager."""
    return ev.RoundHeld(state.game.clause(Rule.REFERRAL), reason)


def closing(state: RoundOfPlay, person: Person) -> tuple[ev.RoundEvent, ...]:
    """Return what closes the betting; what was touched after the drop is held (A28)."""
    game, facts = state.game, state.facts
    events: list[ev.RoundEvent] = [ev.NoMoreBetsAnnounced(person, facts.dropped)]
    if game.provides(Rule.SNAPSHOT):
        board = state.board
        events.append(ev.LayoutFrozen(len(board.wagers), board.stake_cents))
    if facts.touched_after_drop:  # A28
        events.append(held(state, RuleReason.WAGER_AFTER_DROP()))
    return tuple(events)


def report_irregularity(
    state: RoundOfPlay, person: Person, command: do.ReportIrregularity
) -> Verdict:
    game, irregularity = state.game, command.irregularity
    own = game.voiding.get(irregularity, game.clause(Rule.REFERRAL))
    if not game.is_staff(person):
        return Refusal(own, RuleReason.MAY_NOT_REPORT_IRREGULARITY(person=person.named))
    if state.phase is Phase.ENDED:
        return Refusal(own, RuleReason.SETTLED())
    refusal = not_in_play(state, Rule.REFERRAL)
    if refusal is None:
        refusal = bound_by_decision(state, (person,))
    if refusal is not None:
        return refusal
    return (
        ev.IrregularityReported(person, irregularity, command.because),
        void_or_held(state, irregularity),
    )


def announce_no_spin(
    state: RoundOfPlay, person: Person, command: do.AnnounceNoSpin
) -> Verdict:
    game = state.game
    known = game.provides(Rule.NO_SPIN)
    if not (game.may(person, Rule.NO_SPIN) if known else game.is_staff(person)):
        return refuse(
            state,
            Rule.NO_SPIN,
            RuleReason.MAY_NOT_ANNOUNCE_NO_SPIN(person=person.named),
        )
    late = state.phase is Phase.DECIDED and known
    reason = (
        RuleReason.NO_SPIN_AFTER_OUTCOME() if late else RuleReason.NO_SPIN_ANNOUNCED()
    )
    refusal = not_in_play(state, Rule.NO_SPIN)
    if refusal is None:
        refusal = bound_by_decision(state, (person,))
    if refusal is not None:
        return refusal
    announced = ev.NoSpinAnnounced(person, command.because)
    if not known:
        return announced, *_held_unprovided(state, reason)
    if late:  # N1
        return announced, held(state, reason)
    return announced, ev.RoundVoided(_no_spin_clause(state), reason)


def _no_spin_clause(state: RoundOfPlay) -> Clause:
    """Cite the power failure's clause only while the ball has not dropped (5.11.1)."""
    facts, game = state.facts, state.game
    after_failure = Rule.NO_SPIN_AFTER_POWER_FAILURE
    if facts.power_failed_before_drop and not facts.dropped:
        return game.clause(
            after_failure if game.provides(after_failure) else Rule.NO_SPIN
        )
    return game.clause(Rule.NO_SPIN)


def report_power_failure(
    state: RoundOfPlay, person: Person, _: do.ReportPowerFailure
) -> Verdict:
    game = state.game
    if game.provides(Rule.INTERRUPTION_VOIDS):
        return report_interruption(state, person, do.ReportRoundInterrupted())
    refusal = _report_refused(state, person, Rule.POWER_FAILURE_CONTINUES)
    if refusal is not None:
        return refusal
    failed = ev.PowerFailed(person)
    dropped = state.facts.dropped
    goes_on = Rule.POWER_FAILURE_AFTER_DROP if dropped else Rule.POWER_FAILURE_CONTINUES
    if game.provides(goes_on):
        return (failed,)
    return failed, *_held_unprovided(state, RuleReason.POWER_FAILED())


def report_interruption(
    state: RoundOfPlay, person: Person, _: do.ReportRoundInterrupted
) -> Verdict:
    game = state.game
    known = game.provides(Rule.INTERRUPTION_CONCLUDED)
    own = Rule.INTERRUPTION_CONCLUDED if known else Rule.REFERRAL
    refusal = _report_refused(state, person, own)
    if refusal is not None:
        return refusal
    interrupted = ev.RoundInterrupted(person)
    established = state.facts.at_rest is not None  # A20
    if established and known:
        return (interrupted,)
    if not established and game.provides(Rule.INTERRUPTION_VOIDS):
        clause = game.clause(Rule.INTERRUPTION_VOIDS)
        reason = RuleReason.INTERRUPTED_BEFORE_OUTCOME()
        return interrupted, ev.RoundVoided(clause, reason)
    if state.decided_by is not None:  # A33
        return (interrupted,)
    return interrupted, held(state, RuleReason.INTERRUPTED())


def report_terminals(
    state: RoundOfPlay, person: Person, command: do.ReportTerminalsInterrupted
) -> Verdict:
    if not state.game.provides(Rule.TERMINALS_INTERRUPTED):
        return refuse(
            state, Rule.TERMINALS_INTERRUPTED, RuleReason.NO_PLAYER_TERMINALS()
        )
    refusal = _report_refused(state, person, Rule.TERMINALS_INTERRUPTED)
    if refusal is not None:
        return refusal
    return (ev.TerminalsInterrupted(person, command.terminals),)


def _report_refused(state: RoundOfPlay, person: Person, rule: Rule) -> Refusal | None:
    if not _is_staff_or_system(state, person):
        return refuse(
            state, rule, RuleReason.MAY_NOT_REPORT_INTERRUPTION(person=person.named)
        )
    return not_in_play(state, rule)


def _is_staff_or_system(state: RoundOfPlay, person: Person) -> bool:
    return person.role is Role.SYSTEM or state.game.is_staff(person)


def _held_unprovided(state: RoundOfPlay, reason: Reason) -> tuple[ev.RoundEvent, ...]:
    """Hold the round where no clause covers what interrupts play (A12, 6.2).

    A decided outcome stands all the same (A33): there the interruption is recorded.
    """
    game = state.game
    if state.decided_by is not None:
        return ()
    for rule in (Rule.UNPROVIDED, Rule.REFERRAL):
        if game.provides(rule):
            return (ev.RoundHeld(game.clause(rule), reason),)
    return ()


def show_display(
    state: RoundOfPlay, person: Person, command: do.ShowDisplay
) -> Verdict:
    game = state.game
    if not _is_staff_or_system(state, person):
        return refuse(
            state, Rule.DISPLAY, RuleReason.MAY_NOT_CHANGE_DISPLAY(person=person.named)
        )
    known = game.provides(Rule.DISPLAY)
    clause = game.clause(Rule.DISPLAY) if known else None
    return (ev.DisplayShown(command.number, clause, person),)


def shown_result(game: Game, number: Number) -> tuple[ev.RoundEvent, ...]:
    """Place the dolly and send the result, where the game has them (1.1.2, 1.3)."""
    events: list[ev.RoundEvent] = []
    if game.provides(Rule.DOLLY):
        events.append(ev.DollyPlaced(number))
    if game.provides(Rule.RESULT_TO_TERMINALS):
        events.append(ev.ResultSent(number))
    return tuple(events)
