"""The staff: who is on it, in which positions, and acting in which until when."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.people import staff
from croupier.house.people.authority import HouseAct
from croupier.house.records.house_state import HouseState
from croupier.journal.events.plan import Duty, StaffPlan
from croupier.rules.operator import Role
from croupier.web.api.base import HouseRequest, Name, Secret, TagApi, TimeMs
from croupier.web.openapi import Body
from croupier.web.security.authentication import STAFF

api = TagApi("staff")


class ActingShown(msgspec.Struct, frozen=True):
    position: str
    from_ms: int
    until_ms: int
    is_in_force: bool


class StaffShown(msgspec.Struct, frozen=True):
    name: str
    positions: tuple[str, ...]
    duties: tuple[str, ...]
    acting: tuple[ActingShown, ...]
    has_password: bool
    is_locked: bool
    deals_at: str | None


@api.get("/api/staff", summary="Everybody on the staff.", auth=STAFF)
async def list_staff(request: HouseRequest) -> list[StaffShown]:
    asker = request.caller
    if not asker.member.may(HouseAct.ASSIGN_ACTING):
        asker.must(HouseAct.INSPECT)
    state, now = asker.floor.record.state, asker.floor.clock()
    at = {dealer: table for table, dealer in state.dealers.items()}
    return [
        _shown(state, member, now, at.get(member.name))
        for member in state.staff.values()
    ]


def _shown(
    state: HouseState, member: StaffPlan, now: int, deals_at: str | None
) -> StaffShown:
    account = state.account(member.name)
    return StaffShown(
        name=member.name,
        positions=tuple(role.value for role in member.positions),
        duties=tuple(sorted(duty.value for duty in member.duties)),
        acting=tuple(
            ActingShown(
                each.position.value, each.from_ms, each.until_ms, each.holds(now)
            )
            for each in state.acting.get(member.name, ())
        ),
        has_password=account.password is not None,
        is_locked=account.locked,
        deals_at=deals_at,
    )


class StaffBody(Body, frozen=True):
    """Positions of the documents, and duties beside them; both replace the old."""

    name: Name
    positions: Annotated[tuple[Role, ...], Meta(max_length=10)] = ()
    duties: Annotated[tuple[Duty, ...], Meta(max_length=10)] = ()


@api.post(
    "/api/staff",
    summary="Define somebody of the staff, new or known.",
    auth=STAFF,
    errors=(409,),
)
async def define_staff(request: HouseRequest, body: StaffBody) -> StaffShown:
    floor, by = request.caller.floor, request.caller.member
    positions = tuple(dict.fromkeys(body.positions))
    duties = tuple(dict.fromkeys(body.duties))
    await floor.in_house(
        lambda: staff.define(floor.record, by, body.name, positions, duties)
    )
    state = floor.record.state
    at = next((t for t, name in state.dealers.items() if name == body.name), None)
    return _shown(state, state.staff[body.name], floor.clock(), at)


@api.delete(
    "/api/staff/{name}",
    summary="Remove somebody from the staff; their sessions end.",
    auth=STAFF,
    errors=(409,),
)
async def remove_staff(request: HouseRequest, *, name: Name) -> None:
    floor, by = request.caller.floor, request.caller.member

    def remove() -> None:
        staff.remove(floor.record, by, name)
        floor.sessions.end_all_of(name, "removed from the staff")

    await floor.in_house(remove)


class PasswordBody(Body, frozen=True):
    password: Secret


@api.put(
    "/api/staff/{name}/password",
    summary="Give somebody a new password; their sessions end.",
    auth=STAFF,
    errors=(409,),
)
async def give_password(
    request: HouseRequest, body: PasswordBody, *, name: Name
) -> None:
    floor, by = request.caller.floor, request.caller.must(HouseAct.MANAGE_STAFF)

    def give() -> None:
        staff.give_password(floor.record, by, name, body.password)
        floor.sessions.end_all_of(name, "the password was changed")

    await floor.in_house(give)


@api.post(
    "/api/staff/{name}/unlock",
    summary="Unlock an account after too many wrong passwords.",
    auth=STAFF,
    errors=(409,),
)
async def unlock_staff(request: HouseRequest, *, name: Name) -> None:
    floor, by = request.caller.floor, request.caller.member
    await floor.in_house(lambda: staff.unlock(floor.record, by, name))


class ActingBody(Body, frozen=True):
    """From one moment until another, within 31 days."""

    position: Role
    from_ms: TimeMs
    until_ms: TimeMs


@api.post(
    "/api/staff/{name}/acting",
    summary="Let somebody act in a position for a time.",
    auth=STAFF,
    errors=(409,),
)
async def assign_acting(request: HouseRequest, body: ActingBody, *, name: Name) -> None:
    floor, by = request.caller.floor, request.caller.member
    await floor.in_house(
        lambda: staff.assign_acting(
            floor.record,
            by,
            name,
            body.position,
            from_ms=body.from_ms,
            until_ms=body.until_ms,
        )
    )


@api.delete(
    "/api/staff/{name}/acting",
    summary="End somebody's acting in a position.",
    auth=STAFF,
    errors=(409,),
)
async def end_acting(request: HouseRequest, *, name: Name, position: Role) -> None:
    floor, by = request.caller.floor, request.caller.member
    await floor.in_house(lambda: staff.end_acting(floor.record, by, name, position))
