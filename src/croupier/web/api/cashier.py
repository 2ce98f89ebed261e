"""Money: credit of the seats, the float, colour chips, claims and vouchers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from croupier.house.connection import views
from croupier.house.floor.seats import has_seat
from croupier.house.people.authority import HouseAct
from croupier.house.records.house_record import NotThere
from croupier.journal.tables import VoucherRow, VoucherState
from croupier.ledger import accounts as acc
from croupier.ledger import money
from croupier.ledger.accounts import CASH, FLOAT, kind_and_name
from croupier.ledger.money import Count
from croupier.table import Accepted, Answer
from croupier.table import commands as ask
from croupier.web.api.base import (
    Cents,
    DoneShown,
    HouseApi,
    Name,
    SentId,
    accepted_as,
    person_of,
)
from croupier.web.endpoint import Body, Endpoint, Parameter
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("cashier", STAFF)
VoucherCode = Annotated[str, Meta(min_length=1, max_length=40)]
Holder = Annotated[str, Meta(min_length=1, max_length=60)]
"""A Player, a seat or a colour, or a stay as `3@T1`."""
_OF_PLAYERS = frozenset({"seat", "claim", "owed"})


class AmountBody(Body, frozen=True):
    id: SentId
    cents: Cents


class RedeemBody(Body, frozen=True):
    id: SentId
    code: VoucherCode


class VoucherPaidShown(msgspec.Struct, frozen=True):
    """Registered: the voucher is used up, and its sum goes out of the table's cash."""

    id: str
    sequence: int
    cents: int
    voucher: str
    """How its code ends."""


class FloatCountBody(Body, frozen=True):
    id: SentId
    count: Count
    cents: Annotated[int, Meta(ge=0, le=10**12)]


class FloatCountedShown(msgspec.Struct, frozen=True):
    """Registered: the float is worth what was counted."""

    id: str
    sequence: int
    booked_cents: int
    """The float by the book before it."""


class ColourChipsBody(Body, frozen=True):
    id: SentId
    player: Name
    chips: Annotated[int, Meta(ge=1, le=1_000_000)]


class SeatPaidShown(msgspec.Struct, frozen=True):
    """Registered; the credit is as it stands now."""

    id: str
    sequence: int
    seat: str
    cents: int
    """The sum taken in or paid out."""
    voucher: str | None
    """The code of a voucher that was issued."""
    credit_cents: int
    set_off_cents: int = 0
    """The part that went to a claim against the same Player, and was not paid out."""


@dataclass(frozen=True, slots=True)
class _Movement:
    """An operation that moves money at a table.

    The command's fields are those of the body and the path; its event has them all.
    """

    name: str
    path: str
    """Below the table; its parameter is a seat, a colour or a Player."""
    summary: str
    body: type[Body]
    command: type[ask.MoneyCommand]
    event: type[money.MoneyEvent]

    def endpoint(self) -> Endpoint:
        before, _, rest = self.path.partition("{")
        names = ["table", rest.partition("}")[0]] if rest else ["table"]
        at_seat = before == "seats/"
        return Endpoint(
            name=self.name,
            method="POST",
            path=f"/api/tables/{{table}}/{self.path}",
            handler=self._at_seat if at_seat else self._at_table,
            summary=self.summary,
            tag="cashier",
            body=self.body,
            response=SeatPaidShown if at_seat else DoneShown,
            parameters=tuple(Parameter(each, Holder, in_path=True) for each in names),
            auth=STAFF,
        )

    async def _move(
        self, request: HouseRequest, body: Any, table: str, **at: str
    ) -> tuple[Accepted, money.MoneyEvent]:
        """Return the answer and the event that moved the money."""
        request.must(HouseAct.HANDLE_MONEY)
        fields = {**at, **msgspec.structs.asdict(body)}
        sent_id = fields.pop("id")
        if "code" in fields:
            fields["code"] = money.read_code(body.code)
        command = self.command(**fields)
        answer = await request.floor.submit(request.member, table, command, sent_id)
        if _set_off(answer) == fields.get("cents"):
            return accepted_as(answer, money.ClaimSetOff)
        return accepted_as(answer, self.event)

    async def _at_table(
        self, request: HouseRequest, body: Any, *, table: str, **at: str
    ) -> DoneShown:
        given, _ = await self._move(request, body, table, **at)
        return DoneShown(body.id, given.last)

    async def _at_seat(
        self, request: HouseRequest, body: Any, *, table: str, seat: str
    ) -> SeatPaidShown:
        follower = request.floor.follower
        if follower is not None:
            await follower.hear_of(lambda house: has_seat(house, table, seat))
        given, moved = await self._move(request, body, table, seat=seat)
        credit = views.credit_of(request.floor.table(table).state, seat)
        voucher = moved.code if isinstance(moved, money.VoucherIssued) else None
        is_paid = not isinstance(moved, money.ClaimSetOff)
        cents: int = getattr(moved, "cents", 0) if is_paid else 0
        return SeatPaidShown(
            body.id, given.last, seat, cents, voucher or None, credit, _set_off(given)
        )


