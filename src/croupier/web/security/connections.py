"""Bounds on the connections to the server.

- A connection that sends no whole request within some seconds is closed.
- If files run short, the connection that has been silent longest is closed.
- Some files are reserved for probes from the machine itself: beyond the bound, a
  connection from there may only request `/health` and `/ready`.

`middleware.py` bounds the requests. The connections of one client are bounded by the
proxy: behind it, all have its address.
"""

from __future__ import annotations

import asyncio
import resource
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from croupier.web.security.hosts import asks_for_health, is_loopback
from croupier.web.security.limits import address_key

_PROBES = 16
_FILES_KEPT = 64 + _PROBES
"""Files for the journal, its backups and the log, and for probes."""
_Peer = tuple[str, int]


@dataclass(frozen=True, slots=True)
class ConnectionBounds:
    """The most connections, and the longest silence of one."""

    silent_seconds: float = 10
    in_all: int = 100_000


def bounds_by_files(wanted: ConnectionBounds) -> ConnectionBounds:
    """Raise the soft limit of open files to the hard one; return bounds within it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard == resource.RLIM_INFINITY:
        return wanted
    in_all = max(1, min(wanted.in_all, hard - _FILES_KEPT))
    return ConnectionBounds(wanted.silent_seconds, in_all)


@dataclass(slots=True)
class _OpenSocket:
    transport: asyncio.Transport
    address: str
    timer: asyncio.TimerHandle | None = None
    """Closes it if it stays silent; None during a request."""
    is_probe: bool = False
    """It came from the machine itself, beyond the bound."""


class ConnectionGate:
    """The connections of one server, known by the peer's address and port."""

    def __init__(
        self, bounds: ConnectionBounds, refused: Callable[[str, str], None]
    ) -> None:
        self._bounds = bounds
        self._refused = refused
        self._connections: OrderedDict[_Peer, _OpenSocket] = OrderedDict()
        self._silent: OrderedDict[_Peer, None] = OrderedDict()
        self._probes = 0

    def __len__(self) -> int:
        return len(self._connections)

    def protocol(self) -> type[asyncio.Protocol]:
        """Return the server's protocol class, which reports to this gate."""
        gate = self

        class Gated(H11Protocol):
            _peer: _Peer | None = None

            def connection_made(self, transport: Any) -> None:
                super().connection_made(transport)
                self._peer = gate.opened(transport)

            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                if self._peer is not None:
                    gate.closed(self._peer)

        return Gated

    def opened(self, transport: asyncio.Transport) -> _Peer | None:
        """Accept a connection and return its peer, or close it and return None."""
        peer = transport.get_extra_info("peername")
        if not isinstance(peer, tuple):  # gone already, or no network connection
            return None
        known: _Peer = (peer[0], peer[1])
        address = address_key(known[0])
        is_full = len(self._connections) >= self._bounds.in_all
        is_full = is_full and not self._make_room()
        is_probe = is_full and is_loopback(known[0]) and self._probes < _PROBES
        if is_full and not is_probe:
            self._refused("full", address)
            transport.abort()
            return None
        self._connections[known] = _OpenSocket(transport, address, is_probe=is_probe)
        self._probes += is_probe
        self._fall_silent(known)
        return known

    def closed(self, peer: _Peer) -> None:
        connection = self._connections.pop(peer, None)
        if connection is None:
            return
        self._silent.pop(peer, None)
        self._probes -= connection.is_probe
        if connection.timer is not None:
            connection.timer.cancel()

    def _make_room(self) -> bool:
        if not self._silent:
            return False
        self._shut(next(iter(self._silent)), "gave way")
        return True

    def _fall_silent(self, peer: _Peer) -> None:
        connection = self._connections[peer]
        connection.timer = asyncio.get_running_loop().call_later(
            self._bounds.silent_seconds, self._shut, peer, "silent"
        )
        if not connection.is_probe:  # a probe must not be closed before its request
            self._silent[peer] = None

    def _shut(self, peer: _Peer, why: str) -> None:
        connection = self._connections[peer]
        self.closed(peer)
        self._refused(why, connection.address)
        connection.transport.abort()

    def around(self, app: ASGIApp) -> ASGIApp:
        """Return the application; during a request the connection is not silent."""

        async def asked(scope: Scope, receive: Receive, send: Send) -> None:
            client = scope.get("client")
            peer = (client[0], client[1]) if client else None
            connection = self._connections.get(peer) if peer else None
            if peer is None or connection is None:
                await app(scope, receive, send)
                return
            if connection.is_probe and not asks_for_health(scope):
                self._shut(peer, "full")
                return
            self._silent.pop(peer, None)
            if connection.timer is not None:
                connection.timer.cancel()
                connection.timer = None
            try:
                await app(scope, receive, send)
            finally:
                if scope["type"] == "websocket":
                    self.closed(peer)  # since the upgrade it has another protocol
                elif self._connections.get(peer) is connection:
                    self._fall_silent(peer)

        return asked
