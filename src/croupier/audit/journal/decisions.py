"""Holds, voids, decisions and corrections of a round.

Laws of this file:
- a report voids a round at once if the record agrees, else it holds the round (A32);
- a decision binds all lower positions, and never contradicts the ball on record (A33);
- no outcome is decided without a spin, nor without the draw of the game (A35, A44).
"""

from __future__ import annotations

from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, Consequence
from croupier.rules import events
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.rules.wheel import Number, list_numbers

DENIED_BY_REST = frozenset(
    {
        Irregularity.FOREIGN_OBJECT,
        Irregularity.WHEEL_STOPPED,
        Irregularity.BALL_NOT_IN_COMPARTMENT,
        Irregularity.BALL_OUT_OF_WHEEL,
    }
)


_DISPUTES = "A45"
"""The reading on the end of a dispute with the sensor."""


def must_hold(
    round_: AuditedRound, rule: Rule = Rule.REFERRAL, over: Reason | None = None
) -> None:
    round_.due = Consequence(False, round_.terms.game.clause(rule), over)


def must_void(round_: AuditedRound, rule: Rule) -> None:
    round_.due = Consequence(True, round_.terms.game.clause(rule))


def irregular(round_: AuditedRound, irregularity: Irregularity) -> None:
    """Expect the irregularity's consequence, by the record of the round (A32)."""
    clause = round_.terms.game.voiding.get(irregularity)
    if clause is None or _is_disputed(round_, irregularity):
        must_hold(round_)
    else:
        round_.due = Consequence(True, clause)


def _is_disputed(round_: AuditedRound, irregularity: Irregularity) -> bool:
    devices = round_.devices
    if round_.outcome is not None or irregularity in devices.rejected:
        return True
    if irregularity is Irregularity.FEWER_THAN_FOUR_REVOLUTIONS:
        counted = max(round_.revolutions or 0, devices.revolutions)
        return counted >= round_.least_revolutions
    return round_.at_rest is not None and irregularity in DENIED_BY_REST


def held(round_: AuditedRound, event: events.RoundHeld) -> None:
    in_play(round_)
    due, round_.due = round_.due, None
    if due is None:
        round_.cites(event.clause, Rule.REFERRAL)
    elif due.is_void:
        round_.say(AuditProblem.HELD_NOT_VOID, clause=due.clause)
    else:
        round_.cites_clause(event.clause, due.clause)
    round_.held = True


def voided(round_: AuditedRound, event: events.RoundVoided) -> None:
    """Void the round; a settled one only by decision, or if a ball broke (A21)."""
    game = round_.terms.game
    due, round_.due = round_.due, None
    by_decision = event.clause == game.clause(Rule.REFERRAL)
    by_break = game.provides(Rule.VOID_ROUNDS) and event.clause == game.clause(
        Rule.VOID_ROUNDS
    )
    if due is not None and due.is_void:
        round_.cites_clause(event.clause, due.clause)
    elif due is not None:
        round_.say(AuditProblem.VOID_NOT_HELD, clause=due.clause)
    elif not by_decision and not by_break:
        round_.say(AuditProblem.VOIDED_BY_NOTHING)
    if round_.void is not None and not (by_decision and _is_decided_void(round_)):
        round_.say(AuditProblem.ROUND_WAS_VOID)
    if not round_.opened:
        round_.say(AuditProblem.ROUND_UNOPENED)
    if round_.settled is not None:
        if not by_decision and not by_break:
            round_.say(AuditProblem.ROUND_NOT_REOPENED)
        round_.settlement_due = True
    round_.void, round_.held = event.clause, False


def _is_decided_void(round_: AuditedRound) -> bool:
    """Return whether a decision voided the round, and it was settled so (A41)."""
    referral = round_.terms.game.clause(Rule.REFERRAL)
    return round_.settled is not None and round_.void == referral


