"""Devices: enrolled with a pairing code, known by a token, revoked by a person."""

from __future__ import annotations

from collections.abc import Callable
from secrets import choice, token_hex, token_urlsafe

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import digest_of
from croupier.house.people.names import check_new_name
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone, NotThere
from croupier.house.records.house_state import Device, DeviceKind
from croupier.journal.events import house as ev
from croupier.rules.notation import shown

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that look like another."""
_CODE_LENGTH = 10
CODE_MINUTES = 10
_OF_A_TABLE = frozenset(DeviceKind) - {DeviceKind.STATION}
_GUEST = "guest "
_MOST_GUESTS = 1_000


def invite(
    record: HouseRecord, by: Caller, name: str, kind: DeviceKind, table: str | None
) -> str:
    """Return a pairing code for a new device, good for ten minutes."""
    by.must(HouseAct.MANAGE_DEVICES)
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
        _check_place(record, kind, table)
        known = record.state.devices.get(name)
        if known is None:
            check_new_name(record.state, name)
        elif known.token is not None:
            raise NotDone(HouseReason.DEVICE_EXISTS(name=shown(name)))
        code = "".join(choice(_LETTERS) for _ in range(_CODE_LENGTH))
        until = record.clock() + CODE_MINUTES * 60_000
        record.write(
            ev.DeviceInvited(by, name, kind.value, table, until, digest_of(code))
        )
    return code


def _check_place(record: HouseRecord, kind: DeviceKind, table: str | None) -> None:
    if kind in _OF_A_TABLE and table not in record.state.tables:
        raise NotDone(HouseReason.DEVICE_NEEDS_TABLE(kind=kind.value))
    if kind is DeviceKind.STATION and table is not None:
        raise NotDone(HouseReason.STATION_WITHOUT_TABLE())


def enrol(record: HouseRecord, code: str) -> tuple[str, Device]:
    """Return the token of the device that a code was given out for, once."""
    digest = digest_of(code.strip().upper())
    with record.lock:
        now = record.clock()
        for device in record.state.devices.values():
            if device.code != digest:
                continue
            if now > device.until_ms:
                break
            token = token_urlsafe(32)
            record.write(ev.DeviceEnrolled(device.name, digest_of(token)))
            return token, record.state.devices[device.name]
    raise Denied(HouseReason.PAIRING_CODE_WRONG())


def revoke(record: HouseRecord, by: Caller, name: str) -> None:
    """Revoke a device: its token is nobody's from now on, and nobody sits there."""
    by.must(HouseAct.MANAGE_DEVICES)
    with record.lock:
        if name not in record.state.devices:
            raise NotThere(HouseReason.NO_SUCH_DEVICE(name=shown(name)))
        left = [
            ev.SeatLeft(each.table, each.terminal, each.player)
            for each in record.state.sitting.values()
            if each.terminal == name
        ]
        record.write(*left, ev.DeviceRevoked(by.name, name, _kind(record, name)))


def _kind(record: HouseRecord, name: str) -> str:
    return record.state.devices[name].kind.value


def find(record: HouseRecord, token: str) -> Device:
    """Return the device of a token; raise `Denied` where there is none."""
    state = record.state
    name = state.tokens.get(digest_of(token))
    if name is None:
        raise Denied(HouseReason.NO_DEVICE_OF_TOKEN())
    return state.devices[name]


def counted_name(record: HouseRecord, token: str) -> str | None:
    """Return the device of a token, if staff enrolled it: visitors enrol themselves."""
    name = record.state.tokens.get(digest_of(token))
    return None if name is None or is_guest(name) else name


def is_guest(device: str) -> bool:
    """Return whether it is a browser that sat down at a demonstration by itself."""
    return device.startswith(_GUEST)


def enrol_guest(
    record: HouseRecord, by: str, table: str, is_connected: Callable[[str], bool]
) -> tuple[str, Device]:
    """Return a terminal and its token for a visitor who plays for no money.

    Where there are too many guests, the one who left longest ago is revoked.
    """
    with record.lock:
        guests = [name for name in record.state.devices if is_guest(name)]
        if len(guests) >= _MOST_GUESTS:
            gone = next((name for name in guests if not is_connected(name)), None)
            if gone is None:
                raise NotDone(HouseReason.EVERY_SEAT_TAKEN())
            record.write(ev.DeviceRevoked(by, gone, _kind(record, gone)))
        name = f"{_GUEST}{token_hex(4)}"
        return enrol(
            record, invite_unasked(record, by, name, DeviceKind.TERMINAL, table)
        )
