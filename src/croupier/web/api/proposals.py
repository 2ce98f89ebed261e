"""Two-person acts: proposed by one, shown with their effect, confirmed by another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.configuration import changes
from croupier.house.history.event_details import masked_act
from croupier.house.people import cage, proposals, staff
from croupier.house.people.proposals import TableAt
from croupier.house.records.house_record import RecordedEvent
from croupier.journal.events.house import Proposed
from croupier.journal.events.two_person_acts import (
    PasswordSetting,
    ProposedAct,
    StaffAct,
    TwoPersonCommand,
)
from croupier.ledger.accounts import Entry, held_cents, kind_and_name
from croupier.ledger.commands import PayVoucher
from croupier.ledger.money import VoucherIssued, read_code
from croupier.table import Answer
from croupier.web.api.base import HouseApi, Name, Number, ProofBody, accepted, show_as
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("proposals", STAFF)


class AccountChange(msgspec.Struct, frozen=True):
    """The effect of an act on one account."""

    account: str
    """Its kind, such as `house`, `seat` or `claim`."""
    name: str
    """Its Player, seat or colour, or empty."""
    cents: int
    """The change; positive if the account holds more afterwards."""


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
    """The table at which it is done, or `house`."""
    act: ProposedAct
    effect: tuple[AccountChange, ...]
    until_ms: int

    @classmethod
    def of(cls, proposed: Proposed) -> ProposalShown:
        effect = _changes(proposed.effect)
        return show_as(cls, proposed, act=masked_act(proposed.act), effect=effect)


@api("GET /api/proposals")
async def list_proposals(request: HouseRequest) -> list[ProposalShown]:
    """List the open proposals that the caller may see."""
    by = request.member
    proposals.check_may_be_second(by)
    now, state = request.floor.clock(), request.record.state
    return [
        ProposalShown.of(each)
        for each in state.proposals.values()
        if proposals.may_see(by, each.act)
        and (now < each.until_ms or each.number in state.confirmations)
    ]


async def proposed_by(
    request: HouseRequest,
    body: ProofBody,
    propose: Callable[..., Proposed],
    *to: TableAt,
    **given: object,
) -> ProposalShown:
    """Check the caller's proof, and propose an act in their name."""
    floor, by = request.floor, request.member
    proposed = await floor.with_password(
        lambda: propose(
            floor.record, floor.identity, *to, by=by, proof=body.proof, **given
        )
    )
    return ProposalShown.of(proposed)


class ProposalBody(ProofBody, frozen=True):
    """An act at a table for a second person to confirm."""

    act: TwoPersonCommand
    position: Name | None = None


@api("POST /api/tables/{table}/proposals", status=201)
async def propose(
    request: HouseRequest, body: ProposalBody, *, table: Name
) -> ProposalShown:
    """Propose a correction, the voiding of rounds, an adjustment, or a large sum.

    Without `position` the caller acts in the lowest that may. A correction replaces the
    outcome, compartment or draw in `was`, by default the one on record now.
    """
    found = request.floor.table(table)
    given = {"name": table, "command": body.act, "position": body.position}
    return await proposed_by(request, body, proposals.propose, found, **given)


class VoucherProposalBody(ProofBody, frozen=True):
    voucher: Annotated[str, Meta(min_length=1, max_length=40)]
    """The code of the voucher."""


@api("POST /api/vouchers/proposals", status=201)
async def propose_voucher_payment(
    request: HouseRequest, body: VoucherProposalBody
) -> ProposalShown:
    """Propose to pay a large voucher from the cage's own drawer."""
    code = read_code(body.voucher)
    return await proposed_by(request, body, cage.propose_payment, code=code)


class TableConfirmationBody(ProofBody, frozen=True):
    position: Name | None = None


class ConfirmedShown(msgspec.Struct, frozen=True):
    """Done, and recorded under this sequence number of the table's journal."""

    number: int
    table: str
    sequence: int
    effect: tuple[AccountChange, ...]
    """As it was proposed."""
    voucher: str | None = None
    """The code of an issued voucher; left out after the Player's stay."""


@api("POST /api/tables/{table}/proposals/{number}/confirm")
async def confirm_proposal(
    request: HouseRequest, body: TableConfirmationBody, *, table: Name, number: Number
) -> ConfirmedShown:
    """Confirm a proposal at a table as its second person, and do it."""
    floor, by = request.floor, request.member
    found = floor.table(table)
    return await _confirmed(
        request,
        lambda: proposals.confirm(
            floor.record,
            floor.identity,
            found,
            by=by,
            proof=body.proof,
            name=table,
            number=number,
            position=body.position,
        ),
    )


@api("POST /api/proposals/{number}/confirm")
async def confirm_house_proposal(
    request: HouseRequest, body: ProofBody, *, number: Number
) -> ConfirmedShown:
    """Confirm an act in the house itself as its second person, and do it."""
    floor, by = request.floor, request.member

    def events(proposed: Proposed) -> tuple[RecordedEvent, ...]:
        if isinstance(proposed.act, PayVoucher):
            return cage.payment_by_two(floor.record, proposed, by)
        if isinstance(proposed.act, StaffAct):
            return staff.events_by_two(floor.record.state, proposed, by.name)
        return changes.events_by_two(floor.record, proposed, by.name)

    def confirm() -> tuple[Proposed, Answer]:
        proposed, answer = proposals.confirm_in_house(
            floor.record,
            floor.identity,
            by=by,
            proof=body.proof,
            number=number,
            events=events,
        )
        if isinstance(proposed.act, PasswordSetting):
            floor.sessions.end_all_of(proposed.act.name, WebReason.PASSWORD_CHANGED())
        return proposed, answer

    return await _confirmed(request, confirm)


async def _confirmed(
    request: HouseRequest, confirm: Callable[[], tuple[Proposed, Answer]]
) -> ConfirmedShown:
    proposed, answer = await request.floor.with_password(confirm)
    given = accepted(answer)
    issued = (e for e in given.events if isinstance(e, VoucherIssued))
    codes = [each.code for each in issued if each.code]
    effect = _changes(proposed.effect)
    return ConfirmedShown(proposed.number, proposed.table, given.last, effect, *codes)


@api("DELETE /api/proposals/{number}")
async def withdraw_proposal(
    request: HouseRequest,
    *,
    number: Number,
    reason: Annotated[str, Meta(min_length=1, max_length=200)] = "withdrawn",
) -> None:
    """Withdraw or refuse a proposal."""
    await request.in_house(proposals.withdraw, number, reason)
