"""The client: commands are done once, answers are never lost, the view is current."""

from __future__ import annotations

import asyncio
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cli.client_text import ClientText
from croupier.protocol import feed, messages
from croupier.protocol.answers import (
    Answered,
    Bye,
    MessageProblem,
    SeatChanges,
    TableSnapshot,
    TableUpdate,
    TableView,
    WagerView,
)
from croupier.protocol.client import TableConnection, connect
from croupier.protocol.errors import (
    CommandRefused,
    HouseEnded,
    HouseUnreachable,
    ProtocolProblem,
)
from tests.protocol.fake_house import (
    Behaviour,
    FakeHouse,
    answering,
    backwards,
    breaking_unanswered,
    breaking_unread,
    commands,
    not_knowing,
    play,
    refusing_hello,
    saying_goodbye,
    stopping,
)
from tests.protocol.samples import SEAT, VIEW, because

pytestmark = pytest.mark.anyio

BETTING = replace(VIEW, round=4, phase="betting")


@asynccontextmanager
async def seated(
    *behaviours: Behaviour, **options: Any
) -> AsyncIterator[tuple[FakeHouse, TableConnection]]:
    async with (
        FakeHouse(*behaviours, **options) as house,
        connect(house.url, "Table 1", device="token") as table,
    ):
        yield house, table


async def _soon(is_so: Any) -> None:
    while not is_so():
        await asyncio.sleep(0.01)


# Commands


async def test_a_command_is_answered() -> None:
    async with seated() as (house, table):
        answer = await table.wager("17@5", "red@2.50", "complete_maximum:17")

        [message] = commands(house)
        assert answer.registered
        assert answer.id == message.id
        assert message.place == (
            messages.NewWager("w1", "17", 500),
            messages.NewWager("w2", "red", 250),
            messages.NewWager("w3", "complete_maximum:17", None),
        )


async def test_every_command_is_the_message_it_names() -> None:
    async with seated() as (house, table):
        for asked in (
            table.increase("w1@5"),
            table.withdraw("w1", "w2"),
            table.act("rule w3 return", position="Pit Supervisor"),
            table.act("lay 17 5 as w9", player="Anna", on_request=True),
            table.do(messages.Redeem, "ABCD"),
            table.do(messages.Collect),
        ):
            await asked

        names = [each.id for each in house.done]
        assert len(set(names)) == len(names)
        assert [replace(each, id="-") for each in house.done] == [
            messages.ChangeWagers(
                "-", VIEW.round, increase=(messages.MoreStake("w1", 500),)
            ),
            messages.ChangeWagers("-", VIEW.round, withdraw=("w1", "w2")),
            messages.PerformAct(
                "-", "rule w3 return", "Pit Supervisor", round=VIEW.round
            ),
            messages.PerformAct("-", "lay 17 5 as w9", None, "Anna", True, VIEW.round),
            messages.Redeem("-", "ABCD"),
            messages.Collect("-"),
        ]


async def test_a_refusal_has_its_clause_and_a_problem_its_reason() -> None:
    async with seated() as (house, table):
        house.judge = lambda message: Answered(
            message.id, 9, registered=False, refusal=because("too late", "5.13")
        )
        with pytest.raises(CommandRefused, match=r"too late \[5\.13\]") as refused:
            await table.wager("17@5")
        house.judge = lambda message: MessageProblem(
            because("not yours to do"), message.id
        )
        with pytest.raises(ProtocolProblem, match="not yours"):
            await table.act("spin")

        assert (refused.value.clause, refused.value.reason) == ("5.13", "too late")


@pytest.mark.parametrize("text", ["@5", "17@", "17@x", "17@0", "17@5@5", "x" * 121])
async def test_an_invalid_wager_is_not_sent(text: str) -> None:
    async with seated() as (house, table):
        with pytest.raises(ProtocolProblem):
            await table.wager(text)
        with pytest.raises(ProtocolProblem):
            await table.increase("w1")
        with pytest.raises(ProtocolProblem, match="longer than 65536"):
            await table.wager(*["€" * 120 + "@5"] * 200)

        assert commands(house) == []


