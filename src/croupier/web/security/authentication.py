"""The caller over HTTP: unknown, a device, or one of the staff.

- A bearer token belongs to a session or a device; without one, a cookie may carry the
  session's.
- A session that was opened at a device works only with that device's token.
- A request with a cookie changes something only with the session's CSRF token.
- An unknown caller gets 401; a known one without the right gets 403 and is logged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hmac import compare_digest
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
from croupier.web.problems import ApiError, reason_of
from croupier.web.reasons import WebReason
from croupier.web.routing import Authenticate
from croupier.web.security.middleware import (
    CSRF_COOKIE,
    CSRF_HEADER,
    DEVICE_COOKIE,
    DEVICE_HEADER,
    SAFE_METHODS,
    SESSION_COOKIE,
    bearer_token,
    cookie_name,
    own_cookie,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_log = structlog.get_logger("croupier.log_on")
P = ParamSpec("P")
T = TypeVar("T")
STAFF = frozenset({"session", "cookie"})
DEVICE = frozenset({"device"})
STAFF_OR_DEVICE = STAFF | DEVICE


@dataclass(slots=True)
class ApiResources:
    """Resources that all requests to one application share."""

    floor: Floor
    signing_key: Ed25519PrivateKey | None = None
    """Signs the house head at the end of a gaming day."""
    open_again: Callable[[], Store] | None = None
    """Opens another connection, to read the whole journal while tables play."""
    verification: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by a verification of the journal on request."""
    clean_from_ms: int | None = None
    """The beginning of the last verification without findings."""


@dataclass(frozen=True, slots=True)
class HouseRequest(ApiRequest):
    """A request to the house by a device, by staff, or by an unknown caller."""

    resources: ApiResources
    token: str | None = None
    """The session's."""
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
    def member(self) -> Caller:
        if self.staff is None:
            raise ApiError(401, HouseReason.LOG_ON_FIRST())
        return self.staff

    @property
    def name(self) -> str | None:
        known = self.staff or self.device
        return None if known is None else known.name

    def must(self, act: HouseAct) -> Caller:
        self.member.must(act)
        return self.member

    def command_id(self, sent_id: str) -> str:
        if self.device is not None:
            return f"d:{self.device.name}:{sent_id}"
        return f"s:{self.member.name}:{sent_id}"

    async def look_back(
        self,
        read: Callable[Concatenate[Store, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        return await asyncio.to_thread(read, self.floor.history, *args, **kwargs)

    async def in_house(
        self,
        act: Callable[Concatenate[HouseRecord, Caller, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do an act of the caller on the house's thread."""
        record, by = self.record, self.member
        return await self.floor.in_house(lambda: act(record, by, *args, **kwargs))

    async def with_password(
        self,
        act: Callable[Concatenate[HouseRecord, Caller, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do an act of the caller that hashes a password, off the house's thread."""
        record, by = self.record, self.member
        return await self.floor.with_password(lambda: act(record, by, *args, **kwargs))


def authenticator(resources: ApiResources) -> Authenticate:
    """Return a function that identifies the caller, or raises `ApiError` 401 or 403."""
    floor = resources.floor

    async def authenticate(
        http: Request, schemes: frozenset[str], request_id: str
    ) -> HouseRequest:
        if floor.is_stopping and http.method not in SAFE_METHODS:
            raise ApiError(503, HouseReason.HOUSE_STOPPING())
        unknown = HouseRequest(http, request_id, resources)
        if not schemes:
            return unknown
        token = bearer_token(http.headers)
        await hear_of_tokens(
            floor.record,
            token or own_cookie(http, SESSION_COOKIE),
            http.headers.get(DEVICE_HEADER) or own_cookie(http, DEVICE_COOKIE),
        )
        if token is None:
            return _by_cookie(unknown, schemes)
        return _by_token(unknown, token, schemes)

    return authenticate


def _by_token(
    unknown: HouseRequest, token: str, schemes: frozenset[str]
) -> HouseRequest:
    try:
        if "device" in schemes:
            return replace(unknown, device=devices.find(unknown.record, token))
    except Denied as error:
        if "session" not in schemes:
            raise ApiError(401, reason_of(error)) from error
    return _by_session(unknown, token, unknown.http.headers.get(DEVICE_HEADER))


def _by_session(unknown: HouseRequest, token: str, device: str | None) -> HouseRequest:
    sessions, http = unknown.floor.sessions, unknown.http
    try:
        session, caller = sessions.find_at(token, device)
    except Denied as error:
        if isinstance(error, UsedElsewhere):
            note_elsewhere(unknown.floor, http, error)
        raise ApiError(401, reason_of(error)) from error
    return replace(unknown, token=token, session=session, staff=caller)


def _by_cookie(unknown: HouseRequest, schemes: frozenset[str]) -> HouseRequest:
    http = unknown.http
    token = own_cookie(http, SESSION_COOKIE)
    if token is None or "cookie" not in schemes:
        raise ApiError(401, WebReason.TOKEN_NEEDED())
    known = _by_session(unknown, token, own_cookie(http, DEVICE_COOKIE))
    if http.method not in SAFE_METHODS:
        given = http.headers.get(CSRF_HEADER, "").encode()
        if not compare_digest(given, csrf_of(token).encode()):
            reason = WebReason.HEADER_MISSING_OR_WRONG(header=CSRF_HEADER)
            raise ApiError(403, reason)
    return known


def note_elsewhere(floor: Floor, http: HTTPConnection, error: UsedElsewhere) -> None:
    """Log and record that a session was used away from its device."""
    _log.warning(
        "a session was used away from its device",
        name=error.name,
        device=error.device,
        client=http.client.host if http.client else None,
    )
    floor.note_denied(error.name, AskedBy.SESSION, "", error.reason)


@contextmanager
def logged_log_on(request: HouseRequest, name: str) -> Iterator[None]:
    """Log a log-on of the staff, or its refusal, with the caller's address.

    An unknown name is not logged: it may be a password in the wrong field.
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
    """Set the session and device cookies, hidden from scripts, and the CSRF cookie."""
    http = request.http
    cookies = [(SESSION_COOKIE, token, True), (CSRF_COOKIE, csrf_of(token), False)]
    if device is not None:
        cookies.append((DEVICE_COOKIE, device, True))
    for name, value, hidden in cookies:
        request.answer.set_cookie(
            cookie_name(http, name),
            value,
            path="/",
            httponly=hidden,
            samesite="strict",
            secure=http.url.scheme == "https",
        )


def clear_cookies(request: HouseRequest) -> None:
    http = request.http
    for name in (SESSION_COOKIE, CSRF_COOKIE, DEVICE_COOKIE):
        request.answer.delete_cookie(
            cookie_name(http, name),
            path="/",
            samesite="strict",
            secure=http.url.scheme == "https",
        )
