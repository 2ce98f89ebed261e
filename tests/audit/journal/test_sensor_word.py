"""A sensor's word (A45, A46, A52): lawful rounds are clean, each fault is named.

Each case is a round that a table takes, and a fault in it that a table would refuse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.audit.journal.problems import AuditProblem as P
from croupier.journal.stores.sqlite import SqliteStore
from croupier.rules.clause import Clause
from croupier.rules.events import (
    BallAtRest,
    BallRestated,
    BallSpun,
    NoMoreBetsAnnounced,
    OutcomeCorrected,
    PlayContinued,
    ReportAnswered,
    RoundHeld,
    RoundVoided,
    SensorReported,
    WagerPlaced,
    WheelDisputed,
)
from croupier.rules.game import READINGS, Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from tests.audit.floor import DEALER, DRAW, SUPERVISOR
from tests.audit.journal.forging import Forgery
from tests.audit.journal.reported import told
from tests.audit.journal.sensor_house import Watched

V2, V3, COMPLETE = "mbs-roulette-v2", "mbs-roulette-v3", "mbs-complete-bet-v2"
FAST, TRIPLE = "mbs-fast-action-v2", "rws-triple-zero"
FEW, OBJECT = "fewer_than_four_revolutions", "foreign_object"
TWO, SHIFT = "Dealer + Pit Supervisor", "Gaming Shift Manager"
OPEN = "place your bets | Anna: lay 17 10 as w1"
END = "outcome 17 | settle"
REJECT_FEW = f"{TWO}: reject {FEW} because we counted six"
REJECT_OBJECT = f"{TWO}: reject {OBJECT} because a shadow"
SEES_OBJECT = f"sensor: irregularity {OBJECT}"

Fault = Callable[[Forgery], object]
Named = tuple[P, str]
"""A problem, and the report or the number that its sentence must name."""


def drop(*kinds: type[object]) -> Fault:
    """Leave the last event of each kind out."""

    def leave_out(forgery: Forgery) -> None:
        for kind in kinds:
            forgery.drop(forgery.all("t1", kind)[-1])

    return leave_out


def change(kind: type[object], **fields: Any) -> Fault:
    """Give the last event of the kind other values."""
    return lambda forgery: forgery.all("t1", kind)[-1].change(**fields)


def bet_after_the_drop(forgery: Forgery) -> None:
    drop(NoMoreBetsAnnounced)(forgery)
    placed, events = forgery.one("t1", WagerPlaced), forgery.streams["t1"]
    forgery.drop(placed)
    events.insert(events.index(forgery.all("t1", SensorReported)[-1]) + 1, placed)


UNANSWERED = drop(ReportAnswered)
UNHELD = drop(WheelDisputed, RoundHeld, PlayContinued)
IGNORED = drop(WheelDisputed, RoundHeld, ReportAnswered, PlayContinued)
BY_DEALER = change(ReportAnswered, by=(DEALER,))
BY_JUNIORS = change(OutcomeCorrected, by=(DEALER, SUPERVISOR))
AS_IF_ANSWERED = change(PlayContinued, clause=Clause(READINGS, "A45"))
THREE = change(SensorReported, revolutions=3)
PENDING_FEW, PENDING_OBJECT = (P.DEVICE_UNANSWERED, FEW), (P.DEVICE_UNANSWERED, OBJECT)
BY_ONE = (P.ANSWERED_BY_ONE, OBJECT)
GOES_ON = (P.CONTINUED_UNANSWERED, "")


@dataclass(frozen=True)
class Case:
    """A lawful round, a fault planted in it, and the findings that name it."""

    name: str
    scene: str
    """Acts with a stroke between them; one without a person is the Dealer's."""
    fault: Fault
    named: tuple[Named, ...]
    game: str = V3

    def __str__(self) -> str:
        return f"{self.name}, {self.game}"


