"""The server: a house over HTTP and WebSocket, with an orderly stop."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Timer
from types import FrameType
from typing import TYPE_CHECKING, Any, cast

import structlog
import uvicorn
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import croupier
from croupier.house.floor.automatic_dealer import Pace
from croupier.house.floor.floor import Floor, FloorOptions
from croupier.house.people import devices
from croupier.house.people.second_factor import FactorKey
from croupier.house.records.background_verification import BackgroundVerification
from croupier.house.records.fingerprint import code_digest
from croupier.house.records.house_record import now_ms
from croupier.house.records.key_rotation import take_first_key
from croupier.house.records.log_signing import LogSigning, SigningOptions
from croupier.house.records.missing_events import report_missing_events
from croupier.house.records.vouchers_and_days import sign_last_close
from croupier.journal.events.house import JournalTrusted, ServerStarted
from croupier.journal.sharing import Lease
from croupier.journal.store import JournalError, Store
from croupier.journal.stores import NodeJournal
from croupier.protocol.messages import LARGEST
from croupier.protocol.schema import protocol_schema
from croupier.web.api import LOG_ON_PATHS, build_api
from croupier.web.log import log_routes, verify_route
from croupier.web.metrics import Metrics, NodesCollector
from croupier.web.pages import page_routes
from croupier.web.play_protocol import PlayProtocol
from croupier.web.play_socket import PlaySocket
from croupier.web.problems import JsonResponse
from croupier.web.security.authentication import ApiResources
from croupier.web.security.connections import (
    ConnectionBounds,
    ConnectionGate,
    bounds_by_files,
)
from croupier.web.security.limits import RefusalLog
from croupier.web.security.middleware import Security, SecurityOptions

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_log = structlog.get_logger("croupier.server")
_PING_S, _PONG_S = 2.0, 2.5
"""A half-open socket is detected within their sum."""
_CLOSE_WITHIN_S = 5
STOP_WITHIN_S = 20
"""The most that a stop takes, even if the database hangs."""
STATUS_CANT_GO_ON = 3
"""The exit status of a house that could not go on, or could not stop in order."""
_BACKLOG = 2048
_TLS_CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""The ciphers of TLS 1.2 with forward secrecy, as in TLS 1.3: a key that leaks later
decrypts no recorded connection."""
_HEADER_BYTES = 32_768
"""The most bytes of an incomplete request; a complete one has its own bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    host: str = "127.0.0.1"
    port: int = 8000
    """0 for any free port."""
    or_any_port: bool = False
    """Use any free port if this one is taken."""
    tls_certificate: str | None = None
    tls_key: str | None = None
    security: SecurityOptions = field(default_factory=SecurityOptions)
    proxy: str | None = None
    """The address of a proxy whose `X-Forwarded-For` is believed."""
    signing_key: Ed25519PrivateKey | None = None
    """Signs the log of the house every few seconds, and when a gaming day ends."""
    factor_key: FactorKey | None = None
    """Seals the secrets of second factors."""
    public_log: bool = False
    """Serve the log of the house without a token."""
    signing: SigningOptions = field(default_factory=SigningOptions)
    pace: Pace = field(default_factory=Pace)
    approved_by: str | None = None
    """The laboratory that has approved this software."""
    installed_by: str | None = None
    missing_to: Path = Path()
    """The folder for acknowledged events that the journal lacks."""


@dataclass(frozen=True, slots=True)
class ServedJournal:
    """The journal of a house, opened and leased for this process."""

    store: Store
    lease: Lease | None
    """Keeps other processes out; None for a node."""
    history: Store
    """A second connection, for reports while tables play."""
    open_again: Callable[[], Store]
    """Opens one more connection, to read the whole journal."""
    node: NodeJournal | None = None
    """The parts shared with other nodes; None for a single process."""


async def serve(
    journal: ServedJournal,
    listener: socket.socket,
    options: ServerOptions,
    ready: Callable[[str], None],
) -> JournalError | None:
    """Serve until a signal asks to stop; call `ready` with the address.

    Returns the error if the house could not go on. After the signal the process ends
    within `STOP_WITHIN_S`, in order or not.
    """
    metrics = Metrics()
    floor_options = FloorOptions(
        clock=now_ms,
        steady=time.monotonic,
        measurements=metrics,
        pace=options.pace,
        history=journal.history,
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
        started = ServerStarted(
            croupier.__version__,
            code_digest(),
            floor.node_name,
            options.approved_by,
            options.installed_by,
        )
        floor.record.note(started)
        resources = ApiResources(
            floor,
            signing_key=options.signing_key,
            open_again=journal.open_again,
        )
        refusals = RefusalLog(
            time.monotonic, lambda why: metrics.add("refused_total", 1, why)
        )
        gate = ConnectionGate(bounds_by_files(ConnectionBounds()), refusals.note)
        app = application(resources, metrics, options, refusals)
        config = _config(app, gate, options)
        address = address_of(listener, options)
        server = _Server(config, floor, lambda: ready(address), deadline)
        signing = _signing(floor, options, metrics)
        if signing is not None:
            floor.spawn(signing.run())
        await server.serve(sockets=[listener])
    finally:
        deadline.start()
        if verification is not None:
            verification.close()
        await floor.close()
    if signing is not None and not floor.lost.done():
        signing.last()
    return floor.lost.result() if floor.lost.done() else None


def _begin(
    floor: Floor, journal: ServedJournal, options: ServerOptions, metrics: Metrics
) -> BackgroundVerification | None:
    """Write the pending records of a start, and begin the verification.

    Does nothing for a frozen journal, which is only read.
    """
    metrics.set("read_only", floor.store.frozen is not None)
    if floor.store.frozen is not None:
        return None
    if options.signing_key is not None:
        take_first_key(floor.record, "house", options.signing_key)
        sign_last_close(floor.record, options.signing_key)
    report_missing_events(floor.record, options.missing_to)
    doubt = floor.record.state.doubt
    if doubt is not None:  # the start verified all of it
        floor.record.write(JournalTrusted(doubt))
    nodes = floor.nodes
    return BackgroundVerification(
        floor.record,
        journal.open_again,
        partial(metrics.set, "journal_findings"),
        lambda: nodes is None or nodes.is_first,
    )


def _signing(
    floor: Floor, options: ServerOptions, metrics: Metrics
) -> LogSigning | None:
    if options.signing_key is None or floor.store.frozen is not None:
        return None
    nodes = floor.nodes
    return LogSigning(
        floor,
        options.signing_key,
        options.signing,
        metrics,
        lambda: nodes is None or nodes.is_first,
    )


def address_of(listener: socket.socket, options: ServerOptions) -> str:
    scheme = "https" if options.tls_certificate else "http"
    host, port = listener.getsockname()[:2]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def application(
    resources: ApiResources,
    metrics: Metrics,
    options: ServerOptions,
    refusals: RefusalLog,
) -> ASGIApp:
    """Return the whole application, behind the checks of every request."""
    floor = resources.floor
    witnesses = tuple(each.key for each in options.signing.witnesses)
    metrics.registry.register(NodesCollector(floor))
    app = build_api(
        resources,
        (
            WebSocketRoute("/api/tables/{table}/play", PlaySocket(floor)),
            Route("/metrics", metrics.page),
            Route("/api/protocol.json", lambda _: JsonResponse(protocol_schema())),
            *(log_routes(floor) if options.public_log else ()),
            verify_route(floor, witnesses),
            *page_routes(),
        ),
    )

    def videos() -> frozenset[str]:
        plans = floor.record.state.tables.values()
        return frozenset(plan.video for plan in plans if plan.video)

    return Security(
        app,
        replace(options.security, log_on_paths=LOG_ON_PATHS),
        time.monotonic,
        refusals,
        videos=videos,
        device_of=lambda token: devices.counted_name(floor.record, token),
    )


def _config(
    app: ASGIApp, gate: ConnectionGate, options: ServerOptions
) -> uvicorn.Config:
    if options.proxy is not None:
        behind: Any = ProxyHeadersMiddleware(cast(Any, app), options.proxy)
        app = behind  # uvicorn and Starlette type ASGI differently
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
        proxy_headers=False,  # the gate comes first, and counts the connection's peer
    )


def listen(options: ServerOptions) -> socket.socket:
    """Open the port, so that early connections wait until the house is ready."""
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


class StopDeadline(Timer):
    """Ends the process if it does not stop in order in time.

    This loses nothing acknowledged, since an answer follows its commit.
    """

    def __init__(self, seconds: float = STOP_WITHIN_S) -> None:
        super().__init__(seconds, self._end)
        self.daemon = True

    def start(self) -> None:
        if self.ident is None:
            super().start()

    def _end(self) -> None:
        _log.critical(
            f"not stopped in order within {self.interval:.0f} seconds: ended, and"
            " nothing acknowledged is lost"
        )
        sys.stderr.flush()
        os._exit(STATUS_CANT_GO_ON)


class _Server(uvicorn.Server):
    """Stops in order: answers the open commands, says goodbye, then ends."""

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
        # The present objects stay. Each garbage collection over them would take 12 ms
        # and more, during which no wager is judged or answered.
        gc.freeze()
        self._floor.lost.add_done_callback(lambda _: self._stop())
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop in order, with every commit finished; do not raise the signal again."""
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
