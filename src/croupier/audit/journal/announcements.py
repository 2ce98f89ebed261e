"""The course of a round: announcements, facts of the ball, what holds or voids it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.audit.journal import decisions, rulings
from croupier.audit.journal.decisions import (
    compartment,
    has_outcome,
    in_play,
    irregular,
    is_draw,
    may,
    must_hold,
    must_void,
    not_bound,
)
from croupier.audit.journal.devices import (
    is_word_of_sensor,
    passed_over,
    recovered_spin,
)
from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, Reporter
from croupier.rules import events as ev
from croupier.rules.clause import Rule
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person

Act = Callable[[AuditedRound, Any, Reporter], None]


def opened(
    round_: AuditedRound, event: ev.PlaceYourBetsAnnounced, say: Reporter
) -> None:
    may(round_, event.by, Rule.OPENING, say)
    if round_.opened:
        say(AuditProblem.ROUND_WAS_OPENED())
    round_.opened = True


def early_close(
    round_: AuditedRound, event: ev.EarlyCloseAllowed, say: Reporter
) -> None:
    may(round_, event.by, Rule.EARLY_CLOSE, say)
    _betting(round_, say)
    round_.early_close = True


def spun(round_: AuditedRound, event: ev.BallSpun, say: Reporter) -> None:
    _may_or_sensor(round_, event.by, Rule.SPIN, say)
    recovered_spin(round_, event.by, say)
    _rolling(round_, event.by, say)
    if round_.spun:
        say(AuditProblem.BALL_WAS_SPUN())
    round_.spun, round_.revolutions = True, event.revolutions
    least = round_.terms.game.row(Rule.SPIN).amount
    if event.against_wheel is False:
        irregular(round_, Irregularity.BALL_SAME_DIRECTION)
    elif event.revolutions is not None and event.revolutions < least:
        irregular(round_, Irregularity.FEWER_THAN_FOUR_REVOLUTIONS)


def closed(round_: AuditedRound, event: ev.NoMoreBetsAnnounced, say: Reporter) -> None:
    game = round_.terms.game
    _may_or_sensor(round_, event.by, Rule.CLOSING, say)
    _betting(round_, say)
    by_sensor = is_word_of_sensor(round_, event.by, Rule.CLOSING)
    early = not (round_.spun or round_.early_close or by_sensor)
    if early and game.provides(Rule.CLOSE_DURING_SPIN):
        say(AuditProblem.CLOSED_BEFORE_SPIN())
    if event.late != round_.dropped:
        say(AuditProblem.LATENESS_OF_CLOSE())
    if round_.touched:  # A28
        must_hold(round_)
    round_.closed = True


def frozen(round_: AuditedRound, event: ev.LayoutFrozen, say: Reporter) -> None:
    count, stake = len(round_.wagers), round_.stake_cents
    if (event.wagers, event.stake_cents) != (count, stake):
        problem = AuditProblem.FROZEN_OTHERWISE(expected=count, found=event.wagers)
        say(problem, None, stake, event.stake_cents)
    round_.frozen = True


def drawn(round_: AuditedRound, event: ev.BonusNumbersDrawn, say: Reporter) -> None:
    """Check for a draw, once, between close and outcome, or while held (A15, A35)."""
    if not round_.terms.game.provides(Rule.BONUS_DRAW):
        say(AuditProblem.GAME_DRAWS_NONE())
        return
    is_draw(round_, event.numbers, say)
    if round_.drawn is not None:
        say(AuditProblem.DRAWN_TWICE())
    if not (round_.closed or round_.held) or round_.outcome is not None:
        say(AuditProblem.DRAW_UNTIMELY())
    round_.drawn = event.numbers


def unlit(round_: AuditedRound, event: ev.BonusNumberUnlit, say: Reporter) -> None:
    """Void the round by a light that failed; after the outcome hold it (A35)."""
    may(round_, event.by, Rule.BONUS_UNLIT, say)
    in_play(round_, say)
    if event.number not in (round_.drawn or ()):
        say(AuditProblem.UNLIT_NOT_DRAWN(number=event.number))
    if set(round_.drawn or ()) <= round_.devices.lit:  # A15
        say(AuditProblem.UNLIT_AFTER_LIT())
    not_bound(round_, (event.by,), say)
    if round_.outcome is not None:
        must_hold(round_)
    else:
        must_void(round_, Rule.BONUS_UNLIT)


def dropped(round_: AuditedRound, event: ev.BallDropped, say: Reporter) -> None:
    _may_or_sensor(round_, event.by, Rule.OUTCOME, say)
    _rolling(round_, event.by, say)
    if round_.dropped or not round_.spun:
        say(AuditProblem.BALL_NOT_ROLLING())
    round_.dropped = True


def at_rest(round_: AuditedRound, event: ev.BallAtRest, say: Reporter) -> None:
    _may_or_sensor(round_, event.by, Rule.OUTCOME, say)
    recovery = round_.devices.recovery
    if recovery is not None and recovery.at_rest != event.number:
        say(AuditProblem.REST_INVENTED(number=event.number))
    _rolling(round_, event.by, say)
    compartment(round_, event.number, say)
    if round_.at_rest is not None or not round_.spun:
        say(AuditProblem.BALL_NOT_ROLLING())
    round_.dropped = True
    round_.at_rest = round_.compartment = event.number


def announced(round_: AuditedRound, event: ev.OutcomeAnnounced, say: Reporter) -> None:
    number = event.number
    may(round_, event.by, Rule.OUTCOME, say)
    compartment(round_, number, say)
    if round_.outcome is not None:
        say(
            AuditProblem.OUTCOME_WAS_ANNOUNCED(number=round_.outcome),
        )
    elif not round_.closed:
        say(AuditProblem.BETTING_WAS_OPEN())
    elif round_.held or round_.void is not None or not round_.spun:
        say(AuditProblem.OUTCOME_IMPOSSIBLE())
    if round_.at_rest not in {None, number}:
        say(
            AuditProblem.BALL_RESTED_ELSEWHERE(number=round_.at_rest),
        )
    game = round_.terms.game
    if game.provides(Rule.SNAPSHOT) and round_.closed and not round_.frozen:
        say(AuditProblem.NOT_FROZEN())
    if game.provides(Rule.BONUS_DRAW) and round_.drawn is None:
        say(AuditProblem.DRAW_MISSING())
    passed_over(round_, number, say)
    has_outcome(round_, number)


def shown(
    round_: AuditedRound, event: ev.DollyPlaced | ev.ResultSent, say: Reporter
) -> None:
    """Check that the result shown to Players is the outcome, or its correction."""
    if event.number != round_.outcome:
        problem = AuditProblem.RESULT_SHOWN(
            number=event.number, expected=str(round_.outcome)
        )
        say(problem)


def irregularity(
    round_: AuditedRound, event: ev.IrregularityReported, say: Reporter
) -> None:
    """Hold the report against the record: void, or held (A32, A33)."""
    _by_staff(round_, event.by, say)
    in_play(round_, say)
    not_bound(round_, (event.by,), say)
    round_.devices.pending.discard(event.irregularity)
    irregular(round_, event.irregularity)


def no_spin(round_: AuditedRound, event: ev.NoSpinAnnounced, say: Reporter) -> None:
    """Void the round by “no spin”; hold it after the outcome, or where unknown (N1)."""
    game = round_.terms.game
    _by_staff(round_, event.by, say)
    in_play(round_, say)
    not_bound(round_, (event.by,), say)
    if not game.provides(Rule.NO_SPIN):
        _hold_unprovided(round_)
        return
    may(round_, event.by, Rule.NO_SPIN, say)
    after_failure = Rule.NO_SPIN_AFTER_POWER_FAILURE
    if round_.outcome is not None:
        must_hold(round_)
    elif round_.power_failed and not round_.dropped and game.provides(after_failure):
        must_void(round_, after_failure)
    else:
        must_void(round_, Rule.NO_SPIN)


def power_failed(round_: AuditedRound, _: ev.PowerFailed, say: Reporter) -> None:
    """Let play go on where the document says so; else hold it (A12, A26)."""
    in_play(round_, say)
    goes_on = Rule.POWER_FAILURE_CONTINUES
    if round_.dropped:
        goes_on = Rule.POWER_FAILURE_AFTER_DROP
    if not round_.terms.game.provides(goes_on):
        _hold_unprovided(round_)
    round_.power_failed = True


def _hold_unprovided(round_: AuditedRound) -> None:
    """Hold what no clause covers (A12); a decided outcome stands all the same (A33)."""
    if round_.decided_by is None:
        known = round_.terms.game.provides(Rule.UNPROVIDED)
        must_hold(round_, Rule.UNPROVIDED if known else Rule.REFERRAL)


def interrupted(round_: AuditedRound, _: ev.RoundInterrupted, say: Reporter) -> None:
    """Conclude a round with an outcome, void one without, or hold it (A20)."""
    in_play(round_, say)
    game, established = round_.terms.game, round_.at_rest is not None
    if established and game.provides(Rule.INTERRUPTION_CONCLUDED):
        return
    if not established and game.provides(Rule.INTERRUPTION_VOIDS):
        must_void(round_, Rule.INTERRUPTION_VOIDS)
    elif round_.decided_by is None:
        must_hold(round_)


def terminals(
    round_: AuditedRound, event: ev.TerminalsInterrupted, say: Reporter
) -> None:
    in_play(round_, say)
    round_.failed_terminals.update(event.terminals)


def _may_or_sensor(
    round_: AuditedRound, person: Person, rule: Rule, say: Reporter
) -> None:
    if not is_word_of_sensor(round_, person, rule):
        may(round_, person, rule, say)


def _rolling(round_: AuditedRound, person: Person, say: Reporter) -> None:
    """Report a fact of the ball outside of play; a sensor sees it while held, too."""
    if not (round_.held and is_word_of_sensor(round_, person, Rule.OUTCOME)):
        in_play(round_, say)


def _by_staff(round_: AuditedRound, person: Person, say: Reporter) -> None:
    if not round_.terms.game.is_staff(person):
        say(AuditProblem.PERSON_NOT_STAFF(person=person.named))


def _betting(round_: AuditedRound, say: Reporter) -> None:
    if round_.closed:
        say(AuditProblem.BETTING_WAS_CLOSED())
    else:
        in_play(round_, say)


ACTS: Mapping[str, Act] = {
    "PlaceYourBetsAnnounced": opened,
    "EarlyCloseAllowed": early_close,
    "BallSpun": spun,
    "NoMoreBetsAnnounced": closed,
    "LayoutFrozen": frozen,
    "BonusNumbersDrawn": drawn,
    "BallDropped": dropped,
    "BallAtRest": at_rest,
    "OutcomeAnnounced": announced,
    "OutcomeDecided": decisions.decided,
    "DollyPlaced": shown,
    "ResultSent": shown,
    "BonusNumberUnlit": unlit,
    "IrregularityReported": irregularity,
    "NoSpinAnnounced": no_spin,
    "PowerFailed": power_failed,
    "RoundInterrupted": interrupted,
    "TerminalsInterrupted": terminals,
    "WagerMarkedUnclear": rulings.unclear,
    "WagerRuled": rulings.ruled,
    "RoundHeld": decisions.held,
    "RoundVoided": decisions.voided,
    "PlayContinued": decisions.continued,
    "OutcomeCorrected": decisions.corrected,
    "BallRestated": decisions.restated,
    "BonusNumbersCorrected": decisions.redrawn,
}
"""By the kind of event; none of these moves money."""
