"""Two-person acts: proposed by one, shown with their effect, confirmed by another."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.configuration import house_changes
from croupier.house.floor.blocking_table import BlockingTable
from croupier.house.people import proposals, staff
from croupier.house.people.second_factor import Proof
from croupier.house.records.voucher_codes import masked_act
from croupier.journal.events import house as ev
from croupier.journal.events.two_person_acts import (
    HouseChange,
    PasswordSetting,
    ProposedAct,
    StaffAct,
    TwoPersonAct,
)
from croupier.ledger.accounts import Entry, held_cents, kind_and_name
from croupier.ledger.money import VoucherIssued
from croupier.table import Answer
from croupier.web.api.base import HouseApi, Name, Number, Secret, accepted, show_as
from croupier.web.api.second_factor import SecondFactorCode
from croupier.web.endpoint import Body
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("proposals", STAFF)


class AccountChange(msgspec.Struct, frozen=True):
    """The effect of an act on one account."""

    account: str
    """Its kind: `house`, `seat`, `claim` …"""
    name: str
    """Whose it is, or empty."""
    cents: int
    """The change of the account; what the table holds counts for it."""


def _changes(effect: tuple[Entry, ...]) -> tuple[AccountChange, ...]:
    return tuple(
        AccountChange(*kind_and_name(account), held_cents(account, cents))
        for account, cents in effect
    )


class ProposalShown(msgspec.Struct, frozen=True):
    """An act that waits for its second person."""

    number: int
    by: str
    position: str
    acting: bool
    table: str
    """Where it is done: a table, or `house` itself."""
    act: ProposedAct
    effect: tuple[AccountChange, ...]
    """Its effect on each account."""
    until_ms: int

    @classmethod
    def of(cls, proposed: ev.Proposed) -> ProposalShown:
        effect = _changes(proposed.effect)
        return show_as(cls, proposed, act=masked_act(proposed.act), effect=effect)


@api("GET /api/proposals")
async def list_proposals(request: HouseRequest) -> list[ProposalShown]:
    """List what waits for a second person."""
    by = request.member
    proposals.check_may_be_second(by)
    now, state = request.floor.clock(), request.record.state
    return [
        ProposalShown.of(each)
        for each in state.proposals.values()
        if proposals.may_see(by, each.act)
        and (now < each.until_ms or each.number in state.confirmations)
    ]


class ProposalBody(Body, frozen=True):
    """An act that a second person is asked to confirm, and where."""

    table: Name
    act: TwoPersonAct
    password: Secret
    """Once more, though they have logged on."""
    code: SecondFactorCode | None = None
    """Of their second factor, where the house asks for it."""
    position: Name | None = None


@api("POST /api/proposals", status=201)
async def propose(request: HouseRequest, body: ProposalBody) -> ProposalShown:
    """Propose a correction, the voiding of rounds, an adjustment, or a large sum.

    Without a position it is the lowest that may. A correction is of the outcome, the
    compartment or the draw that `was` names, or else that is on record now.
    """
    floor, by = request.floor, request.member
    table = floor.table(body.table)
    proposed = await floor.with_password(
        lambda: proposals.propose(
            floor.record,
            floor.identity,
            BlockingTable(table),
            by=by,
            proof=Proof(body.password, body.code),
            name=body.table,
            act=body.act,
            position=body.position,
        )
    )
    return ProposalShown.of(proposed)


class ConfirmationBody(Body, frozen=True):
    password: Secret
    code: SecondFactorCode | None = None
    """Of their second factor, where the house asks for it."""
    position: Name | None = None


class ConfirmedShown(msgspec.Struct, frozen=True):
    """Done by both; on disk under this sequence number of that table's journal."""

    number: int
    table: str
    sequence: int
    effect: tuple[AccountChange, ...]
    """As it was proposed."""
    voucher: str | None = None
    """The code of a voucher that was issued; not again after its Player's stay."""


@api("POST /api/proposals/{number}/confirm")
async def confirm_proposal(
    request: HouseRequest, body: ConfirmationBody, *, number: Number
) -> ConfirmedShown:
    """Confirm a proposal as its second person: it is done now."""
    floor, by = request.floor, request.member
    proposals.check_may_be_second(by)
    proof = Proof(body.password, body.code)

    def confirm() -> tuple[ev.Proposed, Answer]:
        proposed = proposals.find_confirmable(floor.record, by, number)
        if isinstance(proposed.act, StaffAct | HouseChange):
            of_staff = isinstance(proposed.act, StaffAct)
            confirm_here = staff.confirm if of_staff else house_changes.confirm
            answer = confirm_here(
                floor.record, floor.identity, by=by, proof=proof, number=number
            )
            if isinstance(proposed.act, PasswordSetting):
                why = WebReason.PASSWORD_CHANGED()
                floor.sessions.end_all_of(proposed.act.name, why)
            return proposed, answer
        answer = proposals.confirm(
            floor.record,
            floor.identity,
            BlockingTable(floor.table(proposed.table)),
            by=by,
            proof=proof,
            number=number,
            position=body.position,
        )
        return proposed, answer

    proposed, answer = await floor.with_password(confirm)
    given = accepted(answer)
    issued = (e for e in given.events if isinstance(e, VoucherIssued))
    codes = [each.code for each in issued if each.code]
    effect = _changes(proposed.effect)
    return ConfirmedShown(number, proposed.table, given.last, effect, *codes)


@api("DELETE /api/proposals/{number}")
async def withdraw_proposal(
    request: HouseRequest,
    *,
    number: Number,
    reason: Annotated[str, Meta(min_length=1, max_length=200)] = "withdrawn",
) -> None:
    """Withdraw or refuse a proposal."""
    await request.in_house(proposals.withdraw, number, reason)
