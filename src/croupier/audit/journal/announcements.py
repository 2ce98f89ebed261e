"""The course of a round: announcements, facts of the ball, holds and voids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.audit.journal import decisions, devices, rulings
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
from croupier.audit.journal.devices import passed_over, recovered_spin
from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound
from croupier.rules import events
from croupier.rules.clause import Rule
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person

Act = Callable[[AuditedRound, Any], None]


def opened(round_: AuditedRound, event: events.PlaceYourBetsAnnounced) -> None:
    may(round_, event.by, Rule.OPENING)
    if round_.opened:
        round_.say(AuditProblem.ROUND_WAS_OPENED)
    round_.opened = True


def early_close(round_: AuditedRound, event: events.EarlyCloseAllowed) -> None:
    may(round_, event.by, Rule.EARLY_CLOSE)
    _betting(round_)
    round_.early_close = True


def spun(round_: AuditedRound, event: events.BallSpun) -> None:
    may(round_, event.by, Rule.SPIN)
    recovered_spin(round_, event.by)
    in_play(round_)
    if round_.spun:
        round_.say(AuditProblem.BALL_WAS_SPUN)
    round_.spun, round_.revolutions = True, event.revolutions
    few = Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
    if event.against_wheel is False:
        irregular(round_, Irregularity.BALL_SAME_DIRECTION)
    elif event.revolutions is None:
        return
    elif event.revolutions < round_.least_revolutions:
        irregular(round_, few)
    elif few in round_.devices.pending:  # A45
        must_hold(round_, over=few.reason)


def closed(round_: AuditedRound, event: events.NoMoreBetsAnnounced) -> None:
    game, record = round_.terms.game, round_.devices
    by_sensor = devices.closes(round_, event)
    if not by_sensor:
        may(round_, event.by, Rule.CLOSING)
    if record.unannounced and round_.outcome is None:
        in_play(round_)
    else:
        _betting(round_)
    sensed = by_sensor or record.unannounced
    early = not (round_.spun or round_.early_close or sensed)
    if early and game.provides(Rule.CLOSE_DURING_SPIN):
        round_.say(AuditProblem.CLOSED_BEFORE_SPIN)
    if event.late != (round_.dropped and not (by_sensor and record.just_dropped)):
        round_.say(AuditProblem.LATENESS_OF_CLOSE)
    if round_.touched and not round_.closed:  # A28
        must_hold(round_)
    record.unannounced, round_.closed = by_sensor and not round_.closed, True


def frozen(round_: AuditedRound, event: events.LayoutFrozen) -> None:
    count, stake = len(round_.wagers), round_.stake_cents
    if (event.wagers, event.stake_cents) != (count, stake):
        sums, counts = (stake, event.stake_cents), {"expected": count}
        counts["found"] = event.wagers
        round_.say(AuditProblem.FROZEN_OTHERWISE, None, sums, **counts)
    round_.frozen = True


def drawn(round_: AuditedRound, event: events.BonusNumbersDrawn) -> None:
    """Check that the draw comes once, after the close or while held (A15, A35)."""
    if not round_.terms.game.provides(Rule.BONUS_DRAW):
        round_.say(AuditProblem.GAME_DRAWS_NONE)
        return
    is_draw(round_, event.numbers)
    if round_.drawn is not None:
        round_.say(AuditProblem.DRAWN_TWICE)
    if not (round_.closed or round_.held) or round_.outcome is not None:
        round_.say(AuditProblem.DRAW_UNTIMELY)
    round_.drawn = event.numbers


def unlit(round_: AuditedRound, event: events.BonusNumberUnlit) -> None:
    """Expect a failed light to void the round; after the outcome, to hold it (A35)."""
    may(round_, event.by, Rule.BONUS_UNLIT)
    in_play(round_)
    if event.number not in (round_.drawn or ()):
        round_.say(AuditProblem.UNLIT_NOT_DRAWN, number=event.number)
    if set(round_.drawn or ()) <= round_.devices.lit:  # A15
        round_.say(AuditProblem.UNLIT_AFTER_LIT)
    not_bound(round_, (event.by,))
    if round_.outcome is not None:
        must_hold(round_)
    else:
        must_void(round_, Rule.BONUS_UNLIT)


def dropped(round_: AuditedRound, event: events.BallDropped) -> None:
    may(round_, event.by, Rule.OUTCOME)
    in_play(round_)
    if round_.dropped or not round_.ball_spun:
        round_.say(AuditProblem.BALL_NOT_ROLLING)
    round_.dropped = True


def at_rest(round_: AuditedRound, event: events.BallAtRest) -> None:
    """Check the keyed rest: once, after a spin, and held against the sensor's (A40)."""
    record, number = round_.devices, event.number
    may(round_, event.by, Rule.OUTCOME)
    recovery = record.recovery
    if recovery is not None and recovery.at_rest != number:
        round_.say(AuditProblem.REST_INVENTED, number=number)
    in_play(round_)
    compartment(round_, number)
    by_sensor = round_.outcome is None and record.at_rest is not None
    is_known = round_.keyed is not None or not (round_.at_rest is None or by_sensor)
    if is_known or not round_.ball_spun:
        round_.say(AuditProblem.BALL_NOT_ROLLING)
    if event.confirmed_by is not None and recovery is None:
        round_.say(AuditProblem.CONFIRMED_NOTHING)
    elif event.confirmed_by is not None:
        record.confirm(number)
    if record.standing_rest not in {None, number}:
        must_hold(round_, over=devices.other_number(record.standing_rest, number))
    round_.keyed = number
    round_.rest(number)


