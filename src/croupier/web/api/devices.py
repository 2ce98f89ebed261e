"""Devices: invited by a person, paired with a code, revoked by a person."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.people import devices
from croupier.house.people.authority import HouseAct
from croupier.house.records.house_state import DeviceKind
from croupier.web.api.base import HouseRequest, Name, TagApi
from croupier.web.openapi import Body
from croupier.web.security.authentication import STAFF

api = TagApi("devices")


class DeviceShown(msgspec.Struct, frozen=True):
    name: str
    kind: DeviceKind
    table: str | None
    is_enrolled: bool
    code_until_ms: int | None
    """Until when its pairing code can be used."""
    is_connected: bool
    is_lost: bool
    """It went silent and is not back."""
    player: str | None
    """The named Player at a terminal."""


@api.get("/api/devices", summary="The devices of the house.", auth=STAFF)
async def list_devices(request: HouseRequest) -> list[DeviceShown]:
    request.caller.must(HouseAct.MANAGE_DEVICES)
    floor = request.caller.floor
    state, tables = floor.record.state, list(floor.tables.values())
    lost = {name for table in tables for name in table.listeners.lost}
    return [
        DeviceShown(
            name=each.name,
            kind=each.kind,
            table=each.table,
            is_enrolled=each.token is not None,
            code_until_ms=each.until_ms if each.code is not None else None,
            is_connected=any(t.listeners.has_device(each.name) for t in tables),
            is_lost=each.name in lost,
            player=state.seated.get((each.table or "", each.name)),
        )
        for each in state.devices.values()
    ]


class DeviceBody(Body, frozen=True):
    """A device by name; a station belongs to no table, every other to one."""

    name: Name
    kind: DeviceKind
    table: Name | None = None


class InvitationShown(msgspec.Struct, frozen=True):
    """The code is shown this once, and typed in at the device."""

    device: str
    code: str
    minutes: int


@api.post(
    "/api/devices",
    summary="Give out a pairing code for a device.",
    auth=STAFF,
    status=201,
    errors=(409,),
)
async def invite_device(request: HouseRequest, body: DeviceBody) -> InvitationShown:
    record, by = request.caller.floor.record, request.caller.member
    code = await request.caller.floor.in_house(
        lambda: devices.invite(record, by, body.name, body.kind, body.table)
    )
    return InvitationShown(body.name, code, devices.CODE_MINUTES)


class PairingBody(Body, frozen=True):
    code: Annotated[str, Meta(min_length=1, max_length=40)]


class PairingShown(msgspec.Struct, frozen=True):
    """The device's token, from now on its proof of who it is."""

    token: str
    device: str
    kind: DeviceKind
    table: str | None


@api.post("/api/pair", summary="Enrol this device with its code.", errors=(401,))
async def pair_device(request: HouseRequest, body: PairingBody) -> PairingShown:
    record = request.caller.floor.record
    token, device = await request.caller.floor.in_house(
        lambda: devices.enrol(record, body.code)
    )
    return PairingShown(token, device.name, device.kind, device.table)


@api.delete(
    "/api/devices/{device}",
    summary="Revoke a device; its sessions end.",
    auth=STAFF,
    errors=(409,),
)
async def revoke_device(request: HouseRequest, *, device: Name) -> None:
    floor, by = request.caller.floor, request.caller.member

    def revoke() -> None:
        devices.revoke(floor.record, by, device)
        floor.sessions.end_all_at(device)

    await floor.in_house(revoke)