def case(
    name: str, scene: str, fault: Fault, *named: Named, games: tuple[str, ...] = (V3,)
) -> tuple[Case, ...]:
    """Make the case for each game: Triple Zero lays nothing, Fast Action draws."""

    def of(game: str) -> str:
        if game == TRIPLE:
            shift = SHIFT.replace("Gaming", "Table Games")
            return scene.replace("lay ", "place ").replace(SHIFT, shift)
        if game == FAST:
            return scene.replace("outcome 17", f"{DRAW} | outcome 17", 1)
        return scene

    return tuple(Case(name, of(game), fault, named, game) for game in games)


ALL = (V3, TRIPLE, FAST)
OLD = (V2, COMPLETE)
SPUN = f"{OPEN} | spin"
REJECTED = f"{SPUN} | {SEES_OBJECT} | {REJECT_OBJECT} | no more bets | {END}"
UPHELD = f"{SPUN} | {SEES_OBJECT} | uphold {OBJECT} because a button | settle"
DECIDED = (
    f"{OPEN} | sensor: at rest 20 | sensor: spun 3 | spin | {SEES_OBJECT}"
    f" | no more bets | outcome 17 | {SHIFT}: decide continue | {END}"
)
CLOSED = f"{SPUN} | no more bets"
SENSED = f"{CLOSED} | sensor: at rest 17 | {END}"
CONFIRMED = f"{CLOSED} | ball at rest 18 | {TWO}: correct ball to 17 | {END}"
BY_SHIFT_MANAGER = f"Dealer + {SHIFT}: correct round 1 to 18"

