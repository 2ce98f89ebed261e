"""Money: credit of the seats, the float, colour chips, claims and vouchers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, cast

import msgspec
from msgspec import Meta

from croupier.house.floor.seats import has_seat
from croupier.house.people import cage
from croupier.house.people.authority import HouseAct, person_of
from croupier.house.records import vouchers_and_days
from croupier.house.records.house_record import NotThere
from croupier.journal.store import Store
from croupier.journal.tables import VoucherState
from croupier.ledger import money
from croupier.ledger.accounts import CASH, FLOAT, kind_and_name, owed, stay_name
from croupier.ledger.commands import (
    BuyBackColourChips,
    BuyColourChips,
    BuyIn,
    CashOut,
    CountFloat,
    Fill,
    IssueVoucher,
    MoneyCommand,
    PayClaim,
    PayOwed,
    PayVoucher,
    RedeemVoucher,
    TakeCredit,
)
from croupier.ledger.money import Count
from croupier.table import Accepted, Answer
from croupier.table.answers import event_of
from croupier.web.api.base import (
    Cents,
    DoneShown,
    HouseApi,
    Name,
    SentId,
    accepted,
    accepted_as,
)
from croupier.web.endpoint import Body, Endpoint, Parameter
from croupier.web.reasons import WebReason
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("cashier", STAFF)
VoucherCode = Annotated[str, Meta(min_length=1, max_length=40)]
Holder = Annotated[str, Meta(min_length=1, max_length=60)]
"""A Player, a seat, a colour, or a stay such as `3@T1`."""
_OF_PLAYERS = frozenset({"seat", "claim", "owed"})


class AmountBody(Body, frozen=True):
    id: SentId
    cents: Cents


class RedeemBody(Body, frozen=True):
    id: SentId
    code: VoucherCode


class VoucherPaidShown(msgspec.Struct, frozen=True):
    """Recorded: the voucher is paid from a table's cash, or the cage's drawer."""

    id: str
    sequence: int
    cents: int
    voucher: str
    """The end of its code."""


class FloatCountBody(Body, frozen=True):
    id: SentId
    count: Count
    cents: Annotated[int, Meta(ge=0, le=10**12)]


class FloatCountedShown(msgspec.Struct, frozen=True):
    """Recorded: the float is booked as counted."""

    id: str
    sequence: int
    booked_cents: int
    """The float by the book before the count."""


class ColourChipsBody(Body, frozen=True):
    id: SentId
    player: Name
    chips: Annotated[int, Meta(ge=1, le=1_000_000)]


class SeatPaidShown(msgspec.Struct, frozen=True):
    """Recorded, with the seat's credit afterwards."""

    id: str
    sequence: int
    seat: str
    cents: int
    """The sum taken in or paid out."""
    voucher: str | None
    """The code of an issued voucher."""
    credit_cents: int
    set_off_cents: int = 0
    """The part that was set off against a claim instead of paid out."""


@dataclass(frozen=True, slots=True)
class _Movement:
    """An operation that moves money at a table.

    The fields of the body and the path are those of the command.
    """

    name: str
    path: str
    """Below the table's path; its parameter is a seat, a colour or a Player."""
    command: type[MoneyCommand]
    summary: str

    def endpoint(self) -> Endpoint:
        before, _, rest = self.path.partition("{")
        names = ["table", rest.partition("}")[0]] if rest else ["table"]
        at_seat = before == "seats/"
        fields = self.command.__match_args__
        bodies = (each for name, each in _BODIES.items() if name in fields)
        return Endpoint(
            name=self.name,
            method="POST",
            path=f"/api/tables/{{table}}/{self.path}",
            handler=self._at_seat if at_seat else self._at_table,
            summary=self.summary,
            tag="cashier",
            body=next(bodies),
            response=SeatPaidShown if at_seat else DoneShown,
            parameters=tuple(Parameter(each, Holder, in_path=True) for each in names),
            auth=STAFF,
        )

    async def _move(
        self, request: HouseRequest, body: Any, table: str, **at: str
    ) -> Accepted:
        request.must(HouseAct.HANDLE_MONEY)
        fields = {**at, **msgspec.structs.asdict(body)}
        sent_id = fields.pop("id")
        if "code" in fields:
            fields["code"] = money.read_code(body.code)
        command = self.command(**fields)
        return accepted(
            await request.floor.submit(request.member, table, command, sent_id)
        )

    async def _at_table(
        self, request: HouseRequest, body: Any, *, table: str, **at: str
    ) -> DoneShown:
        return DoneShown(body.id, (await self._move(request, body, table, **at)).last)

    async def _at_seat(
        self, request: HouseRequest, body: Any, *, table: str, seat: str
    ) -> SeatPaidShown:
        await request.record.hear_of(lambda house: has_seat(house, table, seat))
        given = await self._move(request, body, table, seat=seat)
        moved = next((e for e in given.events if isinstance(e, _AT_SEAT)), None)
        voucher = moved.code if isinstance(moved, money.VoucherIssued) else None
        set_off = (e.cents for e in given.events if isinstance(e, money.ClaimSetOff))
        return SeatPaidShown(
            id=body.id,
            sequence=given.last,
            seat=seat,
            cents=0 if moved is None else moved.cents,
            voucher=voucher or None,
            credit_cents=request.floor.table(table).state.credit(seat),
            set_off_cents=sum(set_off),
        )


