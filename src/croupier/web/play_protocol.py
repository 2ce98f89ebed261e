"""The server library's WebSocket, with a straight way between socket and table.

An application is woken for every message through a queue and a task, and reading stops
and starts around each: more than it costs to judge a wager. Here a text goes to its
reader in the call that brought it, and all that waits for a socket leaves in one write.
Handshake, frames, control messages and the end stay the library's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol,
)
from websockets.exceptions import InvalidState
from websockets.http11 import Request

_STRAIGHT = "croupier.straight"


class PlayProtocol(WebSocketsSansIOProtocol):
    """One socket; its texts go to a reader, once there is one."""

    reader: Callable[[str], None] | None = None
    """Takes each text from now on; before, they wait for the application."""
    on_writable: Callable[[], None] | None = None
    """Called when the peer takes more, after it did not."""

    def handle_connect(self, event: Request) -> None:
        """Let the application know this socket, besides what it knows of any."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][_STRAIGHT] = {_STRAIGHT: self}

    def send_receive_event_to_app(self) -> None:
        """Give a whole text to its reader; anything else to the application."""
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
        if self.transport.is_closing():
            return
        with suppress(InvalidState):
            for text in texts:
                self.conn.send_text(text)
            self.transport.write(b"".join(self.conn.data_to_send()))

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
