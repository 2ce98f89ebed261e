"""Money at a table: credit of the seats, the float, colour chips, claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.connection import views
from croupier.house.people.authority import HouseAct
from croupier.ledger import money
from croupier.ledger.accounts import CASH, FLOAT
from croupier.ledger.money import Count
from croupier.table import commands as ask
from croupier.web.api.base import (
    Cents,
    DoneShown,
    HouseRequest,
    Name,
    SentId,
    TagApi,
    accepted_as,
    submit,
)
from croupier.web.openapi import Body
from croupier.web.security.authentication import STAFF

api = TagApi("cashier")
_SEAT, _CLAIM = "seat:", "claim:"


class AmountBody(Body, frozen=True):
    id: SentId
    cents: Cents


class SeatPaidShown(msgspec.Struct, frozen=True):
    """Registered; the credit is as it stands now."""

    id: str
    sequence: int
    seat: str
    cents: int
    voucher: str | None
    """The code of a voucher that was issued."""
    credit_cents: int


_EVENTS: Mapping[type[ask.MoneyCommand], type[money.MoneyEvent]] = {
    ask.BuyIn: money.BoughtIn,
    ask.CashOut: money.CashedOut,
    ask.IssueVoucher: money.VoucherIssued,
    ask.RedeemVoucher: money.VoucherRedeemed,
    ask.CountFloat: money.FloatCounted,
    ask.Fill: money.Filled,
    ask.TakeCredit: money.CreditTaken,
    ask.BuyColourChips: money.ColourChipsBought,
    ask.BuyBackColourChips: money.ColourChipsBoughtBack,
    ask.PayClaim: money.ClaimPaid,
}
"""What each command becomes; every field of the command is one of its event."""


async def _moved(
    request: HouseRequest, table: str, sent_id: str, command: ask.MoneyCommand
) -> tuple[int, money.MoneyEvent]:
    """The event that moved the money, and its sequence number."""
    asker = request.caller
    asker.must(HouseAct.HANDLE_MONEY)
    answer = await submit(asker, asker.floor.table(table), sent_id, command)
    given, event = accepted_as(answer, _EVENTS[type(command)], **asdict(command))
    return given.last, event


async def _at_seat(
    request: HouseRequest,
    table: str,
    seat: str,
    sent_id: str,
    command: ask.MoneyCommand,
) -> SeatPaidShown:
    sequence, moved = await _moved(request, table, sent_id, command)
    credit = views.credit_of(request.caller.floor.table(table).state, seat)
    voucher = moved.code if isinstance(moved, money.VoucherIssued) else None
    cents: int = getattr(moved, "cents", 0)
    return SeatPaidShown(sent_id, sequence, seat, cents, voucher, credit)


async def _at_table(
    request: HouseRequest, table: str, sent_id: str, command: ask.MoneyCommand
) -> DoneShown:
    sequence, _ = await _moved(request, table, sent_id, command)
    return DoneShown(sent_id, sequence)


@api.post(
    "/api/tables/{table}/seats/{seat}/buy-in",
    summary="Take cash for credit at a seat.",
    auth=STAFF,
    errors=(409,),
)
async def buy_in(
    request: HouseRequest, body: AmountBody, *, table: Name, seat: Name
) -> SeatPaidShown:
    command = ask.BuyIn(seat, body.cents)
    return await _at_seat(request, table, seat, body.id, command)


@api.post(
    "/api/tables/{table}/seats/{seat}/cash-out",
    summary="Pay credit of a seat in cash.",
    auth=STAFF,
    errors=(409,),
)
async def cash_out(
    request: HouseRequest, body: AmountBody, *, table: Name, seat: Name
) -> SeatPaidShown:
    command = ask.CashOut(seat, body.cents)
    return await _at_seat(request, table, seat, body.id, command)


@api.post(
    "/api/tables/{table}/seats/{seat}/voucher",
    summary="Pay credit of a seat as a voucher.",
    auth=STAFF,
    errors=(409,),
)
async def issue_voucher(
    request: HouseRequest, body: AmountBody, *, table: Name, seat: Name
) -> SeatPaidShown:
    command = ask.IssueVoucher(seat, body.cents)
    return await _at_seat(request, table, seat, body.id, command)


class RedeemBody(Body, frozen=True):
    id: SentId
    code: Annotated[str, Meta(min_length=1, max_length=40)]


@api.post(
    "/api/tables/{table}/seats/{seat}/redeem",
    summary="Take a voucher for credit at a seat.",
    auth=STAFF,
    errors=(409,),
)
async def redeem_voucher(
    request: HouseRequest, body: RedeemBody, *, table: Name, seat: Name
) -> SeatPaidShown:
    command = ask.RedeemVoucher(seat, body.code.strip().upper())
    return await _at_seat(request, table, seat, body.id, command)


class SeatMoneyShown(msgspec.Struct, frozen=True):
    """A seat with credit, or a Player who owes something after a correction."""

    seat: str
    credit_cents: int
    claim_cents: int


class TableMoneyShown(msgspec.Struct, frozen=True):
    seats: list[SeatMoneyShown]
    float_cents: int
    """What the table's own chips are worth, by the book."""
    cash_cents: int
    """What was taken in, less what was paid out."""


