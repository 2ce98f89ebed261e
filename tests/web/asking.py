"""Call an ASGI application directly, as a server would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Receive, Scope

Headers = Mapping[str, str] | Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    sent: tuple[Message, ...] = ()

    def json(self) -> Any:
        assert self.headers["content-type"] == "application/json"
        return json.loads(self.body)

    @property
    def error(self) -> str:
        """The sentence of a `Problem`; a refusal holds nothing else."""
        assert self.status >= 400
        assert self.json().keys() == {"error", "clause", "reason"}
        return str(self.json()["error"])


def scope_of(
    kind: str, method: str, target: str, headers: Headers, **more: Any
) -> Scope:
    path, _, query = target.partition("?")
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    named = [(name.lower().encode(), value.encode("latin-1")) for name, value in pairs]
    if not any(name == b"host" for name, _ in named):
        named.append((b"host", b"testserver"))
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http" if kind == "http" else "ws",
        "path": unquote(path),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": [each for each in named if each[1] != b"(none)"],
        "client": ("192.0.2.1", 50000),
        "server": ("testserver", 80),
        "state": {},
        **more,
    }


def receiving(parts: Iterable[bytes], pause_seconds: float = 0) -> Receive:
    """Return a `receive` that gives the body in parts, then the disconnection."""
    messages = _messages(list(parts) or [b""], pause_seconds)

    async def receive() -> Message:
        return await anext(messages)

    return receive


async def _messages(parts: list[bytes], pause_seconds: float) -> AsyncIterator[Message]:
    for place, part in enumerate(parts, start=1):
        await asyncio.sleep(pause_seconds)
        more = place < len(parts)
        yield {"type": "http.request", "body": part, "more_body": more}
    while True:
        yield {"type": "http.disconnect"}


def ask(
    app: ASGIApp,
    method: str,
    target: str,
    *,
    headers: Headers = (),
    body: bytes | Iterable[bytes] = b"",
    pause_seconds: float = 0,
    **more: Any,
) -> Answer:
    """Send one request over HTTP."""
    parts = [body] if isinstance(body, bytes) else body
    scope = scope_of("http", method, target, headers, **more)
    return asyncio.run(exchange(app, scope, receiving(parts, pause_seconds)))


async def exchange(app: ASGIApp, scope: Scope, receive: Receive) -> Answer:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return _answer(sent)


def _answer(sent: list[Message]) -> Answer:
    [start] = [each for each in sent if each["type"].endswith("response.start")]
    bodies = [each for each in sent if each["type"].endswith("response.body")]
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    body = b"".join(each.get("body", b"") for each in bodies)
    return Answer(start["status"], headers, body, tuple(sent))


def post(app: ASGIApp, target: str, body: bytes | object, **headers: str) -> Answer:
    """Post a JSON body; keywords such as `content_type="…"` are headers."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {"content-type": "application/json"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    return ask(app, "POST", target, headers=named, body=content)
