"""Many connections at once: two consoles, storms, slow and silent readers, order."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.protocol.answers import Answered, Bye, TableSnapshot
from croupier.protocol.schema import protocol_schema
from tests.house_server.line import (
    Line,
    agree,
    clause_of,
    dial,
    eventually,
    hello,
    line_to,
)
from tests.house_server.raw import TEXT, RawSocket, frame, raw_socket
from tests.house_server.server import SEATS, House

pytestmark = pytest.mark.anyio

_PLAYED = ("spin", "no more bets", "outcome 17", "settle")


async def test_of_two_consoles_that_say_the_same_one_is_heard(house: House) -> None:
    house.deal("v3")
    async with (
        line_to(house, "v3", staff="Dana", device="console-v3") as one,
        line_to(house, "v3", staff="Dana") as other,
    ):
        for act in ("place your bets", "spin", "no more bets"):
            answers = await asyncio.gather(
                one.ask("act", act=act), other.ask("act", act=act)
            )
            told = [a for a in answers if isinstance(a, Answered)]
            assert sorted(each.registered for each in told) == [False, True]
            [refused] = [each.refusal for each in told if not each.registered]
            assert refused is not None
            assert refused.clause is not None
        await one.done("outcome", number="17")
        await other.done("outcome", number="20")
        await one.until(lambda: one.staff.keyed == "20", "what the other keyed")
        await one.denied("outcome", number="17", confirmed=True)
        ends = await asyncio.gather(
            one.ask("outcome", number="20", confirmed=True),
            other.ask("outcome", number="20", confirmed=True),
        )
        assert [getattr(each, "registered", False) for each in ends].count(True) == 1
        await one.acts("settle")
        await other.event("RoundSettled")
        await agree(one, other)


async def test_a_dealer_who_was_relieved_may_no_longer_act(house: House) -> None:
    house.deal("v2", "Dana")
    async with (
        line_to(house, "v2", staff="Dana") as dana,
        line_to(house, "v2", staff="Dora") as dora,
    ):
        assert "not the Dealer" in await dora.denied("act", act="place your bets")
        await dana.acts("place your bets")
        house.deal("v2", "Dora")
        await dana.until(lambda: dana.view.dealer == "Dora", "the new Dealer")
        assert "not the Dealer" in await dana.denied("act", act="spin")
        assert "not the Dealer" in await dana.denied("outcome", number="17")
        await dora.acts(*_PLAYED)
        house.deal("v3", "Dora")
        assert "not the Dealer" in await dora.denied("act", act="place your bets")
    refused = house.events("house", "AuthorityRefused")
    assert {"Dana", "Dora"} <= {each.name for each in refused}


def test_clients_that_keep_dropping_end_with_the_same_view(house: House) -> None:
    asyncio.run(_storm(house))


async def _storm(house: House) -> None:
    house.deal("triple")
    house.buy_in("triple", *(f"{seat}-triple" for seat in SEATS), cents=1_000_000)
    names = [f"{seat}-triple" for seat in SEATS]
    async with (
        line_to(house, "triple", staff="Dana") as dealer,
        line_to(house, "triple", staff="Mira") as mira,
        line_to(house, "triple") as board,
    ):
        steady = [line_to(house, "triple", device=name) for name in names]
        async with steady[0] as anna, steady[1] as ben, steady[2] as cara:
            followers = [
                _Follower(house, (None, "Mira")[number % 2], Random(number))
                for number in range(100)
            ]
            storm = asyncio.gather(*(each.follow() for each in followers))
            for number in range(3):
                await dealer.acts("place your bets")
                for line in (anna, ben, cara):
                    await _wager(line, number)
                await dealer.acts(*_PLAYED)
            for each in followers:
                each.is_over = True
            await storm
            for follower in followers:
                await follower.catch_up(board if follower.staff is None else mira)
            for line, name in zip((anna, ben, cara), names, strict=True):
                await line.heard(board.sequence)
                async with line_to(house, "triple", device=name) as fresh:
                    await agree(line, fresh)


async def _wager(line: Line, number: int) -> None:
    for wager in range(4):
        await line.place(f"r{number}w{wager}=straight_up:{17 + wager}@500")
    await line.done("wagers", withdraw=[f"r{number}w1"])
    more = {"id": f"r{number}w2", "stake_cents": 300}
    await line.done("wagers", increase=[more])


class _Follower:
    """A board or staff connection that drops and comes back again and again."""

    def __init__(self, house: House, staff: str | None, random: Random) -> None:
        self._house, self.staff, self._random = house, staff, random
        self.is_over = False

    async def follow(self) -> None:
        while not self.is_over:
            line = await self._come_back()
            patience = self._random.random() * 0.5
            await asyncio.sleep(patience)
            await line.cut()
            assert all(isinstance(e, TableSnapshot) for e in line.told[:1])

    async def _come_back(self) -> Line:
        line = Line(self._house, await dial(self._house, "triple"), "triple")
        said = hello(self._house, staff=self.staff)
        await line.socket.send(json.dumps(said))
        return line

    async def catch_up(self, reference: Line) -> None:
        """Connect a last time; check that the views and the order of events agree."""
        line = await self._come_back()
        await line.until(lambda: line.told, "a welcome")
        heard = [each.sequence for each in reference.events()]
        assert heard == sorted(heard)
        assert len(heard) == len(set(heard))
        await agree(line, reference)
        await line.hang_up()


async def test_the_servers_order_decides_whether_a_wager_was_in_time(
    house: House,
) -> None:
    house.deal("fast")
    house.buy_in("fast", *(f"{seat}-fast" for seat in SEATS), cents=1_000_000)
    lines = [line_to(house, "fast", device=f"{seat}-fast") for seat in SEATS]
    async with (
        line_to(house, "fast", staff="Dana") as dealer,
        lines[0] as anna,
        lines[1] as ben,
        lines[2] as cara,
    ):
        await dealer.acts("place your bets", "spin")
        flood = asyncio.gather(*map(_flood, (anna, ben, cara)))
        await anna.next(Answered)
        await dealer.acts("no more bets")
        answers = [each for told in await flood for each in told]
        close = (await dealer.event("NoMoreBetsAnnounced")).sequence
        taken = [each for each in answers if each.registered]
        late = [each for each in answers if not each.registered]
        assert taken
        assert late
        assert all(each.sequence < close for each in taken)
        assert {clause_of(each) for each in late} == {"5.14"}
        lying = [*anna.own.wagers, *ben.own.wagers, *cara.own.wagers]
        assert len(lying) == len(taken)


async def _flood(line: Line) -> list[Answered]:
    """Place wagers until the close is heard, and a little longer."""
    sent: list[str] = []
    while line.view.phase == "betting" and len(sent) < 300:
        wager = {"id": f"f{len(sent)}", "wager": "straight_up:5", "stake_cents": 100}
        sent.append(await line.send("wagers", place=[wager]))
        await asyncio.sleep(0.001)
    for number in range(3):
        wager = {"id": f"late{number}", "wager": "straight_up:5", "stake_cents": 100}
        sent.append(await line.send("wagers", place=[wager]))
    answers = [await line.answer_to(each) for each in sent]
    assert all(isinstance(each, Answered) for each in answers)
    return [each for each in answers if isinstance(each, Answered)]


async def test_the_countdown_closes_where_the_document_lets_the_house(
    house: House,
) -> None:
    house.deal("counted")
    house.buy_in("counted", "Anna-counted")
    async with (
        line_to(house, "counted", staff="Dana") as dealer,
        line_to(house, "counted", device="Anna-counted") as anna,
    ):
        await dealer.acts("place your bets")
        await anna.place("w1=straight_up:17@500")
        closes_at_ms = anna.view.closes_at_ms
        closed = await anna.event("NoMoreBetsAnnounced")
        late = await anna.refused(
            "wagers", place=[{"id": "w2", "wager": "red", "stake_cents": 500}]
        )
        assert clause_of(late) == "3.5"
        assert closes_at_ms is not None
        assert 0 <= closed.at_ms - closes_at_ms < 1_000
        assert anna.view.closes_at_ms is None
        await _report_shown(anna, closed.at_ms)
        await dealer.acts("spin", "outcome 17", "settle")
    shown = house.events("counted", "AnnouncementShown")
    assert [(e.terminal, e.announcement) for e in shown] == [
        ("Anna-counted", "place your bets"),
        ("Anna-counted", "no more bets"),
    ]
    recalled = house.http(
        "GET", "/api/tables/counted/rounds/1", token=house.session("Ines")
    )
    assert recalled.body.count(b"AnnouncementShown") == 2


async def _report_shown(line: Line, at_ms: int) -> None:
    for announcement in ("place your bets", "no more bets"):
        await line.done("shown", announcement=announcement, at_ms=at_ms)


def test_a_client_that_stops_reading_is_cut_off_and_delays_no_other(
    lite_house: House,
) -> None:
    asyncio.run(_slow(lite_house))


_ENOUGH = 160
"""Rounds of 200 wagers placed and withdrawn: more than sockets and outbox hold."""


async def _slow(house: House) -> None:
    house.deal("v3")
    house.buy_in("v3", "Anna-v3", "Ben-v3", cents=10_000_000)
    async with (
        line_to(house, "v3", staff="Dana") as dealer,
        line_to(house, "v3", device="Anna-v3") as slow,
        line_to(house, "v3", device="Ben-v3") as ben,
    ):
        await dealer.acts("place your bets")
        slow.socket.transport.pause_reading()
        longest = 0.0
        for number in range(_ENOUGH):
            ids = [f"n{number}w{each}" for each in range(200)]
            place = [
                {"id": i, "wager": "straight_up:5", "stake_cents": 100} for i in ids
            ]
            with suppress(ConnectionClosed):  # it is cut off before the end
                await slow.send("wagers", place=place)
                await slow.send("wagers", withdraw=ids)
            began = time.monotonic()
            await ben.done("wagers", place=[_one(number)])
            longest = max(longest, time.monotonic() - began)
        assert longest < 2
        slow.socket.transport.resume_reading()
        await slow.ended()
        assert slow.closed in {1006, 1011, 1013}
        if slow.closed == 1013:  # else it missed its pings before
            assert slow.of(Bye)[-1].come_back
            assert _metrics(house, "slow_readers_cut")
        async with (
            line_to(house, "v3", device="Anna-v3") as back,
            line_to(house, "v3", device="Anna-v3") as fresh,
        ):
            assert isinstance(back.told[0], TableSnapshot)
            await agree(back, fresh)
        await dealer.acts(*_PLAYED)


def _one(number: int) -> dict[str, object]:
    return {"id": f"b{number}", "wager": "straight_up:6", "stake_cents": 100}


def _metrics(house: House, word: str) -> str:
    """Return the metrics' lines that have the word and a count above zero."""
    text = house.http("GET", "/metrics").body.decode()
    lines = [line for line in text.splitlines() if word in line and line[0] != "#"]
    return "\n".join(line for line in lines if not line.endswith(" 0.0"))


