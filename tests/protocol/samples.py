"""A view to begin with, and every message both ways at least once."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules.reasons import PlainReason

_TYPES = ("straight_up", "split", "red", "black")


def because(text: str, clause: str | None = None) -> say.StatedReason:
    """A reason that a person gave in their own words."""
    return say.stated(PlainReason.RECORDED(text=text), clause)


LIMITS = tuple(say.LimitsView(each, 500, 100_000) for each in _TYPES)
VIEW = say.TableView(
    table="Table 1",
    game="mbs-roulette-v3",
    title="Roulette",
    document="Roulette (MBS) v3",
    is_open=True,
    interrupted=False,
    virtual_wheel=False,
    wheel="console",
    lights=None,
    round=3,
    phase="ended",
    status="settled",
    status_since_ms=5,
    takes_wagers=False,
    steps=(say.StepView("open", "done", 5),),
    standing=None,
    opened_at_ms=None,
    closes_at_ms=None,
    closed_at_ms=None,
    countdown_seconds=20,
    spun=True,
    dropped=True,
    at_rest="32",
    lights_confirmed=False,
    lit=(),
    winning_number="32",
    colour="red",
    sections=("even", "high", "dozen:3", "column:2"),
    bonus_status=None,
    bonus=(),
    super_bonus=(),
    limits=LIMITS,
    next_limits=None,
    settings=(),
    chips=(100, 500, 2500),
    dealer="Dana",
    colours={"blue": say.ColourView("Anna", 500)},
    history=(say.PastRound(3, "32", "red"),),
)
SEAT = say.SeatView(
    name="T1",
    player=None,
    credit_cents=100_000,
    claim_cents=0,
    session=say.SessionView(0, 0, 0, 0),
    may=("collect", "redeem", "buy_in"),
    notices=(),
    stake_cents=0,
    wagers=(),
    settled=(),
    totals=None,
    last_totals=None,
)
VOID = say.Notice(4, "void", because("a coin", "5.2"))
STAFF = say.StaffView(
    keyed=None,
    notices=(VOID,),
    ball_stated=None,
    spin_stated=False,
    is_ball_wanted=False,
    wheel_seen=say.WheelSeen(
        True, 6, "17", None, (say.UnansweredReport("foreign_object", "5.4"),)
    ),
    terminals_lost=(),
    may=("place your bets",),
    wagers=(),
    settled=(),
    totals=None,
    more=False,
)
STAKES = say.StakesView(0, 0, 1)
_WAGER = say.WagerView("w1", "T1", "red", 500, (("red", 500),), terminal="T1")

MESSAGES: tuple[msg.ToHouse, ...] = (
    msg.Hello("Table 1", device="token"),
    msg.ChangeWagers(
        "a-1",
        3,
        place=(msg.NewWager("w1", "17", 500), msg.NewWager("w2", "complete:17", 100)),
        increase=(msg.MoreStake("w1", 100),),
        withdraw=("w0",),
    ),
    msg.PerformAct("a-2", "rule w3 return", "Pit Supervisor", "Anna", on_request=True),
    msg.KeyOutcome("a-3", "17", confirmed=True),
    msg.ConfirmLightsSeen("a-4"),
    msg.BallWas("a-5", None),
    msg.ConfirmBallStated("a-6"),
    msg.Interpret("a-16", "is it at rest?", "no", (3,)),
    msg.ReplyToNotice("a-7", 1, accept=True),
    msg.Redeem("a-8", "ABCD-EFGH"),
    msg.Collect("a-9"),
    msg.AskBuyIn("a-10", 10_000),
    msg.Sit("a-11", "Anna", "1234"),
    msg.Leave("a-12"),
    msg.ReportAnnouncement("a-13", "no more bets", 1_800_000_000_000),
    msg.WheelFact("a-14", "spun", None, 5, against_wheel=True),
    msg.ReportLit("a-15", "17"),
    msg.Ping(5),
)
ANSWERS: tuple[say.FromHouse, ...] = (
    say.TableSnapshot(
        "Table 1", 7, 5, "SGD", "real", VIEW, None, replace(SEAT, wagers=(_WAGER,))
    ),
    say.TableUpdate(
        "Table 1",
        8,
        5,
        (say.TableEvent("BallSpun", 3, 8, 5, {"revolutions": None}),),
        say.TableChanges(spun=True),
        (say.PastRound(2, None, None),),
        say.StaffChanges(keyed="17", wagers=()),
    ),
    say.SeatUpdate(
        "Table 1", 8, 5, (), say.SeatChanges(credit_cents=5), (_WAGER,), ("w0",)
    ),
    say.StakesUpdate("Table 1", 9, 5, say.StakesView(500, 1, 1), (_WAGER,), ("w0",)),
    say.Answered(
        "a-1",
        9,
        registered=True,
        seat=say.SeatChanges(credit_cents=99_500),
        wagers=(_WAGER,),
    ),
    say.Answered("a-2", 9, registered=False, refusal=because("late", "5.13")),
    say.Pong(5, 5, 9),
    say.HouseNodes(("https://one.example", "https://two.example")),
    say.MessageProblem(because("only a terminal's seat does that"), "a-9"),
    say.Bye(because("the house is stopping"), come_back=True),
)


def happened(
    event: str, *, sequence: int = 8, round_: int = 3, **fields: Any
) -> say.TableEvent:
    return say.TableEvent(event, round_, sequence, 5, fields)


def update(*events: say.TableEvent, **changes: Any) -> Any:
    """An update as it comes over the network."""
    sequence = events[-1].sequence if events else 9
    view = say.TableChanges(**changes)
    return said(say.TableUpdate("Table 1", sequence, 5, events, view))


def said(message: say.FromHouse) -> Any:
    """The message, written and read."""
    return say.read_answer(say.write_answer(message))


def as_json(message: msg.ToHouse | say.FromHouse) -> Any:
    return msgspec.json.decode(msgspec.json.encode(message))
