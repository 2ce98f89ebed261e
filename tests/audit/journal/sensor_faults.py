"""Faults about devices, recovery and stale wagers, and where they must be seen."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.journal.events.table import (
    BallConfirmed,
    BallStated,
    LightReported,
    TableInterrupted,
)
from croupier.journal.findings import FindingKind
from croupier.rules.events import (
    BallAtRest,
    BallRestated,
    BallSpun,
    BonusNumberUnlit,
    LayoutFrozen,
    NoMoreBetsAnnounced,
    OutcomeAnnounced,
    PlayContinued,
    ReportAnswered,
    ResultSent,
    RoundHeld,
    RoundSettled,
    SensorReported,
    WagerPlaced,
)
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from tests.audit.floor import DEALER
from tests.audit.journal.faults import Fault, Seen
from tests.audit.journal.forging import Forgery, Item
from tests.audit.journal.sensor_house import SENSOR


def _rest(f: Forgery, number: int = 1) -> Item:
    return next(
        item
        for item in f.all("wheel", SensorReported, number)
        if item.event.fact == "at_rest"
    )


def sensor_against_console(f: Forgery) -> Seen:
    """The sensor saw another number than was announced and paid."""
    _rest(f).change(number=Number("18"))
    return Seen(FindingKind.DEVICES, f.one("wheel", OutcomeAnnounced, 1))


def rest_before_the_spin(f: Forgery) -> Seen:
    """The sensor's rest was reported before the spin, and taken for this one's."""
    rest, spun = _rest(f), f.one("wheel", BallSpun, 1)
    f.drop(rest)
    events = f.streams["wheel"]
    events.insert(events.index(spun), rest)
    return Seen(FindingKind.DEVICES, f.one("wheel", OutcomeAnnounced, 1))


def report_unanswered(f: Forgery) -> Seen:
    """A report of an irregularity vanished at the announcement."""
    f.drop(f.one("wheel", ReportAnswered))
    return Seen(FindingKind.DEVICES, f.one("wheel", OutcomeAnnounced, 3))


def report_after_the_outcome(f: Forgery) -> Seen:
    """A report came after the announcement, and the round was settled over it."""
    sent = f.one("wheel", ResultSent, 1)
    f.insert(sent, SensorReported(SENSOR, "ball_broke", None, None, None))
    return Seen(FindingKind.DEVICES, f.one("wheel", RoundSettled, 1))


def dispute_ended_by_one(f: Forgery) -> Seen:
    """A disputed round went on without the second person."""
    item = f.one("wheel", BallRestated).change(by=(DEALER,))
    return Seen(FindingKind.CORRECTION, item)


def dispute_not_held(f: Forgery) -> Seen:
    """A disputed outcome did not hold the round."""
    stated = (BallStated, BallConfirmed, BallRestated)
    for kind in (RoundHeld, *stated, PlayContinued):
        f.drop(f.one("wheel", kind, 2))
    return Seen(FindingKind.VOID_OR_HELD, f.one("wheel", OutcomeAnnounced, 2))


def confirmed_by_the_same(f: Forgery) -> Seen:
    """Who stated the ball confirmed it as well."""
    item = f.one("crash", BallConfirmed).change(by=DEALER)
    return Seen(FindingKind.RECOVERY, item)


def bet_after_the_sensor_s_rest(f: Forgery) -> Seen:
    """A wager was taken after the sensor had seen the ball at rest."""
    for kind in (NoMoreBetsAnnounced, LayoutFrozen):
        f.drop(f.one("wheel", kind, 1))
    placed = f.one("wheel", WagerPlaced, 1)
    f.drop(placed)
    events = f.streams["wheel"]
    events.insert(events.index(_rest(f)) + 1, placed)
    return Seen(FindingKind.LATE_WAGER, placed, wager="w1")


def spin_invented(f: Forgery) -> Seen:
    """A recovery recorded a spin that nobody had stated."""
    f.one("crash", BallStated).change(spun=False)
    return Seen(FindingKind.RECOVERY, f.one("crash", BallSpun))


def rest_invented(f: Forgery) -> Seen:
    """A recovery recorded another rest than was stated."""
    f.one("crash", BallStated).change(at_rest=None)
    return Seen(FindingKind.RECOVERY, f.one("crash", BallAtRest))


def bet_after_the_crash(f: Forgery) -> Seen:
    """The betting stayed open after the table had been interrupted."""
    for kind in (NoMoreBetsAnnounced, LayoutFrozen):
        f.drop(f.one("crash", kind, 1))
    placed = f.one("crash", WagerPlaced, 1)
    f.drop(placed)
    events = f.streams["crash"]
    events.insert(events.index(f.one("crash", TableInterrupted)) + 1, placed)
    return Seen(FindingKind.LATE_WAGER, placed, wager="w1")


def stale_bet(f: Forgery) -> Seen:
    """A wager that was sent for round 1 was registered in round 2."""
    item = f.one("wheel", WagerPlaced, 2).change(for_round=1)
    return Seen(FindingKind.STALE_WAGER, item, wager="w1")


def dark_after_all_were_lit(f: Forgery) -> Seen:
    """A light that failed after all had been seen voided the round (A15)."""
    lit = f.all("lights", LightReported)[-1]
    dark = BonusNumberUnlit(DEALER, Number("17"))
    return Seen(FindingKind.BONUS_DRAW, f.insert(lit, dark))


def closed_by_the_house_itself(f: Forgery) -> Seen:
    """The house closed the betting of a table where no sensor had spoken."""
    system = Person("system", Role.SYSTEM)
    item = f.one("lights", NoMoreBetsAnnounced).change(by=system)
    return Seen(FindingKind.POSITION, item)


SENSOR_FAULTS: Mapping[str, Fault] = {
    fault.__name__: fault
    for fault in (
        sensor_against_console,
        rest_before_the_spin,
        report_unanswered,
        report_after_the_outcome,
        dispute_ended_by_one,
        dispute_not_held,
        confirmed_by_the_same,
        bet_after_the_sensor_s_rest,
        spin_invented,
        rest_invented,
        bet_after_the_crash,
        stale_bet,
        dark_after_all_were_lit,
        closed_by_the_house_itself,
    )
}