def _set_off(answer: Answer) -> int:
    """Return what of a payment went to a claim against the same Player."""
    events = answer.events if isinstance(answer, Accepted) else ()
    return sum(each.cents for each in events if isinstance(each, money.ClaimSetOff))


for _movement in (
    _Movement(
        "buy_in",
        "seats/{seat}/buy-in",
        "Take cash for credit at a seat.",
        AmountBody,
        ask.BuyIn,
        money.BoughtIn,
    ),
    _Movement(
        "cash_out",
        "seats/{seat}/cash-out",
        "Pay credit of a seat in cash.",
        AmountBody,
        ask.CashOut,
        money.CashedOut,
    ),
    _Movement(
        "issue_voucher",
        "seats/{seat}/voucher",
        "Pay credit of a seat as a voucher.",
        AmountBody,
        ask.IssueVoucher,
        money.VoucherIssued,
    ),
    _Movement(
        "redeem_voucher",
        "seats/{seat}/redeem",
        "Take a voucher for credit at a seat.",
        RedeemBody,
        ask.RedeemVoucher,
        money.VoucherRedeemed,
    ),
    _Movement(
        "fill_float",
        "float/fill",
        "Bring chips from the cage to the float.",
        AmountBody,
        ask.Fill,
        money.Filled,
    ),
    _Movement(
        "credit_float",
        "float/credit",
        "Take chips from the float to the cage.",
        AmountBody,
        ask.TakeCredit,
        money.CreditTaken,
    ),
    _Movement(
        "buy_colour_chips",
        "colours/{colour}/buy",
        "Sell colour chips for cash to the Player of the colour.",
        ColourChipsBody,
        ask.BuyColourChips,
        money.ColourChipsBought,
    ),
    _Movement(
        "buy_back_colour_chips",
        "colours/{colour}/buy-back",
        "Take colour chips back for cash.",
        ColourChipsBody,
        ask.BuyBackColourChips,
        money.ColourChipsBoughtBack,
    ),
    _Movement(
        "pay_claim",
        "claims/{player}/pay",
        "Take cash for what a correction left owing.",
        AmountBody,
        ask.PayClaim,
        money.ClaimPaid,
    ),
    _Movement(
        "pay_owed",
        "owed/{player}/pay",
        "Pay in cash what is kept for a Player, or for a stay that has ended.",
        AmountBody,
        ask.PayOwed,
        money.OwedPaid,
    ),
):
    api.add(_movement.endpoint())


@api("POST /api/tables/{table}/float/count")
async def count_float(
    request: HouseRequest, body: FloatCountBody, *, table: Name
) -> FloatCountedShown:
    """Count the table's chips; a difference to the book is posted."""
    request.must(HouseAct.HANDLE_MONEY)
    command = ask.CountFloat(body.count, body.cents)
    answer = await request.floor.submit(request.member, table, command, body.id)
    given, counted = accepted_as(answer, money.FloatCounted)
    return FloatCountedShown(body.id, given.last, counted.booked_cents)


