"""A sensor's reports: they can close, hold and release a round (A40, A45).

Laws of this file:
- the wheel decides: the round is held if the console's number differs from the
  sensor's, or if only one of the Dealer's and the sensor's counts reaches four;
- an outcome over an unanswered report holds the round and announces nothing;
- two people answer a report by its name; one person can only uphold it.
"""

from __future__ import annotations

from croupier.rules import events
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.commands import AnswerReport, ReportSensor
from croupier.rules.game import READINGS, Irregularity
from croupier.rules.irregularities import DENIED_BY_REST, closing, held
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.refusals import (
    Verdict,
    bound_by_decision,
    conflict_of_interest,
    may_not_correct,
    refuse,
    refuse_person,
    void_refusal,
)
from croupier.rules.round import Phase, RoundOfPlay, apply
from croupier.rules.sensor_facts import (
    ANSWERED_BY_REST,
    IRREGULARITIES,
    SENSOR_FACTS,
    least_revolutions,
)
from croupier.rules.wheel import Number

_HOUSE = Person("system", Role.SYSTEM)
_FEW = Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
_MOST_LAPS = 1_000_000
_ANSWERED = Clause(READINGS, "A45")


def report_sensor(state: RoundOfPlay, person: Person, command: ReportSensor) -> Verdict:
    """Record a sensor's report; it can close, hold or release the round."""
    refusal = _not_taken(state, person, command)
    if refusal is not None:
        return refusal
    report = events.SensorReported(
        person.name,
        command.fact,
        command.number,
        command.revolutions,
        command.against_wheel,
    )
    return (report, *_following(state, apply(state, report), person, report))


def _not_taken(
    state: RoundOfPlay, person: Person, command: ReportSensor
) -> Refusal | None:
    game, fact = state.game, command.fact
    if person.role is not Role.SENSOR:
        reason: Reason = RuleReason.NOT_A_SENSOR(person=person.named)
        return refuse(state, Rule.SPIN, reason)
    irregularity = IRREGULARITIES.get(fact)
    if fact not in SENSOR_FACTS:
        return refuse(state, Rule.SPIN, RuleReason.NOT_A_SENSOR_FACT(text=fact))
    count = command.revolutions
    if count is not None and not (type(count) is int and 0 <= count < _MOST_LAPS):
        return refuse(
            state, Rule.SPIN, RuleReason.NOT_A_SENSOR_FACT(text="revolutions")
        )
    if fact == "at_rest" and command.number not in game.numbers:
        return refuse(state, Rule.OUTCOME, game.no_compartment(command.number or "–"))
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    if state.phase is Phase.ENDED and irregularity is not None:
        own = game.voiding.get(irregularity, game.clause(Rule.REFERRAL))
        return Refusal(own, RuleReason.SETTLED())
    return None


def _following(
    before: RoundOfPlay, state: RoundOfPlay, by: Person, report: events.SensorReported
) -> tuple[events.RoundEvent, ...]:
    """Return the further events of a report; none for a round that is decided on."""
    if state.decided_by is not None:
        return ()
    if state.phase is Phase.ENDED:
        return _too_late(state, by, report)
    if state.phase is Phase.HELD:
        return released(state, by)
    closed: tuple[events.RoundEvent, ...] = ()
    if _closes(state):
        closed = closing(before, _HOUSE)
        if isinstance(closed[-1], events.RoundHeld):
            return closed
    return (*closed, *_contradiction(before, state, by, report))


def _too_late(
    state: RoundOfPlay, by: Person, report: events.SensorReported
) -> tuple[events.RoundEvent, ...]:
    """Record that a rest after the settlement contradicts the round (A46)."""
    seen, won = report.number, state.winning_number
    if report.fact != "at_rest" or seen == won:
        return ()
    return (events.WheelDisputed(by, won, seen, ()),)


def _closes(state: RoundOfPlay) -> bool:
    is_open = state.phase is Phase.BETTING
    return is_open and state.settings.close_on_drop and state.facts.sensor.has_dropped


def _contradiction(
    before: RoundOfPlay, state: RoundOfPlay, by: Person, report: events.SensorReported
) -> tuple[events.RoundEvent, ...]:
    """Hold the round if the report contradicts its record."""
    facts, sensor = state.facts, state.facts.sensor
    said = state.winning_number or facts.compartment
    seen = wheels_number(state) if report.fact == "at_rest" else None
    if seen is not None and seen != said:
        return dispute(state, by, said, seen, ())
    new = set(sensor.pending) - set(before.facts.sensor.pending)
    if new and state.phase is Phase.DECIDED:  # A32
        return dispute(state, by, None, None, sensor.pending)
    if _FEW in new and _counts_enough(state, facts.revolutions):
        return dispute(state, by, None, None, (_FEW,))
    return ()


def wheels_number(state: RoundOfPlay) -> Number | None:
    """Return the sensor's compartment: the wheel decides, not the console (5.5)."""
    if not state.game.provides(Rule.CORRECTION):
        return None
    return state.facts.sensor.unanswered_rest


def _counts_enough(state: RoundOfPlay, revolutions: int | None) -> bool:
    return revolutions is not None and revolutions >= least_revolutions(state.game)