# Connections that break


@pytest.mark.parametrize("breaking", [breaking_unread, breaking_unanswered])
async def test_a_command_is_sent_again_with_the_same_id_until_it_is_answered(
    breaking: Any,
) -> None:
    async with seated(breaking(), breaking(), answering) as (house, table):
        answer = await table.wager("17@5")

        [done] = commands(house)
        assert answer.id == done.id
        assert house.received == [[done], [done], [done]]
        assert table.link.connections == 3


async def test_commands_keep_their_order_after_a_break() -> None:
    async with seated(breaking_unanswered(3), answering) as (house, table):
        asked = [table.act(f"spin {count}") for count in range(4, 14)]

        answers = await asyncio.gather(*asked)

        acts = [each.act for each in commands(house)]
        assert acts == [f"spin {count}" for count in range(4, 14)]
        assert [each.id for each in answers] == [e.id for e in commands(house)]
        assert [each.act for each in house.received[1]] == acts


async def test_a_command_that_is_asked_while_the_house_is_away_waits() -> None:
    async with seated() as (house, table):
        house.drop()
        answer = await table.wager("17@5")

        assert answer.registered
        assert len(house.hellos) == 2


async def test_answers_may_come_in_any_order_and_twice() -> None:
    async with seated(backwards(3)) as (house, table):
        heard = table.messages()
        await anext(heard)

        answers = await asyncio.gather(
            *(table.do(messages.ReportLit, str(n)) for n in range(3))
        )
        again = [await anext(heard) for _ in range(3)]

        assert [each.id for each in answers] == [each.id for each in house.done]
        assert again == list(reversed(answers))


async def test_a_command_to_a_stopping_house_is_sent_again() -> None:
    async with seated(stopping, answering) as (house, table):
        answer = await table.wager("17@5")

        assert house.received[0] == house.received[1]
        assert [answer.id] == [each.id for each in commands(house)]


async def test_a_command_with_an_unknown_outcome_is_sent_again_over_the_same_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("croupier.protocol.websocket._UNKNOWN_S", 0.05)

    async with seated(not_knowing) as (house, table):
        heard = table.messages()
        await anext(heard)
        answer = await table.wager("17@5")
        unknown = await anext(heard)

        first, again = (e for e in house.received[0] if e.id == answer.id)
        assert first == again
        assert isinstance(unknown, MessageProblem)
        line = "unknown: the house can't say yet; it is sent again"
        assert ClientText().tell(unknown) == line
        assert answer.registered
        assert table.link.connections == 1


async def test_a_cancelled_command_is_not_sent_again() -> None:
    async with seated(breaking_unread(), answering) as (house, table):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(table.wager("17@5"), 0.01)
        await _soon(lambda: table.link.connections == 2)
        await table.act("spin")

        assert [type(each) for each in house.received[1]] == [messages.PerformAct]


# Coming back


async def test_missed_changes_are_in_the_snapshot() -> None:
    async with seated() as (house, table):
        sockets_then, house.sockets = house.sockets, set()
        await house.begin()
        await house.lay("w1")
        for socket in sockets_then:
            socket.transport.abort()

        view = await table.until(lambda _: bool(table.own_wagers))

        assert view.phase == "betting"
        assert (table.view, table.seat) == (house.view, house.seat)
        assert table.sequence == house.sequence
        assert house.hellos[0] == house.hellos[1]


async def test_a_reader_who_was_too_slow_comes_back() -> None:
    async with seated(saying_goodbye(come_back=True), answering) as (house, table):
        answer = await table.wager("17@5")

        assert answer.registered
        assert len(house.hellos) == 2


