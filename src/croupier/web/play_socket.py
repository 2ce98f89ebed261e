"""The WebSocket of a table: bytes in to a connection, bytes out from its listener.

Laws of this file:
- messages to a device wait in a bounded box; a slow reader is cut off, told to come
  back, and then gets a snapshot;
- commands are read no faster than the table takes them;
- nothing is judged here: a text goes to the connection as it came.
"""

from __future__ import annotations

import asyncio

import msgspec
import structlog
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from croupier.house.floor.floor import Floor
from croupier.house.floor.owned_tables import TableElsewhere
from croupier.house.people.log_on import UsedElsewhere, hear_of_tokens
from croupier.house.people.rates import Rate, TokenBucket
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone
from croupier.house.views.connection import Connection
from croupier.protocol.answers import Bye, MessageProblem, stated, write_answer
from croupier.protocol.messages import BY_COOKIE, Hello, read_id, read_message
from croupier.rules.reasons import Reason
from croupier.web.play_protocol import PlayProtocol, Reader, straight_to
from croupier.web.problems import ApiError, problem_response
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import note_elsewhere
from croupier.web.security.middleware import (
    DEVICE_COOKIE,
    SESSION_COOKIE,
    own_cookie,
)

_log = structlog.get_logger("croupier.play")
_HELLO_WITHIN_S = 5.0
_MOST_WAITING = 2_000
_MOST_BYTES = 4 * 1024 * 1024
_MOST_QUEUED = 5_000
"""Above this number of waiting commands, a table's senders are read more slowly."""
_PAUSE_S = 0.01
_FRAMES = Rate(200, 400)
"""Above this rate, a sender is read more slowly."""
_REFUSED, _TRY_AGAIN = 1008, 1013


class Outbox:
    """Messages for one device; those of one turn of the event loop leave together."""

    def __init__(self, line: PlayProtocol) -> None:
        self._line = line
        line.on_writable = self._flush
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._is_due = False
        self.end: int | None = None
        """The close code to send after the waiting messages, once it is set."""
        self.is_slow = False

    def put(self, message: bytes) -> None:
        """Add a message without waiting; if the box is too full, cut the reader off."""
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
        """Send a goodbye as the last message."""
        if self.end is None:
            self._waiting.append(write_answer(Bye(stated(reason), come_back)))
            self.end = _TRY_AGAIN if come_back else _REFUSED
            self._wake()

    def _wake(self) -> None:
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Send the waiting messages in one write, if the peer takes data."""
        self._is_due = False
        if not self._line.is_writable:
            return
        waiting, self._waiting, self._bytes = self._waiting, [], 0
        if waiting:
            self._line.write_texts(waiting)
        if self.end is not None:
            self._line.close(self.end)


class _Reader:
    """Passes the texts of a socket to its connection, at a bounded rate."""

    def __init__(
        self, connection: Connection, line: PlayProtocol, outbox: Outbox
    ) -> None:
        self._connection, self._line, self._outbox = connection, line, outbox
        self._loop = asyncio.get_running_loop()
        self._bucket = TokenBucket(_FRAMES, self._loop.time())

    def take(self, text: str | None) -> None:
        if self._outbox.end is not None:
            return
        if text is None:
            problem = MessageProblem(stated(WebReason.MESSAGES_ARE_TEXT()))
            self._outbox.put(write_answer(problem))
        else:
            self._connection.take(text)
        pause = self._pause()
        if pause:
            self._line.pause_reading()
            self._loop.call_later(pause, self._go_on)

    def _pause(self) -> float:
        if self._connection.table.queue.waiting > _MOST_QUEUED:
            return _PAUSE_S
        return self._bucket.take(self._loop.time())

    def _go_on(self) -> None:
        pause = self._pause()
        if pause:
            self._loop.call_later(pause, self._go_on)
        else:
            self._line.resume_reading()


class PlaySocket:
    """The ASGI application behind `/api/tables/{table}/play`."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["type"] == "websocket.connect"
        if self._floor.is_stopping:
            error = ApiError(503, HouseReason.HOUSE_STOPPING())
            await problem_response(error)(scope, receive, send)
            return
        await send({"type": "websocket.accept"})
        await _Visit(self._floor, scope, receive).run()


