"""The middleware before the application: it checks every request.

- The path and the headers are no longer than allowed, and the body's length is stated
  in one way. The path is UTF-8 text without an encoded slash, the query UTF-8 text.
- The `Host` is one that the server answers for; health probes from this machine may use
  any name.
- Requests are limited by address and by token, and more strictly for logging on.
  Requests with a device's token are counted by device, not by address.
- A page of another origin changes nothing and opens no WebSocket; a page of another
  node of the same house changes nothing.
- Our cookies are `__Host-` cookies over TLS, and only there.
- With a bearer token, the application does not see cookies.
- A body is no larger and no slower than allowed.
- Every answer has the security headers.

Around the whole application: `Security(app, SecurityOptions(...))`.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.house.people.rates import Clock, Rate, RateLimiter
from croupier.web.problems import ApiError, BadRequest, problem_response
from croupier.web.reasons import WebReason
from croupier.web.security.hosts import (
    Host,
    asks_for_health,
    origin_of,
    read_hosts,
    read_origin,
)
from croupier.web.security.limits import (
    AddressLimiter,
    RefusalLog,
    address_key,
)

SESSION_COOKIE = "croupier_session"
CSRF_COOKIE = "croupier_csrf"
DEVICE_COOKIE = "croupier_device"
DEVICE_HEADER = "X-Device-Token"
"""Carries the device's token with the token of a session opened at that device."""
SECURE_PREFIX = "__Host-"
"""Of our cookies over TLS: other hosts and pages without TLS can set no such cookie."""
CSRF_HEADER = "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_ONCE = (
    *(b"host", b"origin", b"authorization", b"content-length"),
    *(b"x-csrf-token", b"x-device-token"),
)
_ADDRESS_RATE = Rate(200, 2_000)
_TOKEN_RATE = Rate(50, 200)
_LOG_ON_RATE = Rate(0.5, 20)
_SLASH = re.compile(rb"%2f", re.IGNORECASE)
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
    """Security options of a house."""

    public_url: str | None = None
    """The address that browsers use, if a proxy stands before the server."""
    allowed_hosts: tuple[str, ...] = ()
    """Empty allows any; a host without a port allows all its ports."""
    path_bytes_max: int = 2_000
    """With the query."""
    header_bytes_max: int = 16_000
    """All names and values together."""
    body_bytes_max: int = 600_000
    body_seconds_max: float = 10
    address_rate: Rate = _ADDRESS_RATE
    """Generous, since all terminals of a floor may share one address."""
    token_rate: Rate = _TOKEN_RATE
    log_on_rate: Rate = _LOG_ON_RATE
    log_on_paths: re.Pattern[str] | None = None
    """Log-on and pairing, counted by address."""


