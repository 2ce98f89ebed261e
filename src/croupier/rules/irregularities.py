"""Irregularities, “no spin”, interruptions, displays, rulings and decisions."""

from __future__ import annotations

from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.cents import is_amount
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.refusals import Verdict, not_in_play, refuse
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.wagers import Wager, find_placement


def unlisted_or_void(
    state: RoundOfPlay, irregularity: Irregularity
) -> tuple[ev.RoundEvent, ...]:
    """Void the round by the irregularity's clause, or refer what no clause lists."""
    clause = state.game.voiding.get(irregularity)
    if clause is not None:
        return (ev.RoundVoided(clause, irregularity.reason),)
    return (ev.RoundHeld(state.game.clause(Rule.REFERRAL), irregularity.reason),)


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
    if refusal is not None:
        return refusal
    return (
        ev.IrregularityReported(person, irregularity),
        *unlisted_or_void(state, irregularity),
    )


def announce_no_spin(
    state: RoundOfPlay, person: Person, _: do.AnnounceNoSpin
) -> Verdict:
    game = state.game
    known = game.provides(Rule.NO_SPIN)
    if not (game.may(person, Rule.NO_SPIN) if known else game.is_staff(person)):
        return refuse(
            state,
            Rule.NO_SPIN,
            RuleReason.MAY_NOT_ANNOUNCE_NO_SPIN(person=person.named),
        )
    refusal = not_in_play(state, Rule.NO_SPIN)
    if refusal is not None:
        return refusal
    announced = ev.NoSpinAnnounced(person)
    if not known:
        return announced, *_held_unprovided(state, RuleReason.NO_SPIN_ANNOUNCED())
    if state.phase is Phase.DECIDED:  # N1
        reason = RuleReason.NO_SPIN_AFTER_OUTCOME()
        return announced, ev.RoundHeld(game.clause(Rule.REFERRAL), reason)
    return announced, ev.RoundVoided(
        _no_spin_clause(state), RuleReason.NO_SPIN_ANNOUNCED()
    )


def _no_spin_clause(state: RoundOfPlay) -> Clause:
    after_failure = Rule.NO_SPIN_AFTER_POWER_FAILURE
    if state.facts.power_failed_before_drop and state.game.provides(after_failure):
        return state.game.clause(after_failure)
    return state.game.clause(Rule.NO_SPIN)


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
    refusal = _report_refused(state, person, Rule.INTERRUPTION_CONCLUDED)
    if refusal is not None:
        return refusal
    interrupted = ev.RoundInterrupted(person)
    established = state.facts.at_rest is not None  # A20
    if established and game.provides(Rule.INTERRUPTION_CONCLUDED):
        return (interrupted,)
    if not established and game.provides(Rule.INTERRUPTION_VOIDS):
        clause = game.clause(Rule.INTERRUPTION_VOIDS)
        reason = RuleReason.INTERRUPTED_BEFORE_OUTCOME()
        return interrupted, ev.RoundVoided(clause, reason)
    return interrupted, *_held_unprovided(state, RuleReason.INTERRUPTED())


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
    """Hold the round where no clause covers what interrupts play (A12)."""
    if not state.game.provides(Rule.UNPROVIDED):
        return ()
    return (ev.RoundHeld(state.game.clause(Rule.UNPROVIDED), reason),)


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
    return (ev.DisplayShown(command.number, clause),)


def mark_unclear(
    state: RoundOfPlay, person: Person, command: do.MarkUnclear
) -> Verdict:
    game = state.game
    if not game.provides(Rule.RULING):
        return _no_rulings(state)
    if not game.is_staff(person):
        return refuse(
            state, Rule.RULING, RuleReason.MAY_NOT_CALL_UNCLEAR(person=person.named)
        )
    refusal = not_in_play(state, Rule.RULING)
    if refusal is not None:
        return refusal
    if command.wager_id not in state.board.wagers:
        return refuse(state, Rule.RULING, _not_on_layout(command.wager_id))
    return (ev.WagerMarkedUnclear(person, command.wager_id),)


def rule_on_wager(
    state: RoundOfPlay, person: Person, command: do.RuleOnWager
) -> Verdict:
    game = state.game
    if not game.provides(Rule.RULING):
        return _no_rulings(state)
    if not game.may(person, Rule.RULING):
        return refuse(state, Rule.RULING, RuleReason.MAY_NOT_RULE(person=person.named))
    if state.phase is not Phase.DECIDED:
        return refuse(
            state,
            Rule.RULING,
            RuleReason.RULING_AFTER_OUTCOME(),
        )
    return _ruling(state, person, command, Rule.RULING)


def _no_rulings(state: RoundOfPlay) -> Refusal:
    return refuse(state, Rule.RULINGS_EXCLUDED, RuleReason.NO_RULINGS())


def _ruling(
    state: RoundOfPlay,
    person: Person,
    command: do.RuleOnWager | do.DecideWager,
    rule: Rule,
) -> Verdict:
    clause = state.game.clause(rule)
    wager = state.board.wagers.get(command.wager_id)
    if wager is None:
        return Refusal(clause, _not_on_layout(command.wager_id))
    area: str | None = None
    cents: int | None = None
    match command.treatment:
        case do.GiveAmount(cents=cents):
            if not is_amount(cents):
                return Refusal(clause, RuleReason.RULING_NOT_AN_AMOUNT())
            if cents > min(wager.piece_cents):
                return Refusal(
                    clause, RuleReason.RULING_ABOVE_STAKE(wager_id=wager.wager_id)
                )
        case do.GivePosition():
            moved = _new_position(state, wager, command.treatment, clause)
            if isinstance(moved, Refusal):
                return moved
            area = moved
    return (ev.WagerRuled(person, wager.wager_id, area, cents, clause),)


def _new_position(
    state: RoundOfPlay, wager: Wager, treatment: do.GivePosition, clause: Clause
) -> str | Refusal:
    if len(wager.areas) > 1:
        return Refusal(clause, RuleReason.RULE_AN_AMOUNT(wager=wager.name))
    placement = find_placement(state.game, state.settings, treatment.area)
    return placement if isinstance(placement, Refusal) else placement.name


def _not_on_layout(wager_id: str) -> Reason:
    return RuleReason.NO_WAGER_ON_LAYOUT(wager_id=wager_id)


def decide_held(
    state: RoundOfPlay, person: Person, command: do.DecideCommand
) -> Verdict:
    game = state.game
    clause = game.clause(Rule.REFERRAL)
    if not game.may(person, Rule.REFERRAL):
        return Refusal(clause, RuleReason.MAY_NOT_DECIDE(person=person.named))
    if state.phase is not Phase.HELD:
        return Refusal(clause, RuleReason.NOT_HELD())
    match command:
        case do.DecideWager():
            return _ruling(state, person, command, Rule.REFERRAL)
        case do.DecideVoid():
            return (ev.RoundVoided(clause, RuleReason.DECIDED_SO(person=person.named)),)
        case do.DecideOutcome(number=number):
            if number not in game.numbers:
                return Refusal(
                    clause, RuleReason.NO_COMPARTMENT(game=game.title, number=number)
                )
            return (ev.OutcomeDecided(person, number, clause),)
