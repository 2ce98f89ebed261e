"""The middleware before the application: every request passes here, or is refused.

- The path and the headers are no longer than allowed, and the body has one end.
- The `Host` is one that the server answers for; on this machine, its health is told to
  whoever asks.
- Nobody asks too often: by address, by token, and more strictly for logging on. What
  comes with a device's token is counted by device, not by address.
- A page of another origin changes nothing and opens no WebSocket; a page of another
  node of the same house changes nothing.
- A browser's session (a cookie) changes something only with its CSRF token.
- Our cookies are `__Host-` ones over TLS, and only there; the application sees them
  by their plain names.
- Where a bearer token is given, cookies are not: the application never sees them.
- A body is no larger and no slower than allowed.
- Every answer has the security headers.

Around the whole application: `Security(app, SecurityOptions(...))`.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.journal.sharing import SharedCounters
from croupier.web.problems import ApiError, BadRequest, problem_response
from croupier.web.reasons import WebReason
from croupier.web.security.hosts import (
    Host,
    Hosts,
    asks_for_health,
    origin_of,
    plain_scheme,
    read_origin,
)
from croupier.web.security.rate_limits import (
    AddressLimiter,
    Clock,
    Rate,
    RateLimiter,
    SharedRateLimiter,
    address_key,
)
from croupier.web.security.refusals import RefusalLog

SESSION_COOKIE = "croupier_session"
CSRF_COOKIE = "croupier_csrf"
DEVICE_COOKIE = "croupier_device"
DEVICE_HEADER = "X-Device-Token"
"""Beside the token of a session that was opened at a device: the device's own."""
SECURE_PREFIX = "__Host-"
"""Of our cookies over TLS: no other host and no page in clear can set one so named."""
CSRF_HEADER = "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_COOKIES = frozenset(
    name.encode() for name in (SESSION_COOKIE, CSRF_COOKIE, DEVICE_COOKIE)
)
_ONCE = (
    *(b"host", b"origin", b"authorization", b"content-length"),
    *(b"x-csrf-token", b"x-device-token"),
)
_ADDRESS_RATE = Rate(200, 2_000)
_TOKEN_RATE = Rate(50, 200)
_LOG_ON_RATE = Rate(0.5, 20)
_CLOSE = {"Connection": "close"}
_FIXED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": (
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(),"
        " magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_TWO_YEARS = "max-age=63072000; includeSubDomains"


@dataclass(frozen=True, slots=True)
class SecurityOptions:
    """Security options that a house may choose."""

    public_url: str | None = None
    """The address that browsers use, where a proxy stands before the server."""
    allowed_hosts: tuple[str, ...] = ()
    """Any where none is given; a host alone allows each of its ports."""
    allowed_origins: tuple[str, ...] = ()
    """Pages elsewhere that may ask too, such as `https://pit.example`."""
    path_bytes_max: int = 2_000
    """With the query."""
    header_bytes_max: int = 16_000
    """All of them together, names and values."""
    body_bytes_max: int = 600_000
    body_seconds_max: float = 10
    address_rate: Rate = _ADDRESS_RATE
    """Generous: all terminals of a floor may come from one address."""
    token_rate: Rate = _TOKEN_RATE
    log_on_rate: Rate = _LOG_ON_RATE
    log_on_paths: frozenset[str] = field(default_factory=frozenset)
    """Log-on and pairing, counted by address."""
    counters: SharedCounters | None = None
    """Of all nodes of the house: they count log-on and pairing together."""


