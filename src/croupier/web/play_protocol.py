"""The server library's WebSocket, with a straight way between socket and table.

An application is woken for every message through a queue and a task, and reading stops
and starts around each: more than it costs to judge a wager. Here a text goes to its
reader in the call that brought it, and all that waits for a socket leaves in one write.

Laws of this file:
- only whole masked frames with a text are read here, and only texts are written here
  (RFC 6455, 5.2 and 5.3); handshake, control messages and the end stay the library's;
- the library is given whole frames; where one comes that few send (a part of a message,
  a longer one than the house takes, one without a mask), it reads all from there on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol,
)
from websockets.http11 import Request
from websockets.protocol import State

_STRAIGHT = "croupier.straight"
_END_OF_HEAD = b"\r\n\r\n"
_TEXT = 0x81
_WHOLE = frozenset({_TEXT, 0x82, 0x88, 0x89, 0x8A})
"""The first bytes of whole messages: text, bytes, close, ping and pong."""
_MASKED = 0x80
_IN_TWO, _IN_EIGHT = 126, 127
"""Lengths that say that the length follows, in so many bytes."""


class PlayProtocol(WebSocketsSansIOProtocol):
    """One socket; its texts go to a reader, once there is one."""

    reader: Callable[[str], None] | None = None
    """Takes each text from now on; before, they wait for the application."""
    on_writable: Callable[[], None] | None = None
    """Called when the peer takes more, after it did not."""
    _is_greeted = False
    _rest: bytes | None = None
    """The beginning of a frame; None where the library reads by itself."""

    def handle_connect(self, event: Request) -> None:
        """Let the application know this socket, besides what it knows of any."""
        super().handle_connect(event)
        if not self.close_sent:
            self._is_greeted = True
            self.scope["extensions"][_STRAIGHT] = {_STRAIGHT: self}

    def data_received(self, data: bytes) -> None:
        """Read frames here once the handshake is over, as long as they are usual."""
        if self._rest is not None:
            self._rest = self._read_frames(self._rest + data)
            return
        was_greeted = self._is_greeted
        super().data_received(data)
        ends = data.find(_END_OF_HEAD) + len(_END_OF_HEAD)
        if self._is_greeted and not was_greeted and ends == len(data):
            self._rest = b""

    def _read_frames(self, data: bytes) -> bytes | None:
        """Return what is left after the whole frames, or None: the library reads on."""
        start, size = 0, len(data)
        while size - start >= 2:
            first, second = data[start], data[start + 1]
            length, begin = second - _MASKED, start + 6
            is_usual = first in _WHOLE and 0 <= length < _IN_EIGHT
            if length == _IN_TWO:
                if size - start < 4:
                    break
                length, begin = data[start + 2] << 8 | data[start + 3], start + 8
                is_usual = is_usual and length <= self.config.ws_max_size
            if not is_usual:
                super().data_received(data[start:])
                return None
            end = begin + length
            if end > size:
                break
            if first == _TEXT and self._takes_texts:
                self._read_text(data, start, begin, end)
            else:
                super().data_received(data[start:end])
            start = end
        return data[start:]

    @property
    def _takes_texts(self) -> bool:
        return self.reader is not None and self.conn.state is State.OPEN

    def _read_text(self, data: bytes, start: int, begin: int, end: int) -> None:
        """Give the text of a frame to the reader."""
        assert self.reader is not None
        try:
            text = _unmasked(data[begin:end], data[begin - 4 : begin]).decode()
        except UnicodeDecodeError:
            super().data_received(data[start:end])  # which ends the connection
        else:
            self.reader(text)

    def send_receive_event_to_app(self) -> None:
        """Give a text that the library has read to its reader, if it has one."""
        reader = self.reader
        if reader is None or self.close_sent or self.curr_msg_data_type != "text":
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # which ends the connection
            return
        self.frames = []
        reader(text)

    def resume_writing(self) -> None:
        """Go on with what waits."""
        super().resume_writing()
        if self.on_writable is not None:
            self.on_writable()

    @property
    def has_waiting(self) -> bool:
        """Whether messages wait for the application that no reader will see."""
        return not self.queue.empty()

    @property
    def is_writable(self) -> bool:
        """Whether the peer takes what is sent."""
        return self.writable.is_set()

    def write_texts(self, texts: Iterable[bytes]) -> None:
        """Send these at once; a connection that ends takes none."""
        if not self.transport.is_closing() and self.conn.state is State.OPEN:
            parts = [part for text in texts for part in (_head_of(text), text)]
            self.transport.write(b"".join(parts))

    def pause_reading(self) -> None:
        if not self.transport.is_closing():
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()


def straight_to(scope: Scope) -> PlayProtocol:
    """Return the socket behind an application's scope."""
    found: PlayProtocol = scope["extensions"][_STRAIGHT][_STRAIGHT]
    return found


def _unmasked(masked: bytes, mask: bytes) -> bytes:
    """Return a frame's content: the mask takes itself away, four bytes at a time."""
    size = len(masked)
    over = (mask * (size // 4 + 1))[:size]
    taken = int.from_bytes(masked, "little") ^ int.from_bytes(over, "little")
    return taken.to_bytes(size, "little")


def _head_of(text: bytes) -> bytes:
    """Return what stands before a whole text in a frame of the server."""
    size = len(text)
    if size < _IN_TWO:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return bytes((_TEXT, _IN_TWO, size >> 8, size & 0xFF))
    return bytes((_TEXT, _IN_EIGHT)) + size.to_bytes(8, "big")