@api.get(
    "/api/tables/{table}/seats",
    summary="Credit and claims of every seat, and the float by the book.",
    auth=STAFF,
)
async def list_seats(request: HouseRequest, *, table: Name) -> TableMoneyShown:
    request.caller.must(HouseAct.HANDLE_MONEY)
    state = request.caller.floor.table(table).state
    named = {
        account.partition(":")[2]
        for account, cents in state.balances.items()
        if cents and account.startswith((_SEAT, _CLAIM))
    }
    seats = [
        SeatMoneyShown(name, views.credit_of(state, name), views.claim_of(state, name))
        for name in sorted(named)
    ]
    return TableMoneyShown(seats, -state.balance(FLOAT), -state.balance(CASH))


class FloatCountBody(Body, frozen=True):
    id: SentId
    count: Count
    cents: Annotated[int, Meta(ge=0, le=10**12)]


@api.post(
    "/api/tables/{table}/float/count",
    summary="Count the table's chips; a difference to the book is posted.",
    auth=STAFF,
    errors=(409,),
)
async def count_float(
    request: HouseRequest, body: FloatCountBody, *, table: Name
) -> DoneShown:
    command = ask.CountFloat(body.count, body.cents)
    return await _at_table(request, table, body.id, command)


@api.post(
    "/api/tables/{table}/float/fill",
    summary="Bring chips from the cage to the float.",
    auth=STAFF,
    errors=(409,),
)
async def fill_float(
    request: HouseRequest, body: AmountBody, *, table: Name
) -> DoneShown:
    return await _at_table(request, table, body.id, ask.Fill(body.cents))


@api.post(
    "/api/tables/{table}/float/credit",
    summary="Take chips from the float to the cage.",
    auth=STAFF,
    errors=(409,),
)
async def credit_float(
    request: HouseRequest, body: AmountBody, *, table: Name
) -> DoneShown:
    return await _at_table(request, table, body.id, ask.TakeCredit(body.cents))


class ColourChipsBody(Body, frozen=True):
    id: SentId
    player: Name
    chips: Annotated[int, Meta(ge=1, le=1_000_000)]


@api.post(
    "/api/tables/{table}/colours/{colour}/buy",
    summary="Sell colour chips for cash to the Player of the colour.",
    auth=STAFF,
    errors=(409,),
)
async def buy_colour_chips(
    request: HouseRequest, body: ColourChipsBody, *, table: Name, colour: Name
) -> DoneShown:
    command = ask.BuyColourChips(body.player, colour, body.chips)
    return await _at_table(request, table, body.id, command)


@api.post(
    "/api/tables/{table}/colours/{colour}/buy-back",
    summary="Take colour chips back for cash.",
    auth=STAFF,
    errors=(409,),
)
async def buy_back_colour_chips(
    request: HouseRequest, body: ColourChipsBody, *, table: Name, colour: Name
) -> DoneShown:
    command = ask.BuyBackColourChips(body.player, colour, body.chips)
    return await _at_table(request, table, body.id, command)


@api.post(
    "/api/tables/{table}/claims/{player}/pay",
    summary="Take cash for what a correction left owing.",
    auth=STAFF,
    errors=(409,),
)
async def pay_claim(
    request: HouseRequest, body: AmountBody, *, table: Name, player: Name
) -> DoneShown:
    command = ask.PayClaim(player, body.cents)
    return await _at_table(request, table, body.id, command)
