"""A terminal plays at any node, wherever its table is served."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import uvloop
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed

from croupier.house.reasons import HouseReason
from croupier.protocol import answers as say
from croupier.protocol.client import connect
from croupier.protocol.errors import CommandRefused, HouseEnded, ProtocolProblem
from croupier.rules.operator import Person, Role
from croupier.table.commands import BuyIn
from tests.web.nodes.two_nodes import TERMINAL, Node, two_nodes

Scenario = Callable[[Node, Node], Awaitable[None]]
_WITHIN_S = 20


def run(folder: Path, scenario: Scenario) -> None:
    async def go() -> None:
        async with asyncio.timeout(_WITHIN_S), two_nodes(folder) as (one, two):
            await scenario(one, two)

    uvloop.run(go())  # as a server does


async def begin(two: Node) -> None:
    """Credit for the terminal, and a round that takes wagers."""
    cashier = Person("Carl", Role.CASHIER)
    await two.house.act("t2", BuyIn(TERMINAL, 10_000), cashier)
    await two.house.say("t2", "Dealer: place your bets")


def test_wagers_are_carried_to_the_node_of_the_table_and_its_news_back(
    tmp_path: Path,
) -> None:
    async def scenario(one: Node, two: Node) -> None:
        await begin(two)
        async with connect(one.address, "t2", device=TERMINAL) as table:
            answer = await table.wager("17@5", "red@10")
            with pytest.raises(CommandRefused):
                await table.wager("17@5000")
            await two.house.finish_round("t2", "17")
            await table.until(lambda view: view.phase == "ended")
            await table.caught_up()

            assert answer.registered
            assert table.seat is not None
            assert table.seat.credit_cents == 10_000 - 500 - 1_000 + 18_000
            assert two.house.floor.tables["t2"].listeners.has_device(TERMINAL)

    run(tmp_path, scenario)


def test_what_is_said_before_the_welcome_is_carried_in_its_order(
    tmp_path: Path,
) -> None:
    async def scenario(one: Node, two: Node) -> None:
        await begin(two)
        url = one.address.replace("http", "ws") + "/api/play"
        async with open_websocket(url, compression=None, proxy=None) as socket:
            await socket.send(f'{{"type":"hello","table":"t2","device":"{TERMINAL}"}}')
            for count in range(20):
                await socket.send(f'{{"type":"ping","at_ms":{count}}}')
            await socket.send(b"no text")
            told = [say.read_answer(await socket.recv()) for _ in range(23)]

        pongs = [each.echo_ms for each in told if isinstance(each, say.Pong)]
        [nodes] = [each for each in told if isinstance(each, say.HouseNodes)]
        assert set(nodes.addresses) == {one.address, two.address}
        assert pongs == list(range(20))
        assert any(isinstance(each, say.MessageProblem) for each in told)

    run(tmp_path, scenario)


def test_a_hello_that_the_other_node_refuses_is_refused(tmp_path: Path) -> None:
    async def scenario(one: Node, two: Node) -> None:
        with pytest.raises(ProtocolProblem):
            async with connect(one.address, "t2", device="nobody's"):
                pass
        async with connect(two.address, "t2", device=TERMINAL):
            pass

    run(tmp_path, scenario)


def test_whom_the_other_node_ends_is_ended_here_in_the_same_words(
    tmp_path: Path,
) -> None:
    async def scenario(one: Node, two: Node) -> None:
        async with (
            connect(one.address, "t2", device=TERMINAL) as first,
            connect(two.address, "t2", device=TERMINAL),
        ):
            with pytest.raises(HouseEnded) as ended:
                await first.until(lambda _: False)

        assert str(HouseReason.CONNECTED_ELSEWHERE(name=TERMINAL)) in str(ended.value)

    run(tmp_path, scenario)


def test_the_node_of_the_table_hears_that_a_client_has_gone(tmp_path: Path) -> None:
    async def scenario(one: Node, two: Node) -> None:
        listeners = two.house.floor.tables["t2"].listeners
        async with connect(one.address, "t2", device=TERMINAL):
            assert listeners.has_device(TERMINAL)

        while listeners.has_device(TERMINAL):
            await asyncio.sleep(0.01)

    run(tmp_path, scenario)


def test_who_is_carried_comes_back_when_the_other_node_dies(tmp_path: Path) -> None:
    async def scenario(one: Node, two: Node) -> None:
        await begin(two)
        async with connect(one.address, "t2", device=TERMINAL) as table:
            table.link._addresses[1:] = []  # only by way of the first node
            await two.hang_up()
            one.known.tables["t2"] = None
            asked = asyncio.create_task(table.wager("17@5"))
            await asyncio.sleep(0.3)
            one.house.floor.tables["t2"] = two.house.floor.tables["t2"]
            answer = await asked

            assert answer.registered
            assert table.connections >= 2

    run(tmp_path, scenario)


def test_who_asks_for_a_table_that_nobody_serves_is_told_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.web.nodes.table_finder._WAIT_S", 0.2)

    async def scenario(one: Node, two: Node) -> None:
        one.known.tables["t2"] = None
        url = one.address.replace("http", "ws") + "/api/play"
        async with open_websocket(url, compression=None, proxy=None) as socket:
            await socket.send(f'{{"type":"hello","table":"t2","device":"{TERMINAL}"}}')
            bye = say.read_answer(await socket.recv())
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()

        assert isinstance(bye, say.Bye)
        assert bye.come_back
        assert bye.reason.reason == HouseReason.TABLE_NOT_TAKEN(name="t2")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013

    run(tmp_path, scenario)


def test_a_socket_is_carried_once_and_not_round_in_circles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.web.nodes.table_finder._WAIT_S", 1)

    async def scenario(one: Node, two: Node) -> None:
        for node in (one, two):
            node.house.floor.tables.pop("t2", None)
        two.known.tables = {"t2": "one"}
        url = one.address.replace("http", "ws") + "/api/play"
        async with open_websocket(url, compression=None, proxy=None) as socket:
            await socket.send(f'{{"type":"hello","table":"t2","device":"{TERMINAL}"}}')
            bye = say.read_answer(await socket.recv())

        assert isinstance(bye, say.Bye)
        assert bye.come_back

    run(tmp_path, scenario)


def test_a_node_that_hangs_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.web.nodes.play_relay._SILENT_S", 0.3)

    async def scenario(one: Node, two: Node) -> None:
        async with connect(one.address, "t2", device=TERMINAL) as table:
            for connection in two.server.server_state.connections:
                connection.transport.pause_reading()
            while table.connections < 2:
                await asyncio.sleep(0.01)

    run(tmp_path, scenario)
