"""Reports of devices, the answers to them, and the recovery of a round.

Laws of this file:
- the wheel decides: an outcome that contradicts the sensor, or ignores an unanswered
  report, stands only by two people or a decision (A40, A45);
- two people answer a report by its name, with a reason; one can only uphold it (A45);
- a count only grows, and two counts differ only if four lies between them (A52);
- after a crash only stated or reported facts are recorded (A38);
- once every Bonus Number was seen lit, later darkness changes nothing (A15).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.audit.journal.decisions import (
    DENIED_BY_REST,
    are_two,
    compartment,
    may,
    must_hold,
    not_bound,
)
from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, Consequence
from croupier.journal.events import table as table_events
from croupier.rules import events
from croupier.rules.clause import Rule
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.wheel import Number

_FEW = Irregularity.FEWER_THAN_FOUR_REVOLUTIONS


def sensed(round_: AuditedRound, event: events.SensorReported) -> None:
    """Note a sensor's report, and expect the hold that it asks for (A45, A52)."""
    devices, before = round_.devices, frozenset(round_.devices.pending)
    said = round_.outcome or round_.compartment
    devices.spun = devices.spun or event.fact == "spun"
    _seen(round_, event)
    for each in _irregularities(round_, event):
        devices.answer({each})
        devices.pending.add(each)
        devices.rejected.discard(each)
    if event.revolutions is not None:
        _counted(round_, event.revolutions)
    if round_.held or round_.decided_by is not None or round_.is_over:
        return
    new = sorted(devices.pending - before, key=lambda each: each.value)
    stated = (round_.revolutions or 0) >= round_.least_revolutions
    is_rest = event.fact == "at_rest" and round_.ball_spun
    if is_rest and said not in {None, event.number}:
        must_hold(round_, over=other_number(event.number, said))
    elif _FEW in new and stated:
        must_hold(round_, over=_FEW.reason)
    elif new and round_.outcome is not None:
        must_hold(round_, over=new[0].reason)


def other_number(seen: Number | None, number: Number | None) -> Reason:
    return RuleReason.SENSOR_SAW_OTHERWISE(seen=str(seen), number=str(number))


def _seen(round_: AuditedRound, event: events.SensorReported) -> None:
    """Note the drop or the rest; a rest before the spin belongs to no round."""
    devices, had_dropped = round_.devices, round_.dropped
    if event.fact == "dropped":
        devices.closes, round_.dropped = True, round_.dropped or round_.ball_spun
    elif event.fact == "at_rest" and event.number is not None:
        compartment(round_, event.number)
        if round_.ball_spun:
            devices.closes, devices.rest_confirmed = True, False
            devices.at_rest = event.number
            round_.rest(event.number)
        else:
            devices.stray = event.number
    devices.just_dropped = round_.dropped and not had_dropped


def _irregularities(
    round_: AuditedRound, event: events.SensorReported
) -> tuple[Irregularity, ...]:
    if event.fact == "spun" and event.against_wheel is False:
        return (Irregularity.BALL_SAME_DIRECTION,)
    if event.fact == "dropped" and not round_.ball_spun:
        return (Irregularity.BALL_DROPPED_WITHOUT_SPIN,)
    return tuple(each for each in Irregularity if each.value == event.fact)


def _counted(round_: AuditedRound, count: int) -> None:
    """Note a count: the highest stands, and four or more clear a lower one (A52)."""
    devices, least = round_.devices, round_.least_revolutions
    if count < least:
        is_first = devices.count_grows or _FEW not in devices.pending
        devices.count_grows = is_first and devices.revolutions < least
        devices.pending.add(_FEW)
        devices.rejected.discard(_FEW)
    elif not round_.ball_spun:
        return
    elif devices.count_grows:
        devices.answer({_FEW})
    devices.revolutions = max(devices.revolutions, count)


def answered(round_: AuditedRound, event: events.ReportAnswered) -> None:
    """Check the answer to a report; an upheld report voids the round (A45)."""
    devices, name = round_.devices, event.irregularity
    round_.cites(event.clause, Rule.SENSOR_ANSWER)
    not_bound(round_, event.by)
    if name not in devices.pending or not round_.is_under_way:
        round_.say(AuditProblem.ANSWERED_NOTHING, reason=name.reason)
    if not event.because:
        round_.say(AuditProblem.ANSWERED_WITHOUT_REASON, reason=name.reason)
    _may_answer(round_, event)
    devices.answer({name})
    voids = round_.terms.game.voiding.get(name)
    if not event.upheld:
        devices.rejected.add(name)
    elif voids is not None:
        round_.due = Consequence(True, voids)
    else:
        devices.disputed = None  # from now on the round waits for a decision
        if not round_.held:
            must_hold(round_)


