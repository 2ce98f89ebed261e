"""Who asks over HTTP: nobody known, a device, or somebody of the staff.

- A bearer token is a session's or a device's; without one, a cookie is a session's.
- A cookie changes something only with the session's own CSRF token beside it.
- Nobody known is 401; somebody known who may not is 403, and stands in the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from croupier.house.floor.floor import Floor
from croupier.house.people import devices
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import StaffSession
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import Device
from croupier.journal.store import Store
from croupier.web.openapi import ApiError
from croupier.web.security.middleware import CSRF_COOKIE, CSRF_HEADER, SESSION_COOKIE

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

STAFF = frozenset({"session", "cookie"})
DEVICE = frozenset({"device"})
STAFF_OR_DEVICE = STAFF | DEVICE
_SAFE = {"GET", "HEAD", "OPTIONS"}


@dataclass(frozen=True, slots=True)
class ApiOptions:
    """What the server that is built around the API may choose."""

    secure_cookies: bool | None = None
    """None: where the request came over TLS."""
    signing_key: Ed25519PrivateKey | None = None
    """Signs the house head at the end of a gaming day."""
    open_again: Callable[[], Store] | None = None
    """Another connection to the same journal, to read it whole while tables play."""


class JournalProbe:
    """Whether the journal can be written: tried outside the chain, once a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tried = float("-inf")
        self._lock = Lock()

    def check(self) -> None:
        """Raises `JournalError`."""
        with self._lock:
            if monotonic() - self._tried < _PROBE_S:
                return
            self._store.drop_secret(self._store.keep_secret(_PROBE))
            self._tried = monotonic()


_PROBE = "whether this journal can be written"
_PROBE_S = 1.0


@dataclass(frozen=True, slots=True)
class ApiResources:
    """What all requests to one application share."""

    options: ApiOptions
    probe: JournalProbe
    verifying: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class Requester:
    """Who asks, and the floor they ask."""

    floor: Floor
    shared: ApiResources
    token: str | None = None
    """Of the session."""
    session: StaffSession | None = None
    staff: Caller | None = None
    device: Device | None = None

    @property
    def options(self) -> ApiOptions:
        return self.shared.options

    @property
    def member(self) -> Caller:
        """Somebody of the staff; raises 401 where nobody has logged on."""
        if self.staff is None:
            raise ApiError(401, "log on first")
        return self.staff

    @property
    def name(self) -> str | None:
        """None: nobody known."""
        if self.staff is not None:
            return self.staff.name
        return self.device.name if self.device is not None else None

    def must(self, act: HouseAct) -> Caller:
        """Who asks, if it is theirs to do; raises `Denied`."""
        self.member.must(act)
        return self.member

    def command_id(self, sent_id: str) -> str:
        """Ids are each sender's own: nobody gets another's answer."""
        if self.device is not None:
            return f"d:{self.device.name}:{sent_id}"
        return f"s:{self.member.name}:{sent_id}"


Authenticate = Callable[[Request, frozenset[str]], Awaitable[Requester]]


def authenticator(floor: Floor, options: ApiOptions) -> Authenticate:
    """Finds out who asks; raises `ApiError` 401 or 403."""
    shared = ApiResources(options, JournalProbe(floor.store))

    async def authenticate(http: Request, schemes: frozenset[str]) -> Requester:
        if floor.is_stopping and http.method not in _SAFE:
            raise ApiError(503, "the house is stopping")
        if not schemes:
            return Requester(floor, shared)
        token = _bearer(http)
        if token is not None:
            return _by_token(floor, shared, token, schemes)
        return _by_cookie(floor, shared, http, schemes)

    return authenticate


def _bearer(http: Request) -> str | None:
    scheme, _, token = http.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _by_token(
    floor: Floor, shared: ApiResources, token: str, schemes: frozenset[str]
) -> Requester:
    try:
        if "device" in schemes:
            device = devices.find(floor.record, token)
            return Requester(floor, shared, device=device)
    except Denied as error:
        if "session" not in schemes:
            raise ApiError(401, str(error)) from error
    return _by_session(floor, shared, token)


def _by_session(floor: Floor, shared: ApiResources, token: str) -> Requester:
    try:
        session, caller = floor.sessions.find(token)
    except Denied as error:
        raise ApiError(401, str(error)) from error
    return Requester(floor, shared, token=token, session=session, staff=caller)


def _by_cookie(
    floor: Floor, shared: ApiResources, http: Request, schemes: frozenset[str]
) -> Requester:
    token = http.cookies.get(SESSION_COOKIE)
    if token is None or "cookie" not in schemes:
        raise ApiError(401, "a token is needed")
    asker = _by_session(floor, shared, token)
    assert asker.session is not None
    given = http.headers.get(CSRF_HEADER, "").encode()
    if http.method not in _SAFE and not compare_digest(
        given, asker.session.csrf.encode()
    ):
        raise ApiError(403, f"the header {CSRF_HEADER} is missing or wrong")
    return asker


def set_cookies(
    http: Request,
    answer: Response,
    options: ApiOptions,
    token: str,
    session: StaffSession,
) -> None:
    """The session in a cookie that no script can read; the CSRF token in another."""
    secure = options.secure_cookies
    if secure is None:
        secure = http.url.scheme == "https"
    for name, value, hidden in (
        (SESSION_COOKIE, token, True),
        (CSRF_COOKIE, session.csrf, False),
    ):
        answer.set_cookie(
            name, value, path="/", httponly=hidden, samesite="strict", secure=secure
        )


def clear_cookies(answer: Response) -> None:
    for name in (SESSION_COOKIE, CSRF_COOKIE):
        answer.delete_cookie(name, path="/", samesite="strict")