class Security:
    """The middleware, in plain ASGI."""

    def __init__(
        self,
        app: ASGIApp,
        options: SecurityOptions,
        clock: Clock = time.monotonic,
        refusals: RefusalLog | None = None,
        *,
        videos: Callable[[], frozenset[str]] = frozenset,
        device_of: Callable[[str], str | None] = lambda _token: None,
    ) -> None:
        """Wrap `app`.

        `device_of` returns the device of a token; its requests are counted for it, so
        that other clients at its address can't use up its rate. `videos` returns the
        current addresses of the wheels' pictures.
        """
        self._app, self._videos = app, videos
        self._options = options
        self._refusals = refusals or RefusalLog(clock)
        url = options.public_url
        self._own = None if url is None else read_origin(url)
        self._hosts = read_hosts(options.allowed_hosts, url)
        self._device_of = device_of
        rate = options.address_rate
        self._addresses = AddressLimiter(rate, clock)
        self._tokens = RateLimiter(options.token_rate, clock)
        self._log_ons = AddressLimiter(options.log_on_rate, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        host = Host.read(Headers(scope=scope).get("host", ""))
        own = self._own
        if own is not None:
            scope = {**scope, "scheme": own.partition(":")[0]}
        elif host is not None:
            own = origin_of(scope.get("scheme", "http"), host)
        if scope["type"] == "http":
            policy = content_security_policy(own, self._videos())
            send = with_security_headers(send, scope["path"], own, policy)
        try:
            scope = self._checked(scope, host, own)
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
        """Return the request for the application; raise `ApiError` to refuse it."""
        self._check_size(scope)
        _check_path(scope.get("raw_path") or b"", scope.get("query_string") or b"")
        names = [name for name, _ in scope["headers"]]
        if {b"content-length", b"transfer-encoding"}.issubset(names):
            # A proxy may see another end of the body than we do (RFC 9112, 6.1).
            raise ApiError(400, WebReason.LENGTH_AND_CHUNKS(), headers=_CLOSE)
        for name in _ONCE:
            if names.count(name) > 1:
                raise BadRequest(WebReason.HEADER_GIVEN_TWICE(header=name.decode()))
        is_answered = host is not None and (
            not self._hosts or not self._hosts.isdisjoint((host.name, str(host)))
        )
        if not is_answered and not asks_for_health(scope):
            raise BadRequest(WebReason.NOT_THIS_HOST())
        connection = HTTPConnection(scope)
        bearer = bearer_token(connection.headers) or ""
        self._check_rates(connection, bearer)
        has_session = not bearer and own_cookie(connection, SESSION_COOKIE) is not None
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            check_origin(connection.headers, own, has_session=has_session)
        if bearer:
            kept = [each for each in scope["headers"] if each[0] != b"cookie"]
            return {**scope, "headers": kept}
        return scope

    def _check_size(self, scope: Scope) -> None:
        path = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
        if path > (most := self._options.path_bytes_max):
            raise ApiError(414, WebReason.PATH_TOO_LONG(count=most), headers=_CLOSE)
        headers = sum(len(name) + len(value) for name, value in scope["headers"])
        if headers > (most := self._options.header_bytes_max):
            raise ApiError(431, WebReason.HEADERS_TOO_LARGE(count=most), headers=_CLOSE)

    def _counted_as(self, connection: HTTPConnection) -> str:
        """Return the device if its token is known, otherwise the address."""
        headers = connection.headers
        tokens = headers.get(DEVICE_HEADER), bearer_token(headers)
        for token in (*tokens, own_cookie(connection, DEVICE_COOKIE)):
            device = self._device_of(token) if token else None
            if device is not None:
                return f"device {device}"
        client = connection.client
        return address_key(client.host if client else "")

    def _check_rates(self, connection: HTTPConnection, bearer: str) -> None:
        scope, key = connection.scope, self._counted_as(connection)
        waits = [self._addresses.take(key)]
        if bearer:
            digest = sha256(bearer.encode("latin-1", "replace")).hexdigest()
            waits.append(self._tokens.take(digest))
        paths = self._options.log_on_paths
        if paths is not None and paths.fullmatch(scope["path"]):
            waits.append(self._log_ons.take(key))
        _expect_no_wait(max(waits))


def _check_path(path: bytes, query: bytes) -> None:
    """Refuse a path or query whose meaning changes when it is decoded."""
    if _SLASH.search(path):
        raise ApiError(404, WebReason.NOTHING_HERE())
    try:
        unquote_to_bytes(path + query).decode()
    except UnicodeDecodeError as error:
        raise BadRequest(WebReason.PATH_NOT_TEXT()) from error


def _expect_no_wait(seconds: float) -> None:
    """Raise 429 if the caller has to wait."""
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


def cookie_name(connection: HTTPConnection, name: str) -> str:
    """Return the name of one of our cookies on this connection.

    Over TLS a cookie without the prefix may come from another host.
    """
    is_secure = connection.scope.get("scheme") in {"https", "wss"}
    return f"{SECURE_PREFIX}{name}" if is_secure else name


def own_cookie(connection: HTTPConnection, name: str) -> str | None:
    return connection.cookies.get(cookie_name(connection, name))


def check_origin(headers: Headers, own: str | None, *, has_session: bool) -> None:
    """Raise 403 for a page of another or an unstated origin."""
    origin = headers.get("origin")
    if origin is not None:
        if origin != own:
            raise ApiError(403, WebReason.OTHER_ORIGIN())
    elif has_session and headers.get("sec-fetch-site") != "same-origin":
        raise ApiError(403, WebReason.ORIGIN_MISSING())


async def refuse(error: ApiError, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the request, or answer or close the handshake of a WebSocket."""
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
    """The caller left before the body was complete."""


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
    """Return a `receive` that begins with this body."""
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
    videos: frozenset[str] = frozenset(),
) -> str:
    """Allow everything from this server, pictures of its wheels, and nothing inline.

    The socket is named for older browsers.
    """
    socket = "" if own is None else f" ws{own.removeprefix('http')}"
    media = " ".join(sorted({_media_source(each) for each in videos}))
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        f" font-src 'self'; connect-src 'self'{socket}; frame-ancestors 'none';"
        " base-uri 'none'; form-action 'self'" + (media and f"; media-src {media}")
    )


def _media_source(video: str) -> str:
    """Return the origin of an address; a path is on this server."""
    return "'self'" if video.startswith("/") else "/".join(video.split("/")[:3])
