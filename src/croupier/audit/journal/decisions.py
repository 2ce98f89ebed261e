"""Holds, voids, decisions and corrections: who may change what of a round.

Laws of this file:
- a report is held against the record: void at once only where it allows it (A32);
- a decision binds all below, and never goes against the ball on record (A33);
- no outcome is decided without a spin, nor without the draw of the game (A35, A44).
"""

from __future__ import annotations

from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, Consequence, Reporter
from croupier.rules import events as ev
from croupier.rules.clause import Rule
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person
from croupier.rules.wheel import Number, list_numbers

_DENIED_BY_REST = frozenset(
    {
        Irregularity.FOREIGN_OBJECT,
        Irregularity.WHEEL_STOPPED,
        Irregularity.BALL_NOT_IN_COMPARTMENT,
        Irregularity.BALL_OUT_OF_WHEEL,
    }
)


_DISPUTES = "A40"
"""The reading by which two people end a dispute with the devices."""


def must_hold(round_: AuditedRound, rule: Rule = Rule.REFERRAL) -> None:
    """Expect the round to be held next."""
    round_.due = Consequence(False, round_.terms.game.clause(rule))


def must_void(round_: AuditedRound, rule: Rule) -> None:
    """Expect the round to be void next."""
    round_.due = Consequence(True, round_.terms.game.clause(rule))


def irregular(round_: AuditedRound, irregularity: Irregularity) -> None:
    """Expect what the irregularity asks for, by the record of the round (A32)."""
    clause = round_.terms.game.voiding.get(irregularity)
    if clause is None or _is_disputed(round_, irregularity):
        must_hold(round_)
    else:
        round_.due = Consequence(True, clause)


def _is_disputed(round_: AuditedRound, irregularity: Irregularity) -> bool:
    if round_.outcome is not None:
        return True
    if irregularity is Irregularity.FEWER_THAN_FOUR_REVOLUTIONS:
        least = round_.terms.game.row(Rule.SPIN).amount
        counts = (round_.revolutions, round_.devices.revolutions)
        return any(count is not None and count >= least for count in counts)
    return round_.at_rest is not None and irregularity in _DENIED_BY_REST


def held(round_: AuditedRound, event: ev.RoundHeld, say: Reporter) -> None:
    in_play(round_, say)
    due, round_.due = round_.due, None
    if due is None:
        round_.cites(event.clause, Rule.REFERRAL, say)
    elif due.is_void:
        say(AuditProblem.HELD_NOT_VOID(clause=str(due.clause)))
    else:
        round_.cites_clause(event.clause, due.clause, say)
    round_.held = True


def voided(round_: AuditedRound, event: ev.RoundVoided, say: Reporter) -> None:
    """Void the round; a settled one only by decision, or where a ball broke (A21)."""
    game = round_.terms.game
    due, round_.due = round_.due, None
    by_decision = event.clause == game.clause(Rule.REFERRAL)
    by_break = game.provides(Rule.VOID_ROUNDS) and event.clause == game.clause(
        Rule.VOID_ROUNDS
    )
    if due is not None and due.is_void:
        round_.cites_clause(event.clause, due.clause, say)
    elif due is not None:
        say(AuditProblem.VOID_NOT_HELD(clause=str(due.clause)))
    elif not by_decision and not by_break:
        say(AuditProblem.VOIDED_BY_NOTHING())
    if round_.void is not None and not (by_decision and _is_decided_void(round_)):
        say(AuditProblem.ROUND_WAS_VOID())
    if not round_.opened:
        say(AuditProblem.ROUND_UNOPENED())
    if round_.settled is not None:
        if not by_decision and not by_break:
            say(AuditProblem.ROUND_NOT_REOPENED())
        round_.settlement_due = True
    round_.void, round_.held = event.clause, False


def _is_decided_void(round_: AuditedRound) -> bool:
    """Return whether a decision voided the round, and it was settled so (A41)."""
    referral = round_.terms.game.clause(Rule.REFERRAL)
    return round_.settled is not None and round_.void == referral


def decided(round_: AuditedRound, event: ev.OutcomeDecided, say: Reporter) -> None:
    """Check a decided outcome: who, when, after a spin, by the ball on record."""
    game = round_.terms.game
    may(round_, event.by, Rule.REFERRAL, say)
    round_.cites(event.clause, Rule.REFERRAL, say)
    compartment(round_, event.number, say)
    again = round_.decided_by is not None and round_.void is None
    if not (round_.held or again or round_.settled is not None):
        say(AuditProblem.ROUND_WAS_NOT_HELD())
    if round_.void is not None and not _is_decided_void(round_):
        say(AuditProblem.ROUND_WAS_VOID())
    if not (round_.spun or round_.dropped):
        say(AuditProblem.DECIDED_WITHOUT_SPIN())
    if round_.compartment not in {None, event.number}:
        say(AuditProblem.BALL_RESTED_ELSEWHERE(number=round_.compartment))
    elif round_.devices.at_rest not in {None, event.number}:
        say(AuditProblem.SENSOR_AGAINST(number=round_.devices.at_rest))
    if game.provides(Rule.BONUS_DRAW) and round_.drawn is None:
        say(AuditProblem.DRAW_MISSING())
    round_.settlement_due = round_.settled is not None
    round_.void, round_.held, round_.decided_by = None, False, event.by
    has_outcome(round_, event.number)


def has_outcome(round_: AuditedRound, number: Number) -> None:
    """Note the number that came up."""
    round_.closed = round_.dropped = True
    round_.at_rest = round_.outcome = number


