"""The WebSocket of a table that another node serves: carried there, text by text.

Laws of this file:
- the other node judges everything, the hello too: what it says goes to the client as
  it came, and so does how it ends;
- a node that is silent for some seconds is lost: the client is told to come back;
- who reads too slowly is cut off here, by the same box as at a table of this node.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import cast

import structlog
from starlette.requests import HTTPConnection
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from croupier.house.floor.floor import Floor
from croupier.journal.node_registry import NodeRow
from croupier.web.nodes.node_client import NodeAddress, NodeClient, NodeUnreachable
from croupier.web.nodes.signature import CarriedRequest
from croupier.web.nodes.table_finder import owners_in_turn
from croupier.web.play_protocol import PlayProtocol
from croupier.web.security.hosts import plain_scheme

_log = structlog.get_logger("croupier.play")
_OPEN_WITHIN_S = 2.0
_SILENT_S = 5.0
"""A node that serves pings every two seconds; who says nothing for longer is gone."""
_MESSAGE_BYTES_MAX = 32 * 1024 * 1024
LOST = 1006
"""The code of an end without a word."""
_PATH = "/api/play"


class NodeSocket(asyncio.Protocol):
    """A WebSocket to another node: texts in and out in the call that brought them."""

    def __init__(
        self,
        address: NodeAddress,
        headers: list[tuple[bytes, bytes]],
        hear: Callable[[bytes], None],
        line: PlayProtocol,
    ) -> None:
        """Hear texts with `hear`; `line` is read no faster than this one takes."""
        scheme = "wss" if address.is_secure else "ws"
        uri = parse_uri(f"{scheme}://{address.netloc}{_PATH}")
        self._conn = ClientProtocol(uri, max_size=_MESSAGE_BYTES_MAX)
        self._headers, self._hear, self._line = headers, hear, line
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parts: list[bytes] = []
        self._watch: asyncio.TimerHandle | None = None
        self.opened: asyncio.Future[None] = self._loop.create_future()
        self.ended: asyncio.Future[int] = self._loop.create_future()
        """How the other node ended it; 1006: without a word."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass
        request = self._conn.connect()
        for name, value in self._headers:
            request.headers[name.decode("latin-1")] = value.decode("latin-1")
        self._conn.send_request(request)
        self._flush()
        self._heard()

    def data_received(self, data: bytes) -> None:
        self._heard()
        self._conn.receive_data(data)
        for event in self._conn.events_received():
            if isinstance(event, Response):
                self._answered()
            elif isinstance(event, Frame):
                self._take(event)
        self._flush()  # pongs, and the echo of a close

    def eof_received(self) -> None:
        self._conn.receive_eof()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if self._watch is not None:
            self._watch.cancel()
        self._line.resume_reading()
        if not self.opened.done():
            self.opened.set_exception(NodeUnreachable("the node hung up"))
        if not self.ended.done():
            closed = self._conn.close_rcvd
            self.ended.set_result(LOST if closed is None else closed.code)

    def pause_writing(self) -> None:
        """Read no more from the client than the other node takes."""
        self._line.pause_reading()

    def resume_writing(self) -> None:
        self._line.resume_reading()

    def send(self, text: str) -> None:
        """Send a text; a connection that ends takes none."""
        try:
            self._conn.send_text(text.encode())
        except InvalidState:
            return
        self._flush()

    def close(self) -> None:
        """End it; the other node hears at once that the client is gone."""
        if self._transport is not None:
            try:
                self._conn.send_close(1001)
                self._flush()
            except InvalidState:
                pass
            self._transport.close()

    def _answered(self) -> None:
        """End the handshake: open, or refused."""
        if self.opened.done():  # nobody waits for it any more
            return
        if self._conn.handshake_exc is None:
            self.opened.set_result(None)
        else:
            error = NodeUnreachable("the node refused the connection")
            self.opened.set_exception(error)

    def _take(self, frame: Frame) -> None:
        if frame.opcode in {Opcode.TEXT, Opcode.CONT}:
            self._parts.append(bytes(frame.data))
            if frame.fin:
                text, self._parts = b"".join(self._parts), []
                self._hear(text)
        elif frame.opcode is Opcode.CLOSE and not self.ended.done():
            assert self._conn.close_rcvd is not None
            self.ended.set_result(self._conn.close_rcvd.code)

    def _flush(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"".join(self._conn.data_to_send()))

    def _heard(self) -> None:
        self._heard_at = self._loop.time()
        if self._watch is None:
            self._watch = self._loop.call_later(_SILENT_S, self._look)

    def _look(self) -> None:
        """Give up a node that has said nothing for too long."""
        assert self._transport is not None
        left = self._heard_at + _SILENT_S - self._loop.time()
        if left > 0:
            self._watch = self._loop.call_later(left, self._look)
        else:
            self._transport.abort()


class PlayRelay:
    """Finds the node of a table, and opens sockets to it."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    async def open(
        self,
        http: HTTPConnection,
        table: str,
        hear: Callable[[bytes], None],
        line: PlayProtocol,
    ) -> NodeSocket | None:
        """Return a socket to the node of a table; None where it is served here.

        Raises `NodeUnreachable` where nobody serves it for some seconds.
        """
        async with aclosing(owners_in_turn(self._floor, table)) as owners:
            async for owner in owners:
                if owner is None:
                    return None
                try:
                    return await self._open(owner, http, hear, line)
                except (OSError, TimeoutError, NodeUnreachable) as error:
                    _log.info("a node did not answer", node=owner.name, why=str(error))
        raise NodeUnreachable(f"nobody serves {table} just now")

    async def _open(
        self,
        owner: NodeRow,
        http: HTTPConnection,
        hear: Callable[[bytes], None],
        line: PlayProtocol,
    ) -> NodeSocket:
        nodes = self._floor.nodes
        assert nodes is not None
        address = NodeAddress.of(owner)
        request = CarriedRequest("GET", _PATH.encode(), list(http.scope["headers"]))
        client = http.client.host if http.client else ""
        scheme = plain_scheme(http.url.scheme)
        headers = NodeClient(nodes, self._floor.clock).signed(request, client, scheme)
        socket = NodeSocket(address, headers, hear, line)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_OPEN_WITHIN_S):
                await loop.create_connection(
                    lambda: socket, address.host, address.port, ssl=address.tls
                )
                await socket.opened
        except BaseException:
            socket.close()
            raise
        return socket
