"""What `croupier client` prints for each message."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cli.client_text import ClientText
from croupier.protocol import answers as say
from tests.protocol.samples import (
    SEAT,
    STAFF,
    STAKES,
    VIEW,
    VOID,
    because,
    happened,
    said,
)

CLAUSE = {"document": "Roulette (MBS) v3", "number": "5.2"}
RED = say.WagerView("w1", "T1", "red", 500, (("red", 500),))
TOTALS = say.TotalsView(stake_cents=1_000, paid_cents=1_400, net_cents=1_400)
SETTLED = say.SettledWagerView("w1", "T1", "red", 500, 700, 0, 500, ())


def _snapshot(**changes: Any) -> say.TableSnapshot:
    view = replace(VIEW, **changes)
    return say.TableSnapshot("Table 1", 7, 5, "SGD", "real", view, seat=SEAT)


BOARD = replace(_snapshot(), seat=None, stakes=STAKES)
PIT = replace(BOARD, staff=STAFF)


def _seat(*events: say.TableEvent, **changes: Any) -> Any:
    seat = say.SeatChanges(**changes)
    return said(say.SeatUpdate("Table 1", 9, 5_000, events, seat))


def _told(known: say.TableSnapshot, *messages: Any) -> list[str | None]:
    """The lines of each message that comes after a snapshot."""
    text = ClientText()
    text.tell(known)
    return [text.tell(said(each)) for each in messages]


@pytest.mark.parametrize(
    ("snapshot", "line"),
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
    ],
    ids=["a seat", "nobody"],
)
def test_a_snapshot_is_one_line(snapshot: say.TableSnapshot, line: str) -> None:
    assert ClientText().tell(snapshot) == line


def _table(**changes: Any) -> Any:
    return said(say.TableUpdate("Table 1", 9, 5_000, (), say.TableChanges(**changes)))


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"round": 4, "status": "betting", "winning_number": None},
            "round 4 · betting",
        ),
        ({"winning_number": "0"}, "round 3 · settled · 0 green"),
        (
            {"status": "void", "standing": because("a coin", "5.2")},
            "round 3 · void: a coin [5.2] · 32 red",
        ),
        ({"bonus": ("1", "S")}, "Bonus Numbers 1 S"),
        ({"round": 0, "status": "shut", "winning_number": None}, "shut"),
        ({"settings": ("complete_dozen inside",)}, None),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_change_of_the_table_is_one_line(
    changes: dict[str, Any], line: str | None
) -> None:
    assert _told(BOARD, _table(**changes)) == [line]


def test_what_nobody_needs_to_read_is_not_printed() -> None:
    assert _told(BOARD, say.Pong(1, 1, 1)) == [None]


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (
            say.Answered("1", 9, registered=False, refusal=because("late", "5.13")),
            "refused [5.13]: late",
        ),
        (
            say.Answered("1", 9, registered=False, refusal=because("late")),
            "refused: late",
        ),
        (
            say.Answered("1", 9, registered=True, read_back="17, black"),
            "keyed: 17, black",
        ),
        (
            say.Answered(
                "1",
                9,
                registered=True,
                voucher="ABC",
                seat=say.SeatChanges(credit_cents=500),
            ),
            "registered · voucher ABC · credit 5.00",
        ),
        (
            say.Answered("1", 9, registered=True, wagers=(RED,), gone=("w2",)),
            "registered · w1 red 5.00, w2 withdrawn · credit 1000.00",
        ),
        (say.MessageProblem(because("not yours")), "not done: not yours"),
        (say.Bye(because("stopping"), come_back=True), "goodbye: stopping"),
        (
            _seat(happened("BoughtIn", cents=5_000), credit_cents=105_000),
            "credit 1050.00",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_message_to_a_seat_is_one_line(message: Any, line: str) -> None:
    assert _told(_snapshot(), message) == [line]


def test_a_settlement_comes_with_the_sums_of_who_reads_it() -> None:
    staff = say.StaffChanges(totals=TOTALS)
    view = say.TableChanges(status="settled")
    settled = say.TableUpdate("Table 1", 9, 5_000, (), view, (), staff)
    decided = {"status": "outcome"}

    seat = _told(_snapshot(**decided), _seat(totals=TOTALS, credit_cents=500), settled)
    pit = _told(replace(PIT, view=_snapshot(**decided).view), settled)

    sums = "staked 10.00 · won 14.00 · collected 0.00"
    assert seat == [f"{sums} · credit 5.00", "round 3 · settled · 32 red"]
    assert pit == [f"round 3 · settled · 32 red · {sums}"]


def test_what_has_been_told_is_not_told_again() -> None:
    buy_in = because("T1 asks to buy in")
    notice = say.Notice(3, "buy_in", buy_in, "T1", 10_000)

    def changed(at_ms: int, **changes: Any) -> say.TableUpdate:
        staff = say.StaffChanges(notices=changes.pop("notices", STAFF.notices))
        view = say.TableChanges(**changes)
        return say.TableUpdate("Table 1", 9, at_ms, (), view, (), staff)

    told = _told(
        PIT,
        changed(5_000),
        say.StakesUpdate("Table 1", 9, 5, STAKES),
        say.StakesUpdate("Table 1", 9, 5, say.StakesView(500, 1, 1), (RED,)),
        changed(5_000, notices=(VOID, notice), closes_at_ms=6_000),
        changed(5_000, notices=(notice,), closes_at_ms=6_000),
        changed(5_000, notices=(notice,), dealer="Dora"),
        changed(5_000, notices=(notice,), dealer=None, closes_at_ms=25_000),
        changed(5_000, notices=(VOID, notice)),
    )

    assert told == [
        None,
        None,
        "on the layout 5.00 in 1 wager",
        "1 second to bet · notice 3: T1 asks to buy in 100.00",
        None,
        "Dealer Dora",
        "Dealer none · 20 seconds to bet",
        "notice 4: a coin [5.2]",
    ]
