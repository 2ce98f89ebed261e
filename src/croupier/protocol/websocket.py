"""A WebSocket to a table that connects again after each break.

Laws of this file:
- a command is sent again, with the same id, on every new connection until it is
  answered: the house does it once, and its answer is never lost;
- if the house does not know a command's outcome yet, it is sent again after a pause;
- commands leave in the order in which callers asked;
- the client gives up a silent connection within five seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from secrets import randbelow
from urllib.parse import urlunsplit

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import (
    ConnectionClosed,
    WebSocketException,
)

from croupier.protocol import answers, messages
from croupier.protocol.errors import (
    CommandRefused,
    HouseEnded,
    HouseError,
    HouseUnreachable,
    ProtocolProblem,
    read_address,
)
from croupier.protocol.http import table_path

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_PING_S, _PONG_S, _CLOSE_S = 2.0, 2.5, 0.4
"""A half-open connection is found and closed within their sum."""
_OPEN_S = 5.0
_LARGEST_MESSAGE = 32 * 1024 * 1024
"""Bytes of one message from the house: a snapshot with every wager of a full table."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.1, 5.0
_UNKNOWN_S = 1.0
"""Pause before a command with an unknown outcome is sent again."""
_write = msgspec.json.Encoder().encode
_log = logging.getLogger("croupier.protocol")
_log.addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class _PendingCommand:
    """A command that waits for its answer."""

    raw: bytes
    answer: asyncio.Future[answers.Answered]
    silent: bool


def play_address(url: str, table: str) -> str:
    parts = read_address(url)
    path = parts.path.rstrip("/") + table_path(table, "play")
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, path, "", ""))


