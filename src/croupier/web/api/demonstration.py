"""The demonstration house: a seat for each visitor, its staff, and the visitor's tour.

The steps of a tour are read from the journal, except its verification, which this
process remembers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from croupier.games import find_game
from croupier.house.floor.automatic_dealer import DEALER
from croupier.house.floor.floor import Floor
from croupier.house.people import devices
from croupier.journal.events.house import DeviceRevoked
from croupier.journal.events.plan import StaffPlan, TablePlan
from croupier.journal.store import Store
from croupier.ledger.commands import BuyIn
from croupier.rules.clause import Rule
from croupier.rules.events import OutcomeAnnounced, OutcomeCorrected, RoundSettled
from croupier.rules.operator import Person, Role
from croupier.table import Refused, Submission
from croupier.table.answers import event_of
from croupier.web.api.base import HouseApi, Name, Number, forbidden
from croupier.web.api.log_on import SessionShown, session_shown
from croupier.web.endpoint import Body
from croupier.web.problems import ApiError
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import HouseRequest, logged_log_on

api = HouseApi("demonstration")
_DEMONSTRATION = "demonstration"
GUESTS_CASHIER = Person(_DEMONSTRATION, Role.CASHIER)
GUEST_CENTS = 100_000
_MOST_ROUNDS = 100
_STEPS = tuple(
    kind.__name__ for kind in (OutcomeAnnounced, OutcomeCorrected, RoundSettled)
)


class SeatShown(msgspec.Struct, frozen=True):
    """The visitor's terminal, with credit to play."""

    token: str
    """The device's token."""
    device: str
    table: str
    credit_cents: int


@api("POST /api/tables/{table}/guests", status=201, errors={409})
async def take_seat(request: HouseRequest, *, table: Name) -> SeatShown:
    """Sit down at a demonstration table, with credit."""
    floor, by = demonstration_floor(request), GUESTS_CASHIER.name
    found = floor.table(table)
    tables = floor.summaries().values()
    there = {name for summary in tables for name in summary.devices}
    token, device = await floor.in_house(
        lambda: devices.enrol_guest(floor.record, by, table, there.__contains__)
    )
    buy_in = BuyIn(device.name, GUEST_CENTS)
    command_id = f"{_DEMONSTRATION}:{device.name}"
    answer = await found.submit(Submission(command_id, (GUESTS_CASHIER,), buy_in))
    if isinstance(answer, Refused):
        revoked = DeviceRevoked(by, device.name, device.kind.value)
        await floor.in_house(lambda: floor.record.write(revoked))
        raise forbidden(answer.refusal)
    return SeatShown(token, device.name, table, GUEST_CENTS)


def demonstration_floor(request: HouseRequest) -> Floor:
    if not request.floor.is_demonstration:
        raise ApiError(403, WebReason.REAL_MONEY())
    return request.floor


class DemonstrationStaffBody(Body, frozen=True):
    name: Name


@api("GET /api/demonstration/staff")
async def list_demonstration_staff(request: HouseRequest) -> list[StaffPlan]:
    """List the staff of the demonstration house, for a visitor to log on as."""
    return list(demonstration_floor(request).record.state.staff.values())


@api("POST /api/demonstration/staff")
async def log_on_without_password(
    request: HouseRequest, body: DemonstrationStaffBody
) -> SessionShown:
    """Log on as one of the demonstration staff, without a password."""
    floor = demonstration_floor(request)
    with logged_log_on(request, body.name):
        token, session = await floor.in_house(
            lambda: floor.sessions.log_on_unasked(body.name)
        )
    return session_shown(request, token, session)


class TourShown(msgspec.Struct, frozen=True):
    """For each step of a tour, the last round in which it was done."""

    table: str
    played: int | None
    """The seat had a wager that was settled."""
    dealt: int | None
    """The staff announced the outcome, and the round was settled."""
    proposed: int | None
    """The number of an open proposal at the table."""
    corrected: int | None
    """Two people corrected the outcome."""
    verified: int | None
    """The corrected round, after a verification of the journal without findings."""


class TourTableShown(msgspec.Struct, frozen=True):
    table: str


@api("GET /api/demonstration/tour")
async def choose_tour_table(request: HouseRequest) -> TourTableShown:
    """Choose the table of a new tour."""
    return TourTableShown(_table_of_tour(demonstration_floor(request)))


@api("GET /api/tables/{table}/tour")
async def show_tour(
    request: HouseRequest,
    *,
    table: Name,
    seat: Name | None = None,
    since: Number = 1,
) -> TourShown:
    """Show the steps done in a tour that began with the round `since`."""
    floor = demonstration_floor(request)
    found = floor.table(table)
    last = found.state.series.last
    first = max(since, last - _MOST_ROUNDS + 1)
    done = await request.look_back(_done, found.name, seat, first, last)
    nothing = _Step(None, 0)
    corrected = done.get("corrected", nothing)
    clean_from_ms = request.resources.clean_from_ms
    is_verified = clean_from_ms is not None and corrected.at_ms <= clean_from_ms
    now, proposals = floor.clock(), floor.record.state.proposals.values()
    waiting = (
        each.number
        for each in proposals
        if each.table == found.name and now < each.until_ms
    )
    return TourShown(
        table=found.name,
        played=done.get("played", nothing).round,
        dealt=done.get("dealt", nothing).round,
        proposed=next(waiting, None),
        corrected=corrected.round,
        verified=corrected.round if is_verified else None,
    )


def _table_of_tour(floor: Floor) -> str:
    """Return the table that allows most steps of a tour."""
    known = floor.summaries()
    plans = floor.record.state.tables.values()
    if not plans:
        raise ApiError(404, WebReason.NOTHING_HERE())

    def lacks(plan: TablePlan) -> tuple[bool, ...]:
        is_closed = plan.name not in known or not known[plan.name].is_open
        can_correct = find_game(plan.game).provides(Rule.CORRECTION)
        is_dealt = plan.name in floor.record.state.dealers  # by another visitor
        return is_closed, not can_correct, not plan.automatic_dealer, is_dealt

    return min(plans, key=lacks).name


class _Step(NamedTuple):
    """A step that was done, with its round and time."""

    round: int | None
    at_ms: int


def _done(
    store: Store, table: str, seat: str | None, first: int, last: int
) -> dict[str, _Step]:
    done: dict[str, _Step] = {}
    for number in range(first, last + 1):
        for step, at_ms in _steps_of(store, table, seat, number):
            done[step] = _Step(number, at_ms)
    return done


def _steps_of(
    store: Store, table: str, seat: str | None, number: int
) -> Iterator[tuple[str, int]]:
    is_announced = False
    for row in store.events(table, round_number=number, kinds=_STEPS):
        match event_of(row):
            case OutcomeAnnounced(by=by):
                is_announced = by != DEALER
            case OutcomeCorrected():
                yield "corrected", row.at_ms
            case RoundSettled(wagers=wagers):
                if is_announced:
                    yield "dealt", row.at_ms
                if any(wager.player == seat for wager in wagers):
                    yield "played", row.at_ms
