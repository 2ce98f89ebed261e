"""Requests to another node of the house, signed, each over a connection of its own."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from typing import Any, cast
from urllib.parse import urlsplit

from croupier.errors import CroupierError
from croupier.house.nodes.membership import Nodes
from croupier.house.records.house_record import Clock
from croupier.journal.node_registry import NodeRow
from croupier.web.nodes.signature import CarriedRequest, HeaderList, Sender, signed

ANSWER_WITHIN_S = 10.0
_CONNECT_WITHIN_S = 1.0
_ANSWER_BYTES_MAX = 32 * 1024 * 1024
_OF_CONNECTION = frozenset({b"connection", b"content-length", b"date", b"server"})
"""Headers of an answer that are not the asker's."""


class NodeUnreachable(CroupierError):
    """Another node could not be reached: nothing was asked there."""


class NodeSilent(CroupierError):
    """Another node was asked and did not answer: nobody knows what it did."""


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """The answer of another node, as it came."""

    status: int
    headers: HeaderList
    body: bytes


@dataclass(frozen=True, slots=True)
class NodeAddress:
    """Where a node listens, read from its URL."""

    host: str
    port: int
    is_secure: bool

    @classmethod
    def of(cls, node: NodeRow) -> NodeAddress:
        parts = urlsplit(node.address)
        is_secure = parts.scheme == "https"
        return cls(
            parts.hostname or "", parts.port or (443 if is_secure else 80), is_secure
        )

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def tls(self) -> ssl.SSLContext | None:
        return _tls() if self.is_secure else None


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class NodeClient:
    """Asks the other nodes of the house, in the name of whoever asks here."""

    def __init__(self, nodes: Nodes, clock: Clock) -> None:
        self._nodes, self._clock = nodes, clock

    def others(self) -> Iterator[NodeRow]:
        """Yield the nodes that live, besides this one."""
        for node in self._nodes.all():
            if node.is_alive and node.name != self._nodes.name:
                yield node

    def signed(
        self, request: CarriedRequest, client: str, scheme: str = "http"
    ) -> HeaderList:
        """Return the headers of a request to another node, with our proof."""
        sender = Sender(self._nodes.name, client, scheme)
        return signed(request, sender, self._nodes.secret, self._clock)

    async def ask(
        self,
        node: NodeRow,
        request: CarriedRequest,
        client: str = "",
        scheme: str = "http",
        *,
        within_s: float,
    ) -> NodeAnswer:
        """Return its answer; raise `NodeUnreachable`, or `NodeSilent` after asking."""
        address = NodeAddress.of(node)
        try:
            async with asyncio.timeout(_CONNECT_WITHIN_S):
                reader, writer = await asyncio.open_connection(
                    address.host, address.port, ssl=address.tls
                )
        except (OSError, TimeoutError) as error:
            raise NodeUnreachable(f"{node.name} can't be reached") from error
        try:
            async with asyncio.timeout(within_s):
                headers = self.signed(request, client, scheme)
                writer.write(_written(request, headers, address))
                raw = await _all_of(reader)
            return _read(request.method, raw)
        except (OSError, TimeoutError, HTTPException) as error:
            raise NodeSilent(f"{node.name} did not answer") from error
        finally:
            writer.close()


async def _all_of(reader: asyncio.StreamReader) -> bytes:
    """Read an answer to its end; raise `HTTPException` where that is too far off."""
    parts, left = [], _ANSWER_BYTES_MAX
    while part := await reader.read(left + 1):
        left -= len(part)
        if left < 0:
            raise HTTPException("the answer is too long")
        parts.append(part)
    return b"".join(parts)


def _written(
    request: CarriedRequest, headers: HeaderList, address: NodeAddress
) -> bytes:
    lines = [
        request.method.encode() + b" " + request.target + b" HTTP/1.1",
        b"host: " + address.netloc.encode(),
        b"connection: close",
        b"content-length: " + str(len(request.body)).encode(),
        *(name + b": " + value for name, value in headers),
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + request.body


class _Received:
    """The bytes of an answer, as the standard library's reader wants them."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def makefile(self, _mode: str) -> BytesIO:
        return BytesIO(self._raw)


def _read(method: str, raw: bytes) -> NodeAnswer:
    """Read an answer; raise `HTTPException` where it is none, or not whole."""
    response = HTTPResponse(cast(Any, _Received(raw)), method=method)
    response.begin()
    body = response.read()
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1"))
        for name, value in response.getheaders()
    ]
    kept = [each for each in headers if each[0] not in _OF_CONNECTION]
    return NodeAnswer(response.status, kept, body)
