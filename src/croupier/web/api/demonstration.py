"""For demonstration money only: a seat and a session for whoever comes by."""

from __future__ import annotations

from secrets import token_hex

import msgspec

from croupier.house.floor.floor import Floor
from croupier.house.people import devices
from croupier.house.people.authority import caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotThere
from croupier.house.records.house_state import DeviceKind
from croupier.journal.events import house as ev
from croupier.journal.events.plan import Duty
from croupier.rules.notation import shown
from croupier.rules.operator import Person, Role
from croupier.table import Submission
from croupier.table import commands as ask
from croupier.web.api.base import HouseApi, Name, accepted
from croupier.web.api.log_on import SessionShown, session_shown
from croupier.web.endpoint import Body
from croupier.web.problems import ApiError
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import HouseRequest

api = HouseApi("demonstration")
CREDIT_CENTS = 100_000
_CASHIER = Person("demonstration", Role.CASHIER)
_GUEST = "guest "
_MOST_GUESTS = 1_000


class SeatBody(Body, frozen=True):
    table: Name


class SeatShown(msgspec.Struct, frozen=True):
    """A terminal of one's own, with credit to play."""

    token: str
    """The device's."""
    device: str
    table: str
    credit_cents: int


@api("POST /api/demonstration/seat", status=201, errors={409})
async def take_seat(request: HouseRequest, body: SeatBody) -> SeatShown:
    """Sit down at a demonstration table, with credit."""
    floor = request.floor
    _check_demonstration(floor)
    table = floor.table(body.table)
    token, name = await floor.in_house(lambda: _enrol_guest(floor, body.table))
    buy_in = ask.BuyIn(name, CREDIT_CENTS)
    submission = Submission(f"demonstration:{name}", (_CASHIER,), buy_in)
    try:
        accepted(await table.submit(submission))
    except ApiError:
        revoked = ev.DeviceRevoked(_CASHIER.name, name)
        await floor.in_house(lambda: floor.record.write(revoked))
        raise
    return SeatShown(token, name, body.table, CREDIT_CENTS)


def _check_demonstration(floor: Floor) -> None:
    if not floor.is_demonstration:
        raise ApiError(403, WebReason.REAL_MONEY())


def _enrol_guest(floor: Floor, table: str) -> tuple[str, str]:
    record = floor.record
    with record.lock:
        _make_room(floor)
        name = f"{_GUEST}{token_hex(4)}"
        code = devices.invite_unasked(
            record, _CASHIER.name, name, DeviceKind.TERMINAL, table
        )
        token, device = devices.enrol(record, code)
    return token, device.name


def _make_room(floor: Floor) -> None:
    """Revoke the guest who left longest ago, where there are too many."""
    guests = [n for n in floor.record.state.devices if n.startswith(_GUEST)]
    if len(guests) < _MOST_GUESTS:
        return
    listeners = [table.listeners for table in floor.tables.values()]
    gone = next(
        (n for n in guests if not any(g.has_device(n) for g in listeners)), None
    )
    if gone is None:
        raise ApiError(409, WebReason.EVERY_SEAT_TAKEN())
    floor.record.write(ev.DeviceRevoked(_CASHIER.name, gone))


class DemonstrationStaffBody(Body, frozen=True):
    name: Name


class DemonstrationStaffShown(msgspec.Struct, frozen=True):
    """Somebody whom a visitor may be."""

    name: str
    positions: tuple[Role, ...]
    duties: tuple[Duty, ...]


@api("GET /api/demonstration/staff")
async def list_demonstration_staff(
    request: HouseRequest,
) -> list[DemonstrationStaffShown]:
    """List the staff of the demonstration house."""
    floor = request.floor
    _check_demonstration(floor)
    return [
        DemonstrationStaffShown(
            member.name,
            member.positions,
            tuple(duty for duty in Duty if duty in member.duties),
        )
        for member in floor.record.state.staff.values()
    ]


@api("POST /api/demonstration/staff")
async def log_on_without_password(
    request: HouseRequest, body: DemonstrationStaffBody
) -> SessionShown:
    """Log on as somebody of the demonstration staff, without a password."""
    floor = request.floor
    _check_demonstration(floor)

    def open_session() -> SessionShown:
        with floor.record.lock:
            state = floor.record.state
            if body.name not in state.staff:
                raise NotThere(HouseReason.NOT_ON_STAFF(person=shown(body.name)))
            known = caller(state, body.name, floor.clock())
            floor.record.write(ev.LoggedOn(known.name, None))
            return session_shown(request, *floor.sessions.open(known.name, None))

    return await floor.in_house(open_session)