def test_what_comes_at_once_is_answered_in_order_and_no_faster_than_allowed(
    lite_house: House,
) -> None:
    asyncio.run(_burst(lite_house, count=450))


async def _burst(house: House, count: int) -> None:
    """Send many messages in one packet: 400 are answered at once, then 200 a second."""
    said = json.dumps(hello(house, device="Ben-v2")).encode()
    pings = [json.dumps({"type": "ping", "at_ms": n}).encode() for n in range(count)]
    async with raw_socket(house, "v2") as raw:
        began = time.monotonic()
        raw.writer.write(b"".join(frame(TEXT, each) for each in (said, *pings)))
        answered: list[int] = []
        async with asyncio.timeout(10):
            while len(answered) < count:
                await raw.reader.readuntil(b'{"type":"pong"')
                answered.append(json.loads(b"{" + await _rest(raw))["echo_ms"])
        assert answered == list(range(count))
        assert time.monotonic() - began > (count - 400) / 200 / 2


async def _rest(raw: RawSocket) -> bytes:
    """Return the rest of a message after its type; it must hold no object."""
    rest = await raw.reader.readuntil(b"}")
    return rest.removeprefix(b",")


def test_a_socket_gone_silent_is_found_within_five_seconds(lite_house: House) -> None:
    asyncio.run(_silent(lite_house))


