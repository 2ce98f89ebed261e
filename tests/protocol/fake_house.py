"""A house of one table that misbehaves on purpose, connection by connection.

It does each command once and keeps its answer, as a real house does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from msgspec.structs import replace
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from croupier.protocol.answers import (
    Answered,
    Bye,
    FromHouse,
    MessageProblem,
    Pong,
    SeatChanges,
    SeatUpdate,
    SeatView,
    TableSnapshot,
    TableView,
    WagerView,
    write_answer,
)
from croupier.protocol.changes import apply_changes
from croupier.protocol.messages import Hello, Ping, ReportAnnouncement, read_message
from tests.protocol.samples import SEAT, VIEW, because, happened, update

T = TypeVar("T")
Behaviour = Callable[["FakeHouse", ServerConnection], Awaitable[None]]
_WITHIN_S = 20


def play(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run it, in bounded time."""

    async def bounded() -> T:
        async with asyncio.timeout(_WITHIN_S):
            return await coroutine

    return asyncio.run(bounded())


class FakeHouse:
    """Each connection gets the next behaviour; the last one serves all the rest."""

    def __init__(
        self,
        *behaviours: Behaviour,
        view: TableView = VIEW,
        seat: SeatView | None = SEAT,
    ) -> None:
        self._behaviours = list(behaviours) or [answering]
        self._server: Server | None = None
        self._bound = asyncio.timeout(_WITHIN_S)
        self.view, self.seat = view, seat
        self.sequence = 7
        self.told: list[FromHouse] = []
        self.hellos: list[Hello] = []
        self.received: list[list[Any]] = []
        """The messages read, by connection."""
        self.answers: dict[str, FromHouse] = {}
        self.done: list[Any] = []
        """The commands done, once each, in order."""
        self.sockets: set[ServerConnection] = set()
        self.judge: Callable[[Any], FromHouse] = self.register

    async def __aenter__(self) -> Self:
        """Serve, in bounded time."""
        await self._bound.__aenter__()
        self._server = await serve(self._serve, "127.0.0.1", 0, close_timeout=0.2)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()
        await self._bound.__aexit__(kind, error, trace)

    @property
    def port(self) -> int:
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self, socket: ServerConnection) -> None:
        hello = read_message(await socket.recv())
        self.hellos.append(hello)
        self.received.append([])
        several = len(self._behaviours) > 1
        behaviour = self._behaviours.pop(0) if several else self._behaviours[0]
        self.sockets.add(socket)
        try:
            await behaviour(self, socket)
        except ConnectionClosed:
            pass
        finally:
            self.sockets.discard(socket)

    async def read(self, socket: ServerConnection) -> Any:
        message = read_message(await socket.recv())
        self.received[-1].append(message)
        return message

    def do(self, message: Any) -> FromHouse:
        """Do a command and return its answer; a repeated id gets the first one."""
        if isinstance(message, Ping):
            return Pong(77, message.at_ms, 12)
        if message.id not in self.answers:
            self.answers[message.id] = self.judge(message)
            self.done.append(message)
        return self.answers[message.id]

    def register(self, message: Any) -> FromHouse:
        return Answered(message.id, self.sequence, registered=True)

    async def welcome(self, socket: ServerConnection) -> None:
        await send(
            socket,
            TableSnapshot(
                "Table 1",
                self.sequence,
                5,
                "SGD",
                "real",
                self.view,
                seat=self.seat,
            ),
        )

    async def happen(
        self, event: str, changes: dict[str, Any] | None = None, **fields: Any
    ) -> None:
        """Tell all connections an event and its changes."""
        self.sequence += 1
        number = (changes or {}).get("round", self.view.round)
        told = happened(event, sequence=self.sequence, round_=number, **fields)
        message = update(told, **(changes or {}))
        self.view = apply_changes(self.view, message.view)
        await self.tell(message)

    async def tell(self, message: FromHouse) -> None:
        self.told.append(message)
        for socket in tuple(self.sockets):
            await send(socket, message)

    async def begin(self, round_: int = 4) -> None:
        """Begin a round, open for wagers."""
        begun = {"round": round_, "phase": "awaiting", "spun": False}
        await self.happen("RoundBegun", begun)
        if self.seat is not None and self.seat.wagers:
            gone = tuple(wager.id for wager in self.seat.wagers)
            await self.tell(self._seat_update((), gone))
        await self.happen("PlaceYourBetsAnnounced", {"phase": "betting"})

    async def lay(self, wager_id: str, area: str = "red", cents: int = 500) -> None:
        """Lay a wager of the seat by another hand."""
        self.sequence += 1
        pieces = ((area, cents),)
        wager = WagerView(wager_id, "T1", area, cents, pieces, terminal="T1")
        await self.tell(self._seat_update((wager,), ()))

    def _seat_update(
        self, wagers: tuple[WagerView, ...], gone: tuple[str, ...]
    ) -> SeatUpdate:
        assert self.seat is not None
        kept = [each for each in self.seat.wagers if each.id not in gone]
        lying = (*(each for each in kept if each not in wagers), *wagers)
        stake_cents = sum(each.stake_cents for each in lying)
        self.seat = replace(self.seat, wagers=lying, stake_cents=stake_cents)
        changes = SeatChanges(stake_cents=stake_cents)
        return SeatUpdate("Table 1", self.sequence, 5, (), changes, wagers, gone)

    def drop(self) -> None:
        """Break every connection without a goodbye."""
        for socket in self.sockets:
            socket.transport.abort()


