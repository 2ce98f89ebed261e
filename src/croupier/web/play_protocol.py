"""The server's side of a WebSocket, with a direct path between socket and table.

uvicorn reads the HTTP request and hands the connection over (see
docs/decisions/socket.md). The Sans-I/O protocol of `websockets` does the handshake,
control messages and the close; this module does the rest. An ASGI application answers
the handshake and ends the connection, or learns that it ended. Messages go to its
reader in the call that received them, and texts leave in one write.

Laws of this file:
- only whole masked text frames are read here, and only texts are written here (RFC
  6455, 5.2 and 5.3); the library gets all other frames, whole. After an unusual frame
  (a part of a message, a frame above the size limit, one without a mask) the library
  reads everything;
- as long as a message waits for a reader, no more is read from the peer;
- a peer that does not answer a ping, or does not close when asked to, is cut off.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

import structlog
from starlette.types import ASGIApp, Message, Scope
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from croupier.web.handshake import Handshake

if TYPE_CHECKING:
    import uvicorn
    from uvicorn.server import ServerState

_log = structlog.get_logger("croupier.web")
_STRAIGHT = "croupier.straight"
_CLOSE_WITHIN_S = 10.0
"""A peer that has not closed by then is cut off."""
_SERVER_ERROR = HTTPStatus.INTERNAL_SERVER_ERROR
_DONE, _INVALID_TEXT, _FAILED, _RESTART = 1000, 1007, 1011, 1012
_TEXT = 0x81
_WHOLE = frozenset({_TEXT, 0x82, 0x88, 0x89, 0x8A})
"""The first bytes of whole messages: text, bytes, close, ping and pong."""
_MASKED = 0x80
_IN_TWO, _IN_EIGHT = 126, 127
"""Lengths that announce a length of two or eight bytes."""
_END_OF_HEAD = b"\r\n\r\n"


Reader = Callable[[str | None], None]
"""Takes a text, or None for a message of bytes."""


class PlayProtocol(asyncio.Protocol):
    """One socket; its messages wait for a reader."""

    transport: asyncio.Transport
    _handshake: Handshake

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
    ) -> None:
        self._app = cast(ASGIApp, config.loaded_app)
        self._app_state = app_state
        self._max_size = config.ws_max_size
        self._ping_s, self._pong_s = config.ws_ping_interval, config.ws_ping_timeout
        self._server_state = cast(Any, server_state)  # typed for uvicorn's own classes
        self._loop = asyncio.get_running_loop()
        self._conn = ServerProtocol(max_size=config.ws_max_size)
        self._read: Callable[[bytes], None] = self._read_request
        """Takes the next bytes; it changes with the state of the connection."""
        self._rest = b""
        """The beginning of a frame, or bytes that came while reading was paused."""
        self._message = bytearray()
        self._is_text = False
        """The parts of a message so far, and whether it is a text."""
        self._reader: Reader | None = None
        self._rests = False
        self._waiting: deque[str | None] = deque()
        """Messages that the reader has not taken."""
        self._is_connected = False
        """The application has received `websocket.connect`."""
        self._end: Message | None = None
        """The `websocket.disconnect` of the application, once the connection ends."""
        self._ended = asyncio.Event()
        self.is_writable = True
        self._is_paused = self._is_over = False
        self._timer: asyncio.TimerHandle | None = None
        """For the next ping, the deadline of its pong, or the deadline of the end."""
        self._pinged = b""
        self.on_writable: Callable[[], None] | None = None
        """Called when the peer takes data again."""

    # Called by the event loop and uvicorn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass
        self._server_state.connections.add(self)

    def data_received(self, data: bytes) -> None:
        self._read(data)

    def eof_received(self) -> None:
        """End the connection: a half-open one is of no use to a table."""
        self._hang_up()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._hang_up()
        self._after(None)
        self._server_state.connections.discard(self)

    def pause_writing(self) -> None:
        self.is_writable = False

    def resume_writing(self) -> None:
        self.is_writable = True
        if self.on_writable is not None:
            self.on_writable()

    def shutdown(self) -> None:
        self._end_application(_RESTART)
        self.close(_RESTART)
        self._hang_up()

    # The handshake

    def _read_request(self, data: bytes) -> None:
        head, end, self._rest = data.partition(_END_OF_HEAD)
        self._conn.receive_data(head + end)
        self._read = self._keep
        for request in self._conn.events_received():
            assert isinstance(request, Request)
            self._handshake = Handshake(self._conn, request)
            if self._handshake.is_valid:
                self._start_application()
        self._flush()

    def _keep(self, data: bytes) -> None:
        """Keep bytes that come before the handshake is over."""
        self._rest += data

    def _answer(self, message: Message) -> None:
        self._handshake.answer(message)
        self._flush()
        if self._conn.state is State.OPEN:
            self._read = self._read_frames
            if self._ping_s and self._pong_s:
                self._after(self._ping_s, self._ping)
            self._pace()

    # The application

    def _start_application(self) -> None:
        scope = self._handshake.scope(self.transport)
        scope["state"] = self._app_state.copy()
        scope["extensions"][_STRAIGHT] = {_STRAIGHT: self}
        self._pace()
        task = self._loop.create_task(self._run(scope))
        self._server_state.tasks.add(task)
        task.add_done_callback(self._done)

    async def _run(self, scope: Scope) -> None:
        code = _FAILED
        try:
            await self._app(scope, self._receive, self._send)
            code = _DONE
        finally:
            self.close(code)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._server_state.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("the application of a socket failed", exc_info=error)

    async def _receive(self) -> Message:
        if not self._is_connected:
            self._is_connected = True
            return {"type": "websocket.connect"}
        await self._ended.wait()
        assert self._end is not None
        return self._end

    async def _send(self, message: Message) -> None:
        """Answer the handshake, or close; do nothing after the end."""
        if self._is_over:
            return
        if self._conn.state is State.CONNECTING:
            self._answer(message)
        elif message["type"] == "websocket.close":
            self.close(message.get("code", _DONE), message.get("reason") or "")
        else:
            raise RuntimeError(f"the handshake is over: {message['type']}")

    def _end_application(self, code: int, reason: str = "") -> None:
        """Tell the application of the end, once; drop the waiting messages."""
        if self._end is None:
            self._waiting.clear()
            self._end = {
                "type": "websocket.disconnect",
                "code": code,
                "reason": reason,
            }
            self._ended.set()

    # Frames in

    def _read_frames(self, data: bytes) -> None:
        """Read whole texts, and give all other frames to the library."""
        data = self._rest + data
        start, size = 0, len(data)
        while size - start >= 2 and not self._is_paused:
            first, second = data[start], data[start + 1]
            length, begin = second - _MASKED, start + 6
            is_usual = first in _WHOLE and 0 <= length < _IN_EIGHT
            if length == _IN_TWO:
                if size - start < 4:
                    break
                length, begin = data[start + 2] << 8 | data[start + 3], start + 8
                is_usual = is_usual and length <= self._max_size
            if not is_usual:
                self._read, self._rest = self._give_library, b""
                self._read(data[start:])
                return
            end = begin + length
            if end > size:
                break
            if first == _TEXT:
                self._take_text(_unmasked(data[begin:end], data[begin - 4 : begin]))
            else:
                self._give_library(data[start:end])
            start = end
        self._rest = data[start:]

    def _give_library(self, data: bytes) -> None:
        if self._is_over:
            return
        self._conn.receive_data(data)
        for event in self._conn.events_received():
            assert isinstance(event, Frame)
            self._take(event)
        self._flush()  # pongs, and the echo of a close

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.PONG:
            self._heard_of(bytes(frame.data))
        elif frame.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            if frame.opcode is not Opcode.CONT:
                self._is_text = frame.opcode is Opcode.TEXT
            self._message += frame.data
            if frame.fin:
                data, self._message = bytes(self._message), bytearray()
                if self._is_text:
                    self._take_text(data)
                elif self._end is None:
                    self._deliver(None)

    def _take_text(self, data: bytes) -> None:
        if self._end is not None:
            return
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self._conn.fail(_INVALID_TEXT, "not UTF-8")
            self._flush()
            return
        self._deliver(text)

    def _deliver(self, message: str | None) -> None:
        if self._reader is None or self._rests or self._waiting:
            self._waiting.append(message)
            self._pace()
        else:
            self._reader(message)

    def _hand_over(self) -> None:
        while self._waiting and self._reader is not None and not self._rests:
            self._reader(self._waiting.popleft())
        self._pace()

    def _pace(self) -> None:
        """Pause or resume reading; after the end, read on for the peer's close."""
        waits = bool(self._waiting) or self._conn.state is State.CONNECTING
        is_paused = self._end is None and (self._rests or waits)
        if is_paused is not self._is_paused and not self.transport.is_closing():
            self._is_paused = is_paused
            if is_paused:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()
                # Read the bytes that have arrived, too, but not inside another read.
                self._loop.call_soon(self.data_received, b"")

    # Pings, and the end

    def _after(
        self, seconds: float | None, call: Callable[[], None] | None = None
    ) -> None:
        """Set the one timer, or cancel it if there is no call."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, call) if seconds and call else None

    def _ping(self) -> None:
        self._pinged = os.urandom(4)  # so that no earlier pong matches
        self._conn.send_ping(self._pinged)
        self._flush()
        self._after(self._pong_s, self._give_up)

    def _heard_of(self, pinged: bytes) -> None:
        if pinged == self._pinged and self._end is None:
            self._pinged = b""
            self._after(self._ping_s, self._ping)

    def _give_up(self) -> None:
        """Cut off a silent peer, unless we have paused reading."""
        if self._is_paused:
            self._after(self._pong_s, self._give_up)
            return
        self._conn.fail(_FAILED, "keepalive ping timeout")
        self._flush()

    def _hang_up(self) -> None:
        """Close once all is written, within a bound."""
        if self._is_over:
            return
        self._is_over = True
        self._conn.receive_eof()
        code, reason = self._conn.close_code, self._conn.close_reason
        assert code is not None
        self._end_application(code, reason or "")
        self.transport.close()
        self._after(_CLOSE_WITHIN_S, self.transport.abort)

    def _flush(self) -> None:
        """Write the library's data; hang up if it says so."""
        parts = self._conn.data_to_send()
        if parts and not self._is_over:
            self.transport.write(b"".join(parts))
            if SEND_EOF in parts:
                self._hang_up()

    # Called by a table's socket

    def read_by(self, reader: Reader | None) -> None:
        """Send messages to this reader from now on, beginning with the waiting ones."""
        self._reader, self._rests = reader, False
        self._hand_over()
        self.data_received(b"")

    def pause_reading(self) -> None:
        self._rests = True
        self._pace()

    def resume_reading(self) -> None:
        self._rests = False
        self._hand_over()

    def close(self, code: int, reason: str = "") -> None:
        """End the connection, unless it has ended."""
        if self._is_over:
            return
        if self._conn.state is State.CONNECTING:
            is_end = code == _RESTART
            status = HTTPStatus.SERVICE_UNAVAILABLE if is_end else _SERVER_ERROR
            self._handshake.refuse(status)
        elif self._conn.state is State.OPEN:
            self._conn.send_close(code, reason)
            self._end_application(code)
            self._pace()
            self._after(_CLOSE_WITHIN_S, self.transport.abort)
        self._flush()

    def write_texts(self, texts: Iterable[bytes]) -> None:
        """Send the texts in one write; drop them if the connection is ending."""
        if self._conn.state is State.OPEN and not self.transport.is_closing():
            parts = [part for text in texts for part in (_head_of(text), text)]
            self.transport.write(b"".join(parts))


def straight_to(scope: Scope) -> PlayProtocol:
    found: PlayProtocol = scope["extensions"][_STRAIGHT][_STRAIGHT]
    return found


def _unmasked(masked: bytes, mask: bytes) -> bytes:
    """Return a frame's content without its mask, by one XOR of large numbers."""
    size = len(masked)
    over = (mask * (size // 4 + 1))[:size]
    taken = int.from_bytes(masked, "little") ^ int.from_bytes(over, "little")
    return taken.to_bytes(size, "little")


def _head_of(text: bytes) -> bytes:
    """Return the head of a frame with a whole text."""
    size = len(text)
    if size < _IN_TWO:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return bytes((_TEXT, _IN_TWO, size >> 8, size & 0xFF))
    return bytes((_TEXT, _IN_EIGHT)) + size.to_bytes(8, "big")
