"""Two-person acts: proposed by one, shown with their effect, confirmed by another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.floor.table import FloorTable
from croupier.house.people import proposals
from croupier.house.people.authority import HouseAct
from croupier.journal.events import house as ev
from croupier.ledger.accounts import Entry
from croupier.rules.clause import Refusal
from croupier.rules.game import Game
from croupier.table import Answer, Submission
from croupier.web.api.base import HouseRequest, Name, Secret, TagApi, accepted
from croupier.web.openapi import Body
from croupier.web.security.authentication import STAFF

api = TagApi("proposals")
_TABLE_WITHIN_S = 30
ProposalNumber = Annotated[int, Meta(ge=1, le=2**53)]


@dataclass(frozen=True, slots=True)
class _BlockingTable:
    """A table for who waits on the house's own thread.

    The answer comes from the table's thread, so that neither the event loop nor the
    lock of the house's record, which this thread holds, stands in its way.
    """

    table: FloorTable

    @property
    def game(self) -> Game:
        return self.table.game

    def preview(self, submission: Submission) -> tuple[Entry, ...] | Refusal:
        return self.table.preview(submission)

    def submit(self, submission: Submission) -> Answer:
        return self.table.actor.submit(submission).result(_TABLE_WITHIN_S)


class ProposalShown(msgspec.Struct, frozen=True):
    """An act that waits for its second person."""

    number: int
    by: str
    position: str
    acting: bool
    table: str
    act: str
    effect: tuple[str, ...]
    """What it would do to each account."""
    until_ms: int


def _shown(each: ev.Proposed) -> ProposalShown:
    return ProposalShown(
        number=each.number,
        by=each.by,
        position=each.position,
        acting=each.acting,
        table=each.table,
        act=each.act,
        effect=each.effect,
        until_ms=each.until_ms,
    )


@api.get("/api/proposals", summary="What waits for a second person.", auth=STAFF)
async def list_proposals(request: HouseRequest) -> list[ProposalShown]:
    request.caller.must(HouseAct.PROPOSE)
    floor = request.caller.floor
    now = floor.clock()
    waiting = floor.record.state.proposals.values()
    return [_shown(each) for each in waiting if now < each.until_ms]


class ProposalBody(Body, frozen=True):
    """`correct round 3 to 17`, `void rounds 2 3 ball_broke`, `adjust SEAT 5 REASON`."""

    table: Name
    act: Annotated[str, Meta(min_length=1, max_length=300)]
    password: Secret
    """Once more, though they have logged on."""
    position: Name | None = None


@api.post(
    "/api/proposals",
    summary="Propose a correction, the voiding of rounds, or an adjustment.",
    auth=STAFF,
    status=201,
    errors=(404, 409),
)
async def propose(request: HouseRequest, body: ProposalBody) -> ProposalShown:
    floor, by = request.caller.floor, request.caller.member
    table = floor.table(body.table)
    proposed = await floor.in_house(
        lambda: proposals.propose(
            floor.record,
            floor.sessions,
            _BlockingTable(table),
            by=by,
            password=body.password,
            name=body.table,
            act=body.act,
            position=body.position,
        )
    )
    return _shown(proposed)


class ConfirmationBody(Body, frozen=True):
    password: Secret
    position: Name | None = None


class ConfirmedShown(msgspec.Struct, frozen=True):
    """Done by both; on disk under this sequence number of the table's journal."""

    number: int
    table: str
    sequence: int
    effect: tuple[str, ...]
    """As it was proposed."""


@api.post(
    "/api/proposals/{number}/confirm",
    summary="Confirm a proposal as its second person: it is done now.",
    auth=STAFF,
    errors=(409,),
)
async def confirm_proposal(
    request: HouseRequest, body: ConfirmationBody, *, number: ProposalNumber
) -> ConfirmedShown:
    floor, by = request.caller.floor, request.caller.must(HouseAct.PROPOSE)

    def confirm() -> tuple[ev.Proposed, Answer]:
        proposed = proposals.find(floor.record, number)
        answer = proposals.confirm(
            floor.record,
            floor.sessions,
            _BlockingTable(floor.table(proposed.table)),
            by=by,
            password=body.password,
            number=number,
            position=body.position,
        )
        return proposed, answer

    proposed, answer = await floor.in_house(confirm)
    last = accepted(answer).last
    return ConfirmedShown(number, proposed.table, last, proposed.effect)


@api.delete(
    "/api/proposals/{number}",
    summary="Withdraw or refuse a proposal.",
    auth=STAFF,
)
async def withdraw_proposal(
    request: HouseRequest,
    *,
    number: ProposalNumber,
    reason: Annotated[str, Meta(min_length=1, max_length=200)] = "withdrawn",
) -> None:
    floor, by = request.caller.floor, request.caller.member
    await floor.in_house(lambda: proposals.withdraw(floor.record, by, number, reason))
