"""Logging on and off, the caller's second factor, and the sessions of the staff."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.floor import Floor
from croupier.house.people import devices, totp
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import (
    choose_password,
    csrf_of,
    session_id,
)
from croupier.house.people.second_factor import ENROLMENT_MINUTES, Proof
from croupier.house.people.staff import take_over
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotThere
from croupier.house.records.house_state import DeviceKind, StaffSession
from croupier.journal.events.plan import Duty, SensitiveAct
from croupier.rules.operator import Role
from croupier.web.api.base import (
    HouseApi,
    Name,
    ProofBody,
    SecondFactorCode,
    Secret,
    show_as,
    sorted_duties,
)
from croupier.web.endpoint import Body
from croupier.web.problems import ApiError
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import (
    DEVICE,
    STAFF,
    HouseRequest,
    clear_cookies,
    logged_log_on,
    set_cookies,
)

api = HouseApi("log-on")
SessionId = Annotated[str, Meta(min_length=1, max_length=40)]
_FOR_STAFF = frozenset({DeviceKind.CONSOLE, DeviceKind.STATION})


class LogOnBody(Body, frozen=True):
    """A name and a password; for real money also the token of an enrolled device."""

    name: Name
    password: Secret
    device: Secret | None = None
    """The token of the console or station.

    The session then works only with this token: in `X-Device-Token`, or in the cookie
    that the answer sets.
    """


class SessionShown(msgspec.Struct, frozen=True):
    """A session; a client uses the token, a browser the cookies of the answer."""

    name: str
    token: str
    csrf: str
    """Sent with the cookie as `X-CSRF-Token`."""
    idle_minutes: int
    """The session ends after these minutes without a request."""


@api("POST /api/log-on", errors={401})
async def log_on(request: HouseRequest, body: LogOnBody) -> SessionShown:
    """Log on with a password."""
    floor = request.floor
    with logged_log_on(request, body.name):
        device = _device_of(floor, body.device)
        token, session = await floor.with_log_on(
            lambda: floor.sessions.log_on(body.name, body.password, device)
        )
    return session_shown(request, token, session, body.device)


def _device_of(floor: Floor, token: str | None) -> str | None:
    if token is None:
        if floor.is_demonstration:
            return None
        raise ApiError(403, WebReason.NOT_AT_AN_ENROLLED_DEVICE())
    device = devices.find(floor.record, token)
    if device.kind not in _FOR_STAFF:
        raise ApiError(403, WebReason.NOT_AT_THIS_DEVICE(device=device.kind.value))
    return device.name


def session_shown(
    request: HouseRequest, token: str, session: StaffSession, device: str | None = None
) -> SessionShown:
    """Return the answer to a log-on, and set the cookies of session and device."""
    set_cookies(request, token, device)
    state = request.record.state
    idle = state.house.idle_minutes if state.house else 0
    return SessionShown(session.name, token, csrf_of(token), idle)


class TakeOverBody(Body, frozen=True):
    """The owner of a limited account, and the manager who vouches for them."""

    name: Name
    password: Secret
    """The temporary one."""
    new_password: Secret
    voucher: Name
    """A manager who took no part in setting the account."""
    voucher_password: Secret
    voucher_code: SecondFactorCode | None = None
    """Of the manager's second factor, if the house asks for one at confirmations."""
    device: Secret | None = None
    """The token of the console or station that they use."""


@api("POST /api/log-on/own-password", errors={401})
async def take_over_account(request: HouseRequest, body: TakeOverBody) -> None:
    """Choose the password of a limited account, with a manager who vouches."""
    floor = request.floor
    with logged_log_on(request, body.name):
        device = _device_of(floor, body.device)
        await floor.with_log_on(
            lambda: take_over(
                floor.record,
                floor.sessions,
                floor.identity,
                name=body.name,
                temporary=body.password,
                chosen=body.new_password,
                voucher=body.voucher,
                proof=Proof(body.voucher_password, body.voucher_code),
                device=device,
            )
        )


@api("POST /api/log-off", auth=STAFF)
async def log_off(request: HouseRequest) -> None:
    """End this session."""
    floor, token = request.floor, request.token
    assert token is not None
    await floor.in_house(lambda: floor.sessions.log_off(token))
    clear_cookies(request)


class PositionShown(msgspec.Struct, frozen=True):
    position: Role
    acting: bool
    until_ms: int | None
    """The end of acting."""


class MeShown(msgspec.Struct, frozen=True):
    """The calling member of staff, at this moment."""

    name: str
    positions: tuple[PositionShown, ...]
    duties: tuple[Duty, ...]
    may: tuple[str, ...]
    """Acts of the house, such as `handle_money`; tables judge acts of play."""
    deals_at: str | None
    device: str | None
    began_ms: int