async def send(socket: ServerConnection, message: FromHouse) -> None:
    await socket.send(write_answer(message), text=True)


def commands(house: FakeHouse) -> list[Any]:
    """Return the commands done, without the reports of terminals."""
    return [each for each in house.done if not isinstance(each, ReportAnnouncement)]


# Behaviours


async def answering(house: FakeHouse, socket: ServerConnection) -> None:
    await house.welcome(socket)
    while True:
        await send(socket, house.do(await house.read(socket)))


def breaking_unread(after: int = 1) -> Behaviour:
    """Let `count` messages arrive and read none."""

    async def behave(house: FakeHouse, socket: ServerConnection) -> None:
        await house.welcome(socket)
        for _ in range(after):
            await house.read(socket)
        socket.transport.abort()

    return behave


def breaking_unanswered(after: int = 1) -> Behaviour:
    """Do `count` messages and send no answer."""

    async def behave(house: FakeHouse, socket: ServerConnection) -> None:
        await house.welcome(socket)
        for _ in range(after):
            house.do(await house.read(socket))
        socket.transport.abort()

    return behave


def backwards(count: int) -> Behaviour:
    """Answer `count` messages at once, the last first, and each twice."""

    async def behave(house: FakeHouse, socket: ServerConnection) -> None:
        await house.welcome(socket)
        answers = [house.do(await house.read(socket)) for _ in range(count)]
        for answer in reversed(answers):
            await send(socket, answer)
            await send(socket, answer)
        await socket.wait_closed()

    return behave


def saying_goodbye(*, come_back: bool) -> Behaviour:
    async def behave(house: FakeHouse, socket: ServerConnection) -> None:
        await house.welcome(socket)
        await house.read(socket)
        await send(socket, Bye(because("you read too slowly"), come_back))

    return behave


async def stopping(house: FakeHouse, socket: ServerConnection) -> None:
    """Take no new command: ask for it again."""
    await house.welcome(socket)
    message = await house.read(socket)
    reason = because("the house is stopping")
    await send(socket, MessageProblem(reason, message.id, again=True))
    await send(socket, Bye(reason, come_back=True))


async def not_knowing(house: FakeHouse, socket: ServerConnection) -> None:
    """Answer the first command with an unknown outcome, and go on."""
    await house.welcome(socket)
    message = await house.read(socket)
    reason = because("nobody knows yet")
    await send(socket, MessageProblem(reason, message.id, again=True))
    while True:
        await send(socket, house.do(await house.read(socket)))


async def refusing_hello(_: FakeHouse, socket: ServerConnection) -> None:
    await send(socket, MessageProblem(because("this device has been revoked")))
    await socket.close(1008)
