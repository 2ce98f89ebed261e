"""Devices: invited by a person, paired with a code, revoked by a person."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.people import devices
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.house_state import DeviceKind
from croupier.web.api.base import HouseApi, Name, show_as
from croupier.web.endpoint import Body
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("devices")


class DeviceShown(msgspec.Struct, frozen=True):
    name: str
    kind: DeviceKind
    table: str | None
    is_enrolled: bool
    code_until_ms: int | None
    """The end of its pairing code's validity; null without an unused code."""
    is_connected: bool
    is_lost: bool
    """It went silent and has not come back."""
    player: str | None
    """The named Player at a terminal."""


@api("GET /api/devices", auth=STAFF)
async def list_devices(request: HouseRequest) -> list[DeviceShown]:
    """List the devices of the house."""
    request.must(HouseAct.MANAGE_DEVICES)
    state, tables = request.record.state, request.floor.summaries().values()
    connected = {name for table in tables for name in table.devices}
    lost = {name for table in tables for name in table.lost}
    return [
        show_as(
            DeviceShown,
            each,
            is_enrolled=each.token is not None,
            code_until_ms=each.until_ms if each.code is not None else None,
            is_connected=each.name in connected,
            is_lost=each.name in lost,
            player=state.seated.get((each.table or "", each.name)),
        )
        for each in state.devices.values()
    ]


class DeviceBody(Body, frozen=True):
    """A new device; a station belongs to no table, every other device to one."""

    name: Name
    kind: DeviceKind
    table: Name | None = None


class InvitationShown(msgspec.Struct, frozen=True):
    """A pairing code, shown once, to be typed in at the device."""

    device: str
    code: str
    minutes: int


@api("POST /api/devices", auth=STAFF, status=201)
async def invite_device(request: HouseRequest, body: DeviceBody) -> InvitationShown:
    """Give out a pairing code for a device."""
    code = await request.in_house(devices.invite, body.name, body.kind, body.table)
    return InvitationShown(body.name, code, devices.CODE_MINUTES)


class PairingBody(Body, frozen=True):
    code: Annotated[str, Meta(min_length=1, max_length=40)]


class PairingShown(msgspec.Struct, frozen=True):
    """The device with its token, which authenticates it from now on."""

    token: str
    device: str
    kind: DeviceKind
    table: str | None


@api("POST /api/pair", errors={401})
async def pair_device(request: HouseRequest, body: PairingBody) -> PairingShown:
    """Enrol this device with its code."""
    record = request.record
    token, device = await request.floor.in_house(
        lambda: devices.enrol(record, body.code)
    )
    return PairingShown(token, device.name, device.kind, device.table)


@api("DELETE /api/devices/{device}", auth=STAFF)
async def revoke_device(request: HouseRequest, *, device: Name) -> None:
    """Revoke a device; its sessions end."""

    def revoke(record: HouseRecord, by: Caller) -> None:
        devices.revoke(record, by, device)
        request.floor.sessions.end_all_at(device)

    await request.in_house(revoke)