async def test_a_goodbye_for_good_ends_everything() -> None:
    async with seated(saying_goodbye(come_back=False)) as (house, table):
        heard: list[Any] = []

        async def listen() -> None:
            async for message in table.messages():
                heard[:] = [message]

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        with pytest.raises(HouseEnded, match="you read too slowly"):
            await table.wager("17@5")
        with pytest.raises(HouseEnded):
            await listening
        with pytest.raises(HouseEnded):
            await table.act("spin")
        with pytest.raises(HouseEnded):
            await table.until(lambda view: view.round == 99)

        assert heard[-1] == Bye(because("you read too slowly"), come_back=False)
        assert len(house.hellos) == 1


async def test_a_refused_hello_raises_its_reason() -> None:
    with pytest.raises(ProtocolProblem, match="revoked"):
        async with seated(refusing_hello):
            pass


async def test_a_token_that_is_revoked_while_away_ends_it() -> None:
    async with seated(breaking_unread(), refusing_hello) as (_, table):
        with pytest.raises(ProtocolProblem, match="revoked"):
            await table.wager("17@5")


def _free_port() -> int:
    with sockets.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("url", "why"),
    [
        (f"http://127.0.0.1:{_free_port()}", "can't be reached"),
        ("127.0.0.1:8000", "is no address of a house"),
        ("ftp://127.0.0.1", "is no address of a house"),
        ("http://", "is no address of a house"),
    ],
    ids=["nobody", "no scheme", "another scheme", "no host"],
)
async def test_an_absent_house_is_an_error_at_once(url: str, why: str) -> None:
    with pytest.raises(HouseUnreachable, match=why):
        async with connect(url, "Table 1"):
            pass


async def test_the_client_gives_up_after_patience_s() -> None:
    house = FakeHouse()
    async with house:
        at_table = connect(house.url, "Table 1", patience_s=0.3)
        table = await at_table.__aenter__()
    with pytest.raises(HouseUnreachable, match="can't be reached"):
        await table.wager("17@5")
    await at_table.__aexit__(None, None, None)


async def test_a_connection_that_fell_silent_is_found_within_five_seconds() -> None:
    async with (
        FakeHouse() as house,
        _relay(house.port) as (port, freeze),
        connect(f"http://127.0.0.1:{port}", "Table 1") as table,
    ):
        freeze()
        began = asyncio.get_running_loop().time()
        await _soon(lambda: table.link.connections == 2)
        took = asyncio.get_running_loop().time() - began

        assert 2 < took < 5.5


@asynccontextmanager
async def _relay(target: int) -> AsyncIterator[tuple[int, Any]]:
    """Passes bytes on, until its open connections freeze and fall silent."""
    frozen = asyncio.Event()
    tasks: set[asyncio.Task[None]] = set()
    writers: list[asyncio.StreamWriter] = []

    async def pass_on(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_old: bool
    ) -> None:
        while data := await reader.read(65536):
            if is_old and frozen.is_set():
                await asyncio.sleep(60)
            writer.write(data)

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        out_reader, out_writer = await asyncio.open_connection("127.0.0.1", target)
        is_old = not frozen.is_set()
        writers.extend((writer, out_writer))
        for pair in ((reader, out_writer), (out_reader, writer)):
            tasks.add(asyncio.create_task(pass_on(*pair, is_old)))

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], frozen.set
    finally:
        for task in tasks:
            task.cancel()
        for writer in writers:
            writer.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)
        server.close()


# What is known


def test_the_messages_begin_with_the_table_as_it_stands() -> None:
    async def go() -> None:
        async with seated() as (house, table):
            await house.begin()
            await table.until(lambda view: view.phase == "betting")
            heard = table.messages()
            first = await anext(heard)
            await house.happen("BallSpun", {"spun": True})
            second = await anext(heard)

            assert isinstance(first, TableSnapshot)
            assert (first.view, first.sequence) == (house_before(table), 9)
            assert second == house.told[-1]

    def house_before(table: TableConnection) -> TableView:
        return replace(table.view, spun=False)

    play(go())


