"""The opening of a WebSocket, and how uvicorn hands it over."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
import uvicorn
import uvloop
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from croupier.web.play_protocol import PlayProtocol, straight_to
from tests.web.a_socket import HANDSHAKE, App, Opened, Transport, opened, text

pytestmark = pytest.mark.anyio

DIFFERS = (
    "this uvicorn hands a WebSocket over otherwise than docs/decisions/socket.md says,"
    " and croupier/web/play_protocol.py has to follow"
)


async def answered(
    app: Callable[[Scope, Receive, Send], Awaitable[None]], handshake: bytes = HANDSHAKE
) -> Opened:
    socket = await opened(app, handshake)
    assert not socket.state.tasks
    return socket


def saying(*messages: Message) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    async def app(_: Scope, receive: Receive, send: Send) -> None:
        await receive()
        for message in messages:
            await send(message)

    return app


# Messages to the application


def test_the_application_gets_the_request() -> None:
    more = b"X-Name: J\xfcrg\r\n\r\n"
    app = App()
    asked = (
        HANDSHAKE.replace(b"/api/tables/t/play", b"/a%20b").removesuffix(b"\r\n") + more
    )

    asyncio.run(opened(app, asked))

    headers = app.scope.pop("headers")
    assert (b"sec-websocket-version", b"13") in headers
    assert (b"x-name", b"J\xfcrg") in headers
    assert list(app.scope.pop("extensions")) == [
        "websocket.http.response",
        "croupier.straight",
    ]
    assert app.scope == {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": "ws",
        "server": ("127.0.0.1", 2),
        "client": ("127.0.0.1", 1),
        "root_path": "",
        "path": "/a b",
        "raw_path": b"/a%20b",
        "query_string": b"a=b%20c",
        "state": {},
    }


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (b"GET", b"POST", 405),
        (b"Upgrade: websocket", b"Upgrade: other", 426),
        (b"Connection: Upgrade", b"Connection: close", 426),
        (b"Version: 13", b"Version: 12", 400),
        (b"Sec-WebSocket-Version: 13\r\n", b"", 400),
        (b"AAAAAAAAAAAAAAAAAAAAAA==", b"AAAA", 400),
        (b"Sec-WebSocket-Key", b"Sec-WebSocket-Lock", 400),
    ],
)
def test_what_is_no_handshake_is_refused_before_the_application(
    old: bytes, new: bytes, status: int
) -> None:
    app = App()
    assert old in HANDSHAKE

    found = asyncio.run(answered(app, HANDSHAKE.replace(old, new)))

    assert found.status == status
    assert found.transport.is_closing()
    assert not app.scope


def test_what_is_no_request_ends_the_connection() -> None:
    app = App()

    found = asyncio.run(answered(app, b"\0\r\n\r\n"))

    assert found.transport.is_closing()
    assert not app.scope


# Its answers


def test_an_accepted_handshake_has_the_headers_of_the_application() -> None:
    cookies = [(b"set-cookie", b"a=1"), (b"Set-Cookie", b"b=J\xfcrg")]
    accept = {"type": "websocket.accept", "headers": cookies}

    found = asyncio.run(answered(saying(accept)))

    assert found.status == 101
    lines = {line.lower() for line in found.head.split(b"\r\n")}
    assert {b"set-cookie: a=1", b"set-cookie: b=j\xfcrg"} <= lines
    assert any(line.startswith(b"sec-websocket-accept: ") for line in lines)


def test_a_close_before_the_handshake_refuses_it() -> None:
    found = asyncio.run(answered(saying({"type": "websocket.close", "code": 1001})))

    assert found.status == 403
    assert found.transport.is_closing()


def test_an_answer_in_place_of_a_handshake_is_sent_whole() -> None:
    told: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        start = {
            "type": "websocket.http.response.start",
            "status": 429,
            "headers": [(b"content-type", b"application/json"), (b"a", b"b")],
        }
        body = {"type": "websocket.http.response.body", "body": b"{}"}
        await saying(start, body)(scope, receive, send)
        told.append(await receive())
        await send({"type": "websocket.accept"})

    found = asyncio.run(answered(app))

    head = found.head.lower()
    assert found.status == 429
    assert bytes(found.transport.written).endswith(b"\r\n\r\n{}")
    assert head.count(b"content-type: ") == head.count(b"content-length: ") == 1
    assert b"content-type: application/json\r\n" in head
    assert b"content-length: 2" in head
    assert b"\r\na: b" in head
    assert b"connection: close" in head
    assert found.transport.is_closing()
    assert told == [{"type": "websocket.disconnect", "code": 1006, "reason": ""}]


@pytest.mark.parametrize(
    "message",
    [
        None,
        {"type": "websocket.send", "text": "too early"},
        {"type": "websocket.http.response.start", "status": 7, "headers": []},
    ],
)
def test_an_application_that_does_not_answer_is_an_error_of_ours(
    message: Message | None,
) -> None:
    with capture_logs() as logged:
        found = asyncio.run(answered(saying(*([message] if message else []))))

    assert found.status == 500
    assert found.transport.is_closing()
    assert len(logged) == (message is not None)


async def test_nothing_is_read_before_the_handshake_is_answered() -> None:
    is_ready = asyncio.Event()
    told: list[str | None] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await is_ready.wait()
        await send({"type": "websocket.accept"})
        straight_to(scope).read_by(told.append)
        await receive()

    socket = await opened(app)
    await socket.read(text("early"))
    assert not socket.transport.is_reading()
    assert not socket.transport.written
    is_ready.set()
    await socket.read(b"")
    assert told == ["early"]
    assert socket.transport.is_reading()


def test_a_server_that_ends_answers_a_handshake_that_waits() -> None:
    async def go() -> Opened:
        async def app(_: Scope, receive: Receive, send: Send) -> None:
            await receive()
            told.append(await receive())
            await send({"type": "websocket.accept"})

        socket = await opened(app)
        socket.protocol.shutdown()
        await socket.read(b"")
        assert not socket.state.tasks
        return socket

    told: list[Message] = []
    found = asyncio.run(go())

    assert found.status == 503
    assert found.transport.is_closing()
    assert told[0]["code"] == 1012


# Uvicorn's handover


def test_uvicorn_hands_a_connection_over_as_the_docs_say() -> None:
    calls: list[Any] = []

    class Handed(asyncio.Protocol):
        def __init__(self, **given: Any) -> None:
            calls.append(given)

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            calls.append(transport)

        def data_received(self, data: bytes) -> None:
            calls.append(data)

    class Upgraded(Transport):
        def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
            calls.append(protocol)

    async def go() -> None:
        app = cast(Any, App())
        config = uvicorn.Config(
            app, ws=Handed, proxy_headers=False, log_config=None, lifespan="off"
        )
        state, transport = ServerState(), Upgraded()
        http = H11Protocol(config, state, {"a": "state"})
        http.connection_made(transport)
        for piece in (HANDSHAKE[:50], HANDSHAKE[50:]):
            http.data_received(piece)

        given, made, request, protocol = calls
        assert given.keys() == {"config", "server_state", "app_state"}, DIFFERS
        assert given["config"].loaded_app is app, DIFFERS
        assert given["server_state"].connections == set(), DIFFERS
        assert given["server_state"].tasks == set(), DIFFERS
        assert given["app_state"] == {"a": "state"}, DIFFERS
        assert made is transport, DIFFERS
        assert request.startswith(b"GET /api/tables/t/play?a=b%20c HTTP/1.1\r\n"), (
            DIFFERS
        )
        assert request.endswith(b"\r\n\r\n"), DIFFERS
        assert request.lower().count(b"sec-websocket-key: aaaa") == 1, DIFFERS
        assert isinstance(protocol, Handed), DIFFERS

    assert list(inspect.signature(PlayProtocol).parameters) == [
        "config",
        "server_state",
        "app_state",
    ]
    asyncio.run(go())


@asynccontextmanager
async def served(
    app: Callable[[Scope, Receive, Send], Awaitable[None]],
) -> AsyncIterator[uvicorn.Server]:
    config = uvicorn.Config(
        cast(Any, app),
        port=0,
        ws=PlayProtocol,
        log_config=None,
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    try:
        while not server.started:
            await asyncio.sleep(0.01)
        yield server
    finally:
        server.should_exit = True
        await serving


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_an_application_is_served(
    run: Callable[[Any], None],
) -> None:
    ended: list[int] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept", "headers": [(b"x-own", b"1")]})
        line = straight_to(scope)

        def repeat(words: str | None) -> None:
            said = (words or "").encode()
            line.write_texts([said, said * 100_000])

        line.read_by(repeat)
        ended.append((await receive())["code"])

    async def go() -> None:
        async with served(app) as server, asyncio.timeout(60):
            port = server.servers[0].sockets[0].getsockname()[1]
            await _talk(port, ended)
            async with connect(f"ws://127.0.0.1:{port}/") as line:
                server.should_exit = True
                with pytest.raises(ConnectionClosed):
                    await line.recv()
                assert line.close_code == 1012, DIFFERS
        assert ended[2:] == [1012]

    run(go())


async def _talk(port: int, ended: list[int]) -> None:
    """Talk over two connections: end one by a close, one by half a disconnection."""
    address = f"ws://127.0.0.1:{port}/"
    async with connect(address) as line:
        assert line.response is not None
        assert line.response.headers["x-own"] == "1"
        for words in ("one", "zwölf"):
            await line.send(words)
            assert await line.recv() == words
            assert await line.recv() == words * 100_000
        await line.close(4000, "enough")
    async with connect(address) as line:
        await line.send("hello")
        assert await line.recv() == "hello"
        line.transport.write_eof()
        await line.wait_closed()
    while len(ended) < 2:
        await asyncio.sleep(0.01)
    assert ended == [4000, 1006]