UNANSWERED_REPORTS = (
    *case(
        "three revolutions counted before the spin",
        f"{OPEN} | sensor: spun 3 | {REJECT_FEW} | spin | no more bets | {END}",
        UNANSWERED,
        PENDING_FEW,
        games=ALL,
    ),
    *case(
        "three revolutions with the spin",
        f"{SPUN} | sensor: spun 3 | no more bets | {REJECT_FEW} | {END}",
        UNANSWERED,
        PENDING_FEW,
        games=ALL,
    ),
    *case(
        "three revolutions with the drop",
        f"{SPUN} | sensor: dropped after 3 | {REJECT_FEW} | {END}",
        UNANSWERED,
        PENDING_FEW,
        games=ALL,
    ),
    *case(
        "three revolutions with the rest",
        f"{SPUN} | sensor: at rest 17 after 3 | {REJECT_FEW} | {END}",
        UNANSWERED,
        PENDING_FEW,
        games=ALL,
    ),
    *case(
        "three after five is a report of its own",
        f"{CLOSED} | sensor: spun 5 | sensor: spun 3 | {REJECT_FEW} | {END}",
        UNANSWERED,
        PENDING_FEW,
    ),
    *case(
        "the Dealer's six after the sensor's three",
        f"{OPEN} | sensor: spun 3 | spin 6 | {REJECT_FEW} | no more bets | {END}",
        IGNORED,
        (P.NOT_HELD_OVER, FEW),
        PENDING_FEW,
        games=ALL,
    ),
    *case(
        "the Dealer's six before the sensor's three",
        f"{OPEN} | spin 6 | sensor: spun 3 | {REJECT_FEW} | no more bets | {END}",
        UNHELD,
        (P.NOT_HELD_OVER, FEW),
        games=ALL,
    ),
    *case(
        "announced over a report",
        f"{SPUN} | {SEES_OBJECT} | no more bets | outcome 17 | {REJECT_OBJECT} | {END}",
        IGNORED,
        PENDING_OBJECT,
    ),
    *case(
        "settled over a report after the announcement",
        f"{CLOSED} | outcome 17 | {SEES_OBJECT} | {REJECT_OBJECT} | settle",
        IGNORED,
        (P.NOT_HELD_OVER, OBJECT),
        PENDING_OBJECT,
    ),
    *case(
        "a second report after a rejected one",
        f"{SPUN} | {SEES_OBJECT} | {REJECT_OBJECT} | {SEES_OBJECT} | no more bets"
        f" | {REJECT_OBJECT} | {END}",
        UNANSWERED,
        PENDING_OBJECT,
    ),
    *case(
        "recovered over a report",
        f"{SPUN} | sensor: spun 3 | crash | stated 17 | {REJECT_FEW} | {END}",
        UNANSWERED,
        PENDING_FEW,
        games=(TRIPLE,),
    ),
)
HOLDS = (
    *case(
        "a keyed rest against the sensor's",
        f"{CLOSED} | sensor: at rest 17 | ball at rest 18 | {TWO}: correct ball to 17"
        f" | {END}",
        drop(WheelDisputed, RoundHeld, BallRestated, PlayContinued),
        (P.NOT_HELD_OVER, "the sensor saw 17"),
    ),
    *case(
        "a sensor's rest against the announcement",
        f"{CLOSED} | outcome 17 | sensor: at rest 18 | {TWO}: correct ball to 17"
        " | settle",
        drop(WheelDisputed, RoundHeld, BallRestated, PlayContinued),
        (P.NOT_HELD_OVER, "the sensor saw 18"),
        (P.SENSOR_AGAINST, "18"),
    ),
    *case(
        "the Dealer's three against the sensor's six",
        f"{OPEN} | sensor: spun 6 | spin 3 | {SHIFT}: decide continue | no more bets"
        f" | {END}",
        drop(RoundHeld, PlayContinued),
        (P.CONSEQUENCE_MISSING, "6.2"),
    ),
    *case(
        "the Dealer repeats a rejected report",
        f"{SPUN} | {SEES_OBJECT} | {REJECT_OBJECT} | irregularity {OBJECT}"
        f" | {SHIFT}: decide void | settle",
        drop(RoundHeld),
        (P.VOID_NOT_HELD, "6.2"),
    ),
)
ANSWERS = (
    *case("the Dealer alone rejects", REJECTED, BY_DEALER, BY_ONE, games=ALL),
    *case(
        "a supervisor alone rejects",
        REJECTED,
        change(ReportAnswered, by=(SUPERVISOR,)),
        BY_ONE,
    ),
    *case(
        "one person rejects as two",
        REJECTED,
        change(ReportAnswered, by=(DEALER, DEALER)),
        BY_ONE,
    ),
    *case(
        "a Player is one of three",
        REJECTED,
        change(ReportAnswered, by=(DEALER, SUPERVISOR, Person("Ina", Role.PLAYER))),
        BY_ONE,
    ),
    *case(
        "no reason",
        REJECTED,
        change(ReportAnswered, because=""),
        (P.ANSWERED_WITHOUT_REASON, OBJECT),
    ),
    *case(
        "another report is answered",
        REJECTED,
        change(ReportAnswered, irregularity=Irregularity.WHEEL_STOPPED),
        (P.ANSWERED_NOTHING, "wheel_stopped"),
        PENDING_OBJECT,
    ),
    *case(
        "another reading is cited",
        REJECTED,
        change(ReportAnswered, clause=Clause(READINGS, "A12")),
        (P.CITED_CLAUSE, "A45"),
    ),
    *case(
        "one who may uphold rejects",
        UPHELD,
        change(ReportAnswered, upheld=False),
        BY_ONE,
    ),
    *case(
        "upheld, and not void",
        UPHELD,
        drop(RoundVoided),
        (P.CONSEQUENCE_MISSING, "5.4"),
    ),
    *case(
        "one upholds an earlier report after the rest",
        f"{SPUN} | {SEES_OBJECT} | ball at rest 17"
        f" | {TWO}: uphold {OBJECT} because a button | settle",
        BY_DEALER,
        BY_ONE,
    ),
    *case(
        "one upholds a report of after the rest",
        f"{SPUN} | sensor: at rest 17 | {SEES_OBJECT}"
        f" | {TWO}: uphold {OBJECT} because a button | settle",
        BY_DEALER,
        BY_ONE,
    ),
    *case(
        "one upholds after the announcement",
        f"{CLOSED} | outcome 17 | sensor: irregularity ball_broke"
        f" | {TWO}: uphold ball_broke because it did | settle",
        BY_DEALER,
        (P.ANSWERED_BY_ONE, "ball_broke"),
    ),
    *case(
        "after the rest one upholds other names only",
        f"{SPUN} | ball at rest 17 | sensor: irregularity ball_broke"
        " | uphold ball_broke because it did | settle",
        change(ReportAnswered, irregularity=Irregularity.FOREIGN_OBJECT),
        BY_ONE,
    ),
    *case(
        "two reject in a game of the Shift Manager",
        UPHELD,
        change(ReportAnswered, upheld=False, by=(DEALER, SUPERVISOR)),
        (P.ANSWERED_WITHOUT_DECISION, OBJECT),
        games=OLD,
    ),
    *case(
        "a supervisor upholds in a game of the Dealer",
        UPHELD,
        change(ReportAnswered, by=(SUPERVISOR,)),
        (P.ANSWERED_WITHOUT_DECISION, OBJECT),
        games=OLD,
    ),
    *case(
        "the Dealer upholds there after the rest",
        f"{SPUN} | ball at rest 17 | sensor: irregularity ball_broke"
        " | uphold ball_broke because it did | settle",
        change(ReportAnswered, irregularity=Irregularity.FOREIGN_OBJECT),
        (P.ANSWERED_WITHOUT_DECISION, OBJECT),
        games=OLD,
    ),
)
CONTINUED = (
    *case(
        "a confirmed ball does not answer how it got there",
        f"{SPUN} | {SEES_OBJECT} | sensor: at rest 17 | outcome 18"
        f" | {TWO}: correct ball to 17 | {REJECT_OBJECT} | {END}",
        UNANSWERED,
        GOES_ON,
        PENDING_OBJECT,
    ),
    *case(
        "a confirmed ball answers where it lies",
        f"{SPUN} | sensor: irregularity ball_not_in_compartment"
        " | sensor: irregularity ball_out_of_wheel | no more bets | outcome 17"
        f" | {TWO}: correct ball to 17 | {END}",
        drop(BallRestated),
        GOES_ON,
        (P.DEVICE_UNANSWERED, "ball_not_in_compartment"),
        (P.DEVICE_UNANSWERED, "ball_out_of_wheel"),
    ),
    *case(
        "one person confirms the ball",
        f"{CLOSED} | sensor: at rest 17 | outcome 18 | {SHIFT}: correct ball to 17"
        f" | {END}",
        change(BallRestated, by=(DEALER,)),
        (P.CORRECTED_UNQUALIFIED, ""),
        games=OLD,
    ),
    *case(
        "a count that grows to four ends the hold",
        f"{OPEN} | spin 6 | sensor: spun 3 | sensor: spun 4 | no more bets | {END}",
        THREE,
        GOES_ON,
        PENDING_FEW,
        games=ALL,
    ),
    *case(
        "a late count of the same spin ends the hold",
        f"{SPUN} | sensor: spun 3 | no more bets | outcome 17"
        f" | sensor: at rest 17 after 6 | {END}",
        THREE,
        GOES_ON,
        PENDING_FEW,
    ),
    *case(
        "only a decision answers everything",
        DECIDED,
        AS_IF_ANSWERED,
        GOES_ON,
        (P.SENSOR_STRAY, "20"),
        PENDING_FEW,
        PENDING_OBJECT,
    ),
    *case(
        "only the Shift Manager decides so",
        DECIDED,
        change(PlayContinued, by=DEALER),
        (P.PERSON_MAY_NOT, "Dealer"),
        games=(V3, *OLD),
    ),
    *case(
        "an upheld report that is referred waits for a decision",
        f"{SPUN} | sensor: irregularity unlisted | no more bets | outcome 17"
        f" | uphold unlisted because of the light | {SHIFT}: decide continue | {END}",
        AS_IF_ANSWERED,
        GOES_ON,
    ),
    *case(
        "a dispute over nothing",
        f"{CLOSED} | {SEES_OBJECT} | outcome 17 | {REJECT_OBJECT} | {END}",
        change(WheelDisputed, pending=()),
        (P.DISPUTED_OTHERWISE, ""),
    ),
    *case(
        "a second person without a recovery",
        f"{CLOSED} | ball at rest 17 | {END}",
        change(BallAtRest, confirmed_by=SUPERVISOR),
        (P.CONFIRMED_NOTHING, ""),
    ),
)
COURSE = (
    *case(
        "the sensor's spin is not the Dealer's",
        f"{OPEN} | sensor: spun 6 | sensor: dropped | spin | {END}",
        drop(BallSpun),
        (P.OUTCOME_IMPOSSIBLE, ""),
    ),
    *case(
        "the sensor's spin is one for a decision",
        f"{OPEN} | irregularity unlisted | sensor: spun 6 | {SHIFT}: decide outcome 17"
        " | settle",
        drop(SensorReported),
        (P.DECIDED_WITHOUT_SPIN, ""),
    ),
    *case(
        "a wager after the sensor's drop",
        f"{SPUN} | sensor: dropped after 6 | {END}",
        bet_after_the_drop,
        (P.PLACED_AFTER_DROP, "A52"),
    ),
)
CORRECTIONS = (
    *case(
        "two juniors against a sensor",
        f"{SENSED} | {BY_SHIFT_MANAGER}",
        BY_JUNIORS,
        (P.CORRECTED_AGAINST_SENSOR, "17"),
        games=ALL,
    ),
    *case(
        "two juniors against two people",
        f"{CONFIRMED} | {BY_SHIFT_MANAGER}",
        BY_JUNIORS,
        (P.CORRECTED_AGAINST_PEOPLE, "17"),
        games=ALL,
    ),
    *case(
        "two juniors in a later round",
        f"{SENSED} | place your bets | {BY_SHIFT_MANAGER}",
        BY_JUNIORS,
        (P.CORRECTED_AGAINST_SENSOR, "17"),
    ),
    *case(
        "the contradiction is not named",
        f"{SENSED} | {BY_SHIFT_MANAGER}",
        change(OutcomeCorrected, against_sensor=None),
        (P.CONTRADICTION_UNNAMED, "A46"),
    ),
    *case(
        "two are enough against the Dealer's keying, one is not",
        f"{CLOSED} | ball at rest 17 | {END} | {TWO}: correct round 1 to 18",
        change(OutcomeCorrected, by=(DEALER,)),
        (P.CORRECTED_BY_ONE, ""),
    ),
    *case(
        "two are enough against a correction, one is not",
        f"{CLOSED} | {END} | {TWO}: correct round 1 to 18"
        f" | {TWO}: correct round 1 to 20",
        change(OutcomeCorrected, by=(DEALER,)),
        (P.CORRECTED_BY_ONE, ""),
    ),
    *case(
        "two are enough towards the sensor's number, not away from it",
        f"{CLOSED} | {END} | sensor: at rest 18 | {TWO}: correct round 1 to 18",
        change(SensorReported, number=Number("20")),
        (P.CORRECTED_AGAINST_SENSOR, "20"),
    ),
)


@pytest.mark.parametrize(
    "planted",
    [*UNANSWERED_REPORTS, *HOLDS, *ANSWERS, *CONTINUED, *COURSE, *CORRECTIONS],
    ids=str,
)
def test_a_lawful_round_is_clean_and_the_fault_planted_in_it_is_named(
    planted: Case, tmp_path: Path
) -> None:
    with SqliteStore(tmp_path / "lawful.db") as store:
        assert Watched(store, planted.game).play(planted.scene)
        forgery = Forgery(store)
    lawful = audit_journal(str(tmp_path / "lawful.db"))

    planted.fault(forgery)
    report = audit_journal(str(forgery.write(tmp_path / "forged.db")))

    assert lawful.findings == (), told(lawful)
    sentences = {each.value: str(each.reason) for each in Irregularity}
    for problem, words in planted.named:
        assert any(
            finding.reason.code == problem.name.lower()
            and sentences.get(words, words) in finding.problem
            for finding in report.findings
            if finding.round_number == 1
        ), told(report)