def continued(round_: AuditedRound, event: ev.PlayContinued, say: Reporter) -> None:
    """Take the hold away: the round goes on where it was (A40, A44)."""
    devices = round_.devices
    if event.clause == round_.terms.game.cite(_DISPUTES):
        if not devices.confirmed:
            say(AuditProblem.CONTINUED_BY_NOBODY())
    else:
        may(round_, event.by, Rule.REFERRAL, say)
        round_.cites(event.clause, Rule.REFERRAL, say)
    devices.stray, devices.in_dispute, devices.confirmed = None, False, False
    devices.pending.clear()
    if not round_.held:
        say(AuditProblem.ROUND_WAS_NOT_HELD())
    round_.held = False


def not_bound(round_: AuditedRound, people: tuple[Person, ...], say: Reporter) -> None:
    """Report what changes a decided outcome by people who may not decide (A33)."""
    by = round_.decided_by
    decides = round_.terms.game.may
    if by is not None and not any(decides(each, Rule.REFERRAL) for each in people):
        say(AuditProblem.DECISION_OVERRIDDEN(person=by.named))


def corrected(round_: AuditedRound, event: ev.OutcomeCorrected, say: Reporter) -> None:
    """Check that two people correct what was recorded to another one (A25, A29)."""
    if event.number != round_.outcome:
        problem = AuditProblem.CORRECTED_FROM(
            expected=str(round_.outcome), number=event.number
        )
        say(problem)
    _puts_right(round_, event, Rule.CORRECTION, say)
    if round_.void is not None or round_.held or round_.outcome is None:
        say(AuditProblem.NOTHING_TO_CORRECT())
    compartment(round_, event.corrected_to, say)
    not_bound(round_, event.by, say)
    round_.outcome = round_.at_rest = event.corrected_to
    _answer_devices(round_, event.corrected_to)
    if round_.compartment is not None:
        round_.compartment = event.corrected_to
    round_.settlement_due = round_.settled is not None


def restated(round_: AuditedRound, event: ev.BallRestated, say: Reporter) -> None:
    """Check that two people restate the ball before any announcement (A34)."""
    if event.number != round_.compartment:
        problem = AuditProblem.RESTATED_FROM(
            expected=str(round_.compartment), number=str(event.number)
        )
        say(problem)
    _puts_right(round_, event, Rule.CORRECTION, say)
    over = round_.void is not None or round_.settled is not None
    if over or round_.outcome is not None:
        say(AuditProblem.RESTATED_LATE())
    compartment(round_, event.corrected_to, say)
    _answer_devices(round_, event.corrected_to)
    round_.at_rest = round_.compartment = event.corrected_to


def _answer_devices(round_: AuditedRound, number: Number) -> None:
    """Let what two people put right stand for what the sensor saw (A40)."""
    devices = round_.devices
    if devices.at_rest is not None:
        devices.at_rest, devices.stray, devices.confirmed = number, None, True
        devices.pending.clear()


def redrawn(
    round_: AuditedRound, event: ev.BonusNumbersCorrected, say: Reporter
) -> None:
    """Check that two people put the recorded draw right (A35)."""
    if round_.drawn is None or set(event.numbers) != set(round_.drawn):
        say(AuditProblem.REDRAWN_FROM())
    _puts_right(round_, event, Rule.BONUS_DRAW, say)
    if round_.void is not None or round_.held:
        say(AuditProblem.NOTHING_TO_CORRECT())
    is_draw(round_, event.corrected_to, say)
    not_bound(round_, event.by, say)
    round_.drawn = event.corrected_to
    round_.settlement_due = round_.settled is not None


def _puts_right(
    round_: AuditedRound,
    event: ev.OutcomeCorrected | ev.BallRestated | ev.BonusNumbersCorrected,
    rule: Rule,
    say: Reporter,
) -> None:
    """Check the two people, the clause, and that something was changed."""
    before = event.number if hasattr(event, "number") else event.numbers
    if event.corrected_to == before:
        say(AuditProblem.CORRECTED_TO_SAME())
    round_.cites(event.clause, rule, say)
    _two_people(round_, event.by, say)


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


def is_draw(round_: AuditedRound, numbers: tuple[Number, ...], say: Reporter) -> None:
    """Check for so many different numbers of the game (1.1.1)."""
    game = round_.terms.game
    count, different = game.row(Rule.BONUS_DRAW).amount, set(numbers)
    if len(different) != count or len(numbers) != count:
        say(AuditProblem.DRAW_SIZE(count=count))
    if not different <= set(game.numbers):
        say(AuditProblem.DRAW_UNKNOWN_NUMBER(numbers=list_numbers(game.numbers)))


def may(round_: AuditedRound, person: Person, rule: Rule, say: Reporter) -> None:
    """Report somebody whose position does not allow what they did."""
    if not round_.terms.game.may(person, rule):
        say(AuditProblem.PERSON_MAY_NOT(person=person.named, rule=rule.value))


def in_play(round_: AuditedRound, say: Reporter) -> None:
    """Report an act in a round that is unopened, over or held."""
    if not round_.opened:
        say(AuditProblem.ROUND_UNOPENED())
    elif round_.void is not None or round_.settled is not None:
        say(AuditProblem.ROUND_WAS_OVER())
    elif round_.held:
        say(AuditProblem.ROUND_WAS_HELD())


def compartment(round_: AuditedRound, number: Number, say: Reporter) -> None:
    """Report a number that the wheel of the game lacks."""
    game = round_.terms.game
    if number not in game.numbers:
        numbers = list_numbers(game.numbers)
        say(AuditProblem.COMPARTMENT_MISSING(number=number, numbers=numbers))
