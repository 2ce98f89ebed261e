"""The caller over HTTP: nobody known, a device, or somebody of the staff.

- A bearer token is a session's or a device's; without one, a cookie is a session's.
- A session that was opened at a device counts beside that device's own token alone.
- A cookie changes something only with the session's own CSRF token beside it.
- Nobody known is 401; somebody known who may not is 403, and stands in the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import structlog
from starlette.requests import HTTPConnection, Request

from croupier.house.floor.floor import Floor
from croupier.house.people import devices
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import UsedElsewhere, csrf_of, hear_of_tokens
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone
from croupier.house.records.house_state import Device, StaffSession
from croupier.journal.events.house import AskedBy
from croupier.journal.store import Store
from croupier.web.endpoint import ApiRequest
from croupier.web.nodes.node_gate import sender_of
from croupier.web.nodes.request_relay import RequestRelay
from croupier.web.problems import ApiError, reason_of
from croupier.web.reasons import WebReason
from croupier.web.routing import Authenticate
from croupier.web.security.middleware import (
    CSRF_COOKIE,
    DEVICE_COOKIE,
    DEVICE_HEADER,
    SAFE_METHODS,
    SECURE_PREFIX,
    SESSION_COOKIE,
    bearer_token,
    check_csrf,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_log = structlog.get_logger("croupier.log_on")
P = ParamSpec("P")
T = TypeVar("T")
STAFF = frozenset({"session", "cookie"})
DEVICE = frozenset({"device"})
STAFF_OR_DEVICE = STAFF | DEVICE


@dataclass(frozen=True, slots=True)
class ApiOptions:
    """Options of the API, for the server that is built around it."""

    secure_cookies: bool | None = None
    """None: where the request came over TLS."""
    signing_key: Ed25519PrivateKey | None = None
    """Signs the house head at the end of a gaming day."""
    open_again: Callable[[], Store] | None = None
    """Another connection to the same journal, to read it whole while tables play."""


@dataclass(slots=True)
class Verifications:
    """The verifications of the journal that somebody asks for: one at a time."""

    running: asyncio.Lock = field(default_factory=asyncio.Lock)
    clean_from_ms: int | None = None
    """When the last one began that found nothing wrong."""


@dataclass(frozen=True, slots=True)
class ApiResources:
    """Resources that all requests to one application share."""

    floor: Floor
    options: ApiOptions
    relay: RequestRelay
    verifications: Verifications = field(default_factory=Verifications)


@dataclass(frozen=True, slots=True)
class HouseRequest(ApiRequest):
    """A request to the house, and who asks: nobody known, a device, or staff."""

    resources: ApiResources
    token: str | None = None
    """Of the session."""
    session: StaffSession | None = None
    staff: Caller | None = None
    device: Device | None = None

    @property
    def floor(self) -> Floor:
        return self.resources.floor

    @property
    def record(self) -> HouseRecord:
        return self.floor.record

    @property
    def options(self) -> ApiOptions:
        return self.resources.options

    @property
    def relay(self) -> RequestRelay:
        return self.resources.relay

    @property
    def is_carried(self) -> bool:
        """Whether another node carried it here."""
        return sender_of(self.http.scope) is not None

    async def gather(self, kind: type[T]) -> list[T]:
        """Return what the other nodes answer to this request, each for its tables."""
        return await self.relay.gather(self.http, kind)

    def in_order(
        self, of_tables: Iterable[T], name: Callable[[T], str] = str
    ) -> list[T]:
        """Return what is told of each table in the order of the house's tables."""
        places = {each: place for place, each in enumerate(self.record.state.tables)}
        return sorted(of_tables, key=lambda each: places.get(name(each), len(places)))

    @property
    def member(self) -> Caller:
        """Return who of the staff asks; raise 401 where nobody has logged on."""
        if self.staff is None:
            raise ApiError(401, HouseReason.LOG_ON_FIRST())
        return self.staff

    @property
    def name(self) -> str | None:
        """The name of who asks, or None where nobody is known."""
        known = self.staff or self.device
        return None if known is None else known.name

    def must(self, act: HouseAct) -> Caller:
        """Return who asks, if it is theirs to do; raise `Denied` otherwise."""
        self.member.must(act)
        return self.member

    def command_id(self, sent_id: str) -> str:
        """Make an id of the sender's own: nobody gets another's answer."""
        if self.device is not None:
            return f"d:{self.device.name}:{sent_id}"
        return f"s:{self.member.name}:{sent_id}"

    async def in_house(
        self,
        act: Callable[Concatenate[HouseRecord, Caller, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do an act of the staff on the house's own thread, by who asks."""
        record, by = self.record, self.member
        return await self.floor.in_house(lambda: act(record, by, *args, **kwargs))

    async def with_password(
        self,
        act: Callable[Concatenate[HouseRecord, Caller, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do an act that hashes a password beside the house's thread, by who asks."""
        record, by = self.record, self.member
        return await self.floor.with_password(lambda: act(record, by, *args, **kwargs))


def authenticator(floor: Floor, options: ApiOptions) -> Authenticate:
    """Return what finds out who asks; it raises `ApiError` 401 or 403."""
    resources = ApiResources(floor, options, RequestRelay(floor))

    async def authenticate(
        http: Request, schemes: frozenset[str], request_id: str
    ) -> HouseRequest:
        if floor.is_stopping and http.method not in SAFE_METHODS:
            raise ApiError(503, HouseReason.HOUSE_STOPPING())
        nobody = HouseRequest(http, request_id, resources)
        if not schemes:
            return nobody
        token = bearer_token(http.headers)
        await hear_of_tokens(
            floor.follower, token or http.cookies.get(SESSION_COOKIE), _device_of(http)
        )
        if token is None:
            return _by_cookie(nobody, schemes)
        return _by_token(nobody, token, schemes)

    return authenticate


def _device_of(http: Request) -> str | None:
    """Return the token of the device that asks, beside that of a session."""
    return http.headers.get(DEVICE_HEADER) or http.cookies.get(DEVICE_COOKIE)


def _by_token(
    nobody: HouseRequest, token: str, schemes: frozenset[str]
) -> HouseRequest:
    try:
        if "device" in schemes:
            return replace(nobody, device=devices.find(nobody.record, token))
    except Denied as error:
        if "session" not in schemes:
            raise ApiError(401, reason_of(error)) from error
    return _by_session(nobody, token, nobody.http.headers.get(DEVICE_HEADER))


def _by_session(nobody: HouseRequest, token: str, device: str | None) -> HouseRequest:
    sessions, http = nobody.floor.sessions, nobody.http
    try:
        session, caller = sessions.find_at(token, device)
    except Denied as error:
        if isinstance(error, UsedElsewhere):
            note_elsewhere(nobody.floor, http, error)
        raise ApiError(401, reason_of(error)) from error
    return replace(nobody, token=token, session=session, staff=caller)


def _by_cookie(nobody: HouseRequest, schemes: frozenset[str]) -> HouseRequest:
    http = nobody.http
    token = http.cookies.get(SESSION_COOKIE)
    if token is None or "cookie" not in schemes:
        raise ApiError(401, WebReason.TOKEN_NEEDED())
    known = _by_session(nobody, token, http.cookies.get(DEVICE_COOKIE))
    if http.method not in SAFE_METHODS:
        check_csrf(http, csrf_of(token))
    return known


def note_elsewhere(floor: Floor, http: HTTPConnection, error: UsedElsewhere) -> None:
    """Log that a session was used away from its device, and let the staff see it."""
    _log.warning(
        "a session was used away from its device",
        name=error.name,
        device=error.device,
        client=http.client.host if http.client else None,
    )
    floor.note_denied(error.name, AskedBy.SESSION, "", error.reason)


@contextmanager
def logged_log_on(request: HouseRequest, name: str) -> Iterator[None]:
    """Log a log-on of the staff, or why it was refused, with the caller's address.

    A name that nobody has is not logged: it may be a password in the wrong field.
    """
    client = request.http.client
    facts = {
        "name": name if name in request.record.state.staff else None,
        "client": client.host if client else None,
    }
    try:
        yield
    except (NotDone, ApiError) as error:
        _log.warning("log-on refused", why=str(error), **facts)
        raise
    _log.info("logged on", **facts)


def set_cookies(request: HouseRequest, token: str, device: str | None) -> None:
    """Set cookies of the session and its device, unreadable to scripts, and of CSRF."""
    secure = _is_secure(request)
    cookies = [(SESSION_COOKIE, token, True), (CSRF_COOKIE, csrf_of(token), False)]
    if device is not None:
        cookies.append((DEVICE_COOKIE, device, True))
    for name, value, hidden in cookies:
        request.answer.set_cookie(
            _named(name, secure),
            value,
            path="/",
            httponly=hidden,
            samesite="strict",
            secure=secure,
        )


def clear_cookies(request: HouseRequest) -> None:
    secure = _is_secure(request)
    for name in (SESSION_COOKIE, CSRF_COOKIE, DEVICE_COOKIE):
        request.answer.delete_cookie(
            _named(name, secure), path="/", samesite="strict", secure=secure
        )


def _is_secure(request: HouseRequest) -> bool:
    chosen = request.options.secure_cookies
    return request.http.url.scheme == "https" if chosen is None else chosen


def _named(cookie: str, secure: bool) -> str:
    return f"{SECURE_PREFIX}{cookie}" if secure else cookie