def _may_answer(round_: AuditedRound, event: events.ReportAnswered) -> None:
    """Check the people who answer: two, one who upholds, or the Dealer (A45, A52)."""
    game, people, name = round_.terms.game, event.by, event.irregularity
    is_staff = all(game.is_staff(person) for person in people)
    rested = round_.at_rest is not None and name in DENIED_BY_REST
    takes_two = not event.upheld or rested or round_.outcome is not None
    if not game.provides(Rule.SENSOR_ANSWER):
        is_dealer = any(game.may(person, Rule.OUTCOME) for person in people)
        if takes_two or not is_dealer or not is_staff:
            round_.say(AuditProblem.ANSWERED_WITHOUT_DECISION, reason=name.reason)
    elif not is_staff or not people or (takes_two and not are_two(game, people)):
        round_.say(AuditProblem.ANSWERED_BY_ONE, reason=name.reason)


def disputed(round_: AuditedRound, event: events.WheelDisputed) -> None:
    """Expect the hold over the sensor's number, or over its reports (A45)."""
    devices, over = round_.devices, frozenset(event.pending)
    seen = {None, devices.standing_rest, devices.stray}
    is_empty = event.seen is None and not over
    if is_empty or event.seen not in seen or not over <= devices.pending:
        round_.say(AuditProblem.DISPUTED_OTHERWISE)
    if round_.settled is None:
        devices.disputed, devices.number_disputed = over, event.seen is not None
        must_hold(round_)


def light(round_: AuditedRound, event: table_events.LightReported) -> None:
    if round_.drawn is not None and event.number not in round_.drawn:
        round_.devices.pending.add(Irregularity.UNLISTED)
    round_.devices.lit.add(event.number)


def _lights_seen(round_: AuditedRound, event: table_events.LightsConfirmed) -> None:
    may(round_, event.by, Rule.OUTCOME)
    round_.devices.lit.update(round_.drawn or ())


def interrupted(round_: AuditedRound, _: table_events.TableInterrupted) -> None:
    round_.devices.interrupted, round_.devices.just_dropped = True, False


def stated(round_: AuditedRound, event: table_events.BallStated) -> None:
    round_.devices.stated = event


def confirmed(round_: AuditedRound, event: table_events.BallConfirmed) -> None:
    """Check that a second person confirms; the ball's facts may follow now."""
    devices, word = round_.devices, round_.devices.stated
    if word is None:
        round_.say(AuditProblem.CONFIRMED_NOTHING)
        return
    _second_person(round_, word.by, event.by)
    devices.stated = None
    if round_.held:  # two people restate a disputed ball
        return
    devices.recovery = word
    if devices.standing_rest not in {None, word.at_rest}:
        must_hold(round_)


def _second_person(round_: AuditedRound, one: Person, other: Person) -> None:
    if one.role is other.role is Role.SYSTEM:  # a virtual wheel answers for itself
        return
    if one.name == other.name or not round_.terms.game.is_supervisor(other):
        round_.say(AuditProblem.CONFIRMED_BY_ONE, person=other.named)


def passed_over(round_: AuditedRound, number: Number | None) -> None:
    """Report an outcome that contradicts the sensor or ignores an unanswered report."""
    devices = round_.devices
    if round_.decided_by is not None or number is None:
        return
    for report in sorted(devices.pending, key=lambda each: each.value):
        round_.say(AuditProblem.DEVICE_UNANSWERED, reason=report.reason)
    if devices.standing_rest not in {None, number}:
        round_.say(AuditProblem.SENSOR_AGAINST, number=devices.standing_rest)
    elif devices.stray is not None:
        round_.say(AuditProblem.SENSOR_STRAY, number=devices.stray)


def recovered_spin(round_: AuditedRound, by: Person) -> None:
    """Report a recovered spin that no person stated and no sensor saw (A38)."""
    recovery, devices = round_.devices.recovery, round_.devices
    if recovery is not None and not recovery.spun and not devices.spun:
        round_.say(AuditProblem.SPIN_INVENTED, person=by.named)


def closes(round_: AuditedRound, event: events.RoundEvent) -> bool:
    """Return whether the house closes the betting by a sensor's report (A28)."""
    if not isinstance(event, events.NoMoreBetsAnnounced):
        return False
    by_sensor = round_.devices.closes and round_.terms.settings.close_on_drop
    return by_sensor and event.by.role is Role.SYSTEM


REPORTS: Mapping[str, Callable[[AuditedRound, Any], None]] = {
    "LightReported": light,
    "LightsConfirmed": _lights_seen,
    "TableInterrupted": interrupted,
    "BallStated": stated,
    "BallConfirmed": confirmed,
}
"""The handlers by kind of event; none moves money or changes a round by itself."""
