"""The staff: their positions, duties, accounts and acting positions."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.floor import Floor
from croupier.house.people import staff
from croupier.house.people.authority import (
    POSITIONS,
    Caller,
    HouseAct,
    authority_of,
    table_of,
    who_may,
)
from croupier.house.people.limited_accounts import is_limited
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.plan import Duty, StaffPlan
from croupier.journal.events.two_person_acts import (
    PasswordSetting,
    StaffDefinition,
)
from croupier.rules.operator import Role
from croupier.web.api.base import (
    HouseApi,
    Name,
    ProofBody,
    Secret,
    TimeMs,
    show_as,
    sorted_duties,
)
from croupier.web.api.proposals import ProposalShown, proposed_by
from croupier.web.endpoint import Body
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("staff", STAFF)


class ActingShown(msgspec.Struct, frozen=True):
    position: Role
    from_ms: int
    until_ms: int
    is_in_force: bool


class StaffShown(msgspec.Struct, frozen=True):
    name: str
    positions: tuple[Role, ...]
    duties: tuple[Duty, ...]
    acting: tuple[ActingShown, ...]
    has_password: bool
    is_limited: bool
    """Others have set the account, and the owner has not chosen a password yet."""
    is_locked: bool
    deals_at: str | None


@api("GET /api/staff")
async def list_staff(request: HouseRequest) -> list[StaffShown]:
    """List the staff."""
    if not request.member.may(HouseAct.ASSIGN_ACTING):
        request.must(HouseAct.INSPECT)
    return [_shown(request.floor, each) for each in request.record.state.staff]


def _shown(floor: Floor, name: str) -> StaffShown:
    state, now = floor.record.state, floor.clock()
    member, account = state.staff[name], state.account(name)
    acting = state.acting.get(name, ())
    return show_as(
        StaffShown,
        member,
        duties=sorted_duties(member.duties),
        acting=tuple(
            show_as(ActingShown, each, is_in_force=each.holds(now)) for each in acting
        ),
        has_password=account.password is not None,
        is_limited=is_limited(state, name),
        is_locked=account.is_locked(now),
        deals_at=next(
            (t for t, dealer in state.dealers.items() if dealer == name), None
        ),
    )


class AuthorityShown(msgspec.Struct, frozen=True):
    """An act of the house, with the positions, duties and people that may do it."""

    act: str
    """As in `may` of `/api/me`, such as `handle_money`."""
    says: str
    positions: tuple[Role, ...]
    duties: tuple[Duty, ...]
    people: tuple[str, ...]
    """The names of people who hold one of these now, acting or not."""


@api("GET /api/authority")
async def show_authority(request: HouseRequest) -> list[AuthorityShown]:
    """List the acts of the house with the people who may do them now."""
    if not request.member.may(HouseAct.ASSIGN_ACTING):
        request.must(HouseAct.INSPECT)
    state = request.record.state
    people = who_may(state, request.floor.clock())
    return [
        AuthorityShown(
            act=act.name.lower(),
            says=act.value,
            positions=tuple(role for role in POSITIONS if role in roles),
            duties=sorted_duties(duties),
            people=people[act],
        )
        for act, (roles, duties) in table_of(authority_of(state)).items()
    ]


Positions = Annotated[tuple[Role, ...], Meta(max_length=10)]
Duties = Annotated[tuple[Duty, ...], Meta(max_length=10)]


class StaffBody(Body, frozen=True):
    """The new positions and duties of a member of staff."""

    name: Name
    positions: Positions = ()
    duties: Duties = ()


@api("POST /api/staff")
async def define_staff(request: HouseRequest, body: StaffBody) -> StaffShown:
    """Take positions and duties from a member of staff.

    New accounts and new rights take a proposal and a second person.
    """
    await request.in_house(staff.lower, _plan_of(body))
    return _shown(request.floor, body.name)


class StaffProposalBody(ProofBody, frozen=True, kw_only=True):
    """A member of staff, as proposed."""

    name: Name
    positions: Positions = ()
    duties: Duties = ()
    temporary: Secret | None = None
    """The temporary password of a new account; its owner replaces it."""


def _plan_of(body: StaffBody | StaffProposalBody) -> StaffPlan:
    return staff.plan_of(body.name, body.positions, body.duties)


@api("POST /api/staff/proposals", status=201)
async def propose_staff(
    request: HouseRequest, body: StaffProposalBody
) -> ProposalShown:
    """Propose a new member of staff, or new positions and duties for one.

    Another manager of staff confirms it.
    """
    plan = _plan_of(body)
    act = StaffDefinition(plan.name, plan.positions, plan.duties)
    given = {"act": act, "temporary": body.temporary}
    return await proposed_by(request, body, staff.propose, **given)


@api("DELETE /api/staff/{name}")
async def remove_staff(request: HouseRequest, *, name: Name) -> None:
    """Remove a member of staff; their sessions end."""

    def remove(record: HouseRecord, by: Caller) -> None:
        staff.remove(record, by, name)
        request.floor.sessions.end_all_of(name, WebReason.REMOVED_FROM_STAFF())

    await request.in_house(remove)


class PasswordProposalBody(ProofBody, frozen=True):
    """A temporary password for another person, who replaces it."""

    temporary: Secret


@api("POST /api/staff/{name}/password", status=201)
async def propose_password(
    request: HouseRequest, body: PasswordProposalBody, *, name: Name
) -> ProposalShown:
    """Propose to set another person's password.

    Once another manager of staff confirms it, the account is limited.
    """
    given = {"act": PasswordSetting(name, None), "temporary": body.temporary}
    return await proposed_by(request, body, staff.propose, **given)


@api("POST /api/staff/{name}/unlock")
async def unlock_staff(request: HouseRequest, *, name: Name) -> None:
    """Unlock an account after too many wrong passwords."""
    await request.in_house(staff.unlock, name)


class ActingBody(Body, frozen=True):
    """An acting position for at most 31 days."""

    position: Role
    from_ms: TimeMs
    until_ms: TimeMs


@api("POST /api/staff/{name}/acting")
async def assign_acting(request: HouseRequest, body: ActingBody, *, name: Name) -> None:
    """Assign a member of staff to act in a position for a time."""
    await request.in_house(
        staff.assign_acting,
        name,
        body.position,
        from_ms=body.from_ms,
        until_ms=body.until_ms,
    )


@api("DELETE /api/staff/{name}/acting")
async def end_acting(request: HouseRequest, *, name: Name, position: Role) -> None:
    """End an assignment to act in a position."""
    await request.in_house(staff.end_acting, name, position)