async def test_a_slow_reader_of_the_messages_gets_a_snapshot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed, "MOST_UNREAD", 5)

    async with seated() as (house, table):
        heard = table.messages()
        await anext(heard)
        for round_ in range(4, 9):
            await house.begin(round_)
        await table.until(lambda view: view.round == 8 and view.phase == "betting")
        caught_up = await anext(heard)

        assert isinstance(caught_up, TableSnapshot)
        last = [caught_up]
        while last[-1].sequence < house.sequence:
            last.append(await anext(heard))  # type: ignore[arg-type]
        assert len(last) <= 6


async def test_messages_of_a_newer_house_are_ignored() -> None:
    async with seated() as (house, table):
        for socket in house.sockets:
            await socket.send('{"type":"of the future","sequence":1}')
            await socket.send("[")
        answer = await table.wager("17@5")

        assert answer.registered


async def test_events_and_answers_keep_the_seat_current() -> None:
    async with seated() as (house, table):
        richer = SeatChanges(credit_cents=5)
        house.judge = lambda message: Answered(
            message.id, 9, registered=True, seat=richer
        )
        await table.do(messages.Redeem, "ABCD")

        assert table.seat == replace(SEAT, credit_cents=5)
        await house.lay("w1")
        await table.until(lambda _: bool(table.own_wagers))
        assert table.seat.stake_cents == 500


async def test_a_caller_can_wait_for_the_events_of_an_answer() -> None:
    async with seated() as (house, table):
        await house.begin()
        await house.happen("BallSpun", {"spun": True})
        await table.caught_up()

        assert (table.view.phase, table.view.spun) == ("betting", True)
        house.drop()
        await table.caught_up()


# Wagers of one's own


async def test_wagers_are_numbered_in_each_round() -> None:
    async with seated() as (house, table):
        await house.begin(4)
        await table.until(lambda view: view.phase == "betting")
        await table.wager("17@5", "red@5")
        await house.lay("w2")
        await table.until(lambda _: bool(table.own_wagers))
        await table.wager("black@5")
        await house.begin(5)
        await table.until(lambda view: view.round == 5)
        await table.wager("black@5")

        ids = [[new.id for new in each.place] for each in commands(house)]
        assert ids == [["w1", "w2"], ["w3"], ["w1"]]


async def test_a_client_that_joins_during_a_round_uses_ids_of_its_own() -> None:
    """Ids of earlier withdrawn wagers are unknown, and can't be used again."""

    async with seated(view=BETTING) as (house, table):
        await table.wager("17@5")
        name = commands(house)[0].place[0].id
        await house.lay(name)
        await table.until(lambda _: bool(table.own_wagers))
        await table.increase("w1@5")
        await table.withdraw("w1")
        await house.begin(5)
        await table.until(lambda view: view.round == 5)
        await table.wager("17@5")

        _, increased, withdrawn, placed = commands(house)
        assert name.startswith("w1-")
        assert (increased.increase[0].id, withdrawn.withdraw) == (name, (name,))
        assert placed.place[0].id == "w1"


def _lying(name: str, cents: int) -> WagerView:
    return WagerView(name, "T1", "red", cents, (("red", cents),), terminal="T1")


async def test_a_placed_wager_is_in_its_players_view() -> None:
    async with seated() as (house, table):
        await house.begin()
        await table.until(lambda view: view.phase == "betting")
        await _soon(lambda: _reports(house))
        house.judge = lambda message: Answered(
            message.id, 10, registered=True, wagers=(_lying("w1", 500),)
        )
        await table.wager("red@5")

        assert [wager.id for wager in table.own_wagers] == ["w1"]
        assert table.sequence == 9


async def test_clearing_takes_every_own_wager_back_at_once() -> None:
    async with seated() as (house, table):
        with pytest.raises(ProtocolProblem, match="no wagers to take back"):
            await table.clear()
        await house.begin(4)
        await house.lay("w1")
        await house.lay("w2", "black")
        await table.until(lambda _: len(table.own_wagers) == 2)
        await table.clear()

        assert commands(house)[-1].withdraw == ("w1", "w2")


