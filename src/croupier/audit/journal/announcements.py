"""The course of a round: announcements, facts of the ball, what holds or voids it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.audit.journal.rounds import AuditedRound, Reporter
from croupier.journal.findings import FindingKind
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
        say(FindingKind.OUT_OF_ORDER, "the round had been opened already")
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
        say(FindingKind.OUT_OF_ORDER, "the ball had been spun already")
    round_.spun = True


def closed(round_: AuditedRound, event: ev.NoMoreBetsAnnounced, say: Reporter) -> None:
    game = round_.terms.game
    _may(round_, event.by, Rule.CLOSING, say)
    _betting(round_, say)
    early = not round_.spun and not round_.early_close
    if early and game.provides(Rule.CLOSE_DURING_SPIN):
        say(FindingKind.OUT_OF_ORDER, "“No more bets” came before the spin")
    round_.closed = True


def frozen(round_: AuditedRound, event: ev.LayoutFrozen, say: Reporter) -> None:
    lying, stake = len(round_.lying), round_.stake_cents
    if (event.wagers, event.stake_cents) != (lying, stake):
        problem = f"{lying} wagers lay there, {event.wagers} were frozen"
        say(FindingKind.LAYOUT_FROZEN, problem, None, stake, event.stake_cents)
    round_.frozen = True


def drawn(round_: AuditedRound, event: ev.BonusNumbersDrawn, say: Reporter) -> None:
    """Check for so many different numbers, once, between close and outcome (A15)."""
    game = round_.terms.game
    if not game.provides(Rule.BONUS_DRAW):
        say(FindingKind.BONUS_DRAW, "the game draws no Bonus Numbers")
        return
    count = game.row(Rule.BONUS_DRAW).amount
    different = set(event.numbers)
    if len(different) != count or len(event.numbers) != count:
        say(FindingKind.BONUS_DRAW, f"a draw is {count} different numbers")
    if not different <= set(game.numbers):
        say(FindingKind.BONUS_DRAW, "a number that the game lacks was drawn")
    if round_.drawn is not None:
        say(FindingKind.BONUS_DRAW, "the Bonus Numbers were drawn a second time")
    if not round_.closed or round_.outcome is not None:
        say(
            FindingKind.BONUS_DRAW, "the draw was not between the close and the outcome"
        )
    round_.drawn = event.numbers


def at_rest(round_: AuditedRound, event: ev.BallAtRest, say: Reporter) -> None:
    _may(round_, event.by, Rule.OUTCOME, say)
    _in_play(round_, say)
    _compartment(round_, event.number, say)
    if round_.at_rest is not None or not round_.spun:
        say(FindingKind.OUT_OF_ORDER, "the ball was not rolling")
    round_.at_rest = event.number


def announced(round_: AuditedRound, event: ev.OutcomeAnnounced, say: Reporter) -> None:
    number = event.number
    _may(round_, event.by, Rule.OUTCOME, say)
    _compartment(round_, number, say)
    if round_.outcome is not None:
        say(FindingKind.OUTCOME_TWICE, f"{round_.outcome} had been announced")
    elif not round_.closed:
        say(FindingKind.OUTCOME_BEFORE_CLOSE, "the betting had not been closed")
    elif round_.held or round_.void or not round_.spun:
        say(FindingKind.OUT_OF_ORDER, "the round could have no outcome then")
    if round_.at_rest not in {None, number}:
        say(
            FindingKind.OUTCOME_NOT_AT_REST,
            f"the ball came to rest in {round_.at_rest}",
        )
    game = round_.terms.game
    if game.provides(Rule.SNAPSHOT) and round_.closed and not round_.frozen:
        say(FindingKind.LAYOUT_FROZEN, "the layout was not frozen at the close")
    if game.provides(Rule.BONUS_DRAW) and round_.drawn is None:
        say(FindingKind.BONUS_DRAW, "no Bonus Numbers had been drawn")
    _has_outcome(round_, number)


def decided(round_: AuditedRound, event: ev.OutcomeDecided, say: Reporter) -> None:
    _may(round_, event.by, Rule.REFERRAL, say)
    _compartment(round_, event.number, say)
    if not round_.held:
        say(FindingKind.OUT_OF_ORDER, "the round was not held for a decision")
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
        problem = f"{event.number} was shown as the result, not {round_.outcome}"
        say(FindingKind.WINNING_NUMBER, problem)


def held(round_: AuditedRound, _: ev.RoundHeld, say: Reporter) -> None:
    _in_play(round_, say)
    round_.held = True


def reported(round_: AuditedRound, _: object, say: Reporter) -> None:
    """Check that the round is in play: so for irregularities and interruptions."""
    _in_play(round_, say)


def voided(round_: AuditedRound, _: ev.RoundVoided, say: Reporter) -> None:
    """Void the round; a settled one only where a clause voids previous rounds (A21)."""
    if round_.void:
        say(FindingKind.OUT_OF_ORDER, "the round was void already")
    if not round_.opened:
        say(FindingKind.OUT_OF_ORDER, "the round had not been opened")
    if round_.settled is not None:
        if not round_.terms.game.provides(Rule.VOID_ROUNDS):
            say(
                FindingKind.OUT_OF_ORDER, "settled rounds are not reopened in this game"
            )
        round_.settlement_due = True
    round_.void, round_.held = True, False


def corrected(round_: AuditedRound, event: ev.OutcomeCorrected, say: Reporter) -> None:
    """Check that two people correct what was recorded to another one (A25, A29)."""
    if event.number != round_.outcome:
        problem = f"the outcome was {round_.outcome}, not {event.number}"
        say(FindingKind.CORRECTION, problem)
    if event.corrected_to == event.number:
        say(FindingKind.CORRECTION, "it was corrected to what it was")
    if round_.void or round_.held or round_.outcome is None:
        say(FindingKind.CORRECTION, "the round had no outcome to correct")
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
        say(FindingKind.CORRECTION, "nobody of them may correct an outcome")
    elif game.provides(Rule.TWO_PEOPLE) and not (second and len(able | second) > 1):
        say(FindingKind.CORRECTION, "it was not made by two people who may")


def _may(round_: AuditedRound, person: Person, rule: Rule, say: Reporter) -> None:
    if not round_.terms.game.may(person, rule):
        say(FindingKind.POSITION, f"{person} may not: {rule.value}")


def _betting(round_: AuditedRound, say: Reporter) -> None:
    if round_.closed:
        say(FindingKind.OUT_OF_ORDER, "the betting had been closed already")
    else:
        _in_play(round_, say)


def _in_play(round_: AuditedRound, say: Reporter) -> None:
    if not round_.opened:
        say(FindingKind.OUT_OF_ORDER, "the round had not been opened")
    elif round_.void or round_.settled is not None:
        say(FindingKind.OUT_OF_ORDER, "the round was over")
    elif round_.held:
        say(FindingKind.OUT_OF_ORDER, "the round was held for a decision")


def _compartment(round_: AuditedRound, number: Number, say: Reporter) -> None:
    if number not in round_.terms.compiled.number_index:
        say(FindingKind.NO_COMPARTMENT, f"the game has no compartment {number}")


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