async def _silent(house: House) -> None:
    async with line_to(house, "v2", staff="Sam") as pit, raw_socket(house, "v2") as raw:
        said = json.dumps(hello(house, device="Ben-v2")).encode()
        await raw.send(TEXT, said)
        began = time.monotonic()
        await pit.until(lambda: pit.stakes.terminals == 1, "the terminal")
        await raw.over(seconds=8)
        assert time.monotonic() - began < 5.5
        await pit.until(lambda: pit.staff.terminals_lost == ("Ben-v2",), "the loss")
        lost = house.events("house", "DeviceLost")
        assert ("Ben-v2", "v2") in [(each.device, each.table) for each in lost]
        devices = house.ask("GET", "/api/devices", by="Ada")
        assert "Ben-v2" in [each["name"] for each in devices if each["is_lost"]]
        async with line_to(house, "v2", device="Ben-v2"):
            await pit.until(lambda: pit.staff.terminals_lost == (), "the return")
            await eventually(lambda: house.events("house", "DeviceBack"))


async def test_a_device_back_at_once_was_never_lost(lite_house: House) -> None:
    for _ in range(5):
        async with line_to(lite_house, "v2", device="Cara-v2") as line:
            await line.cut()
    async with line_to(lite_house, "v2", device="Cara-v2"):
        await asyncio.sleep(4)  # longer than the grace of three seconds
    lost = lite_house.events("house", "DeviceLost")
    assert "Cara-v2" not in {each.device for each in lost}