@api("POST /api/tables/{table}/vouchers/pay")
async def pay_voucher(
    request: HouseRequest, body: RedeemBody, *, table: Name
) -> VoucherPaidShown:
    """Pay a voucher in cash to whoever brings it; no seat is needed."""
    request.must(HouseAct.HANDLE_MONEY)
    command = ask.PayVoucher(money.read_code(body.code))
    answer = await request.floor.submit(request.member, table, command, body.id)
    given, paid = accepted_as(answer, money.VoucherPaid)
    ending = money.masked_code(paid.code)
    return VoucherPaidShown(body.id, given.last, paid.cents, ending)


class SeatMoneyShown(msgspec.Struct, frozen=True):
    """A seat with credit, or a Player who owes or is owed after a correction."""

    seat: str
    """A Player, a terminal, or a stay at one that has ended, as `3@T1`."""
    credit_cents: int
    claim_cents: int
    owed_cents: int = 0
    """Money kept for them, to be paid here."""


class TableMoneyShown(msgspec.Struct, frozen=True):
    seats: list[SeatMoneyShown]
    float_cents: int
    """The value of the table's own chips, by the book."""
    cash_cents: int
    """Cash taken in, less what was paid out."""


@api("GET /api/tables/{table}/seats")
async def list_seats(request: HouseRequest, *, table: Name) -> TableMoneyShown:
    """Credit and claims of every seat, and the float by the book."""
    request.must(HouseAct.HANDLE_MONEY)
    state = request.floor.table(table).state
    seat_of = {acc.stay_name(e, n): e for e in state.stays if (n := state.stay_at(e))}
    moved = [kind_and_name(a) for a, cents in state.balances.items() if cents]
    named = {seat_of.get(name, name) for kind, name in moved if kind in _OF_PLAYERS}
    seats = [
        SeatMoneyShown(
            name,
            views.credit_of(state, name),
            views.claim_of(state, name),
            state.balance(acc.owed(name)),
        )
        for name in sorted(named)
    ]
    return TableMoneyShown(seats, -state.balance(FLOAT), -state.balance(CASH))


class ExpiredShown(msgspec.Struct, frozen=True):
    vouchers: int


@api("POST /api/vouchers/expire")
async def expire_vouchers(request: HouseRequest) -> ExpiredShown:
    """Expire the vouchers that nobody redeemed in time."""
    book, person = request.record.book, person_of(request.must(HouseAct.CLOSE_DAY))
    count = await request.floor.in_house(lambda: book.expire_vouchers(person))
    return ExpiredShown(count)


class VoucherShown(msgspec.Struct, frozen=True):
    code: str
    cents: int
    state: VoucherState
    expires: str
    """The last gaming day on which it can be redeemed."""
    issued_at: str
    """The table."""
    held_by: str | None
    """Where it was redeemed, or what ended it."""


class VoucherBody(Body, frozen=True):
    """A voucher, by the code on it: in the body, since paths are logged on the way."""

    code: VoucherCode


@api("POST /api/vouchers/find")
async def find_voucher(request: HouseRequest, body: VoucherBody) -> VoucherShown:
    """Tell what became of a voucher."""
    request.must(HouseAct.HANDLE_MONEY)
    written = money.read_code(body.code)
    row = await asyncio.to_thread(request.floor.store.voucher, written)
    return _voucher_shown(body.code, row)


@api("POST /api/vouchers/lost")
async def lose_voucher(request: HouseRequest, body: VoucherBody) -> VoucherShown:
    """Report a voucher lost: it can't be redeemed any more."""
    floor, person = request.floor, person_of(request.must(HouseAct.HANDLE_MONEY))
    written = money.read_code(body.code)

    def report() -> VoucherShown:
        _voucher_shown(body.code, floor.store.voucher(written))
        floor.record.book.report_lost(person, written)
        return _voucher_shown(body.code, floor.store.voucher(written))

    return await floor.in_house(report)


def _voucher_shown(code: str, row: VoucherRow | None) -> VoucherShown:
    if row is None:
        masked = money.masked_code(code)
        raise NotThere(WebReason.NO_SUCH_VOUCHER(voucher=masked))
    return VoucherShown(
        row.code, row.cents, row.state, row.expires, row.issuer, row.holder or None
    )
