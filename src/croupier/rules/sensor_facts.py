"""The reports of a wheel's sensor in a round, answered or not.

Laws of this file (A45, A52):
- a count grows while the ball runs: the highest stands, and four clear a lower one;
- a lower count after four or more is a report of its own, which no count clears;
- a report stays pending until staff, or a decision, have answered it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import structs

from croupier.rules import events
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.wheel import Number

_FEW = Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
IRREGULARITIES = {each.value: each for each in Irregularity}
SENSOR_FACTS = frozenset({"spun", "dropped", "at_rest", *IRREGULARITIES})
ANSWERED_BY_REST = frozenset(
    {Irregularity.BALL_NOT_IN_COMPARTMENT, Irregularity.BALL_OUT_OF_WHEEL}
)
"""Reports that are answered when two people confirm the ball's place (A45)."""


@dataclass(frozen=True)
class SensorFacts:
    """The sensor's reports on one round."""

    spun: bool = False
    dropped: bool = False
    revolutions: int | None = None
    """The highest count."""
    at_rest: Number | None = None
    """The last compartment that it reported in this spin."""
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
    dispute: events.WheelDisputed | None = None
    """The dispute that holds the round, if one does."""

    @property
    def has_dropped(self) -> bool:
        return self.dropped or self.at_rest is not None

    @property
    def unanswered_rest(self) -> Number | None:
        """The sensor's compartment, unless two people have confirmed the ball since."""
        return None if self.is_rest_answered else self.at_rest

    def is_settled(self, dispute: events.WheelDisputed) -> bool:
        return dispute.seen is None and not set(dispute.pending) & set(self.pending)

    def without(self, answered: frozenset[Irregularity]) -> SensorFacts:
        kept = tuple(each for each in self.pending if each not in answered)
        return replace(
            self, pending=kept, few_by_count=self.few_by_count and _FEW in kept
        )


def least_revolutions(game: Game) -> int:
    return game.row(Rule.SPIN).amount if game.provides(Rule.SPIN) else 0


def sensed(
    sensor: SensorFacts, game: Game, event: events.SensorReported, *, spun: bool
) -> SensorFacts:
    """Add a report of the sensor; `spun` is true once a spin is on record."""
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
    """Add a count; four or more clear a lower one only within this spin."""
    highest = sensor.revolutions or 0
    if count < least:
        grows = highest < least and (sensor.few_by_count or _FEW not in sensor.pending)
        sensor = replace(_reported(sensor, _FEW), few_by_count=grows)
    elif not spun:
        return sensor
    elif sensor.few_by_count:
        sensor = sensor.without(frozenset({_FEW}))
    return replace(sensor, revolutions=max(highest, count))


def answered(sensor: SensorFacts, event: events.ReportAnswered) -> SensorFacts:
    name = frozenset({event.irregularity})
    sensor = sensor.without(name)
    if event.upheld:  # the round is void now, or held for a decision
        return replace(sensor, dispute=None)
    return replace(sensor, rejected=sensor.rejected | name)


def confirmed(sensor: SensorFacts, number: Number) -> SensorFacts:
    """Add the ball's place as two people confirm it; they don't confirm the spin."""
    dispute = sensor.dispute
    return replace(
        sensor.without(ANSWERED_BY_REST),
        confirmed=number,
        is_rest_answered=True,
        stray_rest=None,
        dispute=None if dispute is None else structs.replace(dispute, seen=None),
    )


def all_answered(sensor: SensorFacts) -> SensorFacts:
    """Answer everything that is pending: a decision says that play goes on (A52)."""
    return replace(sensor, pending=(), few_by_count=False, stray_rest=None)