def decided(round_: AuditedRound, event: events.OutcomeDecided) -> None:
    """Check a decided outcome: its person, time, spin, and the ball on record."""
    game = round_.terms.game
    may(round_, event.by, Rule.REFERRAL)
    round_.cites(event.clause, Rule.REFERRAL)
    compartment(round_, event.number)
    again = round_.decided_by is not None and round_.void is None
    if not (round_.held or again or round_.settled is not None):
        round_.say(AuditProblem.ROUND_WAS_NOT_HELD)
    if round_.void is not None and not _is_decided_void(round_):
        round_.say(AuditProblem.ROUND_WAS_VOID)
    if not (round_.ball_spun or round_.dropped):
        round_.say(AuditProblem.DECIDED_WITHOUT_SPIN)
    for seen in (round_.compartment, round_.keyed):
        if seen not in {None, event.number}:
            round_.say(AuditProblem.BALL_RESTED_ELSEWHERE, number=seen)
            break
    else:
        seen = round_.devices.standing_rest
        if seen not in {None, event.number}:
            round_.say(AuditProblem.SENSOR_AGAINST, number=seen)
    if game.provides(Rule.BONUS_DRAW) and round_.drawn is None:
        round_.say(AuditProblem.DRAW_MISSING)
    round_.settlement_due = round_.settled is not None
    round_.void, round_.held, round_.decided_by = None, False, event.by
    has_outcome(round_, event.number)


def has_outcome(round_: AuditedRound, number: Number) -> None:
    round_.closed = round_.dropped = True
    round_.at_rest = round_.outcome = number


def continued(round_: AuditedRound, event: events.PlayContinued) -> None:
    """End the hold: the round goes on (A44, A45, A52)."""
    devices = round_.devices
    if event.clause == round_.terms.game.cite(_DISPUTES):
        waits = round_.outcome is not None and devices.pending
        if waits or not devices.is_dispute_over:
            round_.say(AuditProblem.CONTINUED_UNANSWERED)
    else:
        may(round_, event.by, Rule.REFERRAL)
        round_.cites(event.clause, Rule.REFERRAL)
        devices.answer(frozenset(devices.pending))
        devices.stray = None
    devices.go_on()
    if not round_.held:
        round_.say(AuditProblem.ROUND_WAS_NOT_HELD)
    round_.held = False


def not_bound(round_: AuditedRound, people: tuple[Person, ...]) -> None:
    """Report a change of a decided outcome by people who may not decide (A33)."""
    by = round_.decided_by
    decides = round_.terms.game.may
    if by is not None and not any(decides(each, Rule.REFERRAL) for each in people):
        round_.say(AuditProblem.DECISION_OVERRIDDEN, person=by.named)


def corrected(round_: AuditedRound, event: events.OutcomeCorrected) -> None:
    """Check that two people correct the recorded outcome to another (A25, A29)."""
    if event.number != round_.outcome:
        problem, outcome = AuditProblem.CORRECTED_FROM, round_.outcome
        round_.say(problem, expected=outcome, number=event.number)
    _puts_right(round_, event, Rule.CORRECTION)
    restates = round_.held and round_.devices.confirmed == event.corrected_to
    if not restates:
        _contradicts(round_, event)
    is_stopped = round_.void is not None or (round_.held and not restates)
    if is_stopped or round_.outcome is None:
        round_.say(AuditProblem.NOTHING_TO_CORRECT)
    compartment(round_, event.corrected_to)
    not_bound(round_, event.by)
    round_.outcome = round_.at_rest = event.corrected_to
    if round_.compartment is not None:
        round_.compartment = event.corrected_to
    if round_.keyed is not None:
        round_.keyed = event.corrected_to
    round_.settlement_due = round_.settled is not None


def _contradicts(round_: AuditedRound, event: events.OutcomeCorrected) -> None:
    """Check that contradicting more than the Dealer takes a Shift Manager (A46)."""
    devices, to, game = round_.devices, event.corrected_to, round_.terms.game
    sensor = None if devices.at_rest == to else devices.at_rest
    people = None if devices.confirmed == to else devices.confirmed
    if (event.against_sensor, event.against_people) != (sensor, people):
        round_.say(AuditProblem.CONTRADICTION_UNNAMED)
    if any(game.may(person, Rule.REFERRAL) for person in event.by):
        return
    if sensor is not None:
        round_.say(AuditProblem.CORRECTED_AGAINST_SENSOR, number=sensor)
    if people is not None:
        round_.say(AuditProblem.CORRECTED_AGAINST_PEOPLE, number=people)


