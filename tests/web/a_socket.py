"""A WebSocket of the server without a network: bytes in, bytes out."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from croupier.web.play_protocol import PlayProtocol, straight_to

LONGEST = 300
HANDSHAKE = (
    b"GET /api/tables/t/play?a=b%20c HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@dataclass
class Transport(asyncio.Transport):
    """Keeps the bytes that the server writes."""

    written: bytearray = field(default_factory=bytearray)
    is_aborted: bool = False
    _is_closing: bool = False
    _is_reading: bool = True

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        known = {"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)}
        return known.get(name, default)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self._is_closing, "nothing is written after the end"
        self.written += data

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        self._is_closing = True

    def abort(self) -> None:
        self._is_closing = self.is_aborted = True

    def pause_reading(self) -> None:
        self._is_reading = False

    def resume_reading(self) -> None:
        self._is_reading = True

    def is_reading(self) -> bool:
        return self._is_reading


@dataclass
class Opened:
    """A socket of the server, with its transport."""

    protocol: PlayProtocol
    transport: Transport
    state: ServerState

    async def read(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.protocol.data_received(piece)
            await settled()

    @property
    def head(self) -> bytes:
        return bytes(self.transport.written).partition(b"\r\n\r\n")[0]

    @property
    def status(self) -> int:
        return int(self.head.split()[1])

    def frames(self) -> list[Frame]:
        """Everything written since the handshake, as a client reads it."""
        client = ClientProtocol(parse_uri("ws://a/"), state=State.OPEN)
        client.receive_data(bytes(self.transport.written).partition(b"\r\n\r\n")[2])
        return [each for each in client.events_received() if isinstance(each, Frame)]

    def close_sent(self) -> Close | None:
        """Return the server's close frame, if it sent one."""
        closes = [each for each in self.frames() if each.opcode is Opcode.CLOSE]
        return Close.parse(closes[-1].data) if closes else None


async def settled() -> None:
    """Let the application run until it waits for more input."""
    for _ in range(8):
        await asyncio.sleep(0)


async def opened(
    app: ASGIApp,
    handshake: bytes = HANDSHAKE,
    kind: type[PlayProtocol] = PlayProtocol,
    *,
    ping: float | None = None,
    pong: float = 30,
) -> Opened:
    """Hand a connection to the server as uvicorn does."""
    config = uvicorn.Config(
        cast(Any, app),
        ws_max_size=LONGEST,
        ws_ping_interval=ping,
        ws_ping_timeout=pong,
        log_config=None,
        lifespan="off",
    )
    config.load()
    state, transport = ServerState(), Transport()
    protocol = kind(config=config, server_state=state, app_state={})
    protocol.connection_made(transport)
    protocol.data_received(handshake)
    await settled()
    return Opened(protocol, transport, state)


@dataclass
class App:
    """Accepts the connection, and keeps its messages and its end."""

    messages: list[str | None] = field(default_factory=list)
    """None for a message of bytes."""
    end: Message = field(default_factory=dict)
    scope: Scope = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope, self.send = scope, send
        assert await receive() == {"type": "websocket.connect"}
        await send({"type": "websocket.accept"})
        straight_to(scope).read_by(self.messages.append)
        self.end.update(await receive())

    @property
    def ended(self) -> int | None:
        """The close code that the application was given."""
        return self.end.get("code")


def frame(opcode: Opcode, data: bytes, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=mask)


def text(words: str) -> bytes:
    return frame(Opcode.TEXT, words.encode())
