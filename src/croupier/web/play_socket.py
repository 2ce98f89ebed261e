"""The WebSocket of a table: bytes in to a connection, bytes out from its listener.

Laws of this file:
- what is sent waits in a box of bounded size; who reads too slowly is cut off, told to
  come back, and then gets a snapshot;
- what is asked is read no faster than the table takes it;
- nothing here is judged: a frame goes to the connection as it came.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import msgspec
import structlog
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from croupier.house.connection.connection import Connection
from croupier.house.floor.floor import Floor
from croupier.house.nodes.membership import TableElsewhere
from croupier.house.people.log_on import UsedElsewhere, hear_of_tokens
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules.reasons import Reason
from croupier.web.nodes.node_client import NodeUnreachable
from croupier.web.nodes.node_gate import sender_of
from croupier.web.nodes.play_relay import LOST, PlayRelay
from croupier.web.play_protocol import PeerGone, PlayProtocol, straight_to
from croupier.web.problems import ApiError, problem_response
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import note_elsewhere
from croupier.web.security.middleware import DEVICE_COOKIE, SESSION_COOKIE
from croupier.web.security.rate_limits import Rate, TokenBucket

_log = structlog.get_logger("croupier.play")
_HELLO_WITHIN_S = 5.0
_MOST_WAITING = 2_000
_MOST_BYTES = 4 * 1024 * 1024
_MOST_QUEUED = 5_000
"""Commands that wait at a table before its senders are read more slowly."""
_PAUSE_S = 0.01
_FRAMES = Rate(200, 400)
"""Whoever sends more often is read more slowly."""
_REFUSED, _TRY_AGAIN = 1008, 1013


class Outbox:
    """Messages to be sent to one reader; those of one turn leave together."""

    def __init__(self, line: PlayProtocol, send: Send) -> None:
        self._line, self._send = line, send
        line.on_writable = self._flush
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._is_due = False
        self.closing: asyncio.Task[None] | None = None
        self.end: int | None = None
        """How the connection is to end, once everything before is sent."""
        self.is_slow = False

    def put(self, message: bytes) -> None:
        """Add a message, never waiting; too many empty the box and end the reader."""
        if self.end is not None:
            return
        self._waiting.append(message)
        self._bytes += len(message)
        if len(self._waiting) > _MOST_WAITING or self._bytes > _MOST_BYTES:
            self.is_slow = True
            self._waiting.clear()
            self.dismiss(WebReason.READ_TOO_SLOWLY(), come_back=True)
        self._wake()

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        """Say goodbye; nothing is sent after it."""
        if self.end is None:
            self._waiting.append(
                say.write_answer(say.Bye(say.stated(reason), come_back))
            )
            self.end = _TRY_AGAIN if come_back else _REFUSED
            self._wake()

    def finish(self, code: int) -> None:
        """End as another node has ended it; one that is lost, with a goodbye."""
        if code == LOST:
            self.dismiss(HouseReason.TABLE_MOVES(), come_back=True)
        elif self.end is None:
            self.end = code
            self._wake()

    def _wake(self) -> None:
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Send all that waits in one write, if the peer takes it."""
        self._is_due = False
        if not self._line.is_writable:
            return
        waiting, self._waiting, self._bytes = self._waiting, [], 0
        if waiting:
            self._line.write_texts(waiting)
        if self.end is not None and self.closing is None:
            close = {"type": "websocket.close", "code": self.end}
            self.closing = self._loop.create_task(self._close(close))

    async def _close(self, message: Message) -> None:
        with suppress(PeerGone):
            await self._send(message)


class _Reader:
    """Takes the texts of a connection, no faster than it may send them."""

    def __init__(
        self, connection: Connection, line: PlayProtocol, outbox: Outbox
    ) -> None:
        self._connection, self._line, self._outbox = connection, line, outbox
        self._loop = asyncio.get_running_loop()
        self._bucket = TokenBucket(_FRAMES, self._loop.time())

    def take(self, text: str) -> None:
        if self._outbox.end is None:
            self._connection.take(text)
            pause = self._pause()
            if pause:
                self._line.pause_reading()
                self._loop.call_later(pause, self._go_on)

    def _pause(self) -> float:
        if self._connection.table.actor.waiting > _MOST_QUEUED:
            return _PAUSE_S
        return self._bucket.take(self._loop.time())

    def _go_on(self) -> None:
        pause = self._pause()
        if pause:
            self._loop.call_later(pause, self._go_on)
        else:
            self._line.resume_reading()