def announced(round_: AuditedRound, event: events.OutcomeAnnounced) -> None:
    number = event.number
    may(round_, event.by, Rule.OUTCOME)
    compartment(round_, number)
    if round_.outcome is not None:
        round_.say(AuditProblem.OUTCOME_WAS_ANNOUNCED, number=round_.outcome)
    elif not round_.closed:
        round_.say(AuditProblem.BETTING_WAS_OPEN)
    elif round_.held or round_.void is not None or not _may_come_up(round_):
        round_.say(AuditProblem.OUTCOME_IMPOSSIBLE)
    if round_.at_rest not in {None, number}:
        round_.say(AuditProblem.BALL_RESTED_ELSEWHERE, number=round_.at_rest)
    game = round_.terms.game
    if game.provides(Rule.SNAPSHOT) and round_.closed and not round_.frozen:
        round_.say(AuditProblem.NOT_FROZEN)
    if game.provides(Rule.BONUS_DRAW) and round_.drawn is None:
        round_.say(AuditProblem.DRAW_MISSING)
    passed_over(round_, number)
    has_outcome(round_, number)


def _may_come_up(round_: AuditedRound) -> bool:
    """Return whether the Dealer spun, or a sensor saw it before the crash (A52)."""
    goes_on = round_.terms.game.provides(Rule.INTERRUPTION_CONCLUDED)
    return round_.spun or (goes_on and round_.interrupted and round_.devices.spun)


def shown(round_: AuditedRound, event: events.DollyPlaced | events.ResultSent) -> None:
    """Check that the result shown to Players is the outcome, or its correction."""
    if event.number != round_.outcome:
        problem, outcome = AuditProblem.RESULT_SHOWN, round_.outcome
        round_.say(problem, number=event.number, expected=outcome)


def irregularity(round_: AuditedRound, event: events.IrregularityReported) -> None:
    """Compare the report with the record: the round is void, or held (A32, A33)."""
    _by_staff(round_, event.by)
    in_play(round_)
    not_bound(round_, (event.by,))
    irregular(round_, event.irregularity)


def no_spin(round_: AuditedRound, event: events.NoSpinAnnounced) -> None:
    """Void the round by “no spin”; hold it after the outcome, or if unknown (N1)."""
    game = round_.terms.game
    _by_staff(round_, event.by)
    in_play(round_)
    not_bound(round_, (event.by,))
    if not game.provides(Rule.NO_SPIN):
        _hold_unprovided(round_)
        return
    may(round_, event.by, Rule.NO_SPIN)
    after_failure = Rule.NO_SPIN_AFTER_POWER_FAILURE
    if round_.outcome is not None:
        must_hold(round_)
    elif round_.power_failed and not round_.dropped and game.provides(after_failure):
        must_void(round_, after_failure)
    else:
        must_void(round_, Rule.NO_SPIN)


def power_failed(round_: AuditedRound, _: events.PowerFailed) -> None:
    """Let play go on if the document says so; else hold it (A12, A26)."""
    in_play(round_)
    goes_on = Rule.POWER_FAILURE_CONTINUES
    if round_.dropped:
        goes_on = Rule.POWER_FAILURE_AFTER_DROP
    if not round_.terms.game.provides(goes_on):
        _hold_unprovided(round_)
    round_.power_failed = True


def _hold_unprovided(round_: AuditedRound) -> None:
    """Expect a hold if no clause applies (A12), but not after a decision (A33)."""
    if round_.decided_by is None:
        known = round_.terms.game.provides(Rule.UNPROVIDED)
        must_hold(round_, Rule.UNPROVIDED if known else Rule.REFERRAL)


def interrupted(round_: AuditedRound, _: events.RoundInterrupted) -> None:
    """Conclude a round with an outcome, void one without, or hold it (A20)."""
    in_play(round_)
    round_.interrupted = True
    game, established = round_.terms.game, round_.at_rest is not None
    if established and game.provides(Rule.INTERRUPTION_CONCLUDED):
        return
    if not established and game.provides(Rule.INTERRUPTION_VOIDS):
        must_void(round_, Rule.INTERRUPTION_VOIDS)
    elif round_.decided_by is None:
        must_hold(round_)


def terminals(round_: AuditedRound, event: events.TerminalsInterrupted) -> None:
    in_play(round_)
    round_.failed_terminals.update(event.terminals)


def _by_staff(round_: AuditedRound, person: Person) -> None:
    if not round_.terms.game.is_staff(person):
        round_.say(AuditProblem.PERSON_NOT_STAFF, person=person.named)


def _betting(round_: AuditedRound) -> None:
    if round_.closed:
        round_.say(AuditProblem.BETTING_WAS_CLOSED)
    else:
        in_play(round_)


ACTS: Mapping[str, Act] = {
    "PlaceYourBetsAnnounced": opened,
    "EarlyCloseAllowed": early_close,
    "BallSpun": spun,
    "NoMoreBetsAnnounced": closed,
    "LayoutFrozen": frozen,
    "BonusNumbersDrawn": drawn,
    "BallDropped": dropped,
    "BallAtRest": at_rest,
    "SensorReported": devices.sensed,
    "ReportAnswered": devices.answered,
    "WheelDisputed": devices.disputed,
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
"""The handlers by kind of event; none of these moves money."""
