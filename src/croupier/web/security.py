"""What stands before the application: every request passes here, or is refused.

- The `Host` is one that the server answers for.
- Nobody asks too often: by address, by token, and more strictly for logging on.
- A page of another origin changes nothing and opens no WebSocket.
- A browser's session (a cookie) changes something only with its CSRF token.
- Where a bearer token is given, cookies are not: the application never sees them.
- A body is no larger and no slower than allowed.
- Every answer has the security headers.

Around the whole application: `Security(app, SecurityOptions(...))`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest

import structlog
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.web.bodies import ClientGone, read_body
from croupier.web.origins import Host, Hosts, origin_of, plain_scheme, read_origin
from croupier.web.problems import ApiError, BadRequest, problem_response
from croupier.web.rates import Clock, Rate, RateLimiter, address_key
from croupier.web.security_headers import with_security_headers

SESSION_COOKIE = "croupier_session"
CSRF_COOKIE = "croupier_csrf"
CSRF_HEADER = "X-CSRF-Token"
_SAFE = {"GET", "HEAD", "OPTIONS"}
_ONCE = (b"host", b"origin", b"authorization", b"content-length", b"x-csrf-token")
_ADDRESS_RATE = Rate(200, 2_000)
_TOKEN_RATE = Rate(50, 200)
_LOG_ON_RATE = Rate(0.5, 20)
_log = structlog.get_logger("croupier.web")


@dataclass(frozen=True, slots=True)
class SecurityOptions:
    """What a house may choose."""

    public_url: str | None = None
    """The address that browsers use, where a proxy stands before the server."""
    allowed_hosts: tuple[str, ...] = ()
    """None: any. A host alone allows each of its ports."""
    allowed_origins: tuple[str, ...] = ()
    """Pages elsewhere that may ask too, such as `https://pit.example`."""
    body_bytes_max: int = 600_000
    body_seconds_max: float = 10
    address_rate: Rate = _ADDRESS_RATE
    """Generous: all terminals of a floor may come from one address."""
    token_rate: Rate = _TOKEN_RATE
    log_on_rate: Rate = _LOG_ON_RATE
    log_on_paths: frozenset[str] = field(default_factory=frozenset)
    """Log-on and pairing, counted by address."""


class Security:
    """The middleware, plain ASGI: it streams, and costs little."""

    def __init__(
        self, app: ASGIApp, options: SecurityOptions, clock: Clock = time.monotonic
    ) -> None:
        self._app = app
        self._options = options
        url = options.public_url
        self._own = None if url is None else read_origin(url)
        self._origins = frozenset(map(read_origin, options.allowed_origins))
        self._hosts = Hosts.of(options.allowed_hosts, url)
        self._addresses = RateLimiter(options.address_rate, clock)
        self._tokens = RateLimiter(options.token_rate, clock)
        self._log_ons = RateLimiter(options.log_on_rate, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        host = Host.read(Headers(scope=scope).get("host", ""))
        scheme = plain_scheme(scope.get("scheme", "http"))
        own = self._own or (origin_of(scheme, host) if host is not None else None)
        if scope["type"] == "http":
            send = with_security_headers(send, scope["path"], own)
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
            _log_refusal(scope, error)
            await _refuse(error, scope, receive, send)
        except ClientGone:
            return
        else:
            await self._app(scope, receive, send)

    def _checked(self, scope: Scope, host: Host | None, own: str | None) -> Scope:
        """The request as the application may see it; raises `ApiError`."""
        names = [name for name, _ in scope["headers"]]
        for name in _ONCE:
            if names.count(name) > 1:
                raise BadRequest(f"the header {name.decode()} is given more than once")
        if host is None or not self._hosts.allow(host):
            raise BadRequest("the server does not answer for this host")
        connection = HTTPConnection(scope)
        bearer = _bearer(connection.headers)
        self._check_rates(scope, bearer)
        has_session = not bearer and SESSION_COOKIE in connection.cookies
        if scope["type"] == "websocket" or scope["method"] not in _SAFE:
            self._check_origin(connection.headers, own, has_session=has_session)
        if scope["type"] == "http" and has_session and scope["method"] not in _SAFE:
            _check_csrf(connection)
        return _without_cookies(scope) if bearer else scope

    def _check_rates(self, scope: Scope, bearer: str) -> None:
        client = scope.get("client")
        address = address_key(client[0] if client else "")
        waits = [self._addresses.take(address)]
        if bearer:
            digest = sha256(bearer.encode("latin-1", "replace")).hexdigest()
            waits.append(self._tokens.take(digest))
        if scope["path"] in self._options.log_on_paths:
            waits.append(self._log_ons.take(address))
        if any(waits):
            seconds = str(math.ceil(max(waits)))
            raise ApiError(
                429,
                f"too many requests; ask again in {seconds} seconds",
                headers={"Retry-After": seconds},
            )

    def _check_origin(
        self, headers: Headers, own: str | None, *, has_session: bool
    ) -> None:
        origin = headers.get("origin")
        if origin is not None:
            if origin != own and origin not in self._origins:
                raise ApiError(403, "a page of another origin may not ask for this")
        elif has_session and headers.get("sec-fetch-site") != "same-origin":
            raise ApiError(403, "a browser must say which origin it asks from")


def _bearer(headers: Headers) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _check_csrf(connection: HTTPConnection) -> None:
    given = connection.headers.get(CSRF_HEADER, "").encode()
    known = connection.cookies.get(CSRF_COOKIE, "").encode()
    if not known or not compare_digest(given, known):
        raise ApiError(403, f"the header {CSRF_HEADER} is missing or wrong")


def _without_cookies(scope: Scope) -> Scope:
    kept = [each for each in scope["headers"] if each[0] != b"cookie"]
    return {**scope, "headers": kept}


def _log_refusal(scope: Scope, error: ApiError) -> None:
    _log.info(
        "request refused",
        status=error.status,
        error=error.problem.error,
        path=scope["path"],
        client=(scope.get("client") or ("",))[0],
    )


async def _refuse(error: ApiError, scope: Scope, receive: Receive, send: Send) -> None:
    """An answer; of a WebSocket the handshake is answered, or closed."""
    response: Response = problem_response(error)
    if scope["type"] == "http":
        await response(scope, receive, send)
        return
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
