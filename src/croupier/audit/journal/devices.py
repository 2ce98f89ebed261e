"""Reports of devices and the recovery of a round, held against what was said.

Laws of this file:
- the wheel decides: an outcome against the sensor, or over a report that nobody
  answered, goes on only by two people or a decision (A40);
- after a crash nothing is recorded that nobody stated or reported (A38);
- once every Bonus Number was seen lit, later darkness changes nothing (A15).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.audit.journal.decisions import irregular, must_hold
from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.rounds import AuditedRound, Reporter
from croupier.journal.events import table as hap
from croupier.rules import events as ev
from croupier.rules.clause import Rule
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number

_IRREGULARITIES = {each.value: each for each in Irregularity}


def wheel(round_: AuditedRound, event: ev.SensorReported, _: Reporter) -> None:
    """Note what the sensor saw; a rest outside the spin is none of this round."""
    devices, spun = round_.devices, round_.spun or round_.devices.spun
    if round_.is_over or round_.void is not None:
        return
    irregularity = _irregularity(round_, event, spun=spun)
    if irregularity is not None:
        devices.pending.add(irregularity)
    if event.revolutions is not None:
        devices.revolutions = event.revolutions
    if event.fact == "spun":
        devices.spun = True
    devices.dropped = devices.dropped or (event.fact == "dropped" and spun)
    round_.dropped = round_.dropped or devices.dropped
    devices.closes = devices.closes or event.fact in {"dropped", "at_rest"}
    if event.fact == "at_rest" and event.number in round_.terms.compiled.number_index:
        if spun:
            devices.at_rest, devices.stray = event.number, None
            round_.dropped = True
            if round_.at_rest is None:
                round_.at_rest = round_.compartment = event.number
        else:
            devices.stray = event.number


def _irregularity(
    round_: AuditedRound, event: ev.SensorReported, *, spun: bool
) -> Irregularity | None:
    game = round_.terms.game
    least = game.row(Rule.SPIN).amount if game.provides(Rule.SPIN) else 0
    if event.fact == "spun" and event.against_wheel is False:
        return Irregularity.BALL_SAME_DIRECTION
    if event.fact == "dropped" and not spun:
        return Irregularity.BALL_DROPPED_WITHOUT_SPIN
    if event.fact == "dropped" and (event.revolutions or least) < least:
        return Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
    return _IRREGULARITIES.get(event.fact)


def light(round_: AuditedRound, event: hap.LightReported, _: Reporter) -> None:
    if round_.drawn is not None and event.number not in round_.drawn:
        round_.devices.pending.add(Irregularity.UNLISTED)
    round_.devices.lit.add(event.number)


def lights_seen(
    round_: AuditedRound, event: hap.LightsConfirmed, say: Reporter
) -> None:
    if not round_.terms.game.may(event.by, Rule.OUTCOME):
        rule = Rule.OUTCOME.value
        say(AuditProblem.PERSON_MAY_NOT(person=event.by.named, rule=rule))
    round_.devices.lit.update(round_.drawn or ())


def answered(round_: AuditedRound, event: ev.ReportAnswered, _: Reporter) -> None:
    round_.devices.pending.discard(event.irregularity)
    if event.upheld:
        irregular(round_, event.irregularity)


def disputed(round_: AuditedRound, _: ev.WheelDisputed, __: Reporter) -> None:
    """Expect the hold that an outcome against the devices asks for (A40)."""
    round_.devices.in_dispute = True
    must_hold(round_)


def interrupted(round_: AuditedRound, _: hap.TableInterrupted, __: Reporter) -> None:
    round_.devices.interrupted = True


def stated(round_: AuditedRound, event: hap.BallStated, _: Reporter) -> None:
    round_.devices.stated = event


def confirmed(round_: AuditedRound, event: hap.BallConfirmed, say: Reporter) -> None:
    """Check that a second person confirms; the ball's facts may follow now."""
    devices, word = round_.devices, round_.devices.stated
    if word is None:
        say(AuditProblem.CONFIRMED_NOTHING())
        return
    _second_person(round_, word.by, event.by, say)
    devices.stated = None
    if devices.in_dispute:
        devices.in_dispute, devices.confirmed = False, word.at_rest is not None
        if word.at_rest is not None:
            devices.at_rest, devices.stray = word.at_rest, None
            devices.pending.clear()
        return
    devices.recovery = word
    if devices.at_rest not in {None, word.at_rest}:
        must_hold(round_)


def _second_person(
    round_: AuditedRound, one: Person, other: Person, say: Reporter
) -> None:
    if one.role is other.role is Role.SYSTEM:  # a virtual wheel answers for itself
        return
    if one.name == other.name or not round_.terms.game.is_supervisor(other):
        say(AuditProblem.CONFIRMED_BY_ONE(person=other.named))


def passed_over(round_: AuditedRound, number: Number | None, say: Reporter) -> None:
    """Report an outcome against the sensor, or over a report without an answer."""
    devices = round_.devices
    if round_.decided_by is not None or number is None:
        return
    if devices.at_rest not in {None, number}:
        say(AuditProblem.SENSOR_AGAINST(number=devices.at_rest))
    elif devices.stray is not None:
        say(AuditProblem.SENSOR_STRAY(number=devices.stray))
    elif devices.pending:
        first = min(devices.pending, key=lambda each: each.value)
        say(AuditProblem.DEVICE_UNANSWERED(reason=first.reason))


def recovered_spin(round_: AuditedRound, by: Person, say: Reporter) -> None:
    """Report a spin of a recovery that nobody stated and no sensor saw (A38)."""
    recovery, devices = round_.devices.recovery, round_.devices
    if recovery is not None and not recovery.spun and not devices.spun:
        say(AuditProblem.SPIN_INVENTED(person=by.named))


def is_word_of_sensor(round_: AuditedRound, person: Person, rule: Rule) -> bool:
    """Return whether a device, or the house for it, may say so by the sensor."""
    devices = round_.devices
    if person.role is not Role.SYSTEM:
        return False
    if rule is Rule.CLOSING:
        return devices.closes
    return devices.at_rest is not None or devices.spun or devices.dropped


REPORTS: Mapping[str, Callable[[AuditedRound, Any, Reporter], None]] = {
    "SensorReported": wheel,
    "LightReported": light,
    "LightsConfirmed": lights_seen,
    "ReportAnswered": answered,
    "WheelDisputed": disputed,
    "TableInterrupted": interrupted,
    "BallStated": stated,
    "BallConfirmed": confirmed,
}
"""By the kind of event; none of these moves money or changes a round by itself."""
