"""What a wheel's sensor has said in a round, and what of it is still unanswered.

Laws of this file (A45, A52):
- a count grows while the ball runs: the highest stands, and four clear a lower one;
- a lower count after four or more is a report of its own, which no count clears;
- a report stays pending until staff, or a decision, have answered it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from croupier.rules import events as ev
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.wheel import Number

_FEW = Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
IRREGULARITIES = {each.value: each for each in Irregularity}
SENSOR_FACTS = frozenset({"spun", "dropped", "at_rest", *IRREGULARITIES})
ANSWERED_BY_REST = frozenset(
    {Irregularity.BALL_NOT_IN_COMPARTMENT, Irregularity.BALL_OUT_OF_WHEEL}
)
"""Reports that two people answer when they confirm where the ball rests (A45)."""


@dataclass(frozen=True)
class SensorFacts:
    """The sensor's word on one round."""

    spun: bool = False
    dropped: bool = False
    revolutions: int | None = None
    """The highest count."""
    at_rest: Number | None = None
    """The compartment that it last reported in this spin."""
    stray_rest: Number | None = None
    """A rest that it reported before the spin, unanswered."""
    pending: tuple[Irregularity, ...] = ()
    few_by_count: bool = False
    """Too few revolutions are pending only because the count has not grown yet."""
    rejected: frozenset[Irregularity] = frozenset()
    """Reports that two people rejected."""
    confirmed: Number | None = None
    """The compartment that two people confirmed."""
    is_rest_answered: bool = False
    """The sensor has not reported a rest since."""
    dispute: ev.WheelDisputed | None = None
    """What the round is held over, while it is."""

    @property
    def has_dropped(self) -> bool:
        return self.dropped or self.at_rest is not None

    @property
    def unanswered_rest(self) -> Number | None:
        """The sensor's compartment, unless two people have confirmed the ball since."""
        return None if self.is_rest_answered else self.at_rest

    def is_settled(self, dispute: ev.WheelDisputed) -> bool:
        """Return whether all of a dispute has been answered."""
        return dispute.seen is None and not set(dispute.pending) & set(self.pending)

    def without(self, answered: frozenset[Irregularity]) -> SensorFacts:
        kept = tuple(each for each in self.pending if each not in answered)
        return replace(
            self, pending=kept, few_by_count=self.few_by_count and _FEW in kept
        )


def least_revolutions(game: Game) -> int:
    return game.row(Rule.SPIN).amount if game.provides(Rule.SPIN) else 0


def sensed(
    sensor: SensorFacts, game: Game, event: ev.SensorReported, *, spun: bool
) -> SensorFacts:
    """Return the sensor's word after a report; `spun`: a spin is on record."""
    match event.fact:
        case "spun":
            sensor, spun = replace(sensor, spun=True), True
            if event.against_wheel is False:
                sensor = _reported(sensor, Irregularity.BALL_SAME_DIRECTION)
        case "dropped":
            sensor = replace(sensor, dropped=True)
            if not spun:
                sensor = _reported(sensor, Irregularity.BALL_DROPPED_WITHOUT_SPIN)
        case "at_rest" if spun:
            sensor = replace(sensor, at_rest=event.number, is_rest_answered=False)
        case "at_rest":
            sensor = replace(sensor, stray_rest=event.number)
        case name:
            sensor = _reported(sensor, IRREGULARITIES[name])
    if event.revolutions is None or not game.provides(Rule.REVOLUTIONS):
        return sensor
    return _counted(sensor, event.revolutions, least_revolutions(game), spun=spun)


def _reported(sensor: SensorFacts, irregularity: Irregularity) -> SensorFacts:
    """Add a pending report; one that two people had rejected is new."""
    sensor = sensor.without(frozenset({irregularity}))
    rejected = sensor.rejected - {irregularity}
    return replace(sensor, pending=(*sensor.pending, irregularity), rejected=rejected)


def _counted(sensor: SensorFacts, count: int, least: int, *, spun: bool) -> SensorFacts:
    """Take a count; one of four or more outside this spin clears nothing."""
    highest = sensor.revolutions or 0
    if count < least:
        grows = highest < least and (sensor.few_by_count or _FEW not in sensor.pending)
        sensor = replace(_reported(sensor, _FEW), few_by_count=grows)
    elif not spun:
        return sensor
    elif sensor.few_by_count:
        sensor = sensor.without(frozenset({_FEW}))
    return replace(sensor, revolutions=max(highest, count))


def answered(sensor: SensorFacts, event: ev.ReportAnswered) -> SensorFacts:
    name = frozenset({event.irregularity})
    sensor = sensor.without(name)
    if event.upheld:  # void, or held from now on for a decision
        return replace(sensor, dispute=None)
    return replace(sensor, rejected=sensor.rejected | name)


def confirmed(sensor: SensorFacts, number: Number) -> SensorFacts:
    """Let two people's word on where the ball rests stand; on how, it says nothing."""
    dispute = sensor.dispute
    return replace(
        sensor.without(ANSWERED_BY_REST),
        confirmed=number,
        is_rest_answered=True,
        stray_rest=None,
        dispute=None if dispute is None else replace(dispute, seen=None),
    )


def all_answered(sensor: SensorFacts) -> SensorFacts:
    """Answer everything that is pending: a decision says that play goes on (A52)."""
    return replace(sensor, pending=(), few_by_count=False, stray_rest=None)