def test_a_guest_who_closes_the_tab_is_no_lost_terminal(
    lite_house: House,
) -> None:
    asyncio.run(_guest_leaves(lite_house))


async def _guest_leaves(house: House) -> None:
    seat = house.ask("POST", "/api/tables/v3/guests")
    guest = seat["device"]
    house.devices[guest] = seat["token"]

    def lost() -> set[str]:
        return {each.device for each in house.events("house", "DeviceLost")}

    async with line_to(house, "v3", staff="Sam") as pit:
        async with (
            line_to(house, "v3", device=guest),
            line_to(house, "v3", device="Cara-v3"),
        ):
            await pit.until(lambda: pit.stakes.terminals == 2, "both terminals")
        await eventually(lambda: {guest, "Cara-v3"} <= lost())
        await pit.until(lambda: "Cara-v3" in pit.staff.terminals_lost, "the loss")

        assert guest not in pit.staff.terminals_lost


def test_the_protocol_is_published(lite_house: House) -> None:
    published = lite_house.ask("GET", "/api/protocol.json")

    assert published == json.loads(json.dumps(protocol_schema()))


def test_the_house_records_a_lost_terminal_and_none_that_does_not_exist(
    house: House,
) -> None:
    async def play() -> None:
        house.deal("triple")
        house.buy_in("triple", "Cara-triple")
        async with line_to(house, "triple", staff="Dana") as dealer:
            async with line_to(house, "triple", device="Cara-triple") as cara:
                await dealer.acts("place your bets")
                await cara.place("w1=straight_up:17@1000")
                await cara.cut()

            def lost() -> list[Any]:
                told = house.events("triple", "TerminalsInterrupted")
                return [each for each in told if "Cara-triple" in each.terminals]

            [told] = await eventually(lost)
            assert (told.by.name, told.terminals) == ("system", ("Cara-triple",))
            for words in ("T9", "Cara-triple T9", "Anna-v3"):
                refused = await dealer.refused(
                    "act", act=f"interruption terminals {words}"
                )
                assert clause_of(refused) == "5.2"
            await dealer.acts("spin", "no more bets")
            async with line_to(house, "triple", device="Cara-triple") as cara:
                wager = {"id": "w2", "wager": "17", "stake_cents": 1_000}
                late = await cara.refused("wagers", place=[wager])
                assert clause_of(late) == "5.2.2"
                await dealer.acts("outcome 17", "settle")
                await cara.until(lambda: cara.seat.settled, "the settlement")
                assert [each.paid_cents for each in cara.seat.settled] == [35_000]

    asyncio.run(play())
