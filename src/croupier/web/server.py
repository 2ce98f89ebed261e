"""The server: a house over HTTP and WebSocket, stopped without losing anything."""

from __future__ import annotations

import asyncio
import errno
import gc
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, cast

import structlog
import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import croupier
from croupier.house.floor.automatic_dealer import Pace
from croupier.house.floor.floor import Floor, FloorOptions
from croupier.house.people import devices
from croupier.house.people.second_factor import FactorKey
from croupier.house.records.background_verification import BackgroundVerification
from croupier.house.records.fingerprint import code_digest
from croupier.house.records.head_delivery import HeadDelivery, HeadPlace
from croupier.house.records.key_rotation import take_first_key
from croupier.house.records.missing_events import report_missing_events
from croupier.journal.events.house import JournalTrusted, ServerStarted
from croupier.journal.events.plan import TablePlan
from croupier.journal.sharing import Lease
from croupier.journal.store import JournalError, Store
from croupier.journal.stores import NodeJournal
from croupier.protocol.messages import LARGEST
from croupier.protocol.schema import protocol_schema
from croupier.web.api import LOG_ON_PATHS, build_api
from croupier.web.monitoring import CONTENT_TYPE, Metrics
from croupier.web.nodes.metrics import NodesCollector
from croupier.web.nodes.node_gate import NodeGate, live_nodes, node_origins
from croupier.web.pages import page_routes
from croupier.web.play_protocol import PlayProtocol
from croupier.web.play_socket import PlaySocket
from croupier.web.problems import JsonResponse
from croupier.web.security.authentication import ApiOptions
from croupier.web.security.connections import (
    ConnectionBounds,
    ConnectionGate,
    bounds_by_files,
)
from croupier.web.security.middleware import Security, SecurityOptions
from croupier.web.security.refusals import RefusalLog
from croupier.web.stop_deadline import StopDeadline

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_log = structlog.get_logger("croupier.server")
_PING_S, _PONG_S = 2.0, 2.5
"""A half-open socket is found within their sum."""
_CLOSE_WITHIN_S = 5
_BACKLOG = 2048
_TLS_CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""Of TLS 1.2, with forward secrecy, as all of 1.3: whoever gets the key later reads
nothing that was kept before."""
_HEADER_BYTES = 32_768
"""Nobody sends more before a request is whole; what is whole has a bound of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    host: str = "127.0.0.1"
    port: int = 8000
    """0: any that is free."""
    or_any_port: bool = False
    """Where the port is taken, any that is free."""
    tls_certificate: str | None = None
    tls_key: str | None = None
    security: SecurityOptions = field(default_factory=SecurityOptions)
    proxy: str | None = None
    """The address of a proxy whose word on the client's own address is taken."""
    signing_key: Ed25519PrivateKey | None = None
    """Signs the house head every so often, and at the end of a gaming day."""
    factor_key: FactorKey | None = None
    """Seals the secrets of second factors."""
    heads_to: tuple[HeadPlace, ...] = ()
    """Where signed heads are handed out to."""
    heads_seconds: float = 600
    pace: Pace = field(default_factory=Pace)
    missing_to: Path = Path()
    """The folder for events that were acknowledged and that the journal lacks."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class ServedJournal:
    """The journal of a house, opened and leased for this process."""

    store: Store
    lease: Lease | None
    """What keeps it for this process alone; None for a node."""
    open_again: Callable[[], Store]
    """Another connection to it, to read it whole while tables play."""
    node: NodeJournal | None = None
    """What it shares with other nodes, if it is one."""


async def serve(
    journal: ServedJournal,
    listener: socket.socket,
    options: ServerOptions,
    ready: Callable[[str], None],
) -> JournalError | None:
    """Serve until a signal says stop; `ready` is told the address.

    Returns why it could not go on, where that is why it stopped. Once it was told to
    stop the process ends within a bound, in order or not.
    """
    metrics = Metrics()
    floor_options = FloorOptions(
        clock=now_ms,
        steady=time.monotonic,
        observer=metrics,
        pace=options.pace,
        lease=journal.lease,
        factor_key=options.factor_key,
        registry=None if journal.node is None else journal.node.registry,
        sharing=None if journal.node is None else journal.node.sharing,
        missing_to=options.missing_to,
    )
    deadline = StopDeadline()
    verification: BackgroundVerification | None = None
    floor = Floor(journal.store, floor_options)
    try:
        verification = _begin(floor, journal, options, metrics)
        started = ServerStarted(croupier.__version__, code_digest(), floor.node_name)
        floor.record.write(started)
        api = ApiOptions(
            secure_cookies=_is_secure(options),
            signing_key=options.signing_key,
            open_again=journal.open_again,
        )
        refusals = RefusalLog(time.monotonic, metrics.refused)
        gate = ConnectionGate(bounds_by_files(ConnectionBounds()), refusals.note)
        app = application(floor, metrics, api, options.security, refusals)
        config = _config(app, gate, options)
        address = address_of(listener, options)
        server = _Server(config, floor, lambda: ready(address), deadline)
        heads = _delivery(floor, options, metrics)
        if heads is not None:
            floor.spawn(heads.run())
        await server.serve(sockets=[listener])
    finally:
        deadline.start()
        if verification is not None:
            verification.close()
        await floor.close()
    if heads is not None and not floor.lost.done():
        heads.last()
    return floor.lost.result() if floor.lost.done() else None


def _begin(
    floor: Floor, journal: ServedJournal, options: ServerOptions, metrics: Metrics
) -> BackgroundVerification | None:
    """Sign what waits for it, and verify all of it; a frozen journal is only read."""
    metrics.read_only(floor.store.frozen is not None)
    if floor.store.frozen is not None:
        return None
    if options.signing_key is not None:
        take_first_key(floor.record, "house", options.signing_key)
        floor.record.sign_closed_day(options.signing_key)
    report_missing_events(floor.record, options.missing_to)
    doubt = floor.record.state.doubt
    if doubt is not None:  # all of it was verified at the start
        floor.record.write(JournalTrusted(doubt))
    nodes = floor.nodes
    return BackgroundVerification(
        floor.record,
        journal.open_again,
        metrics.journal_findings,
        lambda: nodes is None or nodes.is_first,
    )


def _delivery(
    floor: Floor, options: ServerOptions, metrics: Metrics
) -> HeadDelivery | None:
    if options.signing_key is None or not options.heads_to:
        return None
    if floor.store.frozen is not None:
        return None
    return HeadDelivery(
        floor,
        options.signing_key,
        options.heads_to,
        options.heads_seconds,
        metrics.heads,
    )


def address_of(listener: socket.socket, options: ServerOptions) -> str:
    """Return the address at which a house is served."""
    scheme = "https" if options.tls_certificate else "http"
    host, port = listener.getsockname()[:2]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _is_secure(options: ServerOptions) -> bool | None:
    """Return whether browsers come over TLS; None: as each request does."""
    public_url = options.security.public_url
    return None if public_url is None else public_url.startswith("https:")


def application(
    floor: Floor,
    metrics: Metrics,
    api: ApiOptions,
    security: SecurityOptions,
    refusals: RefusalLog | None = None,
) -> ASGIApp:
    """Return everything that is served, behind the checks of every request."""
    metrics.registry.register(NodesCollector(floor))
    app = build_api(
        floor,
        api,
        (
            Route("/metrics", _exposition(metrics)),
            Route("/api/protocol.json", _protocol),
            *page_routes(),
        ),
    )
    security = replace(
        security, log_on_paths=LOG_ON_PATHS, counters=floor.options.counters
    )
    served = _WithPlay(app, PlaySocket(floor))
    refusals = refusals or RefusalLog(time.monotonic)
    outside = Security(
        served,
        security,
        time.monotonic,
        refusals,
        node_origins=node_origins(floor),
        live_nodes=live_nodes(floor),
        videos=_Videos(floor),
        device_of=lambda token: devices.counted_name(floor.record, token),
    )
    return NodeGate(served, outside, floor, security, refusals)


class _Videos:
    """Where the pictures of the tables' wheels come from, now."""

    def __init__(self, floor: Floor) -> None:
        self._record = floor.record
        self._tables: Mapping[str, TablePlan] = {}
        self._found: frozenset[str] = frozenset()

    def __call__(self) -> frozenset[str]:
        # Every request asks, and a house may have thousands of tables.
        tables = self._record.state.tables
        if tables is not self._tables:
            self._tables = tables
            self._found = frozenset(
                plan.video for plan in tables.values() if plan.video
            )
        return self._found


