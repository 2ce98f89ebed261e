"""One WebSocket after another to the same table, as if it were one that never breaks.

Laws of this file:
- a command is sent again, with the same id, on every new connection until it is
  answered: the house does it once, and its answer is never lost;
- so is one of which the house can't say yet what became of it, after a pause;
- commands leave in the order in which they were asked;
- a connection that fell silent is given up within five seconds;
- where the house has several nodes, the next one is tried when one does not answer, but
  never one in clear after one over TLS.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from secrets import randbelow
from urllib.parse import urlunsplit

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidURI,
    WebSocketException,
)

from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.protocol.errors import (
    CommandRefused,
    HouseEnded,
    HouseError,
    HouseUnreachable,
    ProtocolProblem,
    read_address,
)

PATH = "/api/play"
_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_PING_S, _PONG_S, _CLOSE_S = 2.0, 2.5, 0.4
"""A half-open connection is found, and let go, within their sum."""
_OPEN_S = 5.0
_OPEN_ONE_OF_S = 2.0
"""For a handshake where there is another node to go to."""
_LARGEST_MESSAGE = 32 * 1024 * 1024
"""Bytes of one message from the house: a snapshot with every wager of a full table."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.1, 5.0
_UNKNOWN_S = 1.0
"""Before a command is sent again of which nobody knows whether it was done."""
_write = msgspec.json.Encoder().encode
_log = logging.getLogger("croupier.protocol")
_log.addHandler(logging.NullHandler())


Command = msg.Command


@dataclass(frozen=True, slots=True)
class ConnectionOptions:
    """Options of a connection."""

    patience_s: float | None = None
    """Given up when nobody answers for so long; None: never. The first attempt
    has no patience."""
    tls: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class _PendingCommand:
    """A command on its way."""

    raw: bytes
    answer: asyncio.Future[say.Answered]
    silent: bool


def play_address(url: str) -> str:
    """Return the address of the house's WebSocket; raise `HouseUnreachable`."""
    parts = read_address(url)
    path = parts.path.rstrip("/")
    path = path if path.endswith(PATH) else path + PATH
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, path, "", ""))


class ReconnectingSocket:
    """Asks, hears, and comes back, each time with the same `hello`."""

    def __init__(
        self,
        url: str,
        hello: msg.Hello,
        hear: Callable[[say.FromHouse], None],
        options: ConnectionOptions,
    ) -> None:
        self._addresses = [play_address(url)]
        """Of the nodes that we know, in the order in which they are tried."""
        self._shown = url
        self._hello, self._hear = hello, hear
        self._options = options
        self._asked: dict[str, _PendingCommand] = {}
        self._outbox: asyncio.Queue[bytes] | None = None
        self._unheard_since: float | None = None
        self.over: HouseError | None = None
        """Why nothing more will be answered."""
        self.connections = 0
        """How many times the house has welcomed us."""

    async def ask(self, message: Command, *, silent: bool = False) -> say.Answered:
        """Return the answer, however long the house is away; raise `HouseError`."""
        raw = _checked(message)
        if self.over is not None:
            raise self.over
        answer = asyncio.get_running_loop().create_future()
        self._asked[message.id] = _PendingCommand(raw, answer, silent)
        if self._outbox is not None:
            self._outbox.put_nowait(raw)
        try:
            told: say.Answered = await answer
        finally:
            self._asked.pop(message.id, None)
        if not told.registered:
            raise CommandRefused(told)
        return told

    def send(self, message: msg.Ping) -> None:
        """Send what is neither answered by its id nor worth sending twice."""
        if self._outbox is not None:
            self._outbox.put_nowait(_checked(message))

    async def run(self) -> None:
        """Until the house ends it or patience does; `over` says why."""
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
            else:
                self._addresses.append(self._addresses.pop(0))
            await asyncio.sleep(wait_s * (500 + randbelow(500)) / 1000)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def _give_up_in_time(self, error: Exception) -> None:
        now = asyncio.get_running_loop().time()
        if self._unheard_since is None:
            self._unheard_since = now
        patience_s = self._options.patience_s
        away_s = now - self._unheard_since
        if not self.connections or (patience_s is not None and away_s >= patience_s):
            raise HouseUnreachable(
                f"the house at {self._shown} can't be reached: {_why(error)}"
            ) from error
        _log.info("coming back to %s: %s", self._shown, _why(error))

    async def _connect(self) -> None:
        """Keep one connection, from the handshake until it breaks."""
        url = self._addresses[0]
        async with open_websocket(
            url,
            ssl=(self._options.tls or True) if url.startswith("wss:") else None,
            compression=None,
            proxy=None,
            open_timeout=_OPEN_S if len(self._addresses) == 1 else _OPEN_ONE_OF_S,
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

    async def _welcomed(self, socket: ClientConnection) -> say.FromHouse:
        """Return the first message; raise what the house had against our hello."""
        while True:
            async with asyncio.timeout(_OPEN_S):
                message = _read(await socket.recv())
            if isinstance(message, say.MessageProblem):
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
            return  # whoever reads finds out too, and comes back

    def _take(self, message: say.FromHouse) -> None:
        match message:
            case say.Bye(come_back=False):
                self._hear(message)
                text = message.reason.text
                raise HouseEnded(f"the house ended the connection: {text}")
            case say.MessageProblem(again=True):
                self._unknown(message)
            case say.Answered() | say.MessageProblem(id=str()):
                assert message.id is not None
                self._answered(message.id, message)
            case say.HouseNodes(addresses=addresses):
                self._addresses = addresses_after(self._addresses[0], addresses)
                self._hear(message)
            case _:
                self._hear(message)

    def _unknown(self, message: say.MessageProblem) -> None:
        """Send a command again by and by, if no new connection does so before."""
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
        self, asked_id: str, message: say.Answered | say.MessageProblem
    ) -> None:
        """Take the first answer to a command; the same again is nothing new."""
        asked = self._asked.get(asked_id)
        if asked is None or asked.answer.done():
            return
        if not asked.silent:
            self._hear(message)
        if isinstance(message, say.Answered):
            asked.answer.set_result(message)
        else:
            asked.answer.set_exception(ProtocolProblem(message.reason.text))


def addresses_after(here: str, addresses: Iterable[str]) -> list[str]:
    """Return where we are, then the other nodes; over TLS, only those that have it."""
    others = [here]
    for address in addresses:
        with suppress(HouseUnreachable):
            url = play_address(address)
            is_safe = url.startswith("wss:") or not here.startswith("wss:")
            if is_safe and url not in others:
                others.append(url)
    return others


def _checked(message: msg.ToHouse) -> bytes:
    """Return it as sent; raise `ProtocolProblem` where the house can't read it."""
    try:
        raw = _write(message)
        msg.read_message(raw)
    except msgspec.MsgspecError as error:
        raise ProtocolProblem(f"the message can't be sent: {error}") from error
    if len(raw) > msg.LARGEST:
        raise ProtocolProblem(f"the message is longer than {msg.LARGEST} bytes")
    return raw


def _read(raw: str | bytes) -> say.FromHouse | None:
    """None: a message that this client does not know, of a newer house."""
    try:
        message: say.FromHouse = say.read_answer(raw)
    except msgspec.MsgspecError as error:
        _log.warning("a message was passed over: %s", error)
        return None
    return message


def _why(error: Exception) -> str:
    match error:
        case OSError(strerror=str(reason)) if reason:
            return reason
        case TimeoutError():
            return "it does not answer"
        case InvalidURI():
            return "it is not an address"
        case InvalidHandshake() | WebSocketException():
            return str(error)
    return str(error) or type(error).__name__
