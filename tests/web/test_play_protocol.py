"""The socket of a table: its frames, its pace and its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send
from structlog.testing import capture_logs
from websockets.frames import Close, Opcode
from websockets.server import ServerProtocol

from croupier.web import play_protocol
from croupier.web.play_protocol import PlayProtocol, straight_to
from tests.web.a_socket import (
    HANDSHAKE,
    LONGEST,
    App,
    Opened,
    frame,
    opened,
    settled,
    text,
)

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def connected(
    app: App | None = None, **options: Any
) -> AsyncIterator[tuple[Opened, App]]:
    """Open a socket; its connection is lost at the end."""
    kept = app or App()
    socket = await opened(kept, **options)
    yield socket, kept
    socket.protocol.connection_lost(None)
    await settled()
    assert not socket.state.tasks
    assert not socket.state.connections


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.001)


# Frames


class ByLibrary(PlayProtocol):
    """The twin: the library reads every frame."""

    def _read_frames(self, data: bytes) -> None:
        data, self._rest = self._rest + data, b""
        self._give_library(data)


texts = st.text(max_size=40).map(str.encode) | st.integers(120, LONGEST).map(
    lambda size: b"x" * size
)
usual = texts.map(lambda data: frame(Opcode.TEXT, data))
control = st.sampled_from(
    [frame(Opcode.PING, b"p"), frame(Opcode.PONG, b""), frame(Opcode.BINARY, b"\0\1")]
)
HOSTILE = {
    "a text without a mask": (1002, frame(Opcode.TEXT, b"bare", mask=False)),
    "reserved bits": (1002, b"\xc1\x80\0\0\0\0"),
    "an unknown kind": (1002, b"\x83\x80\0\0\0\0"),
    "the rest of no message": (1002, frame(Opcode.CONT, b"of nothing")),
    "a message within another": (
        1002,
        frame(Opcode.TEXT, b"open", fin=False) + frame(Opcode.TEXT, b"new"),
    ),
    "a ping in parts": (1002, frame(Opcode.TEXT, b"", fin=False) + b"\x09\x80\0\0\0\0"),
    "a long ping": (1002, b"\x89\xfe\0\x80\0\0\0\0" + b"x" * 128),
    "a close of one byte": (1002, b"\x88\x81\0\0\0\0x"),
    "a close within a message": (
        1002,
        frame(Opcode.TEXT, b"open", fin=False) + frame(Opcode.CLOSE, b"\x03\xe8"),
    ),
    "no UTF-8": (1007, frame(Opcode.TEXT, b"\xff\xfe")),
    "no UTF-8 in parts": (
        1007,
        frame(Opcode.TEXT, b"\xc3", fin=False) + frame(Opcode.CONT, b"x"),
    ),
    "a long text": (1009, frame(Opcode.TEXT, b"x" * (LONGEST + 1))),
    "a length of eight bytes": (1009, frame(Opcode.BINARY, b"x" * 70_000)),
    "a long text in parts": (
        1009,
        frame(Opcode.TEXT, b"x" * LONGEST, fin=False) + frame(Opcode.CONT, b"x"),
    ),
}
_BY_US = "no UTF-8 in parts"
"""We find this error after the library: it has answered later pings by then."""
unusual = st.sampled_from(
    [
        frame(Opcode.TEXT, b"in ", fin=False) + frame(Opcode.CONT, b"parts"),
        frame(Opcode.TEXT, b"open", fin=False),
        frame(Opcode.CLOSE, b"\x03\xe8"),
        b"\x81\xff",
        *(data for name, (_, data) in HOSTILE.items() if name != _BY_US),
    ]
)


@dataclass(frozen=True)
class Stream:
    """Frames of all kinds, mostly usual ones, and the same bytes cut anywhere."""

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
    async def heard(kind: type[PlayProtocol], pieces: list[bytes]) -> list[Any]:
        app = App()
        socket = await opened(app, kind=kind)
        await socket.read(*pieces)
        socket.protocol.connection_lost(None)
        await settled()
        transport = socket.transport
        return [
            app.messages,
            app.end,
            transport.written[150:],
            transport.is_closing(),
        ]

    async def both() -> tuple[list[Any], list[Any]]:
        ours = await heard(PlayProtocol, stream.pieces)
        return ours, await heard(ByLibrary, stream.frames)

    ours, theirs = asyncio.run(both())

    assert ours == theirs


async def test_whole_texts_do_not_pass_the_library() -> None:
    one = text("a wager")

    async with connected() as (socket, app):
        with patch.object(ServerProtocol, "receive_data") as passed:
            await socket.read(one * 3 + one[:4], one[4:])
        assert app.messages == ["a wager"] * 4
        passed.assert_not_called()


async def test_what_follows_the_handshake_at_once_is_read_too() -> None:
    one = text("hello")

    async with connected(handshake=HANDSHAKE + one[:3]) as (socket, app):
        await socket.read(one[3:], one)
        assert app.messages == ["hello", "hello"]


async def test_a_message_in_parts_with_a_ping_between_is_a_message() -> None:
    async with connected() as (socket, app):
        await socket.read(
            frame(Opcode.TEXT, "ü".encode()[:1], fin=False),
            frame(Opcode.PING, b"here?") + frame(Opcode.PONG, b"unasked"),
            frame(Opcode.CONT, "ü".encode()[1:], fin=False),
            frame(Opcode.CONT, b"") + text("next"),
            frame(Opcode.BINARY, b"\0", fin=False) + frame(Opcode.CONT, b"\1"),
        )
        assert app.messages == ["ü", "next", None]
        assert [(each.opcode, each.data) for each in socket.frames()] == [
            (Opcode.PONG, b"here?")
        ]


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_frame_that_may_not_be_ends_the_connection(name: str) -> None:
    code, data = HOSTILE[name]

    async with connected() as (socket, app):
        await socket.read(text("before"), data + text("after"))
        end = socket.close_sent()
        assert end is not None
        assert end.code == code
        assert socket.transport.is_closing()
        assert app.messages == ["before"]
        assert app.ended is not None


async def test_texts_are_written_as_a_client_reads_them() -> None:
    sent = [b"x" * size for size in (0, 1, 125, 126, 65_535, 65_536, 100_000)]

    async with connected() as (socket, _):
        socket.protocol.write_texts(sent)
        assert [each.data for each in socket.frames()] == sent


# Pace


async def test_a_reader_that_rests_gets_its_texts_later_and_in_order() -> None:
    async with connected() as (socket, app):
        socket.protocol.read_by(lambda each: _rest(socket, app, each))
        await socket.read(text("1") + text("2") + text("3"), text("4"))
        assert app.messages == ["1"]
        assert not socket.transport.is_reading()
        for number in (2, 3, 4):
            socket.protocol.resume_reading()
            await settled()
            assert app.messages[-1] == str(number)
        socket.protocol.resume_reading()
        assert socket.transport.is_reading()


async def test_a_reader_that_rests_gets_the_parts_of_messages_in_order_too() -> None:
    async with connected() as (socket, app):
        socket.protocol.read_by(lambda each: _rest(socket, app, each))
        parts = frame(Opcode.TEXT, b"1", fin=False) + frame(Opcode.CONT, b"")
        await socket.read(parts + text("2") + text("3"))
        assert app.messages == ["1"]
        for number in (2, 3):
            socket.protocol.resume_reading()
            await settled()
            assert app.messages[-1] == str(number)


def _rest(socket: Opened, app: App, words: str | None) -> None:
    app.messages.append(words)
    socket.protocol.pause_reading()


def test_a_reader_first_gets_the_messages_that_waited() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await is_ready.wait()
        straight_to(scope).read_by(told.append)
        await receive()

    async def go() -> None:
        socket = await opened(app)
        last = text("3")
        await socket.read(text("1") + text("2") + last[:4])
        assert not socket.transport.is_reading()
        is_ready.set()
        await settled()
        assert socket.transport.is_reading()
        await socket.read(last[4:] + text("4"))

    is_ready, told = asyncio.Event(), list[str | None]()
    asyncio.run(go())

    assert told == ["1", "2", "3", "4"]


async def test_a_peer_that_takes_nothing_is_told_of_when_it_does() -> None:
    async with connected() as (socket, _):
        told: list[bool] = []
        socket.protocol.on_writable = lambda: told.append(socket.protocol.is_writable)
        socket.protocol.pause_writing()
        assert not socket.protocol.is_writable
        socket.protocol.resume_writing()
        assert told == [True]


# The end


@pytest.mark.parametrize(
    ("data", "code", "reason"),
    [(b"\x03\xe9bye", 1001, "bye"), (b"\x0f\xa0", 4000, ""), (b"", 1005, "")],
)
async def test_a_close_of_the_peer_is_answered_and_told(
    data: bytes, code: int, reason: str
) -> None:
    async with connected() as (socket, app):
        await socket.read(text("last") + frame(Opcode.CLOSE, data) + text("dead"))
        assert [each.data for each in socket.frames()] == [data]
        assert socket.transport.is_closing()
        assert app.messages == ["last"]
        assert app.end == {
            "type": "websocket.disconnect",
            "code": code,
            "reason": reason,
        }
        socket.protocol.write_texts([b"nobody listens"])
        await app.send({"type": "websocket.close"})


async def test_a_close_of_the_application_waits_for_that_of_the_peer() -> None:
    async with connected() as (socket, app):
        await app.send({"type": "websocket.close", "code": 1013, "reason": "slow"})
        await settled()
        assert app.ended == 1013
        socket.protocol.close(1000)
        socket.protocol.write_texts([b"after the end"])
        await socket.read(text("crossed it"))
        assert not socket.transport.is_closing()
        assert not app.messages
        await socket.read(frame(Opcode.CLOSE, b"\x03\xf5"))
        assert socket.transport.is_closing()
        assert not socket.transport.is_aborted
        assert socket.close_sent() == Close(1013, "slow")


@patch.object(play_protocol, "_CLOSE_WITHIN_S", 0.01)
async def test_a_peer_that_does_not_end_is_cut_off() -> None:
    async with connected() as (socket, app):
        await app.send({"type": "websocket.close"})
        assert socket.close_sent() == Close(1000, "")
        await until(lambda: socket.transport.is_aborted)


@patch.object(play_protocol, "_CLOSE_WITHIN_S", 0.01)
async def test_a_peer_that_ends_but_reads_nothing_is_cut_off() -> None:
    async with connected() as (socket, _):
        await socket.read(frame(Opcode.CLOSE, b""))
        await until(lambda: socket.transport.is_aborted)


async def test_half_a_connection_is_none() -> None:
    async with connected() as (socket, app):
        await socket.read(text("last"), text("half")[:3])
        assert not socket.protocol.eof_received()  # type: ignore[func-returns-value]
        await settled()
        assert socket.transport.is_closing()
        assert app.messages == ["last"]
        assert app.ended == 1006


async def test_what_a_reader_has_not_taken_at_the_end_it_does_not_get() -> None:
    async with connected() as (socket, app):
        socket.protocol.pause_reading()
        await socket.read(text("1") + text("2"))
        socket.protocol.connection_lost(ConnectionResetError())
        await settled()
        socket.protocol.resume_reading()
        assert not app.messages
        assert app.ended == 1006


async def test_the_server_says_that_it_ends() -> None:
    async with connected() as (socket, app):
        socket.protocol.shutdown()
        await settled()
        assert socket.close_sent() == Close(1012, "")
        assert socket.transport.is_closing()
        assert app.ended == 1012


async def test_the_server_ends_a_connection_that_is_ending() -> None:
    async with connected() as (socket, app):
        await app.send({"type": "websocket.close", "code": 1008})
        socket.protocol.shutdown()
        assert socket.transport.is_closing()
        socket.protocol.shutdown()
        assert socket.close_sent() == Close(1008, "")


@pytest.mark.parametrize(("fails", "code"), [(False, 1000), (True, 1011)])
def test_the_end_of_the_application_ends_the_connection(fails: bool, code: int) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == (await receive())["type"].split(".")[0]
        await send({"type": "websocket.accept"})
        if fails:
            raise ValueError("a mistake of ours")

    async def go() -> Close | None:
        socket = await opened(app)
        assert not socket.state.tasks
        return socket.close_sent()

    with capture_logs() as logged:
        end = asyncio.run(go())

    assert end is not None
    assert end.code == code
    assert [str(each["exc_info"]) for each in logged] == ["a mistake of ours"] * fails


# Pings


def _has_frames(socket: Opened, count: int) -> bool:
    return len(socket.frames()) >= count


def _pong(socket: Opened) -> bytes:
    """Answer the last ping."""
    return frame(Opcode.PONG, bytes(socket.frames()[-1].data))


async def test_a_peer_that_answers_pings_stays() -> None:
    async with connected(ping=0.01) as (socket, _):
        for count in range(1, 4):
            await until(partial(_has_frames, socket, count))
            await socket.read(_pong(socket))
        assert {each.opcode for each in socket.frames()} == {Opcode.PING}
        assert len({bytes(each.data) for each in socket.frames()}) == 3
        assert not socket.transport.is_closing()


async def test_a_peer_that_does_not_answer_pings_is_cut_off() -> None:
    async with connected(ping=0.01, pong=0.02) as (socket, app):
        await until(socket.frames)
        await socket.read(frame(Opcode.PONG, b"made up"), text("alive"))
        await until(socket.transport.is_closing)
        end = socket.close_sent()
        assert end is not None
        assert end.code == 1011
        await settled()
        assert app.ended == 1006


async def test_who_is_not_read_is_not_blamed_for_silence() -> None:
    async with connected(ping=0.01, pong=0.02) as (socket, _):
        socket.protocol.pause_reading()
        await until(socket.frames)
        await asyncio.sleep(0.05)
        assert not socket.transport.is_closing()
        socket.protocol.resume_reading()
        await socket.read(_pong(socket))
        await until(partial(_has_frames, socket, 2))