@api("GET /api/me", auth=STAFF)
async def show_me(request: HouseRequest) -> MeShown:
    """Show the caller with their positions, duties and rights."""
    member, session, state = request.member, request.session, request.record.state
    assert session is not None
    until = {each.position: each.until_ms for each in state.acting.get(member.name, ())}
    return MeShown(
        name=member.name,
        positions=tuple(
            PositionShown(
                each.role, each.acting, until[each.role] if each.acting else None
            )
            for each in member.positions
        ),
        duties=sorted_duties(member.duties),
        may=tuple(act.name.lower() for act in HouseAct if member.may(act)),
        deals_at=next((t for t, n in state.dealers.items() if n == member.name), None),
        device=session.device,
        began_ms=session.began_ms,
    )


class PasswordChangeBody(Body, frozen=True):
    password: Secret
    """The current one."""
    new_password: Secret


@api("PUT /api/me/password", auth=STAFF)
async def change_my_password(request: HouseRequest, body: PasswordChangeBody) -> None:
    """Change the caller's password; all their sessions end."""

    def change(record: HouseRecord, by: Caller) -> None:
        request.floor.sessions.check_password(by.name, body.password, None)
        choose_password(record, by.name, body.new_password)
        why = WebReason.PASSWORD_CHANGED()
        request.floor.sessions.end_all_of(by.name, why)

    await request.with_password(change)
    clear_cookies(request)


class OwnDeviceShown(msgspec.Struct, frozen=True):
    """The calling device."""

    name: str
    kind: DeviceKind
    table: str | None
    seat: str | None
    """The seat of a terminal: the named Player there, or the terminal itself."""


@api("GET /api/device", auth=DEVICE)
async def show_this_device(request: HouseRequest) -> OwnDeviceShown:
    """Show the calling device."""
    device = request.device
    if device is None:
        raise Denied(WebReason.DEVICE_TOKEN_NEEDED())
    seat = None
    if device.kind is DeviceKind.TERMINAL and device.table is not None:
        seat = request.floor.seat_at(device.table, device.name)
    return show_as(OwnDeviceShown, device, seat=seat)


class SecondFactorShown(msgspec.Struct, frozen=True):
    is_enrolled: bool
    asked_for: tuple[SensitiveAct, ...]
    """The acts that take a code, by the house file."""


@api("GET /api/me/second-factor", auth=STAFF)
async def show_second_factor(request: HouseRequest) -> SecondFactorShown:
    """Show whether the caller has a second factor, and the acts that take a code."""
    account = request.record.state.account(request.member.name)
    asked_for = request.record.settings.second_factor
    return SecondFactorShown(account.factor is not None, asked_for)


class EnrolmentShown(msgspec.Struct, frozen=True):
    """A secret for an authenticator application; it is shown once."""

    key: str
    """The secret in base 32, to be typed in."""
    address: str
    """The same as an `otpauth://` address, for a QR code."""
    minutes: int
    """The time within which its first code must be given."""


@api("POST /api/me/second-factor", auth=STAFF, status=201)
async def enrol_second_factor(request: HouseRequest, body: ProofBody) -> EnrolmentShown:
    """Begin to enrol a second factor, which counts after its first code."""
    floor, name = request.floor, request.member.name
    proof = body.proof
    secret = await floor.with_password(lambda: floor.identity.begin(name, proof))
    house = request.record.settings.name
    return EnrolmentShown(
        totp.as_text(secret),
        totp.address_of(secret, house=house, name=name),
        ENROLMENT_MINUTES,
    )


class CodeBody(Body, frozen=True):
    code: SecondFactorCode


@api("PUT /api/me/second-factor", auth=STAFF)
async def confirm_second_factor(request: HouseRequest, body: CodeBody) -> None:
    """Activate a second factor by its first code."""
    floor, name = request.floor, request.member.name
    await floor.in_house(lambda: floor.identity.complete(name, body.code))


class OpenSessionShown(msgspec.Struct, frozen=True):
    """An open session of the staff."""

    id: str
    """A public id; it is no token."""
    name: str
    device: str | None
    began_ms: int
    seen_ms: int
    """The time of its last request."""
    is_this: bool
    """It is the caller's."""


@api("GET /api/sessions", auth=STAFF)
async def list_sessions(request: HouseRequest) -> list[OpenSessionShown]:
    """List the caller's sessions, or all sessions for managers of staff."""
    member, this = request.member, session_id(request.token or "")
    return [
        show_as(OpenSessionShown, each, id=key, seen_ms=seen, is_this=key == this)
        for key, (each, seen) in request.floor.sessions.open_now().items()
        if _may_end(member, each)
    ]


def _may_end(member: Caller, session: StaffSession) -> bool:
    return session.name == member.name or member.may(HouseAct.MANAGE_STAFF)


@api("DELETE /api/sessions/{session}", auth=STAFF)
async def end_session(request: HouseRequest, *, session: SessionId) -> None:
    """End a session of the caller's; managers of staff can end any."""
    sessions = request.floor.sessions

    def end(_record: HouseRecord, by: Caller) -> None:
        found, _ = sessions.open_now().get(session, (None, 0))
        if found is None or not _may_end(by, found):
            raise NotThere(HouseReason.NO_SUCH_SESSION())
        sessions.end(session, HouseReason.LOGGED_OFF_BY(person=by.name))

    await request.in_house(end)
