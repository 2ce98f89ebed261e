"""The seat's Player is checked for each message; a token has one connection."""

from __future__ import annotations

import asyncio
import time

import pytest

from croupier.protocol.answers import Answered, Bye, MessageProblem
from tests.house_server.line import line_to
from tests.house_server.server import House
from tests.waiting import wait_for

pytestmark = pytest.mark.anyio

PIN = "4711"


def _register(house: House, name: str) -> None:
    house.ask("POST", "/api/players", {"name": name, "pin": PIN}, by="Carl")


async def test_a_second_connection_of_a_terminal_ends_the_first(
    lite_house: House,
) -> None:
    async with (
        line_to(lite_house, "v3", device="Anna-v3") as first,
        line_to(lite_house, "v3", device="Anna-v3") as second,
    ):
        assert await first.ended() == 1008
        bye = first.of(Bye)[-1]
        assert "Anna-v3 is open in another window" in bye.reason.text
        assert not bye.come_back
        await second.done("ask_buy_in", cents=100)


async def test_no_one_collects_at_a_seat_that_was_left(lite_house: House) -> None:
    """An older connection can't collect either, nor can a new one."""

    _register(lite_house, "Pia")
    async with line_to(lite_house, "v2", device="Anna-v2") as anna:
        await anna.done("sit", player="Pia", pin=PIN)
        lite_house.buy_in("v2", "Pia", cents=5_000)
        async with line_to(lite_house, "v2", device="Anna-v2") as other:
            assert other.seat.name == "Pia"
            await other.done("leave")
            assert other.seat.name == "Anna-v2"
            answer = await other.refused("collect", cents=5_000)
            assert answer.voucher is None
    shown = lite_house.ask("GET", "/api/tables/v2/seats", by="Carl")["seats"]
    assert {e["seat"]: e["credit_cents"] for e in shown}["Pia"] == 5_000


async def test_a_notice_is_answered_once_under_any_id(lite_house: House) -> None:
    async with (
        line_to(lite_house, "fast", device="Anna-fast") as anna,
        line_to(lite_house, "fast", staff="Carl") as carl,
    ):
        await anna.done("ask_buy_in", cents=777)
        await carl.until(lambda: carl.staff.notices, "the notice")
        number = carl.staff.notices[0].id
        sent = [
            await carl.send("answer_notice", notice=number, accept=accept)
            for accept in (True, True, True, False)
        ]
        first, *others = [await carl.answer_to(each) for each in sent]
        assert isinstance(first, Answered)
        assert first.registered
        assert all(isinstance(each, MessageProblem) for each in others)
        assert await carl.denied("answer_notice", notice=number, accept=True)
        await anna.until(lambda: anna.seat.credit_cents == 777, "the credit")
    bought = lite_house.events("fast", "BoughtIn")
    assert [each.cents for each in bought] == [777]


async def test_staff_who_only_handle_money_lay_no_chips(lite_house: House) -> None:
    async with line_to(lite_house, "fast", staff="Carl") as carl:
        lay = {"act": "lay red 5 as x1", "player": "Anna-fast"}
        denied = await carl.denied("act", **lay)
    assert denied == "Carl has no position at this table"
    assert lite_house.events("fast", "WagerPlaced") == []


async def test_attempts_to_sit_are_limited_and_delay_no_others(
    lite_house: House,
) -> None:
    _register(lite_house, "Quinn")
    lite_house.session("Dana")
    async with line_to(lite_house, "complete", device="Anna-complete") as anna:
        sent = [
            await anna.send("sit", player=f"Nobody {n}", pin=PIN) for n in range(60)
        ]
        began = time.monotonic()
        await asyncio.to_thread(lite_house.deal, "complete")
        took = time.monotonic() - began
        answers = [await anna.answer_to(each) for each in sent]
        assert took < 2
        texts = [e.reason.text for e in answers if isinstance(e, MessageProblem)]
        assert len(texts) == 60
        limited = [text for text in texts if text.startswith("too many attempts")]
        assert len(limited) >= 50
    failed = lite_house.events("house", "LogOnFailed")
    assert len(failed) <= 10


def test_refusals_of_a_board_leave_few_events(lite_house: House) -> None:
    async def refuse() -> None:
        async with line_to(lite_house, "v3", device="board-v3") as board:
            sent = [await board.send("collect", cents=1) for _ in range(300)]
            for each in sent:
                assert isinstance(await board.answer_to(each), MessageProblem)

    def recorded() -> list[int]:
        events = lite_house.events("house", "AuthorityRefused")
        return [each.times for each in events if each.name == "board-v3"]

    asyncio.run(refuse())
    assert wait_for(recorded) == [1]  # recorded after the answers


async def test_boards_and_seats_see_no_names(lite_house: House) -> None:
    lite_house.deal("v3")
    async with (
        line_to(lite_house, "v3", staff="Dana") as dealer,
        line_to(lite_house, "v3", device="Anna-v3") as anna,
    ):
        await dealer.done("act", act="colour blue to Winifred 5")
        await anna.until(lambda: anna.view.colours, "the colour")
        await dealer.until(lambda: dealer.view.colours, "the colour")
        async with line_to(lite_house, "v3") as board:
            for line in (anna, board):
                assert line.view.colours["blue"].player == ""
                assert "Winifred" not in str(line.told)
        assert dealer.view.colours["blue"].player == "Winifred"
        assert anna.seat.colour is None
        await dealer.done("act", act="colour green to Anna-v3 5")
        await anna.until(lambda: anna.seat.colour == "green", "her own colour")


async def test_no_person_acts_as_the_system_or_the_generator(lite_house: House) -> None:
    lite_house.deal("fast")
    async with line_to(lite_house, "fast", staff="Dana") as dealer:
        head = lite_house.head("fast")
        for position in ("system", "RNG", "Player", "cashier", "", "Pit Manager"):
            for act in ("no more bets", "bonus numbers 1 2 5 9 13 17 21 25 29 33"):
                await dealer.denied("act", act=act, position=position)
        assert lite_house.head("fast") == head