class _WithPlay:
    """The tables' socket beside everything else, with nothing in between."""

    def __init__(self, app: ASGIApp, play: PlaySocket) -> None:
        self._app, self._play = app, play

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"] == "/api/play":
            await self._play(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _protocol(_: Request) -> Response:
    """Serve the protocol of tables and devices, for whoever writes a terminal."""
    return JsonResponse(protocol_schema())


def _exposition(metrics: Metrics) -> Callable[[Request], Response]:
    def exposition(_: Request) -> Response:
        return Response(metrics.exposition(), media_type=CONTENT_TYPE)

    return exposition


def _config(
    app: ASGIApp, gate: ConnectionGate, options: ServerOptions
) -> uvicorn.Config:
    if options.proxy is not None:
        behind: Any = ProxyHeadersMiddleware(cast(Any, app), options.proxy)
        app = behind  # uvicorn and Starlette write the same types each their own way
    return uvicorn.Config(
        gate.around(app),
        http=gate.protocol(),
        h11_max_incomplete_event_size=_HEADER_BYTES,
        ws=PlayProtocol,
        ws_max_size=LARGEST,
        ws_ping_interval=_PING_S,
        ws_ping_timeout=_PONG_S,
        backlog=_BACKLOG,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_CLOSE_WITHIN_S,
        ssl_certfile=options.tls_certificate,
        ssl_keyfile=options.tls_key,
        ssl_ciphers=_TLS_CIPHERS,
        proxy_headers=False,  # the gate is asked first, by the connection's own peer
    )


def listen(options: ServerOptions) -> socket.socket:
    """Open the port, before anything else is touched: whoever connects waits."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    sock = socket.socket(family)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            sock.bind((options.host, options.port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE or not options.or_any_port:
                raise
            sock.bind((options.host, 0))
        sock.listen(_BACKLOG)
    except OSError:
        sock.close()
        raise
    sock.set_inheritable(True)
    return sock


class _Server(uvicorn.Server):
    """Stops in order: what was asked is answered, goodbye is said, then the end."""

    def __init__(
        self,
        config: uvicorn.Config,
        floor: Floor,
        ready: Callable[[], None],
        deadline: StopDeadline,
    ) -> None:
        super().__init__(config)
        self._floor, self._ready, self._deadline = floor, ready, deadline
        self._loop = asyncio.get_running_loop()
        self._stopping: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and announce the address once it answers."""
        await super().startup(sockets)
        # What is there now stays. To look through it for garbage takes 12 ms and more
        # each time, in which no wager is judged and none is answered.
        gc.freeze()
        self._floor.lost.add_done_callback(lambda _: self._stop())
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop in order, with every commit finished; the signal is not raised again."""
        self._deadline.start()
        self._loop.call_soon_threadsafe(self._stop)

    def _stop(self) -> None:
        self._deadline.start()
        if self._stopping is None:
            _log.info("stopping")
            self._stopping = asyncio.create_task(self._finish())
        else:
            self.force_exit = True

    async def _finish(self) -> None:
        await self._floor.finish()
        self.should_exit = True