def restated(round_: AuditedRound, event: events.BallRestated) -> None:
    """Check that two people restate the ball: a wrong or a disputed one (A34, A45)."""
    if event.number != round_.compartment:
        problem, seen = AuditProblem.RESTATED_FROM, round_.compartment
        round_.say(problem, expected=seen, number=event.number)
    is_disputed = round_.ball_spun and round_.devices.is_ball_disputed
    _puts_right(round_, event, Rule.CORRECTION, may_agree=is_disputed)
    over = round_.void is not None or round_.settled is not None
    announced = round_.outcome is not None and not (is_disputed and round_.held)
    if over or announced:
        round_.say(AuditProblem.RESTATED_LATE)
    compartment(round_, event.corrected_to)
    round_.devices.confirm(event.corrected_to)
    round_.dropped = True
    round_.at_rest = round_.compartment = round_.keyed = event.corrected_to


def redrawn(round_: AuditedRound, event: events.BonusNumbersCorrected) -> None:
    """Check that two people put the recorded draw right (A35), as it was drawn."""
    if event.numbers != round_.drawn:
        round_.say(AuditProblem.REDRAWN_FROM)
    _puts_right(round_, event, Rule.BONUS_DRAW)
    if round_.void is not None or round_.held:
        round_.say(AuditProblem.NOTHING_TO_CORRECT)
    is_draw(round_, event.corrected_to)
    not_bound(round_, event.by)
    round_.drawn = event.corrected_to
    round_.settlement_due = round_.settled is not None


def _puts_right(
    round_: AuditedRound,
    event: events.OutcomeCorrected | events.BallRestated | events.BonusNumbersCorrected,
    rule: Rule,
    *,
    may_agree: bool = False,
) -> None:
    """Check the two people, the clause, and that something was changed."""
    if isinstance(event, events.BonusNumbersCorrected):
        is_same = set(event.corrected_to) == set(event.numbers)
    else:
        is_same = event.corrected_to == event.number
    if is_same and not may_agree:
        round_.say(AuditProblem.CORRECTED_TO_SAME)
    round_.cites(event.clause, rule)
    game = round_.terms.game
    if not any(game.may(person, Rule.CORRECTION) for person in event.by):
        round_.say(AuditProblem.CORRECTED_UNQUALIFIED)
    elif game.provides(Rule.TWO_PEOPLE) and not are_two(game, event.by):
        round_.say(AuditProblem.CORRECTED_BY_ONE)


def are_two(game: Game, people: tuple[Person, ...]) -> bool:
    """Return whether the Dealer and a second person act together (A29)."""
    able = {person.name for person in people if game.may(person, Rule.CORRECTION)}
    second = {person.name for person in people if game.may(person, Rule.TWO_PEOPLE)}
    return bool(able and second) and len(able | second) > 1


def is_draw(round_: AuditedRound, numbers: tuple[Number, ...]) -> None:
    """Check for the right count of different numbers of the game (1.1.1)."""
    game = round_.terms.game
    count, different = game.row(Rule.BONUS_DRAW).amount, set(numbers)
    if len(different) != count or len(numbers) != count:
        round_.say(AuditProblem.DRAW_SIZE, count=count)
    if not different <= set(game.numbers):
        round_.say(AuditProblem.DRAW_UNKNOWN_NUMBER, numbers=list_numbers(game.numbers))


def may(round_: AuditedRound, person: Person, rule: Rule) -> None:
    if not round_.terms.game.may(person, rule):
        round_.say(AuditProblem.PERSON_MAY_NOT, person=person.named, rule=rule.value)


def in_play(round_: AuditedRound) -> None:
    """Report an act in a round that is unopened, over or held."""
    if not round_.opened:
        round_.say(AuditProblem.ROUND_UNOPENED)
    elif round_.void is not None or round_.settled is not None:
        round_.say(AuditProblem.ROUND_WAS_OVER)
    elif round_.held:
        round_.say(AuditProblem.ROUND_WAS_HELD)


def compartment(round_: AuditedRound, number: Number) -> None:
    """Report a number that the wheel of the game lacks."""
    game = round_.terms.game
    if number not in game.numbers:
        numbers = list_numbers(game.numbers)
        round_.say(AuditProblem.COMPARTMENT_MISSING, number=number, numbers=numbers)
