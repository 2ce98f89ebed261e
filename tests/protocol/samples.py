"""A first view, and samples of all messages of both directions."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.protocol import answers, messages
from croupier.rules.reasons import PlainReason

_TYPES = ("straight_up", "split", "red", "black")


def because(text: str, clause: str | None = None) -> answers.StatedReason:
    """A reason that a person gave in their own words."""
    return answers.stated(PlainReason.RECORDED(text=text), clause)


LIMITS = tuple(answers.LimitsView(each, 500, 100_000) for each in _TYPES)
VIEW = answers.TableView(
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
    steps=(answers.StepView("open", "done", 5),),
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
    colours={"blue": answers.ColourView("Anna", 500)},
    history=(answers.PastRound(3, "32", "red"),),
)
SEAT = answers.SeatView(
    name="T1",
    player=None,
    credit_cents=100_000,
    claim_cents=0,
    session=answers.SessionView(0, 0, 0, 0),
    may=("collect", "redeem", "buy_in"),
    notices=(),
    stake_cents=0,
    wagers=(),
    settled=(),
    totals=None,
    last_totals=None,
)
VOID = answers.Notice(4, "void", because("a coin", "5.2"))
STAFF = answers.StaffView(
    keyed=None,
    notices=(VOID,),
    ball_stated=None,
    spin_stated=False,
    is_ball_wanted=False,
    wheel_seen=answers.WheelSeen(
        True, 6, "17", None, (answers.UnansweredReport("foreign_object", "5.4"),)
    ),
    terminals_lost=(),
    may=("place your bets",),
    wagers=(),
    settled=(),
    totals=None,
    more=False,
)
STAKES = answers.StakesView(0, 0, 1)
_WAGER = answers.WagerView("w1", "T1", "red", 500, (("red", 500),), terminal="T1")

MESSAGES: tuple[messages.ToHouse, ...] = (
    messages.Hello(device="token"),
    messages.ChangeWagers(
        "a-1",
        3,
        place=(
            messages.NewWager("w1", "17", 500),
            messages.NewWager("w2", "complete:17", 100),
        ),
        increase=(messages.MoreStake("w1", 100),),
        withdraw=("w0",),
    ),
    messages.PerformAct(
        "a-2", "rule w3 return", "Pit Supervisor", "Anna", on_request=True
    ),
    messages.KeyOutcome("a-3", "17", confirmed=True),
    messages.ConfirmLightsSeen("a-4"),
    messages.BallWas("a-5", None),
    messages.ConfirmBallStated("a-6"),
    messages.Interpret("a-16", "is it at rest?", "no", (3,)),
    messages.ReplyToNotice("a-7", 1, accept=True),
    messages.Redeem("a-8", "ABCD-EFGH"),
    messages.Collect("a-9"),
    messages.AskBuyIn("a-10", 10_000),
    messages.Sit("a-11", "Anna", "1234"),
    messages.Leave("a-12"),
    messages.ReportAnnouncement("a-13", "no more bets", 1_800_000_000_000),
    messages.WheelFact("a-14", "spun", None, 5, against_wheel=True),
    messages.ReportLit("a-15", "17"),
    messages.Ping(5),
)
ANSWERS: tuple[answers.FromHouse, ...] = (
    answers.TableSnapshot(
        "Table 1", 7, 5, "SGD", "real", VIEW, None, replace(SEAT, wagers=(_WAGER,))
    ),
    answers.TableUpdate(
        "Table 1",
        8,
        5,
        (answers.TableEvent("BallSpun", 3, 8, 5, {"revolutions": None}),),
        answers.TableChanges(spun=True),
        (answers.PastRound(2, None, None),),
        answers.StaffChanges(keyed="17", wagers=()),
    ),
    answers.SeatUpdate(
        "Table 1", 8, 5, (), answers.SeatChanges(credit_cents=5), (_WAGER,), ("w0",)
    ),
    answers.StakesUpdate(
        "Table 1", 9, 5, answers.StakesView(500, 1, 1), (_WAGER,), ("w0",)
    ),
    answers.Answered(
        "a-1",
        9,
        registered=True,
        seat=answers.SeatChanges(credit_cents=99_500),
        wagers=(_WAGER,),
    ),
    answers.Answered("a-2", 9, registered=False, refusal=because("late", "5.13")),
    answers.Pong(5, 5, 9),
    answers.MessageProblem(because("only a terminal's seat does that"), "a-9"),
    answers.Bye(because("the house is stopping"), come_back=True),
)


def happened(
    event: str, *, sequence: int = 8, round_: int = 3, **fields: Any
) -> answers.TableEvent:
    return answers.TableEvent(event, round_, sequence, 5, fields)


def update(*events: answers.TableEvent, **changes: Any) -> Any:
    """An update as it comes over the network."""
    sequence = events[-1].sequence if events else 9
    view = answers.TableChanges(**changes)
    return said(answers.TableUpdate("Table 1", sequence, 5, events, view))


def said(message: answers.FromHouse) -> Any:
    """The message, written and read."""
    return answers.read_answer(answers.write_answer(message))


def as_json(message: messages.ToHouse | answers.FromHouse) -> Any:
    return msgspec.json.decode(msgspec.json.encode(message))
