"""What `croupier client` prints for each message."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cli.client_text import ClientText
from croupier.protocol import answers as say
from tests.protocol.samples import SEAT, VIEW, happened, said

CLAUSE = {"document": "Roulette (MBS) v3", "number": "5.2"}
RED = say.WagerView("w1", "T1", "red", 500, (("red", 500),))
CHANGED = say.Changed("Table 1", 9, 5_000, None, None, (), (), False, "Dana")
SETTLED = {"stake_cents": 500, "paid_cents": 700, "collected_cents": 0}


def _snapshot(**changes: Any) -> say.TableSnapshot:
    view = replace(VIEW, **changes)
    return say.TableSnapshot("Table 1", 7, 5, "SGD", "real", view, SEAT)


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (
            _snapshot(),
            "Table 1: Roulette (MBS) v3 · round 3 ended · 32 red · Dealer Dana"
            " · credit 1000.00",
        ),
        (
            replace(
                _snapshot(virtual_wheel=True, winning_number=None, dealer=None),
                seat=None,
            ),
            "Table 1: Roulette (MBS) v3 · round 3 ended · virtual wheel, for practice",
        ),
        (happened("PlaceYourBetsAnnounced"), "round 3 · place your bets"),
        (happened("BallAtRest", number="17"), "round 3 · the ball is in 17"),
        (happened("OutcomeAnnounced", number="0"), "round 3 · 0 green"),
        (
            happened("OutcomeCorrected", corrected_to="32"),
            "round 3 · corrected to 32 red",
        ),
        (
            happened("RoundVoided", clause=CLAUSE, reason="a coin"),
            "round 3 · void: a coin [5.2]",
        ),
        (
            happened("RoundHeld", clause=CLAUSE, reason="a coin"),
            "round 3 · held: a coin [5.2]",
        ),
        (
            happened("BonusNumbersDrawn", numbers=["1", "S"]),
            "round 3 · Bonus Numbers 1 S",
        ),
        (
            happened("RoundSettled", winning_number=None, wagers=[]),
            "round 3 · settled: void",
        ),
        (
            happened("RoundSettled", winning_number="32", wagers=[SETTLED, SETTLED]),
            "round 3 · settled: 32 red · staked 10.00 · won 14.00 · collected 0.00",
        ),
        (
            replace(happened("BoughtIn", cents=5_000), seat=SEAT),
            "round 3 · bought in 50.00 · credit 1000.00",
        ),
        (happened("TableClosed", round_=0), "the table is closed"),
        (
            say.Answered("1", 9, registered=False, clause="5.13", reason="late"),
            "refused [5.13]: late",
        ),
        (say.Answered("1", 9, registered=False, reason="late"), "refused: late"),
        (
            say.Answered("1", 9, registered=True, read_back="17, black"),
            "keyed: 17, black",
        ),
        (
            say.Answered("1", 9, registered=True, voucher="ABC", seat=SEAT),
            "registered · voucher ABC · credit 1000.00",
        ),
        (
            say.Answered(
                "1", 9, registered=True, wagers=(RED, replace(RED, id="w2", pieces=()))
            ),
            "registered · w1 red 5.00, w2 withdrawn",
        ),
        (say.MessageProblem("not yours"), "not done: not yours"),
        (say.Bye("stopping", come_back=True), "goodbye: stopping"),
        (
            say.Stakes("Table 1", 9, 500, 1, (RED,), False, 1, ()),
            "on the layout 5.00 in 1 wager",
        ),
        (replace(CHANGED, dealer="Dora"), "Dealer Dora"),
        (replace(CHANGED, dealer=None, closes_at_ms=25_000), "20 seconds to bet"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_message_is_one_line(message: Any, line: str) -> None:
    assert ClientText().tell(said(message)) == line


def test_what_nobody_needs_to_read_is_not_printed() -> None:
    silent = (
        happened("ResultSent", number="17"),
        happened("OfTheFuture"),
        say.Pong(1, 1, 1),
    )

    assert [ClientText().tell(each) for each in silent] == [None, None, None]


def test_what_has_been_told_is_not_told_again() -> None:
    teller = ClientText()
    notice = say.Notice(3, "buy_in", "T1 asks to buy in", None, None, "T1", 10_000)
    void = say.Notice(4, "void", "a coin", "5.2", "no spin")
    stakes = say.Stakes("Table 1", 9, 0, 0, (), False, 1, ())

    told = [
        teller.tell(each)
        for each in (
            _snapshot(),
            CHANGED,
            stakes,
            replace(CHANGED, notices=(notice,), closes_at_ms=6_000),
            replace(CHANGED, notices=(notice, void), closes_at_ms=6_000),
            replace(CHANGED, notices=(void,), dealer=None),
        )
    ]

    assert told[1:] == [
        None,
        None,
        "1 second to bet · notice 3: T1 asks to buy in 100.00",
        "notice 4: a coin [5.2]",
        "Dealer none",
    ]