# The outcome


def _reading_back(words: str) -> Any:
    return lambda message: Answered(
        message.id,
        9,
        registered=True,
        read_back=None if message.confirmed else words,
    )


async def test_an_outcome_is_keyed_checked_and_confirmed() -> None:
    async with seated() as (house, table):
        house.judge = _reading_back("17, black, odd, low")
        await table.outcome("17", "17, black, odd, low".__eq__)

        assert [(each.number, each.confirmed) for each in commands(house)] == [
            ("17", False),
            ("17", True),
        ]


@pytest.mark.parametrize("words", ["1, red, odd, low", "", "170"])
async def test_an_outcome_read_back_wrongly_is_not_confirmed(
    words: str,
) -> None:
    async with seated() as (house, table):
        house.judge = _reading_back(words)
        with pytest.raises(ProtocolProblem, match="was read back as"):
            await table.outcome("17")

        assert [each.confirmed for each in commands(house)] == [False]


async def test_a_person_may_decline_what_is_read_back() -> None:
    async with seated() as (house, table):
        house.judge = _reading_back("17, black, odd, low")
        with pytest.raises(ProtocolProblem, match="was not confirmed"):
            await table.outcome("17", lambda _: False)

        assert len(commands(house)) == 1


# What a terminal reports by itself


def _reports(house: FakeHouse) -> list[str]:
    return [
        each.announcement
        for each in house.done
        if isinstance(each, messages.ReportAnnouncement)
    ]


async def test_a_terminal_reports_what_it_showed_once_a_round() -> None:
    async with seated() as (house, table):
        heard = table.messages()
        told = [await anext(heard)]
        await house.begin()
        await house.happen("BallSpun", {"spun": True})
        await house.happen("NoMoreBetsAnnounced", {"phase": "closed"})
        await _soon(lambda: len(_reports(house)) == 2)
        house.drop()
        await _soon(lambda: table.link.connections == 2)
        await table.act("settle")

        assert _reports(house) == ["place your bets", "no more bets"]
        told += [await anext(heard) for _ in range(5)]
        assert [type(each) for each in told] == [
            TableSnapshot,
            *[TableUpdate] * 4,
            TableSnapshot,
        ]


async def test_a_terminal_that_comes_during_the_betting_shows_it_then() -> None:
    async with seated(view=BETTING) as (house, _):
        await _soon(lambda: _reports(house) == ["place your bets"])


async def test_a_report_survives_a_break_with_the_same_id() -> None:
    async with seated(breaking_unread(), answering, view=BETTING) as (house, _):
        await _soon(lambda: bool(_reports(house)))

        assert house.received[0] == house.received[1]


async def test_an_announcement_that_was_not_shown_is_not_reported() -> None:
    """A round that passed while the terminal was away."""

    async with seated() as (house, table):
        sockets_then, house.sockets = house.sockets, set()
        await house.begin(4)
        await house.happen("NoMoreBetsAnnounced", {"phase": "closed"})
        await house.begin(5)
        for socket in sockets_then:
            socket.transport.abort()
        await table.until(lambda view: view.round == 5)
        await table.act("spin")

        assert _reports(house) == ["place your bets"]


@pytest.mark.parametrize("who", ["staff", "board"])
async def test_only_a_terminal_reports_announcements(who: str) -> None:
    session = "token" if who == "staff" else None
    async with (
        FakeHouse(view=BETTING, seat=None) as house,
        connect(house.url, "Table 1", session=session) as table,
    ):
        await table.act("spin")

        assert _reports(house) == []
        assert house.hellos[0].session == session


async def test_a_refused_report_does_not_reach_the_player() -> None:
    async with FakeHouse(view=BETTING) as house:
        house.judge = lambda message: MessageProblem(because("no"), message.id)
        async with connect(house.url, "Table 1", device="token") as table:
            await _soon(lambda: bool(_reports(house)))

            assert table.view.phase == "betting"
