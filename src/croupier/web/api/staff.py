"""The staff: who is on it, in which positions, and acting in which until when."""

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
from croupier.house.people.second_factor import Proof
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.plan import Duty, StaffPlan
from croupier.rules.operator import Role
from croupier.web.api.base import (
    HouseApi,
    Name,
    Secret,
    TimeMs,
    show_as,
    sorted_duties,
)
from croupier.web.api.proposals import ProposalShown
from croupier.web.api.second_factor import SecondFactorCode
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
    """Whether others have set the account, and its owner has no password yet."""
    is_locked: bool
    deals_at: str | None


@api("GET /api/staff")
async def list_staff(request: HouseRequest) -> list[StaffShown]:
    """List everybody on the staff."""
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
    """An act of the house, and who may do it."""

    act: str
    """As in what somebody `may`, such as `handle_money`."""
    says: str
    positions: tuple[Role, ...]
    duties: tuple[Duty, ...]
    people: tuple[str, ...]
    """By name, those who hold one of these now, acting or not."""


@api("GET /api/authority")
async def show_authority(request: HouseRequest) -> list[AuthorityShown]:
    """List who may do what in the house at this moment."""
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


class StaffBody(Body, frozen=True):
    """Positions of the documents, and duties beside them; both replace the old."""

    name: Name
    positions: Annotated[tuple[Role, ...], Meta(max_length=10)] = ()
    duties: Annotated[tuple[Duty, ...], Meta(max_length=10)] = ()

    @property
    def plan(self) -> StaffPlan:
        return staff.plan_of(self.name, self.positions, self.duties)


@api("POST /api/staff")
async def define_staff(request: HouseRequest, body: StaffBody) -> StaffShown:
    """Take positions and duties from somebody of the staff.

    Whoever joins, or is given more, is proposed to a second person.
    """
    await request.in_house(staff.lower, body.plan)
    return _shown(request.floor, body.name)


class StaffProposalBody(StaffBody, frozen=True, kw_only=True):
    """Somebody of the staff as they shall be."""

    temporary: Secret | None = None
    """A new account's temporary password; its owner replaces it beside a manager."""
    password: Secret
    """Once more, though they have logged on."""
    code: SecondFactorCode | None = None
    """Of their second factor, where the house asks for it."""


@api("POST /api/staff/proposals", status=201)
async def propose_staff(
    request: HouseRequest, body: StaffProposalBody
) -> ProposalShown:
    """Propose somebody for the staff, or other positions and duties of theirs.

    Another who manages staff confirms it, as any proposal.
    """
    floor, by = request.floor, request.must(HouseAct.MANAGE_STAFF)
    proposed = await floor.with_password(
        lambda: staff.propose(
            floor.record,
            floor.identity,
            by=by,
            proof=Proof(body.password, body.code),
            member=body.plan,
            temporary=body.temporary,
        )
    )
    return ProposalShown.of(proposed)


@api("DELETE /api/staff/{name}")
async def remove_staff(request: HouseRequest, *, name: Name) -> None:
    """Remove somebody from the staff; their sessions end."""

    def remove(record: HouseRecord, by: Caller) -> None:
        staff.remove(record, by, name)
        request.floor.sessions.end_all_of(name, WebReason.REMOVED_FROM_STAFF())

    await request.in_house(remove)


class PasswordProposalBody(Body, frozen=True):
    """A temporary password for another; its owner replaces it beside a manager."""

    temporary: Secret
    password: Secret
    """One's own, once more."""
    code: SecondFactorCode | None = None
    """Of one's second factor, where the house asks for it."""


@api("POST /api/staff/{name}/password", status=201)
async def propose_password(
    request: HouseRequest, body: PasswordProposalBody, *, name: Name
) -> ProposalShown:
    """Propose to set somebody's password.

    Once another who manages staff confirms it, the account is limited.
    """
    floor, by = request.floor, request.must(HouseAct.MANAGE_STAFF)
    proposed = await floor.with_password(
        lambda: staff.propose_password(
            floor.record,
            floor.identity,
            by=by,
            proof=Proof(body.password, body.code),
            name=name,
            temporary=body.temporary,
        )
    )
    return ProposalShown.of(proposed)


@api("POST /api/staff/{name}/unlock")
async def unlock_staff(request: HouseRequest, *, name: Name) -> None:
    """Unlock an account after too many wrong passwords."""
    await request.in_house(staff.unlock, name)


class ActingBody(Body, frozen=True):
    """From one moment until another, within 31 days."""

    position: Role
    from_ms: TimeMs
    until_ms: TimeMs


@api("POST /api/staff/{name}/acting")
async def assign_acting(request: HouseRequest, body: ActingBody, *, name: Name) -> None:
    """Let somebody act in a position for a time."""
    await request.in_house(
        staff.assign_acting,
        name,
        body.position,
        from_ms=body.from_ms,
        until_ms=body.until_ms,
    )


@api("DELETE /api/staff/{name}/acting")
async def end_acting(request: HouseRequest, *, name: Name, position: Role) -> None:
    """End somebody's acting in a position."""
    await request.in_house(staff.end_acting, name, position)
