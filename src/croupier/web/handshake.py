"""The opening of a WebSocket: the request to an application, and its answer."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from starlette.types import Message, Scope
from websockets.datastructures import Headers
from websockets.http11 import Request
from websockets.server import ServerProtocol


class Handshake:
    """One handshake; once it is answered, the library's connection is open."""

    def __init__(self, conn: ServerProtocol, request: Request) -> None:
        """Answer an invalid handshake at once."""
        self._conn, self._request = conn, request
        self._response = conn.accept(request)
        self.is_valid = self._response.status_code == HTTPStatus.SWITCHING_PROTOCOLS
        if not self.is_valid:
            conn.send_response(self._response)

    def scope(self, transport: asyncio.Transport) -> Scope:
        """Return the ASGI scope of the connection."""
        path, _, query = self._request.path.partition("?")
        headers, about = self._request.headers, transport.get_extra_info
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if about("sslcontext") else "ws",
            "server": _host_and_port(about("sockname")),
            "client": _host_and_port(about("peername")),
            "root_path": "",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [
                (name.lower().encode(), value.encode("latin-1"))
                for name, value in headers.raw_items()
            ],
            "extensions": {"websocket.http.response": {}},
        }

    def answer(self, message: Message) -> None:
        """Send the application's answer; a refusal has one body message."""
        response = self._response
        match message["type"]:
            case "websocket.accept":
                response.headers.update(_headers_of(message))
                self._conn.send_response(response)
            case "websocket.close":
                self.refuse(HTTPStatus.FORBIDDEN)
            case "websocket.http.response.start":
                self._response = self._conn.reject(message["status"], "")
                _replace(self._response.headers, _headers_of(message))
            case "websocket.http.response.body":
                response.body = message["body"]
                size = Headers({"Content-Length": str(len(response.body))})
                _replace(response.headers, size)
                self._conn.send_response(response)
            case other:
                raise RuntimeError(f"this is no answer to a handshake: {other}")

    def refuse(self, status: HTTPStatus) -> None:
        self._conn.send_response(self._conn.reject(status, ""))


def _host_and_port(address: Any) -> tuple[str, int] | None:
    return (address[0], address[1]) if isinstance(address, tuple) else None


def _headers_of(message: Message) -> Headers:
    return Headers(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in message.get("headers", ())
    )


def _replace(headers: Headers, by: Headers) -> None:
    for name in by:
        headers.pop(name, None)
    headers.update(by)
