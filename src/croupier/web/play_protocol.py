"""The server's side of a WebSocket, with a straight way between socket and table.

uvicorn reads the HTTP request and hands the connection over (docs/dependencies.md says
how); handshake, control messages and the end are those of the Sans-I/O protocol of
`websockets`; the rest is here: an ASGI application, and beside it a reader that takes
a text in the call that brought it. All that waits for a socket leaves in one write.

Laws of this file:
- only whole masked frames with a text are read here, and only texts are written here
  (RFC 6455, 5.2 and 5.3); the library is given all other frames, whole. Where one comes
  that few send (a part of a message, a longer one than the house takes, one without a
  mask), it reads all from there on;
- as long as a message waits, or the reader rests, no more is read from the peer;
- whoever does not answer a ping, or does not end when told to, is cut off.
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
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from croupier.web.frames import IN_EIGHT, IN_TWO, MASKED, TEXT, WHOLE, head_of, unmasked
from croupier.web.handshake import Handshake

if TYPE_CHECKING:
    import uvicorn
    from uvicorn.server import ServerState

_log = structlog.get_logger("croupier.web")
_STRAIGHT = "croupier.straight"
_CLOSE_WITHIN_S = 10.0
"""A peer that has not ended by then is cut off."""
_SERVER_ERROR = HTTPStatus.INTERNAL_SERVER_ERROR
_DONE, _INVALID_TEXT, _FAILED, _RESTART = 1000, 1007, 1011, 1012
_END_OF_HEAD = b"\r\n\r\n"


class PeerGone(OSError):
    """The application sends to a connection that is over."""


class PlayProtocol(asyncio.Protocol):
    """One socket; its texts go to a reader, once there is one."""

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
        self._server_state = cast(Any, server_state)  # which knows its own classes
        self._loop = asyncio.get_running_loop()
        self._conn = ServerProtocol(max_size=config.ws_max_size)
        self._read: Callable[[bytes], None] = self._read_request
        """Takes what comes next, as far as the connection has come."""
        self._rest = b""
        """The beginning of a frame, or what came while nothing was read."""
        self._message = bytearray()
        self._is_text = False
        """The parts of a message so far, and whether it is a text."""
        self._reader: Callable[[str], None] | None = None
        self._rests = False
        self._waiting: deque[Message] = deque()
        """What the application has not taken, nor the reader."""
        self._arrived, self._writable = asyncio.Event(), asyncio.Event()
        self._writable.set()
        self._is_paused = self._is_ended = self._is_over = False
        self._timer: asyncio.TimerHandle | None = None
        """The next ping, the last moment of its pong, or of the end."""
        self._pinged = b""
        self.on_writable: Callable[[], None] | None = None
        """Called when the peer takes more, after it did not."""

    # What the event loop and uvicorn call

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass
        self._server_state.connections.add(self)

    def data_received(self, data: bytes) -> None:
        self._read(data)

    def eof_received(self) -> None:
        """End: a peer that can't be asked anything is no use to a table."""
        self._hang_up()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._hang_up()
        self._after(None)
        self._writable.set()
        self._server_state.connections.discard(self)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        """Go on with what waits."""
        self._writable.set()
        if self.on_writable is not None:
            self.on_writable()

    def shutdown(self) -> None:
        """End, because the server does."""
        self._end_application(_RESTART)
        self._close(_RESTART)
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
        """Keep what comes before the handshake is over."""
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
        self._waiting.append({"type": "websocket.connect"})
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
            self._close(code)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._server_state.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, PeerGone):
            _log.error("the application of a socket failed", exc_info=error)

    async def _receive(self) -> Message:
        while not self._waiting or self._is_for_reader(self._waiting[0]):
            self._arrived.clear()
            await self._arrived.wait()
        message = self._waiting.popleft()
        self._hand_over()
        return message

    async def _send(self, message: Message) -> None:
        await self._writable.wait()
        if self._is_over:
            raise PeerGone("the connection is over")
        if self._conn.state is State.CONNECTING:
            self._answer(message)
            return
        try:
            self._send_message(message)
        except InvalidState as error:
            raise PeerGone("the connection ends") from error

    def _send_message(self, message: Message) -> None:
        match message:
            case {"type": "websocket.send", "text": str(text)}:
                self._conn.send_text(text.encode())
            case {"type": "websocket.send", "bytes": data}:
                self._conn.send_binary(data)
            case {"type": "websocket.close"}:
                code = message.get("code", _DONE)
                self._conn.send_close(code, message.get("reason") or "")
                self._await_end(code)
            case _:
                raise RuntimeError(f"the handshake is over: {message['type']}")
        self._flush()

    def _end_application(self, code: int, reason: str = "") -> None:
        """Tell the application that this is the end, once; its reader reads no more."""
        if self._is_ended:
            return
        self._is_ended = True
        if self._reader is not None:
            self._waiting.clear()
        end = {"type": "websocket.disconnect", "code": code, "reason": reason}
        self._waiting.append(end)
        self._arrived.set()

    # Frames in

    def _read_frames(self, data: bytes) -> None:
        """Read whole texts, and give the library what it is to read."""
        data = self._rest + data
        start, size = 0, len(data)
        while size - start >= 2 and not self._is_paused:
            first, second = data[start], data[start + 1]
            length, begin = second - MASKED, start + 6
            is_usual = first in WHOLE and 0 <= length < IN_EIGHT
            if length == IN_TWO:
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
            if first == TEXT:
                self._take_text(unmasked(data[begin:end], data[begin - 4 : begin]))
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
                else:
                    self._deliver({"type": "websocket.receive", "bytes": data})

    def _take_text(self, data: bytes) -> None:
        if self._is_ended:
            return
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self._conn.fail(_INVALID_TEXT, "not UTF-8")
            self._flush()
            return
        if self._reader is None or self._rests or self._waiting:
            self._deliver({"type": "websocket.receive", "text": text})
        else:
            self._reader(text)

    def _deliver(self, message: Message) -> None:
        """Let a message wait for who takes it."""
        if not self._is_ended:
            self._waiting.append(message)
            self._hand_over()

    def _is_for_reader(self, message: Message) -> bool:
        return self._reader is not None and "text" in message

    def _hand_over(self) -> None:
        """Give the reader the texts that waited, until it rests or none is left."""
        waiting = self._waiting
        while waiting and self._is_for_reader(waiting[0]) and not self._rests:
            assert self._reader is not None
            self._reader(waiting.popleft()["text"])
        if waiting:
            self._arrived.set()
        self._pace()

    def _pace(self) -> None:
        """Read on unless something waits; after the end, to hear the peer's end."""
        waits = bool(self._waiting) or self._conn.state is State.CONNECTING
        is_paused = not self._is_ended and (self._rests or waits)
        if is_paused is not self._is_paused and not self.transport.is_closing():
            self._is_paused = is_paused
            if is_paused:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()
                # What came already is read as well, and not within another reading.
                self._loop.call_soon(self.data_received, b"")

    # Pings, and the end

    def _after(
        self, seconds: float | None, call: Callable[[], None] | None = None
    ) -> None:
        """Wait for one thing, in place of what was waited for."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, call) if seconds and call else None

    def _ping(self) -> None:
        self._pinged = os.urandom(4)  # a pong to it was not sent before
        self._conn.send_ping(self._pinged)
        self._flush()
        self._after(self._pong_s, self._give_up)

    def _heard_of(self, pinged: bytes) -> None:
        if pinged == self._pinged and not self._is_ended:
            self._pinged = b""
            self._after(self._ping_s, self._ping)

    def _give_up(self) -> None:
        """Cut off who has not answered, unless it is us who don't read."""
        if self._is_paused:
            self._after(self._pong_s, self._give_up)
            return
        self._conn.fail(_FAILED, "keepalive ping timeout")
        self._flush()

    def _close(self, code: int) -> None:
        """End the connection, if nobody has."""
        if self._is_over:
            return
        if self._conn.state is State.CONNECTING:
            is_end = code == _RESTART
            status = HTTPStatus.SERVICE_UNAVAILABLE if is_end else _SERVER_ERROR
            self._handshake.refuse(status)
        elif self._conn.state is State.OPEN:
            self._conn.send_close(code)
            self._await_end(code)
        self._flush()

    def _await_end(self, code: int) -> None:
        """Wait for the peer to end as well."""
        self._end_application(code)
        self._pace()
        self._after(_CLOSE_WITHIN_S, self.transport.abort)

    def _hang_up(self) -> None:
        """Close once all is written; no peer makes that last for ever."""
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
        """Write what the library has to say; it says too when to hang up."""
        parts = self._conn.data_to_send()
        if parts and not self._is_over:
            self.transport.write(b"".join(parts))
            if SEND_EOF in parts:
                self._hang_up()

    # What a table's socket calls

    def read_by(self, reader: Callable[[str], None] | None) -> None:
        """Let each text from now on go to a reader, first what has come already."""
        self._reader = reader
        self._hand_over()
        self.data_received(b"")

    def pause_reading(self) -> None:
        """Let the reader rest: what comes waits, and little comes."""
        self._rests = True
        self._pace()

    def resume_reading(self) -> None:
        self._rests = False
        self._hand_over()

    @property
    def is_writable(self) -> bool:
        """Whether the peer takes what is sent."""
        return self._writable.is_set()

    def write_texts(self, texts: Iterable[bytes]) -> None:
        """Send these at once; a connection that ends takes none."""
        if self._conn.state is State.OPEN and not self.transport.is_closing():
            parts = [part for text in texts for part in (head_of(text), text)]
            self.transport.write(b"".join(parts))


def straight_to(scope: Scope) -> PlayProtocol:
    """Return the socket behind an application's scope."""
    found: PlayProtocol = scope["extensions"][_STRAIGHT][_STRAIGHT]
    return found
