"""Logging on and off, and who somebody is; for no money, a seat for whoever comes."""

from __future__ import annotations

from functools import partial

import msgspec

from croupier.house.floor.floor import Floor
from croupier.house.people import devices
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import choose_password, csrf_of
from croupier.house.people.second_factor import Proof
from croupier.house.people.staff import take_over
from croupier.house.records.house_record import Denied, HouseRecord
from croupier.house.records.house_state import DeviceKind, StaffSession
from croupier.journal.events.house import DeviceRevoked
from croupier.journal.events.plan import Duty
from croupier.rules.operator import Person, Role
from croupier.table import Refused, Submission
from croupier.table import commands as ask
from croupier.web.api.base import (
    HouseApi,
    Name,
    Secret,
    forbidden,
    show_as,
    sorted_duties,
)
from croupier.web.api.second_factor import SecondFactorCode
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
_DEMONSTRATION = "demonstration"
GUESTS_CASHIER = Person(_DEMONSTRATION, Role.CASHIER)
GUEST_CENTS = 100_000
_FOR_STAFF = frozenset({DeviceKind.CONSOLE, DeviceKind.STATION})


class LogOnBody(Body, frozen=True):
    """A name and a password; where real money is played for, on a known device."""

    name: Name
    password: Secret
    device: Secret | None = None
    """The token of the console or station that stands there.

    From then on the session counts beside this token alone: in `X-Device-Token`, or the
    cookie that comes along.
    """


class SessionShown(msgspec.Struct, frozen=True):
    """A session: by the token, or by the cookies that come along."""

    name: str
    token: str
    csrf: str
    """The token that a browser sends with the cookie, as `X-CSRF-Token`."""
    idle_minutes: int
    """The session ends when nothing is asked for so long."""


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
    """Return the answer to a log-on, and set its cookies and that of the device."""
    set_cookies(request, token, device)
    state = request.record.state
    idle = state.house.idle_minutes if state.house else 0
    return SessionShown(session.name, token, csrf_of(token), idle)


class TakeOverBody(Body, frozen=True):
    """The owner of an account that others have set, and a manager beside them."""

    name: Name
    password: Secret
    """The temporary one."""
    new_password: Secret
    voucher: Name
    """A manager who had no part in setting the account."""
    voucher_password: Secret
    voucher_code: SecondFactorCode | None = None
    """Of the manager's second factor, if the house asks for it at a confirmation."""
    device: Secret | None = None
    """The token of the console or station where both are."""


@api("POST /api/log-on/own-password", errors={401})
async def take_over_account(request: HouseRequest, body: TakeOverBody) -> None:
    """Choose a password beside a manager, who vouches for the account's owner."""
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
    """When acting ends."""


class MeShown(msgspec.Struct, frozen=True):
    """Somebody of the staff at this moment."""

    name: str
    positions: tuple[PositionShown, ...]
    duties: tuple[Duty, ...]
    may: tuple[str, ...]
    """Acts of the house, such as `handle_money`; acts of play are judged at tables."""
    deals_at: str | None
    device: str | None
    began_ms: int


@api("GET /api/me", auth=STAFF)
async def show_me(request: HouseRequest) -> MeShown:
    """Tell who has logged on, and what they may."""
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
    """The one so far, and the next."""

    password: Secret
    new_password: Secret


@api("PUT /api/me/password", auth=STAFF)
async def change_my_password(request: HouseRequest, body: PasswordChangeBody) -> None:
    """Change one's own password; every session of theirs ends."""

    def change(record: HouseRecord, by: Caller) -> None:
        request.floor.sessions.check_password(by.name, body.password, None)
        choose_password(record, by.name, body.new_password)
        why = WebReason.PASSWORD_CHANGED()
        request.floor.sessions.end_all_of(by.name, why)

    await request.with_password(change)
    clear_cookies(request)


class OwnDeviceShown(msgspec.Struct, frozen=True):
    """A device as it knows itself."""

    name: str
    kind: DeviceKind
    table: str | None
    seat: str | None
    """Of a terminal: whose credit is played, a Player's or the terminal's own."""


@api("GET /api/device", auth=DEVICE)
async def show_this_device(request: HouseRequest) -> OwnDeviceShown:
    """Tell which device this token is of."""
    device = request.device
    if device is None:
        raise Denied(WebReason.DEVICE_TOKEN_NEEDED())
    seat = None
    if device.kind is DeviceKind.TERMINAL and device.table is not None:
        seat = request.floor.seat_at(device.table, device.name)
    return show_as(OwnDeviceShown, device, seat=seat)


class SeatBody(Body, frozen=True):
    table: Name


class SeatShown(msgspec.Struct, frozen=True):
    """A terminal of one's own, with credit to play."""

    token: str
    """The device's."""
    device: str
    table: str
    credit_cents: int


@api("POST /api/demonstration/seat", status=201, errors={409}, tag=_DEMONSTRATION)
async def take_seat(request: HouseRequest, body: SeatBody) -> SeatShown:
    """Sit down at a demonstration table, with credit."""
    floor, by = demonstration_floor(request), GUESTS_CASHIER.name
    table = floor.table(body.table)
    is_there = partial(_is_there, floor)
    token, device = await floor.in_house(
        lambda: devices.enrol_guest(floor.record, by, body.table, is_there)
    )
    buy_in = ask.BuyIn(device.name, GUEST_CENTS)
    command_id = f"{_DEMONSTRATION}:{device.name}"
    answer = await table.submit(Submission(command_id, (GUESTS_CASHIER,), buy_in))
    if isinstance(answer, Refused):
        revoked = DeviceRevoked(by, device.name, device.kind.value)
        await floor.in_house(lambda: floor.record.write(revoked))
        raise forbidden(answer.refusal)
    return SeatShown(token, device.name, body.table, GUEST_CENTS)


def _is_there(floor: Floor, guest: str) -> bool:
    """Say whether a guest is connected; of a table of another node, only it knows."""
    state, here = floor.record.state, floor.tables.copy()
    at = state.devices[guest].table
    if floor.nodes is not None and at in state.tables and at not in here:
        return True
    return any(table.listeners.has_device(guest) for table in here.values())


def demonstration_floor(request: HouseRequest) -> Floor:
    """Return the floor, if it plays for demonstration money."""
    if not request.floor.is_demonstration:
        raise ApiError(403, WebReason.REAL_MONEY())
    return request.floor


class DemonstrationStaffBody(Body, frozen=True):
    name: Name


class DemonstrationStaffShown(msgspec.Struct, frozen=True):
    """Somebody whom a visitor may be."""

    name: str
    positions: tuple[Role, ...]
    duties: tuple[Duty, ...]


@api("GET /api/demonstration/staff", tag=_DEMONSTRATION)
async def list_demonstration_staff(
    request: HouseRequest,
) -> list[DemonstrationStaffShown]:
    """List the staff of the demonstration house."""
    return [
        show_as(
            DemonstrationStaffShown,
            member,
            duties=tuple(duty for duty in Duty if duty in member.duties),
        )
        for member in demonstration_floor(request).record.state.staff.values()
    ]


@api("POST /api/demonstration/staff", tag=_DEMONSTRATION)
async def log_on_without_password(
    request: HouseRequest, body: DemonstrationStaffBody
) -> SessionShown:
    """Log on as somebody of the demonstration staff, without a password."""
    floor = demonstration_floor(request)
    with logged_log_on(request, body.name):
        token, session = await floor.in_house(
            lambda: floor.sessions.log_on_unasked(body.name)
        )
    return session_shown(request, token, session)