_BODIES = {"code": RedeemBody, "chips": ColourChipsBody, "cents": AmountBody}
"""By a field of the command."""
_AT_SEAT = (
    *(money.BoughtIn, money.CashedOut),
    *(money.VoucherIssued, money.VoucherRedeemed),
)
for _movement in (
    _Movement(
        "buy_in", "seats/{seat}/buy-in", BuyIn, "Take cash for credit at a seat."
    ),
    _Movement(
        "cash_out", "seats/{seat}/cash-out", CashOut, "Pay credit of a seat in cash."
    ),
    _Movement(
        "issue_voucher",
        "seats/{seat}/voucher",
        IssueVoucher,
        "Pay credit of a seat as a voucher.",
    ),
    _Movement(
        "redeem_voucher",
        "seats/{seat}/redeem",
        RedeemVoucher,
        "Take a voucher for credit at a seat.",
    ),
    _Movement(
        "fill_float", "float/fill", Fill, "Bring chips from the cage to the float."
    ),
    _Movement(
        "credit_float",
        "float/credit",
        TakeCredit,
        "Take chips from the float to the cage.",
    ),
    _Movement(
        "buy_colour_chips",
        "colours/{colour}/buy",
        BuyColourChips,
        "Sell colour chips for cash to the Player of the colour.",
    ),
    _Movement(
        "buy_back_colour_chips",
        "colours/{colour}/buy-back",
        BuyBackColourChips,
        "Take colour chips back for cash.",
    ),
    _Movement(
        "pay_claim",
        "claims/{player}/pay",
        PayClaim,
        "Take cash for a claim that a correction left.",
    ),
    _Movement(
        "pay_owed",
        "owed/{player}/pay",
        PayOwed,
        "Pay in cash the money kept for a Player or an ended stay.",
    ),
):
    api.add(_movement.endpoint())


@api("POST /api/tables/{table}/float/count")
async def count_float(
    request: HouseRequest, body: FloatCountBody, *, table: Name
) -> FloatCountedShown:
    """Count the table's chips, and book the difference."""
    request.must(HouseAct.HANDLE_MONEY)
    command = CountFloat(body.count, body.cents)
    answer = await request.floor.submit(request.member, table, command, body.id)
    given, counted = accepted_as(answer, money.FloatCounted)
    return FloatCountedShown(body.id, given.last, counted.booked_cents)


@api("POST /api/tables/{table}/vouchers/pay")
async def pay_voucher(
    request: HouseRequest, body: RedeemBody, *, table: Name
) -> VoucherPaidShown:
    """Pay a voucher in cash to its bearer; no seat is needed."""
    request.must(HouseAct.HANDLE_MONEY)
    command = PayVoucher(money.read_code(body.code))
    answer = await request.floor.submit(request.member, table, command, body.id)
    return _paid(body.id, answer)


@api("POST /api/vouchers/pay")
async def pay_voucher_from_cage(
    request: HouseRequest, body: RedeemBody
) -> VoucherPaidShown:
    """Pay a voucher in cash to its bearer, from the cage's own drawer."""
    turn, code = request.floor.payment_turn, money.read_code(body.code)
    return _paid(body.id, await request.in_house(cage.pay_voucher, turn, code, body.id))


def _paid(sent_id: str, answer: Answer) -> VoucherPaidShown:
    given, paid = accepted_as(answer, money.VoucherPaid)
    ending = money.masked_code(paid.code)
    return VoucherPaidShown(sent_id, given.last, paid.cents, ending)