class ReconnectingSocket:
    """A socket that connects again, with the same `hello`, whenever it breaks."""

    def __init__(
        self,
        url: str,
        table: str,
        hello: messages.Hello,
        hear: Callable[[answers.FromHouse], None],
        patience_s: float | None,
    ) -> None:
        """`patience_s`: time without a connection after which to give up, if any."""
        self._address, self._shown = play_address(url, table), url
        self._hello, self._hear = hello, hear
        self._patience_s = patience_s
        self._asked: dict[str, _PendingCommand] = {}
        self._outbox: asyncio.Queue[bytes] | None = None
        self._unheard_since: float | None = None
        self.over: HouseError | None = None
        """The reason why the connection has ended for good."""
        self.connections = 0
        """The number of connections that the house has welcomed."""

    async def ask(
        self, message: messages.Command, *, silent: bool = False
    ) -> answers.Answered:
        """Send a command until it is answered; raise `HouseError` if it is refused."""
        raw = _checked(message)
        if self.over is not None:
            raise self.over
        answer = asyncio.get_running_loop().create_future()
        self._asked[message.id] = _PendingCommand(raw, answer, silent)
        if self._outbox is not None:
            self._outbox.put_nowait(raw)
        try:
            told: answers.Answered = await answer
        finally:
            self._asked.pop(message.id, None)
        if not told.registered:
            raise CommandRefused(told)
        return told

    def send(self, message: messages.Ping) -> None:
        """Send a message once; after a break it is lost."""
        if self._outbox is not None:
            self._outbox.put_nowait(_checked(message))

    async def run(self) -> None:
        """Run until the house ends it or `patience_s` is over; `over` says why."""
        try:
            await self._keep()
        except HouseError as error:
            self._end(error)
        finally:
            self._end(HouseEnded("the connection has been closed"))

    def _end(self, error: HouseError) -> None:
        self.over = self.over or error
        for asked in self._asked.values():
            if not asked.answer.done():
                asked.answer.set_exception(self.over)

    async def _keep(self) -> None:
        wait_s = _FIRST_WAIT_S
        while True:
            before = self.connections
            try:
                await self._connect()
            except (OSError, TimeoutError, WebSocketException) as error:
                self._give_up_in_time(error)
            if self.connections > before:
                wait_s = _FIRST_WAIT_S
            await asyncio.sleep(wait_s * (500 + randbelow(500)) / 1000)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def _give_up_in_time(self, error: Exception) -> None:
        unreachable = HouseUnreachable.by(self._shown, error)
        now = asyncio.get_running_loop().time()
        if self._unheard_since is None:
            self._unheard_since = now
        patience_s = self._patience_s
        away_s = now - self._unheard_since
        if not self.connections or (patience_s is not None and away_s >= patience_s):
            raise unreachable from error
        _log.info("coming back: %s", unreachable)

    async def _connect(self) -> None:
        """Keep one connection, from the handshake until it breaks."""
        async with open_websocket(
            self._address,
            compression=None,
            proxy=None,
            open_timeout=_OPEN_S,
            ping_interval=_PING_S,
            ping_timeout=_PONG_S,
            close_timeout=_CLOSE_S,
            max_size=_LARGEST_MESSAGE,
            logger=_log,
        ) as socket:
            await socket.send(_checked(self._hello), text=True)
            first = await self._welcomed(socket)
            self.connections += 1
            self._unheard_since = None
            self._outbox = asyncio.Queue()
            for asked in self._asked.values():
                self._outbox.put_nowait(asked.raw)
            writer = asyncio.create_task(self._write(socket, self._outbox))
            try:
                self._take(first)
                while True:
                    message = _read(await socket.recv())
                    if message is not None:
                        self._take(message)
            finally:
                self._outbox = None
                writer.cancel()

    async def _welcomed(self, socket: ClientConnection) -> answers.FromHouse:
        """Return the first message; raise `ProtocolProblem` if hello is refused."""
        while True:
            async with asyncio.timeout(_OPEN_S):
                message = _read(await socket.recv())
            if isinstance(message, answers.MessageProblem):
                raise ProtocolProblem(message.reason.text)
            if message is not None:
                return message

    async def _write(
        self, socket: ClientConnection, outbox: asyncio.Queue[bytes]
    ) -> None:
        try:
            while True:
                await socket.send(await outbox.get(), text=True)
        except ConnectionClosed:
            return  # the reader finds out too, and connects again

    def _take(self, message: answers.FromHouse) -> None:
        match message:
            case answers.Bye(come_back=False):
                self._hear(message)
                text = message.reason.text
                raise HouseEnded(f"the house ended the connection: {text}")
            case answers.MessageProblem(again=True):
                self._unknown(message)
            case answers.Answered() | answers.MessageProblem(id=str()):
                assert message.id is not None
                self._answered(message.id, message)
            case _:
                self._hear(message)

    def _unknown(self, message: answers.MessageProblem) -> None:
        """Send a command again after a pause, unless a new connection does so first."""
        _log.info("to be sent again: %s", message.reason.text)
        asked = None if message.id is None else self._asked.get(message.id)
        if asked is None or asked.answer.done():
            return
        if not asked.silent:
            self._hear(message)
        loop = asyncio.get_running_loop()
        loop.call_later(_UNKNOWN_S, self._send_again, asked, self._outbox)

    def _send_again(
        self, asked: _PendingCommand, outbox: asyncio.Queue[bytes] | None
    ) -> None:
        if self._outbox is outbox is not None and not asked.answer.done():
            outbox.put_nowait(asked.raw)

    def _answered(
        self, asked_id: str, message: answers.Answered | answers.MessageProblem
    ) -> None:
        """Take the first answer to a command; ignore repetitions."""
        asked = self._asked.get(asked_id)
        if asked is None or asked.answer.done():
            return
        if not asked.silent:
            self._hear(message)
        if isinstance(message, answers.Answered):
            asked.answer.set_result(message)
        else:
            asked.answer.set_exception(ProtocolProblem(message.reason.text))


def _checked(message: messages.ToHouse) -> bytes:
    """Return a message as bytes; raise `ProtocolProblem` if a house can't read it."""
    try:
        raw = _write(message)
        messages.read_message(raw)
    except msgspec.MsgspecError as error:
        raise ProtocolProblem(f"the message can't be sent: {error}") from error
    if len(raw) > messages.LARGEST:
        raise ProtocolProblem(f"the message is longer than {messages.LARGEST} bytes")
    return raw


def _read(raw: str | bytes) -> answers.FromHouse | None:
    """Return the message, or None for an unknown one of a newer house."""
    try:
        message: answers.FromHouse = answers.read_answer(raw)
    except msgspec.MsgspecError as error:
        _log.warning("a message was ignored: %s", error)
        return None
    return message
