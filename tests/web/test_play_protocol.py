"""The socket of a table reads and writes frames as the server library would."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol,
)
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from croupier.web.play_protocol import PlayProtocol, straight_to

LONGEST = 300


class ByLibrary(PlayProtocol):
    """The twin: the library reads every frame."""

    data_received = WebSocketsSansIOProtocol.data_received


@dataclass
class Socket(asyncio.Transport):
    """A transport that keeps what is written."""

    written: bytearray = field(default_factory=bytearray)
    closed: bool = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        known = {"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)}
        return known.get(name, default)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


@dataclass
class Heard:
    """What came of a connection: texts to the reader, the rest to the application."""

    texts: list[str] = field(default_factory=list)
    received: list[Any] = field(default_factory=list)
    written: bytes = b""
    closed: bool = False


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


async def heard(
    kind: type[PlayProtocol], pieces: list[bytes], handshake: bytes = HANDSHAKE
) -> Heard:
    """Return what a protocol makes of the bytes of a client, piece by piece."""
    found, over = Heard(), asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        straight_to(scope).reader = found.texts.append
        while (message := await receive())["type"] != "websocket.disconnect":
            found.received.append(message)
        found.received.append(message)
        over.set()

    config = uvicorn.Config(
        app,
        ws=kind,
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        log_config=None,
        lifespan="off",
    )
    protocol = kind(config, ServerState(), {}, asyncio.get_running_loop())
    socket = Socket()
    protocol.connection_made(socket)
    protocol.data_received(handshake)
    await settled()
    for piece in pieces:
        protocol.data_received(piece)
        await settled()
    found.written, found.closed = bytes(socket.written), socket.closed
    protocol.connection_lost(None)
    await over.wait()
    return found


async def settled() -> None:
    """Let the application go on as far as it can: it waits for nothing else."""
    for _ in range(5):
        await asyncio.sleep(0)


def written(
    opcode: Opcode, data: bytes, *, fin: bool = True, mask: bool = True
) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=mask)


texts = st.text(max_size=40).map(str.encode) | st.integers(120, LONGEST).map(
    lambda size: b"x" * size
)
usual = texts.map(lambda text: written(Opcode.TEXT, text))
control = st.sampled_from(
    [
        written(Opcode.PING, b"p"),
        written(Opcode.PONG, b""),
        written(Opcode.BINARY, b"\0\1"),
    ]
)
unusual = st.sampled_from(
    [
        written(Opcode.TEXT, b"in ", fin=False) + written(Opcode.CONT, b"parts"),
        written(Opcode.TEXT, b"open", fin=False),
        written(Opcode.CONT, b"of nothing"),
        written(Opcode.TEXT, b"bare", mask=False),
        written(Opcode.TEXT, b"\xff\xfe"),
        written(Opcode.TEXT, b"x" * (LONGEST + 1)),
        written(Opcode.BINARY, b"x" * 70_000),
        written(Opcode.CLOSE, b"\x03\xe8"),
        b"\xc1\x80\0\0\0\0",
        b"\x83\x80\0\0\0\0",
        b"\x89\xfe\0\x80\0\0\0\0" + b"x" * 128,
        b"\x81\xff",
    ]
)


@dataclass(frozen=True)
class Stream:
    """Frames of all kinds, most of them usual, and the same bytes cut anywhere."""

    frames: list[bytes]
    pieces: list[bytes]


@st.composite
def streams(draw: st.DrawFn) -> Stream:
    frames = draw(st.lists(usual | usual | usual | control | unusual, max_size=6))
    whole = b"".join(frames)
    cuts = draw(st.sets(st.integers(0, len(whole)), max_size=6))
    ends = sorted({0, *cuts, len(whole)})
    return Stream(frames, [whole[a:b] for a, b in pairwise(ends)])


@settings(max_examples=100, deadline=None)
@given(streams())
def test_frames_are_read_as_the_library_reads_them(stream: Stream) -> None:
    # Frame by frame: of a piece with an error the library drops the texts before it.
    async def both() -> tuple[Heard, Heard]:
        ours = await heard(PlayProtocol, stream.pieces)
        return ours, await heard(ByLibrary, stream.frames)

    ours, theirs = asyncio.run(both())

    assert ours == theirs


def test_whole_texts_do_not_pass_the_library() -> None:
    frame = written(Opcode.TEXT, b"a wager")
    calls: list[bytes] = []

    class Counted(PlayProtocol):
        def handle_events(self) -> None:
            calls.append(b"")
            super().handle_events()

    found = asyncio.run(heard(Counted, [frame * 3 + frame[:4], frame[4:]]))

    assert found.texts == ["a wager"] * 4
    assert len(calls) == 1  # the handshake


def test_what_follows_the_handshake_at_once_is_read_too() -> None:
    frame = written(Opcode.TEXT, b"hello")

    early = HANDSHAKE + frame[:3]
    found = asyncio.run(heard(PlayProtocol, [frame[3:], frame], early))

    assert found.texts == ["hello", "hello"]


def test_texts_are_written_as_a_client_reads_them() -> None:
    sizes = (0, 1, 125, 126, 65_535, 65_536, 100_000)
    sent = [b"x" * size for size in sizes]

    async def write() -> bytes:
        lines: list[PlayProtocol] = []

        class Kept(PlayProtocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                lines.append(self)

        async def answer() -> None:
            while not lines or not lines[0].handshake_complete:
                await asyncio.sleep(0)
            lines[0].write_texts(sent)

        found, _ = await asyncio.gather(heard(Kept, [b""] * 5), answer())
        return found.written

    client = ClientProtocol(parse_uri("ws://a/"))
    client.send_request(client.connect())
    response, _, frames = asyncio.run(write()).partition(b"\r\n\r\n")
    assert b" 101 " in response
    reader = ClientProtocol(parse_uri("ws://a/"), state=client.state.OPEN)
    reader.receive_data(frames)

    read = [
        frame.data for frame in reader.events_received() if isinstance(frame, Frame)
    ]
    assert read == sent