class SeatMoneyShown(msgspec.Struct, frozen=True):
    """A seat with credit, a claim or money kept for it."""

    seat: str
    """A Player, a terminal, or an ended stay at one such as `3@T1`."""
    credit_cents: int
    claim_cents: int
    owed_cents: int = 0
    """Money kept for them."""


class TableMoneyShown(msgspec.Struct, frozen=True):
    seats: list[SeatMoneyShown]
    float_cents: int
    """The value of the table's own chips, by the book."""
    cash_cents: int
    """Cash taken in, less cash paid out."""


@api("GET /api/tables/{table}/seats")
async def list_seats(request: HouseRequest, *, table: Name) -> TableMoneyShown:
    """List the credit and claims of every seat, and the float by the book."""
    request.must(HouseAct.HANDLE_MONEY)
    state = request.floor.table(table).state
    seat_of = {stay_name(e, n): e for e in state.stays if (n := state.stay_at(e))}
    moved = [kind_and_name(a) for a, cents in state.balances.items() if cents]
    named = {seat_of.get(name, name) for kind, name in moved if kind in _OF_PLAYERS}
    seats = [
        SeatMoneyShown(
            name,
            state.credit(name),
            state.claim(name),
            state.balance(owed(name)),
        )
        for name in sorted(named)
    ]
    return TableMoneyShown(seats, -state.balance(FLOAT), -state.balance(CASH))


class ExpiredShown(msgspec.Struct, frozen=True):
    vouchers: int


@api("POST /api/vouchers/expire")
async def expire_vouchers(request: HouseRequest) -> ExpiredShown:
    """Expire the vouchers that were not redeemed in time."""
    record, person = request.record, person_of(request.must(HouseAct.CLOSE_DAY))
    count = await request.floor.in_house(
        lambda: vouchers_and_days.expire_vouchers(record, person)
    )
    return ExpiredShown(count)


class VoucherShown(msgspec.Struct, frozen=True):
    code: str
    cents: int
    state: VoucherState
    expires: str
    """The last gaming day on which it can be redeemed."""
    issued_at: str
    """The table."""
    device: str
    """The seat whose credit it was."""
    issued_ms: int
    sequence: int
    """The place of its issue in the table's journal."""
    held_by: str | None
    """The seat that redeemed it, or the reason of its end."""
    ended_by: str | None = None
    """The person who redeemed, paid or expired it, or reported it lost."""
    ended_ms: int | None = None


class VoucherBody(Body, frozen=True):
    """A voucher's code; it is in the body because proxies log paths."""

    code: VoucherCode


@api("POST /api/vouchers/find")
async def find_voucher(request: HouseRequest, body: VoucherBody) -> VoucherShown:
    """Show a voucher: its sum, its state and its end."""
    request.must(HouseAct.HANDLE_MONEY)
    written = money.read_code(body.code)
    return await asyncio.to_thread(_voucher_shown, request.floor.store, written)


@api("POST /api/vouchers/lost")
async def lose_voucher(request: HouseRequest, body: VoucherBody) -> VoucherShown:
    """Report a voucher lost: it can't be redeemed any more."""
    floor, person = request.floor, person_of(request.must(HouseAct.HANDLE_MONEY))
    written = money.read_code(body.code)

    def report() -> VoucherShown:
        _voucher_shown(floor.store, written)
        vouchers_and_days.report_lost(floor.record, person, written)
        return _voucher_shown(floor.store, written)

    return await floor.in_house(report)


def _voucher_shown(store: Store, code: str) -> VoucherShown:
    row = store.voucher(code)
    issue, end = None, None
    for each in store.voucher_events(code):
        if isinstance(event := event_of(each), money.VoucherIssued):
            issue = each, event
        elif end is None or each.at_ms > end[0]:
            end = each.at_ms, cast("_Ending", event).by.name
    if row is None or issue is None:
        masked = money.masked_code(code)
        raise NotThere(WebReason.NO_SUCH_VOUCHER(voucher=masked))
    issued, event = issue
    return VoucherShown(
        code=row.code,
        cents=row.cents,
        state=row.state,
        expires=row.expires,
        issued_at=row.issuer,
        device=event.seat,
        issued_ms=issued.at_ms,
        sequence=issued.sequence,
        held_by=row.holder or None,
        ended_by=end and end[1],
        ended_ms=end and end[0],
    )


_Ending = (
    money.VoucherRedeemed
    | money.VoucherPaid
    | money.VoucherExpired
    | money.VoucherReportedLost
)
