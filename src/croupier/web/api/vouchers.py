"""Vouchers of the house: looked up, reported lost, expired."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.records.house_record import NotThere
from croupier.journal.tables import VoucherRow
from croupier.rules.notation import shown
from croupier.rules.operator import Person, Role
from croupier.web.api.base import HouseRequest, TagApi
from croupier.web.security.authentication import STAFF

api = TagApi("cashier")
Code = Annotated[str, Meta(min_length=1, max_length=40)]


class ExpiredShown(msgspec.Struct, frozen=True):
    vouchers: int


@api.post(
    "/api/vouchers/expire",
    summary="Expire the vouchers that nobody redeemed in time.",
    auth=STAFF,
)
async def expire_vouchers(request: HouseRequest) -> ExpiredShown:
    floor, by = request.caller.floor, request.caller.must(HouseAct.CLOSE_DAY)
    book = floor.record.book
    return ExpiredShown(
        await floor.in_house(lambda: book.expire_vouchers(person_of(by)))
    )


class VoucherShown(msgspec.Struct, frozen=True):
    code: str
    cents: int
    state: str
    """`outstanding`, `claimed`, `redeemed`, `expired` or `lost`."""
    expires: str
    """The last gaming day on which it can be redeemed."""
    issued_at: str
    """The table."""
    held_by: str | None
    """Where it was redeemed, or what ended it."""


@api.get("/api/vouchers/{code}", summary="What became of a voucher.", auth=STAFF)
async def show_voucher(request: HouseRequest, *, code: Code) -> VoucherShown:
    request.caller.must(HouseAct.HANDLE_MONEY)
    found = await asyncio.to_thread(
        request.caller.floor.store.voucher, code.strip().upper()
    )
    return _shown(code, found)


def _shown(code: str, found: VoucherRow | None) -> VoucherShown:
    if found is None:
        raise NotThere(f"there is no voucher {shown(code)}")
    return VoucherShown(
        code=found.code,
        cents=found.cents,
        state=found.state.value,
        expires=found.expires,
        issued_at=found.issuer,
        held_by=found.holder or None,
    )


@api.post(
    "/api/vouchers/{code}/lost",
    summary="Report a voucher lost: it can't be redeemed any more.",
    auth=STAFF,
    errors=(409,),
)
async def report_voucher_lost(request: HouseRequest, *, code: Code) -> VoucherShown:
    floor, by = request.caller.floor, request.caller.must(HouseAct.HANDLE_MONEY)
    written = code.strip().upper()

    def report() -> VoucherRow | None:
        _shown(code, floor.store.voucher(written))
        floor.record.book.report_lost(person_of(by), written)
        return floor.store.voucher(written)

    return _shown(code, await floor.in_house(report))


def person_of(by: Caller) -> Person:
    """Who acts for the house rather than at one of its tables."""
    if by.positions:
        highest = by.positions[-1]
        return Person(by.name, highest.role, highest.acting)
    return Person(by.name, Role.CASHIER)