class Security:
    """The middleware, plain ASGI: it streams, and costs little."""

    def __init__(
        self,
        app: ASGIApp,
        options: SecurityOptions,
        clock: Clock = time.monotonic,
        refusals: RefusalLog | None = None,
        *,
        node_origins: Callable[[], frozenset[str]] = frozenset,
        live_nodes: Callable[[], int] = lambda: 1,
        videos: Callable[[], frozenset[str]] = frozenset,
        device_of: Callable[[str], str | None] = lambda _token: None,
    ) -> None:
        """Stand before `app`.

        `device_of` names the device of a token: what it asks is counted as its own, so
        that nobody else at its address keeps it from being served.
        `node_origins` are those of the house's nodes, `live_nodes` how many of them
        share its limits, `videos` the addresses of its wheels' pictures, now.
        """
        self._app, self._node_origins, self._videos = app, node_origins, videos
        self._options = options
        self._refusals = refusals or RefusalLog(clock)
        url = options.public_url
        self._own = None if url is None else read_origin(url)
        self._origins = frozenset(map(read_origin, options.allowed_origins))
        self._hosts = Hosts.of(options.allowed_hosts, url)
        self._device_of = device_of
        rate = options.address_rate
        self._addresses = AddressLimiter(rate, clock, sharers=live_nodes)
        self._tokens = RateLimiter(options.token_rate, clock, sharers=live_nodes)
        self._log_ons = AddressLimiter(options.log_on_rate, clock)
        self._shared_log_ons: SharedRateLimiter | None = None
        if options.counters is not None:
            self._shared_log_ons = SharedRateLimiter(
                "log-on", options.log_on_rate, options.counters
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        host = Host.read(Headers(scope=scope).get("host", ""))
        scheme = plain_scheme(scope.get("scheme", "http"))
        own = self._own or (origin_of(scheme, host) if host is not None else None)
        if scope["type"] == "http":
            policy = content_security_policy(own, self._node_origins(), self._videos())
            send = with_security_headers(send, scope["path"], own, policy)
        try:
            scope = self._checked(scope, host, own)
            if self._shared_log_ons is not None and self._is_log_on(scope):
                key = self._counted_as(HTTPConnection(scope))
                _expect_no_wait(await self._shared_log_ons.take(key))
            if scope["type"] == "http":
                receive = await read_body(
                    scope,
                    receive,
                    bytes_max=self._options.body_bytes_max,
                    seconds_max=self._options.body_seconds_max,
                )
        except ApiError as error:
            self._refusals.note(
                str(error.status),
                (scope.get("client") or ("",))[0],
                error=error.problem.error,
                path=scope["path"],
            )
            await refuse(error, scope, receive, send)
        except ClientGone:
            return
        else:
            await self._app(scope, receive, send)

    def _checked(self, scope: Scope, host: Host | None, own: str | None) -> Scope:
        """Return the request as the application may see it; raise `ApiError`."""
        self._check_size(scope)
        names = [name for name, _ in scope["headers"]]
        if {b"content-length", b"transfer-encoding"}.issubset(names):
            # A proxy may take another end for it than we do (RFC 9112, 6.1).
            raise ApiError(400, WebReason.LENGTH_AND_CHUNKS(), headers=_CLOSE)
        for name in _ONCE:
            if names.count(name) > 1:
                raise BadRequest(WebReason.HEADER_GIVEN_TWICE(header=name.decode()))
        is_answered = host is not None and self._hosts.allow(host)
        if not is_answered and not asks_for_health(scope):
            raise BadRequest(WebReason.NOT_THIS_HOST())
        is_secure = own is not None and own.startswith("https:")
        scope = _with_own_cookies(scope, is_secure=is_secure)
        connection = HTTPConnection(scope)
        bearer = bearer_token(connection.headers) or ""
        self._check_rates(connection, bearer)
        has_session = not bearer and SESSION_COOKIE in connection.cookies
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            allowed = self._origins
            if scope["type"] == "websocket":
                allowed |= self._node_origins()
            origins = allowed if own is None else allowed | {own}
            check_origin(connection.headers, origins, has_session=has_session)
        if (
            scope["type"] == "http"
            and has_session
            and scope["method"] not in SAFE_METHODS
        ):
            check_csrf(connection, connection.cookies.get(CSRF_COOKIE, ""))
        return _without_cookies(scope) if bearer else scope

    def _check_size(self, scope: Scope) -> None:
        path = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
        if path > (most := self._options.path_bytes_max):
            raise ApiError(414, WebReason.PATH_TOO_LONG(count=most), headers=_CLOSE)
        headers = sum(len(name) + len(value) for name, value in scope["headers"])
        if headers > (most := self._options.header_bytes_max):
            raise ApiError(431, WebReason.HEADERS_TOO_LARGE(count=most), headers=_CLOSE)

    def take(self, scope: Scope) -> None:
        """Count a request by its address alone; raise 429 if it comes too early."""
        _expect_no_wait(self._addresses.take(_address(scope)))

    def give_back(self, scope: Scope) -> None:
        """Take back the count of a request that another node has counted."""
        self._addresses.give_back(_address(scope))

    def _counted_as(self, connection: HTTPConnection) -> str:
        """Return the device that asks, if its token is known, or else the address."""
        headers, cookies = connection.headers, connection.cookies
        tokens = headers.get(DEVICE_HEADER), bearer_token(headers)
        for token in (*tokens, cookies.get(DEVICE_COOKIE)):
            device = self._device_of(token) if token else None
            if device is not None:
                return f"device {device}"
        return _address(connection.scope)

    def _check_rates(self, connection: HTTPConnection, bearer: str) -> None:
        scope, key = connection.scope, self._counted_as(connection)
        waits = [self._addresses.take(key)]
        if bearer:
            digest = sha256(bearer.encode("latin-1", "replace")).hexdigest()
            waits.append(self._tokens.take(digest))
        if self._is_log_on(scope):
            waits.append(self._log_ons.take(key))
        _expect_no_wait(max(waits))

    def _is_log_on(self, scope: Scope) -> bool:
        return scope["path"] in self._options.log_on_paths


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return address_key(client[0] if client else "")


def _expect_no_wait(seconds: float) -> None:
    """Raise 429 where the caller has to wait for so long."""
    if seconds:
        whole = math.ceil(seconds)
        raise ApiError(
            429,
            WebReason.TOO_MANY_REQUESTS(count=whole),
            headers={"Retry-After": str(whole)},
        )


def bearer_token(headers: Headers) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def check_origin(
    headers: Headers, allowed: frozenset[str], *, has_session: bool
) -> None:
    """Raise 403 for a page of an origin that is not allowed, or that is not told."""
    origin = headers.get("origin")
    if origin is not None:
        if origin not in allowed:
            raise ApiError(403, WebReason.OTHER_ORIGIN())
    elif has_session and headers.get("sec-fetch-site") != "same-origin":
        raise ApiError(403, WebReason.ORIGIN_MISSING())


def check_csrf(connection: HTTPConnection, token: str) -> None:
    """Raise 403 unless the header repeats the token of the browser's session."""
    given = connection.headers.get(CSRF_HEADER, "").encode()
    if not token or not compare_digest(given, token.encode()):
        raise ApiError(403, WebReason.HEADER_MISSING_OR_WRONG(header=CSRF_HEADER))


def _with_own_cookies(scope: Scope, *, is_secure: bool) -> Scope:
    """Return the request with our cookies by their plain names, and no others so named.

    Over TLS a plain cookie may be another host's: it is not ours.
    """
    prefix = SECURE_PREFIX.encode()

    def own(header: bytes) -> bytes:
        kept = []
        for each in header.split(b";"):
            name, sign, value = each.strip().partition(b"=")
            plain = name.strip().removeprefix(prefix)
            if plain in _COOKIES and name.startswith(prefix) is not is_secure:
                continue
            kept.append((plain if plain in _COOKIES else name) + sign + value)
        return b"; ".join(kept)

    if not any(name == b"cookie" for name, _ in scope["headers"]):
        return scope
    headers = [
        (name, own(value) if name == b"cookie" else value)
        for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}


def _without_cookies(scope: Scope) -> Scope:
    kept = [each for each in scope["headers"] if each[0] != b"cookie"]
    return {**scope, "headers": kept}


async def refuse(error: ApiError, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the request; of a WebSocket, answer or close the handshake."""
    response: Response = problem_response(error)
    if scope["type"] == "http":
        await response(scope, receive, send)
        return
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": ""})


class ClientGone(Exception):
    """The caller went away before the body was there; nobody waits for an answer."""


async def read_body(
    scope: Scope, receive: Receive, *, bytes_max: int, seconds_max: float
) -> Receive:
    """Return a `receive` with the body read; raise `ApiError` 400, 408 or 413."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    is_chunked = any(name == b"transfer-encoding" for name, _ in scope["headers"])
    if not lengths and not is_chunked and scope["method"] in SAFE_METHODS:
        return receive
    if lengths and not lengths[0].isdigit():
        raise ApiError(400, WebReason.BODY_LENGTH_NOT_NUMBER(), headers=_CLOSE)
    if lengths and (len(lengths[0]) > 18 or int(lengths[0]) > bytes_max):
        raise _too_large(bytes_max)
    try:
        async with asyncio.timeout(seconds_max):
            body = await _read(receive, bytes_max)
    except TimeoutError as error:
        reason = WebReason.BODY_TOO_SLOW(seconds=f"{seconds_max:g}")
        raise ApiError(408, reason, headers=_CLOSE) from error
    return replaying(body, receive)


async def _read(receive: Receive, bytes_max: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        body += message.get("body", b"")
        if len(body) > bytes_max:
            raise _too_large(bytes_max)
        if not message.get("more_body", False):
            return bytes(body)


def _too_large(bytes_max: int) -> ApiError:
    return ApiError(413, WebReason.BODY_TOO_LARGE(count=bytes_max), headers=_CLOSE)


def replaying(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that begins with a body that was read already."""
    waiting: list[Message] = [
        {"type": "http.request", "body": body, "more_body": False}
    ]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def with_security_headers(send: Send, path: str, own: str | None, policy: str) -> Send:
    """Return a `send` that adds the headers; `own` is the server's origin, if known."""

    async def send_with(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(_FIXED)
            headers.setdefault("Content-Security-Policy", policy)
            if path == "/api" or path.startswith("/api/"):
                headers.setdefault("Cache-Control", "no-store")
            if own is not None and own.startswith("https:"):
                headers["Strict-Transport-Security"] = _TWO_YEARS
        await send(message)

    return send_with


@lru_cache(maxsize=100)
def content_security_policy(
    own: str | None,
    nodes: frozenset[str] = frozenset(),
    videos: frozenset[str] = frozenset(),
) -> str:
    """Allow all from here and nothing inline; older browsers need the socket named.

    So are the sockets of the house's other nodes, for a page whose node is gone, and
    where the pictures of its wheels come from.
    """
    origins = [*([] if own is None else [own]), *sorted(nodes - {own})]
    socket = "".join(f" ws{origin.removeprefix('http')}" for origin in origins)
    media = " ".join(sorted({_media_source(each) for each in videos}))
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        f" font-src 'self'; connect-src 'self'{socket}; frame-ancestors 'none';"
        " base-uri 'none'; form-action 'self'" + (media and f"; media-src {media}")
    )


def _media_source(video: str) -> str:
    """Return the origin of an address; what is a path is found here."""
    return "'self'" if video.startswith("/") else "/".join(video.split("/")[:3])