class PlaySocket:
    """The ASGI application behind `/api/play`."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["type"] == "websocket.connect"
        if self._floor.is_stopping:
            error = ApiError(503, HouseReason.HOUSE_STOPPING())
            await problem_response(error)(scope, receive, send)
            return
        await send({"type": "websocket.accept"})
        await _Visit(self._floor, scope, receive, send).run()


class _Visit:
    """One socket, from its hello to its end."""

    def __init__(
        self, floor: Floor, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._floor, self._receive, self._send = floor, receive, send
        self._http = HTTPConnection(scope)
        self._line = straight_to(scope)
        self._outbox = Outbox(self._line, send)

    async def run(self) -> None:
        text = await self._hello()
        if text is None:
            return
        try:
            connection = await self._greet(text)
        except TableElsewhere as error:
            connection = await self._carry(error.table, text)
        if connection is not None:
            await self._play(connection)

    async def _play(self, connection: Connection) -> None:
        try:
            await self._listen(_Reader(connection, self._line, self._outbox).take)
        finally:
            self._leave()
            self._floor.gone(connection)
            if self._outbox.is_slow:
                self._floor.note_slow(connection)

    async def _hello(self) -> str | None:
        """Return the first text, or None where nobody says anything."""
        try:
            async with asyncio.timeout(_HELLO_WITHIN_S):
                frame = await self._receive()
        except TimeoutError:
            reason = say.stated(WebReason.NOBODY_SAID_HELLO())
            await self._refuse(say.MessageProblem(reason, again=True))
            return None
        if frame["type"] == "websocket.disconnect":
            return None
        return frame.get("text") or ""

    async def _greet(self, text: str) -> Connection | None:
        """Return the connection of who said hello, or None if it was no hello.

        Raises `TableElsewhere` where another node serves the table.
        """
        first = say.stated(WebReason.HELLO_FIRST())
        problem = say.MessageProblem(first, msg.read_id(text))
        try:
            hello = msg.read_message(text)
            if isinstance(hello, msg.Hello):
                hello = self._with_cookies(hello)
                at = self._http.cookies.get(DEVICE_COOKIE)
                tokens = (hello.session, hello.device, at)
                await hear_of_tokens(self._floor.follower, *tokens)
                return self._connect(hello, at)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            pass
        except TableElsewhere:
            raise
        except NotDone as error:
            if isinstance(error, UsedElsewhere):
                note_elsewhere(self._floor, self._http, error)
            problem = say.MessageProblem(say.stated(error.reason))
        await self._refuse(problem)
        return None

    def _with_cookies(self, hello: msg.Hello) -> msg.Hello:
        if hello.session != msg.BY_COOKIE:
            return hello
        session = self._http.cookies.get(SESSION_COOKIE, "")
        return msgspec.structs.replace(hello, session=session)

    def _connect(self, hello: msg.Hello, at: str | None) -> Connection:
        """Return the connection, welcomed; raise `NotDone` where it may not be."""
        connection = self._floor.connect(hello, self._outbox, at)
        connection.welcome()
        if self._floor.nodes is not None:
            living = [each for each in self._floor.nodes.all() if each.is_alive]
            addresses = tuple(each.address for each in living)
            self._outbox.put(say.write_answer(say.HouseNodes(addresses)))
        return connection

    async def _carry(self, table: str, text: str) -> Connection | None:
        """Carry what is said to the table's node and back, until either ends it.

        Returns a connection where the table has come to this node meanwhile.
        """
        outbox, socket = self._outbox, None
        try:
            if sender_of(self._http.scope) is not None:
                raise NodeUnreachable("carried once, and to a node that has it not")
            relay = PlayRelay(self._floor)
            socket = await relay.open(self._http, table, outbox.put, self._line)
            if socket is None:
                return await self._greet(text)
            socket.ended.add_done_callback(lambda ended: outbox.finish(ended.result()))
            socket.send(text)
            await self._listen(socket.send)
        except (NodeUnreachable, TableElsewhere):
            outbox.dismiss(HouseReason.TABLE_NOT_TAKEN(name=table), come_back=True)
            await self._listen(lambda _: None)
        finally:
            if socket is not None:
                self._leave()
                socket.close()
        return None

    async def _refuse(self, problem: say.MessageProblem) -> None:
        text = say.write_answer(problem).decode()
        await self._send({"type": "websocket.send", "text": text})
        await self._send({"type": "websocket.close", "code": _REFUSED})

    async def _listen(self, take: Callable[[str], None]) -> None:
        """Let texts go straight to their taker, until the end."""
        self._line.read_by(take)
        while (await self._receive())["type"] != "websocket.disconnect":
            if self._outbox.end is None:
                reason = say.stated(WebReason.MESSAGES_ARE_TEXT())
                self._outbox.put(say.write_answer(say.MessageProblem(reason)))

    def _leave(self) -> None:
        self._line.read_by(None)
        self._line.on_writable = None