def dispute(
    state: RoundOfPlay,
    by: Person,
    number: Number | None,
    seen: Number | None,
    pending: tuple[Irregularity, ...],
) -> tuple[events.RoundEvent, ...]:
    """Hold the round until staff have answered the sensor."""
    sensor = state.facts.sensor
    if seen is None:
        reason: Reason = RuleReason.REPORT_UNANSWERED(reason=pending[0].reason)
    elif seen == sensor.stray_rest:
        reason = RuleReason.REST_OUTSIDE_SPIN(number=seen)
    else:
        assert number is not None
        reason = RuleReason.SENSOR_SAW_OTHERWISE(seen=seen, number=number)
    return events.WheelDisputed(by, number, seen, pending), held(state, reason)


def dispute_over_spin(
    state: RoundOfPlay, by: Person, revolutions: int | None
) -> tuple[events.RoundEvent, ...]:
    """Hold the round if only the sensor reports fewer than four (A45)."""
    if _FEW in state.facts.sensor.pending and _counts_enough(state, revolutions):
        return dispute(state, by, None, None, (_FEW,))
    return ()


def dispute_over_number(
    state: RoundOfPlay, by: Person, number: Number, *, is_outcome: bool
) -> tuple[events.RoundEvent, ...]:
    """Hold the round if the sensor contradicts or doubts a number of the console."""
    sensor = state.facts.sensor
    seen = wheels_number(state)
    if seen == number:
        seen = None
    if not is_outcome:
        return () if seen is None else dispute(state, by, number, seen, ())
    seen = seen or sensor.stray_rest
    if seen is None and not sensor.pending:
        return ()
    return dispute(state, by, number, seen, sensor.pending)


def released(
    state: RoundOfPlay, by: Person, because: str = ""
) -> tuple[events.RoundEvent, ...]:
    """Let the round go on if its dispute is answered, or ended by a count."""
    open_dispute, standing = state.facts.sensor.dispute, state.standing
    if state.phase is not Phase.HELD or open_dispute is None or standing is None:
        return ()
    # Once the outcome is announced, only this hold guards a pending report.
    is_announced = standing.before is Phase.DECIDED
    if not state.facts.sensor.is_settled(open_dispute):
        return ()
    if is_announced and state.facts.sensor.pending:
        return ()
    return continued(state, events.PlayContinued(by, _ANSWERED, because))


def continued(
    state: RoundOfPlay, goes_on: events.PlayContinued
) -> tuple[events.RoundEvent, ...]:
    """Go on with a held round; close the betting if a sensor has seen the drop."""
    after = apply(state, goes_on)
    closed = closing(after, _HOUSE) if _closes(after) else ()
    return (goes_on, *closed)


def answer_report(
    state: RoundOfPlay, people: tuple[Person, ...], command: AnswerReport
) -> Verdict:
    """Uphold a pending report, which voids the round, or reject it (A45)."""
    game, name = state.game, command.irregularity
    refusal = (
        void_refusal(state)
        or conflict_of_interest(state, people)
        or _may_not_answer(state, people, command)
    )
    if refusal is not None:
        return refusal
    clause, because = game.clause(Rule.SENSOR_ANSWER), command.because
    answer = events.ReportAnswered(people, name, command.upheld, clause, because)
    if not command.upheld:
        return answer, *released(apply(state, answer), people[-1], because)
    voids = game.voiding.get(name)
    if voids is not None:
        return answer, events.RoundVoided(voids, name.reason, because)
    if state.phase is Phase.HELD:
        return (answer,)
    return answer, held(state, name.reason)


def is_ball_disputed(state: RoundOfPlay) -> bool:
    """Return whether stating the ball's place would answer the sensor (A45)."""
    sensor = state.facts.sensor
    over_number = sensor.dispute is not None and sensor.dispute.seen is not None
    is_open = over_number or sensor.stray_rest is not None
    is_open = is_open or not ANSWERED_BY_REST.isdisjoint(sensor.pending)
    return is_open and state.facts.ball_spun


def _may_not_answer(
    state: RoundOfPlay, people: tuple[Person, ...], command: AnswerReport
) -> Refusal | None:
    game, name = state.game, command.irregularity
    clause = game.clause(Rule.SENSOR_ANSWER)
    if not all(game.is_staff(person) for person in people):
        return refuse_person(game, Rule.SENSOR_ANSWER, people[0], command)
    bound = bound_by_decision(state, people)
    if bound is not None:
        return bound
    is_pending = state.is_under_way and name in state.facts.sensor.pending
    if not is_pending:
        return Refusal(clause, RuleReason.NOT_REPORTED(reason=name.reason))
    one_is_enough = command.upheld and not _takes_two(state, name)
    if not game.provides(Rule.SENSOR_ANSWER):  # A12
        dealer = any(game.may(person, Rule.OUTCOME) for person in people)
        if one_is_enough and dealer:
            return None
        return Refusal(clause, RuleReason.SHIFT_MANAGER_ANSWERS())
    if one_is_enough or may_not_correct(game, people, clause) is None:
        return None
    return refuse(state, Rule.TWO_PEOPLE, RuleReason.ANSWER_NEEDS_TWO())


def _takes_two(state: RoundOfPlay, name: Irregularity) -> bool:
    """Return whether upholding would take back a winner or a rest on record (A32)."""
    rested = state.facts.at_rest is not None and name in DENIED_BY_REST
    return state.winning_number is not None or rested
