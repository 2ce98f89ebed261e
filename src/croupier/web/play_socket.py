"""The WebSocket of a table: bytes in to a connection, bytes out from its listener.

Laws of this file:
- what is sent waits in a box of bounded size; who reads too slowly is cut off, told to
  come back, and then gets a snapshot;
- what is asked is read no faster than the table takes it;
- nothing here is judged: a frame goes to the connection as it came.
"""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec
import structlog
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from croupier.house.connection.connection import Connection
from croupier.house.floor.floor import Floor
from croupier.house.people.log_on import UsedElsewhere
from croupier.house.records.house_record import NotDone
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules.reasons import Reason
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
_NORMAL, _GOING_AWAY, _REFUSED, _TRY_AGAIN = 1000, 1001, 1008, 1013


class Outbox:
    """What waits to be sent to one reader."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        """Of who sends, while nothing waits; an `asyncio.Event` costs twice as much."""
        self.end: tuple[int, bool] | None = None
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
            self.end = (_TRY_AGAIN if come_back else _REFUSED, come_back)
            self._wake()

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    async def pump(self, send: Send) -> None:
        """Send what waits, in order, until the end."""
        loop = asyncio.get_running_loop()
        while True:
            while self._waiting:
                message = self._waiting.popleft()
                self._bytes -= len(message)
                await send({"type": "websocket.send", "text": message.decode()})
            if self.end is not None:
                await send({"type": "websocket.close", "code": self.end[0]})
                return
            self._waiter = loop.create_future()
            await self._waiter


class PlaySocket:
    """The ASGI application behind `/api/play`."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["type"] == "websocket.connect"
        if self._floor.is_stopping:
            await send({"type": "websocket.close", "code": _GOING_AWAY})
            return
        await send({"type": "websocket.accept"})
        outbox = Outbox()
        connection = await self._greet(HTTPConnection(scope), receive, send, outbox)
        if connection is None:
            return
        pump = asyncio.create_task(outbox.pump(send))
        try:
            await self._listen(connection, receive, outbox, pump)
        finally:
            self._floor.gone(connection)
            pump.cancel()
            if outbox.is_slow:
                self._floor.note_slow(connection)

    async def _greet(
        self, http: HTTPConnection, receive: Receive, send: Send, outbox: Outbox
    ) -> Connection | None:
        """Return the connection of who said hello, or None if it was no hello."""
        problem = say.MessageProblem(say.stated(WebReason.HELLO_FIRST()))
        try:
            async with asyncio.timeout(_HELLO_WITHIN_S):
                frame = await receive()
            if frame["type"] == "websocket.disconnect":
                return None
            hello = msg.read_message(frame.get("text") or b"")
            if isinstance(hello, msg.Hello):
                if hello.session == msg.BY_COOKIE:
                    cookie = http.cookies.get(SESSION_COOKIE, "")
                    hello = msgspec.structs.replace(hello, session=cookie)
                at = http.cookies.get(DEVICE_COOKIE)
                connection = self._floor.connect(hello, outbox, at)
                connection.welcome()
                return connection
        except TimeoutError:
            reason = say.stated(WebReason.NOBODY_SAID_HELLO())
            problem = say.MessageProblem(reason, again=True)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            pass
        except NotDone as error:
            if isinstance(error, UsedElsewhere):
                note_elsewhere(self._floor, http, error)
            problem = say.MessageProblem(say.stated(error.reason))
        text = say.write_answer(problem).decode()
        await send({"type": "websocket.send", "text": text})
        await send({"type": "websocket.close", "code": _REFUSED})
        return None

    async def _listen(
        self,
        connection: Connection,
        receive: Receive,
        outbox: Outbox,
        pump: asyncio.Task[None],
    ) -> None:
        clock = asyncio.get_running_loop().time
        bucket = TokenBucket(_FRAMES, clock())
        actor = connection.table.actor
        while not pump.done():
            frame = await receive()
            if frame["type"] == "websocket.disconnect":
                return
            if outbox.end is not None:
                continue
            text = frame.get("text")
            if text is None:
                reason = say.stated(WebReason.MESSAGES_ARE_TEXT())
                outbox.put(say.write_answer(say.MessageProblem(reason)))
                continue
            connection.take(text)
            while pause := bucket.take(clock()):
                await asyncio.sleep(pause)
            if actor.waiting > _MOST_QUEUED:
                await asyncio.sleep(_PAUSE_S)
