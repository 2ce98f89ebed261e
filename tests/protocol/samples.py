"""A view to begin with, and every message both ways at least once."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.protocol import answers as say
from croupier.protocol import messages as msg

_TYPES = ("straight_up", "split", "red", "black")
LIMITS = tuple(say.LimitsView(each, 500, 100_000) for each in _TYPES)
VIEW = say.TableView(
    table="Table 1",
    game="mbs-roulette-v3",
    title="Roulette",
    document="Roulette (MBS) v3",
    is_open=True,
    interrupted=False,
    ball_stated=None,
    virtual_wheel=False,
    wheel="console",
    lights=None,
    round=3,
    phase="ended",
    standing=None,
    closes_at_ms=None,
    countdown_seconds=20,
    spun=True,
    dropped=True,
    at_rest="32",
    keyed=None,
    lights_confirmed=False,
    lit=(),
    winning_number="32",
    colour="red",
    bonus=(),
    super_bonus=(),
    limits=LIMITS,
    next_limits=None,
    settings=(),
    chips=(100, 500, 2500),
    dealer="Dana",
    wagers=(),
    settled=(),
    stake_cents=0,
    wager_count=0,
    terminals=1,
    terminals_lost=(),
    notices=(),
    colours={},
    history=(say.PastRound(3, "32", "red"),),
)
SEAT = say.SeatView("T1", None, 100_000, 0, say.SessionView(0, 0, 0, 0))
PERSON = {"name": "Dana", "role": "Dealer"}
_WAGER = say.WagerView("w1", "T1", "red", 500, (("red", 500),), terminal="T1")

MESSAGES: tuple[msg.ToHouse, ...] = (
    msg.Hello("Table 1", device="token", since=7),
    msg.ChangeWagers(
        "a-1",
        place=(msg.NewWager("w1", "17", 500), msg.NewWager("w2", "complete:17", 100)),
        increase=(msg.MoreStake("w1", 100),),
        withdraw=("w0",),
    ),
    msg.PerformAct("a-2", "rule w3 return", "Pit Supervisor", "Anna", on_request=True),
    msg.KeyOutcome("a-3", "17", confirmed=True),
    msg.ConfirmLightsSeen("a-4"),
    msg.BallWas("a-5", None),
    msg.ConfirmBallStated("a-6"),
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
        "Table 1", 7, 5, "SGD", "real", replace(VIEW, wagers=(_WAGER,)), SEAT
    ),
    say.TableEvent("Table 1", 8, 3, 5, "BallSpun", {"revolutions": None}, SEAT),
    say.Answered("a-1", 9, registered=True, wagers=(_WAGER,), seat=SEAT),
    say.Answered("a-2", 9, registered=False, clause="5.13", reason="late"),
    say.Stakes("Table 1", 9, 500, 1, (_WAGER,), False, 1, ("T2",)),
    say.Changed(
        "Table 1", 9, 5, 25, "17", (say.Notice(1, "void", "…", "5.2"),), (), False, None
    ),
    say.Pong(5, 5, 9),
    say.MessageProblem("only a terminal's seat does that", "a-9"),
    say.Bye("the house is stopping", come_back=True),
)


def happened(event: str, *, sequence: int = 8, round_: int = 3, **fields: Any) -> Any:
    """An event as it comes over the network."""
    return said(say.TableEvent("Table 1", sequence, round_, 5, event, fields))


def said(message: say.FromHouse) -> Any:
    """The message, written and read."""
    return say.read_answer(say.write_answer(message))


def begun(round_: int, limits: tuple[str, ...] = ("* 5 1000",)) -> Any:
    return happened(
        "RoundBegun", round_=round_, round_number=round_, limits=limits, settings=()
    )


def placed(wager_id: str, area: str, cents: int, **more: Any) -> Any:
    pieces = [{"area": area, "cents": cents}]
    return happened(
        "WagerPlaced",
        wager_id=wager_id,
        player="T1",
        wager=area,
        pieces=pieces,
        registered=True,
        terminal="T1",
        **more,
    )


def as_json(message: msg.ToHouse | say.FromHouse) -> Any:
    return msgspec.json.decode(msgspec.json.encode(message))
