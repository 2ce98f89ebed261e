"""Reports of the wheel's sensor and the layout's lights in the round in play.

A sensor is never the outcome by itself (v3 3.8), but its word binds: a rest that it
reports within the spin is on record, one outside of it is not taken, and a report of
an irregularity waits until somebody has answered it (A40).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, get_args

from croupier.journal.events import table as hap
from croupier.rules import events as ev
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.round import Facts, Phase, RoundOfPlay
from croupier.rules.wheel import Number


class WheelWord(Protocol):
    """A fact of the wheel, as a sensor says it."""

    @property
    def fact(self) -> str: ...

    @property
    def revolutions(self) -> int | None: ...

    @property
    def against_wheel(self) -> bool | None: ...


@dataclass(frozen=True, slots=True)
class DeviceReports:
    """The word of the devices on the round in play."""

    spun_by: str | None = None
    """The sensor that reported a spin of this round."""
    revolutions: int | None = None
    """How many revolutions the sensor has counted."""
    at_rest: Number | None = None
    """Where the sensor, or two people against it, saw the ball of this spin at rest."""
    stray_rest: Number | None = None
    """A rest that the sensor reported before the spin."""
    pending: tuple[Irregularity, ...] = ()
    """Reported, and not yet answered by anybody."""
    lit: tuple[Number, ...] = ()
    lights_seen: bool = False
    """The Dealer has seen all lights."""

    def are_lights_known(self, drawn: tuple[Number, ...] | None) -> bool:
        """Return whether the Dealer, or the device for each number drawn, saw them."""
        return self.lights_seen or (drawn is not None and set(drawn) <= set(self.lit))

    def is_of_spin(self, facts: Facts) -> bool:
        """Return whether a rest reported now would be one of this round's spin."""
        return facts.spun or self.spun_by is not None

    def answered(self, irregularity: Irregularity) -> DeviceReports:
        left = tuple(each for each in self.pending if each is not irregularity)
        return replace(self, pending=left)

    def confirmed(self, at_rest: Number) -> DeviceReports:
        """Let two people's word stand for what the devices said (A40)."""
        return replace(self, at_rest=at_rest, stray_rest=None, pending=())


Report = (
    hap.WheelReported
    | hap.LightReported
    | hap.LightsConfirmed
    | hap.NoticeAnswered
    | ev.IrregularityReported
    | ev.BallRestated
    | ev.OutcomeCorrected
    | ev.PlayContinued
)
REPORTS = frozenset(get_args(Report))


def reported(
    reports: DeviceReports, current: RoundOfPlay, event: Report
) -> DeviceReports:
    """Return the reports after one more; between rounds nothing is kept."""
    match event:
        case hap.WheelReported() if current.phase in _IN_PLAY:
            return _wheel(reports, current, event)
        case hap.LightReported(number=number) if current.phase in _IN_PLAY:
            return _light(reports, current, number)
        case hap.LightsConfirmed():
            return replace(reports, lights_seen=True)
        case hap.NoticeAnswered(irregularity=answered) if answered is not None:
            return reports.answered(answered)
        case ev.IrregularityReported(irregularity=answered):
            return reports.answered(answered)
        case (
            ev.BallRestated(corrected_to=number)
            | ev.OutcomeCorrected(corrected_to=number)
        ):
            return reports if reports.at_rest is None else reports.confirmed(number)
        case ev.PlayContinued():  # the decision has answered them all
            return replace(reports, stray_rest=None, pending=())
    return reports


_IN_PLAY = frozenset({Phase.BETTING, Phase.CLOSED, Phase.DECIDED, Phase.HELD})


def _wheel(
    reports: DeviceReports, current: RoundOfPlay, event: hap.WheelReported
) -> DeviceReports:
    irregularity = irregularity_in(current.game, current.facts, reports, event)
    if irregularity is not None:
        reports = _pending(reports, irregularity)
    if event.revolutions is not None:
        reports = replace(reports, revolutions=event.revolutions)
    if event.fact == "spun":
        return replace(reports, spun_by=event.device)
    if event.fact != "at_rest" or event.number not in current.game.numbers:
        return reports
    if reports.is_of_spin(current.facts):
        return replace(reports, at_rest=event.number, stray_rest=None)
    return replace(reports, stray_rest=event.number)


def _pending(reports: DeviceReports, irregularity: Irregularity) -> DeviceReports:
    others = reports.answered(irregularity).pending
    return replace(reports, pending=(*others, irregularity))


def _light(
    reports: DeviceReports, current: RoundOfPlay, number: Number
) -> DeviceReports:
    drawn = current.facts.bonus_numbers
    if drawn is not None and number not in drawn:
        reports = _pending(reports, Irregularity.UNLISTED)
    if number in reports.lit:
        return reports
    return replace(reports, lit=(*reports.lit, number))


def irregularity_in(
    game: Game, facts: Facts, reports: DeviceReports, word: WheelWord
) -> Irregularity | None:
    """Return the irregularity that a fact of the wheel is, if it is one."""
    if word.fact == "spun" and word.against_wheel is False:
        return Irregularity.BALL_SAME_DIRECTION
    if word.fact == "dropped" and not reports.is_of_spin(facts):
        return Irregularity.BALL_DROPPED_WITHOUT_SPIN
    needed = game.row(Rule.SPIN).amount if game.provides(Rule.SPIN) else 0
    laps = word.revolutions
    if word.fact == "dropped" and laps is not None and laps < needed:
        return Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
    return next((each for each in Irregularity if each.value == word.fact), None)