class _Visit:
    """One socket, from its hello to its end."""

    def __init__(self, floor: Floor, scope: Scope, receive: Receive) -> None:
        self._floor, self._receive = floor, receive
        self._http = HTTPConnection(scope)
        self._table: str = scope["path_params"]["table"]
        self._line = straight_to(scope)
        self._outbox = Outbox(self._line)

    async def run(self) -> None:
        text = await self._hello()
        if text is None:
            return
        try:
            connection = await self._greet(text)
        except TableElsewhere as error:
            reason = HouseReason.TABLE_NOT_TAKEN(name=error.table)
            self._outbox.dismiss(reason, come_back=True)
            await self._listen(lambda _: None)
            return
        if connection is not None:
            await self._play(connection)

    async def _play(self, connection: Connection) -> None:
        try:
            await self._listen(_Reader(connection, self._line, self._outbox).take)
        finally:
            self._line.read_by(None)
            self._line.on_writable = None
            self._floor.connections.gone(connection)
            if self._outbox.is_slow:
                measured = self._floor.options.measurements
                measured.add("slow_readers_cut_total", 1, connection.table.name)

    async def _hello(self) -> str | None:
        """Return the first message, or None if none comes; reading then pauses."""
        said = asyncio.get_running_loop().create_future()

        def take(text: str | None) -> None:
            self._line.pause_reading()
            said.set_result(text or "")

        self._line.read_by(take)
        ended = asyncio.ensure_future(self._receive())
        try:
            first = asyncio.FIRST_COMPLETED
            await asyncio.wait(
                (said, ended), timeout=_HELLO_WITHIN_S, return_when=first
            )
            if said.done():
                return str(said.result())
            if not ended.done():
                reason = stated(WebReason.NOBODY_SAID_HELLO())
                self._refuse(MessageProblem(reason, again=True))
            return None
        finally:
            ended.cancel()

    async def _greet(self, text: str) -> Connection | None:
        """Return the connection of a valid hello; refuse anything else and return None.

        Raises `TableElsewhere` if this node can't serve the table.
        """
        first = stated(WebReason.HELLO_FIRST())
        problem = MessageProblem(first, read_id(text))
        try:
            hello = read_message(text)
            if isinstance(hello, Hello):
                hello = self._with_cookies(hello)
                at = own_cookie(self._http, DEVICE_COOKIE)
                tokens = (hello.session, hello.device, at)
                await hear_of_tokens(self._floor.record, *tokens)
                return await self._connect(hello, at)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            pass
        except TableElsewhere:
            raise
        except NotDone as error:
            if isinstance(error, UsedElsewhere):
                note_elsewhere(self._floor, self._http, error)
            problem = MessageProblem(stated(error.reason))
        self._refuse(problem)
        return None

    def _with_cookies(self, hello: Hello) -> Hello:
        if hello.session != BY_COOKIE:
            return hello
        session = own_cookie(self._http, SESSION_COOKIE) or ""
        return msgspec.structs.replace(hello, session=session)

    async def _connect(self, hello: Hello, at: str | None) -> Connection:
        """Return the welcomed connection; claim the table if no node serves it."""
        floor, given = self._floor, (self._table, hello, self._outbox, at)
        try:
            return floor.connections.connect(*given)
        except TableElsewhere:
            await floor.claim(self._table)
            return floor.connections.connect(*given)

    def _refuse(self, problem: MessageProblem) -> None:
        self._line.write_texts([write_answer(problem)])
        self._line.close(_REFUSED)

    async def _listen(self, take: Reader) -> None:
        self._line.read_by(take)
        await self._receive()
