"""The course of a round: announcements, facts of the ball, what holds or voids it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, Reporter
from croupier.rules import events as ev
from croupier.rules.clause import Rule
from croupier.rules.operator import Person
from croupier.rules.wheel import Number

Act = Callable[[AuditedRound, Any, Reporter], None]


def opened(
    round_: AuditedRound, event: ev.PlaceYourBetsAnnounced, say: Reporter
) -> None:
    _may(round_, event.by, Rule.OPENING, say)
    if round_.opened:
        say(AuditProblem.ROUND_WAS_OPENED())
    round_.opened = True


def early_close(
    round_: AuditedRound, event: ev.EarlyCloseAllowed, say: Reporter
) -> None:
    _may(round_, event.by, Rule.EARLY_CLOSE, say)
    _betting(round_, say)
    round_.early_close = True


def spun(round_: AuditedRound, event: ev.BallSpun, say: Reporter) -> None:
    _may(round_, event.by, Rule.SPIN, say)
    _in_play(round_, say)
    if round_.spun:
        say(AuditProblem.BALL_WAS_SPUN())
    round_.spun = True


def closed(round_: AuditedRound, event: ev.NoMoreBetsAnnounced, say: Reporter) -> None:
    game = round_.terms.game
    _may(round_, event.by, Rule.CLOSING, say)
    _betting(round_, say)
    early = not round_.spun and not round_.early_close
    if early and game.provides(Rule.CLOSE_DURING_SPIN):
        say(AuditProblem.CLOSED_BEFORE_SPIN())
    round_.closed = True


def frozen(round_: AuditedRound, event: ev.LayoutFrozen, say: Reporter) -> None:
    count, stake = len(round_.wagers), round_.stake_cents
    if (event.wagers, event.stake_cents) != (count, stake):
        problem = AuditProblem.FROZEN_OTHERWISE(expected=count, found=event.wagers)
        say(problem, None, stake, event.stake_cents)
    round_.frozen = True


def drawn(round_: AuditedRound, event: ev.BonusNumbersDrawn, say: Reporter) -> None:
    """Check for so many different numbers, once, between close and outcome (A15)."""
    game = round_.terms.game
    if not game.provides(Rule.BONUS_DRAW):
        say(AuditProblem.GAME_DRAWS_NONE())
        return
    count = game.row(Rule.BONUS_DRAW).amount
    different = set(event.numbers)
    if len(different) != count or len(event.numbers) != count:
        say(AuditProblem.DRAW_SIZE(count=count))
    if not different <= set(game.numbers):
        say(AuditProblem.DRAW_UNKNOWN_NUMBER())
    if round_.drawn is not None:
        say(AuditProblem.DRAWN_TWICE())
    if not round_.closed or round_.outcome is not None:
        say(AuditProblem.DRAW_UNTIMELY())
    round_.drawn = event.numbers


def at_rest(round_: AuditedRound, event: ev.BallAtRest, say: Reporter) -> None:
    _may(round_, event.by, Rule.OUTCOME, say)
    _in_play(round_, say)
    _compartment(round_, event.number, say)
    if round_.at_rest is not None or not round_.spun:
        say(AuditProblem.BALL_NOT_ROLLING())
    round_.at_rest = event.number


def announced(round_: AuditedRound, event: ev.OutcomeAnnounced, say: Reporter) -> None:
    number = event.number
    _may(round_, event.by, Rule.OUTCOME, say)
    _compartment(round_, number, say)
    if round_.outcome is not None:
        say(
            AuditProblem.OUTCOME_WAS_ANNOUNCED(number=round_.outcome),
        )
    elif not round_.closed:
        say(AuditProblem.BETTING_WAS_OPEN())
    elif round_.held or round_.void or not round_.spun:
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
    _has_outcome(round_, number)


def decided(round_: AuditedRound, event: ev.OutcomeDecided, say: Reporter) -> None:
    _may(round_, event.by, Rule.REFERRAL, say)
    _compartment(round_, event.number, say)
    if not round_.held:
        say(AuditProblem.ROUND_WAS_NOT_HELD())
    round_.held = False
    _has_outcome(round_, event.number)


def _has_outcome(round_: AuditedRound, number: Number) -> None:
    round_.closed = True
    round_.at_rest = round_.outcome = number


def shown(
    round_: AuditedRound, event: ev.DollyPlaced | ev.ResultSent, say: Reporter
) -> None:
    """Check that the result shown to Players is the outcome, or its correction."""
    if event.number != round_.outcome:
        problem = AuditProblem.RESULT_SHOWN(
            number=event.number, expected=str(round_.outcome)
        )
        say(problem)


def held(round_: AuditedRound, _: ev.RoundHeld, say: Reporter) -> None:
    _in_play(round_, say)
    round_.held = True


def reported(round_: AuditedRound, _: object, say: Reporter) -> None:
    """Check that the round is in play: so for irregularities and interruptions."""
    _in_play(round_, say)


def voided(round_: AuditedRound, _: ev.RoundVoided, say: Reporter) -> None:
    """Void the round; a settled one only where a clause voids previous rounds (A21)."""
    if round_.void:
        say(AuditProblem.ROUND_WAS_VOID())
    if not round_.opened:
        say(AuditProblem.ROUND_UNOPENED())
    if round_.settled is not None:
        if not round_.terms.game.provides(Rule.VOID_ROUNDS):
            say(AuditProblem.ROUND_NOT_REOPENED())
        round_.settlement_due = True
    round_.void, round_.held = True, False


def corrected(round_: AuditedRound, event: ev.OutcomeCorrected, say: Reporter) -> None:
    """Check that two people correct what was recorded to another one (A25, A29)."""
    if event.number != round_.outcome:
        problem = AuditProblem.CORRECTED_FROM(
            expected=str(round_.outcome), number=event.number
        )
        say(problem)
    if event.corrected_to == event.number:
        say(AuditProblem.CORRECTED_TO_SAME())
    if round_.void or round_.held or round_.outcome is None:
        say(AuditProblem.NOTHING_TO_CORRECT())
    _compartment(round_, event.corrected_to, say)
    _two_people(round_, event.by, say)
    round_.outcome = event.corrected_to
    round_.settlement_due = round_.settled is not None


def _two_people(
    round_: AuditedRound, people: tuple[Person, ...], say: Reporter
) -> None:
    game = round_.terms.game
    able = {person.name for person in people if game.may(person, Rule.CORRECTION)}
    second = {person.name for person in people if game.may(person, Rule.TWO_PEOPLE)}
    if not able:
        say(AuditProblem.CORRECTED_BY_NOBODY())
    elif game.provides(Rule.TWO_PEOPLE) and not (second and len(able | second) > 1):
        say(AuditProblem.CORRECTED_BY_ONE())


def _may(round_: AuditedRound, person: Person, rule: Rule, say: Reporter) -> None:
    if not round_.terms.game.may(person, rule):
        say(
            AuditProblem.PERSON_MAY_NOT(person=person.named, rule=rule.value),
        )


def _betting(round_: AuditedRound, say: Reporter) -> None:
    if round_.closed:
        say(AuditProblem.BETTING_WAS_CLOSED())
    else:
        _in_play(round_, say)


def _in_play(round_: AuditedRound, say: Reporter) -> None:
    if not round_.opened:
        say(AuditProblem.ROUND_UNOPENED())
    elif round_.void or round_.settled is not None:
        say(AuditProblem.ROUND_WAS_OVER())
    elif round_.held:
        say(AuditProblem.ROUND_WAS_HELD())


def _compartment(round_: AuditedRound, number: Number, say: Reporter) -> None:
    if number not in round_.terms.compiled.number_index:
        say(AuditProblem.COMPARTMENT_MISSING(number=number))


ACTS: Mapping[str, Act] = {
    "PlaceYourBetsAnnounced": opened,
    "EarlyCloseAllowed": early_close,
    "BallSpun": spun,
    "NoMoreBetsAnnounced": closed,
    "LayoutFrozen": frozen,
    "BonusNumbersDrawn": drawn,
    "BallDropped": reported,
    "BallAtRest": at_rest,
    "OutcomeAnnounced": announced,
    "OutcomeDecided": decided,
    "DollyPlaced": shown,
    "ResultSent": shown,
    "BonusNumberUnlit": reported,
    "IrregularityReported": reported,
    "NoSpinAnnounced": reported,
    "PowerFailed": reported,
    "RoundInterrupted": reported,
    "TerminalsInterrupted": reported,
    "RoundHeld": held,
    "RoundVoided": voided,
    "OutcomeCorrected": corrected,
}
"""By the kind of event; none of these moves money."""
