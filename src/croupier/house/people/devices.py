"""Devices: enrolled with a pairing code, known by a token, revoked by a person."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from secrets import choice, token_hex, token_urlsafe

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import digest_of
from croupier.house.people.names import check_new_name
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone, NotThere
from croupier.house.records.house_state import Device, DeviceKind
from croupier.journal.events.house import (
    DeviceEnrolled,
    DeviceInvited,
    DeviceRevoked,
    SeatLeft,
)
from croupier.rules.notation import shown

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters and digits that can't be mistaken for each other."""
_CODE_LENGTH = 10
CODE_MINUTES = 10
_OF_A_TABLE = frozenset(DeviceKind) - {DeviceKind.STATION, DeviceKind.MIRROR}
_GUEST = "guest "
_MOST_GUESTS = 1_000
_COMING = 4


def invite(
    record: HouseRecord, by: Caller, name: str, kind: DeviceKind, table: str | None
) -> str:
    """Return a pairing code for a new device; it works for ten minutes."""
    by.must(HouseAct.MANAGE_DEVICES)
    if kind is DeviceKind.MIRROR:  # a mirror reads the codes of unpaid vouchers
        raise NotDone(HouseReason.MIRROR_AT_MACHINE())
    if kind is DeviceKind.TERMINAL and table in record.state.tables:
        _check_seats(record, name, str(table))
    return invite_unasked(record, by.name, name, kind, table)


def _check_seats(record: HouseRecord, name: str, table: str) -> None:
    seats = record.state.tables[table].seats
    there = [
        device.name
        for device in record.state.devices.values()
        if device.kind is DeviceKind.TERMINAL and device.table == table
    ]
    if name not in there and len(there) >= seats:
        raise NotDone(HouseReason.SEATS_HAVE_TERMINALS(table=table, count=seats))


def invite_unasked(
    record: HouseRecord, by: str, name: str, kind: DeviceKind, table: str | None
) -> str:
    with record.lock:
        if kind in _OF_A_TABLE and table not in record.state.tables:
            raise NotDone(HouseReason.DEVICE_NEEDS_TABLE(kind=kind.value))
        if kind is DeviceKind.STATION and table is not None:
            raise NotDone(HouseReason.STATION_WITHOUT_TABLE())
        known = record.state.devices.get(name)
        if known is None:
            check_new_name(record.state, name)
        elif known.token is not None:
            raise NotDone(HouseReason.DEVICE_EXISTS(name=shown(name)))
        code = "".join(choice(_LETTERS) for _ in range(_CODE_LENGTH))
        until = record.clock() + CODE_MINUTES * 60_000
        record.write(DeviceInvited(by, name, kind.value, table, until, digest_of(code)))
    return code


def enrol(record: HouseRecord, code: str) -> tuple[str, Device]:
    """Enrol the device of a pairing code, which works once; return its token first."""
    digest = digest_of(code.strip().upper())
    with record.lock:
        now = record.clock()
        for device in record.state.devices.values():
            if device.code != digest:
                continue
            if now > device.until_ms:
                break
            token = token_urlsafe(32)
            record.write(DeviceEnrolled(device.name, digest_of(token)))
            return token, record.state.devices[device.name]
    raise Denied(HouseReason.PAIRING_CODE_WRONG())


def revoke(record: HouseRecord, by: Caller, name: str) -> None:
    """Revoke a device: its token stops working, and its Player leaves the seat."""
    by.must(HouseAct.MANAGE_DEVICES)
    with record.lock:
        if name not in record.state.devices:
            raise NotThere(HouseReason.NO_SUCH_DEVICE(name=shown(name)))
        left = [
            SeatLeft(each.table, each.terminal, each.player)
            for each in record.state.sitting.values()
            if each.terminal == name
        ]
        kind = record.state.devices[name].kind
        record.write(*left, DeviceRevoked(by.name, name, kind.value))


def find(record: HouseRecord, token: str) -> Device:
    state = record.state
    name = state.tokens.get(digest_of(token))
    if name is None:
        raise Denied(HouseReason.NO_DEVICE_OF_TOKEN())
    return state.devices[name]


def counted_name(record: HouseRecord, token: str) -> str | None:
    name = record.state.tokens.get(digest_of(token))
    return None if name is None or is_guest(name) else name


def is_guest(device: str) -> bool:
    return device.startswith(_GUEST)


def enrol_guest(
    record: HouseRecord, by: str, table: str, is_connected: Callable[[str], bool]
) -> tuple[str, Device]:
    """Return the token and the terminal of a new visitor to a demonstration.

    The name is new each time, since the account of an earlier guest stays. If there are
    too many guests, the guest who left longest ago is revoked.
    """
    with record.lock:
        guests = [each for each in record.state.devices.values() if is_guest(each.name)]
        if len(guests) >= _MOST_GUESTS:
            names = (each.name for each in guests)
            gone = next((name for name in names if not is_connected(name)), None)
            if gone is None:
                raise NotDone(HouseReason.EVERY_SEAT_TAKEN())
            record.write(DeviceRevoked(by, gone, DeviceKind.TERMINAL.value))
        there = [each.name for each in guests if each.table == table]
        # The latest guests have a token and may not have connected yet.
        here = {*filter(is_connected, there), *there[-_COMING:]}
        taken = {int(name.split()[1]) for name in here}
        number = next(each for each in count(1) if each not in taken)
        name = f"{_GUEST}{number} {token_hex(4)}"
        return enrol(
            record, invite_unasked(record, by, name, DeviceKind.TERMINAL, table)
        )
