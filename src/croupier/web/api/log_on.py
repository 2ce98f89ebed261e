"""Logging on and off, and who somebody is."""

from __future__ import annotations

import asyncio

import msgspec

from croupier.house.floor.floor import Floor
from croupier.house.people import devices, staff
from croupier.house.people.authority import HouseAct
from croupier.house.people.log_on import StaffSession
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind
from croupier.web.api.base import HouseRequest, Name, Secret, TagApi
from croupier.web.openapi import ApiError, Body
from croupier.web.security.authentication import (
    DEVICE,
    STAFF,
    clear_cookies,
    set_cookies,
)

api = TagApi("log-on")
_FOR_STAFF = frozenset({DeviceKind.CONSOLE, DeviceKind.STATION})


class LogOnBody(Body, frozen=True):
    """A name and a password; where real money is played for, on a known device."""

    name: Name
    password: Secret
    device: Secret | None = None
    """The token of the console or station that stands there."""


class SessionShown(msgspec.Struct, frozen=True):
    """A session: by the token, or by the cookies that come along."""

    name: str
    token: str
    csrf: str
    """What a browser sends with the cookie, as `X-CSRF-Token`."""
    idle_minutes: int
    """The session ends when nothing is asked for so long."""


@api.post("/api/log-on", summary="Log on with a password.", errors=(401,))
async def log_on(request: HouseRequest, body: LogOnBody) -> SessionShown:
    floor = request.caller.floor
    device = _device_of(floor, body.device)
    token, session = await asyncio.to_thread(  # a hash is slow; the house goes on
        floor.sessions.log_on, body.name, body.password, device
    )
    return session_shown(request, token, session)


def _device_of(floor: Floor, token: str | None) -> str | None:
    if token is None:
        if floor.is_demonstration:
            return None
        raise ApiError(403, "staff log on at an enrolled console or station")
    device = devices.find(floor.record, token)
    if device.kind not in _FOR_STAFF:
        raise ApiError(403, f"staff do not log on at a {device.kind.value}")
    return device.name


def session_shown(
    request: HouseRequest, token: str, session: StaffSession
) -> SessionShown:
    """The answer to a log-on, with its cookies."""
    asker = request.caller
    set_cookies(request.http, request.answer, asker.options, token, session)
    defined = asker.floor.record.state.defined
    idle = defined.idle_minutes if defined else 0
    return SessionShown(session.name, token, session.csrf, idle)


@api.post("/api/log-off", summary="End this session.", auth=STAFF)
async def log_off(request: HouseRequest) -> None:
    floor, token = request.caller.floor, request.caller.token
    assert token is not None
    await floor.in_house(lambda: floor.sessions.log_off(token))
    clear_cookies(request.answer)


class PositionShown(msgspec.Struct, frozen=True):
    position: str
    acting: bool
    until_ms: int | None
    """When acting ends."""


class MeShown(msgspec.Struct, frozen=True):
    """Somebody of the staff at this moment."""

    name: str
    positions: tuple[PositionShown, ...]
    duties: tuple[str, ...]
    may: tuple[str, ...]
    """Acts of the house, such as `handle_money`; acts of play are judged at tables."""
    deals_at: str | None
    device: str | None
    began_ms: int


@api.get("/api/me", summary="Who has logged on, and what they may.", auth=STAFF)
async def show_me(request: HouseRequest) -> MeShown:
    asker = request.caller
    member, session = asker.member, asker.session
    assert session is not None
    state = asker.floor.record.state
    until = {each.position: each.until_ms for each in state.acting.get(member.name, ())}
    return MeShown(
        name=member.name,
        positions=tuple(
            PositionShown(
                each.role.value, each.acting, until[each.role] if each.acting else None
            )
            for each in member.positions
        ),
        duties=tuple(sorted(duty.value for duty in member.duties)),
        may=tuple(act.name.lower() for act in HouseAct if member.may(act)),
        deals_at=next((t for t, n in state.dealers.items() if n == member.name), None),
        device=session.device,
        began_ms=session.began_ms,
    )


class PasswordChangeBody(Body, frozen=True):
    """The one so far, and the next."""

    password: Secret
    new_password: Secret


@api.put(
    "/api/me/password",
    summary="Change one's own password; every session of theirs ends.",
    auth=STAFF,
    errors=(409,),
)
async def change_my_password(request: HouseRequest, body: PasswordChangeBody) -> None:
    floor, by = request.caller.floor, request.caller.member

    def change() -> None:
        floor.sessions.check_password(by.name, body.password, None)
        staff.give_password(floor.record, by, by.name, body.new_password)
        floor.sessions.end_all_of(by.name, "the password was changed")

    await floor.in_house(change)
    clear_cookies(request.answer)


class OwnDeviceShown(msgspec.Struct, frozen=True):
    """A device as it knows itself."""

    name: str
    kind: str
    table: str | None
    seat: str | None
    """Of a terminal: whose credit is played, a Player's or the terminal's own."""


@api.get("/api/device", summary="Which device this token is of.", auth=DEVICE)
async def show_this_device(request: HouseRequest) -> OwnDeviceShown:
    asker = request.caller
    device = asker.device
    if device is None:
        raise Denied("a device's token is needed")
    seat = None
    if device.kind is DeviceKind.TERMINAL and device.table is not None:
        seat = asker.floor.seat_at(device.table, device.name)
    return OwnDeviceShown(device.name, device.kind.value, device.table, seat)
