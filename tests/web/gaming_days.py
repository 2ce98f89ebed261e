"""A gaming day with play, for tests to close."""

from __future__ import annotations

from croupier.ledger.commands import Adjust
from croupier.rules.operator import Person, Role
from tests.web.a_house import House

PAUL = Person("Paul", Role.PLAYER)


DAY, NEXT_DAY = "2027-01-15", "2027-01-16"


CLOSE = "/api/gaming-day/close"


async def busy_day(house: House) -> None:
    carl = await house.log_on("Carl")
    seat, table = "/api/tables/t1/seats/Paul", "/api/tables/t1"
    count = {"id": "c", "count": "opening", "cents": 100_000}
    await house.post(f"{table}/float/count", count, carl)
    await house.post(f"{table}/float/fill", {"id": "f", "cents": 700}, carl)
    await house.post(f"{table}/float/credit", {"id": "g", "cents": 300}, carl)
    await house.post(f"{seat}/buy-in", {"id": "1", "cents": 20_000}, carl)
    for wager, cents, number in (
        ("17", 1_000, "17"),
        ("red", 2_000, "2"),
        ("red", 500, "1"),
    ):
        await house.say("t1", "Dealer: place your bets")
        await house.act("t1", house.wager("Paul", wager, cents), PAUL)
        await house.finish_round("t1", number)
    voucher = await house.post(f"{seat}/voucher", {"id": "2", "cents": 5_000}, carl)
    redeem = {"id": "3", "code": voucher["voucher"]}
    await house.post("/api/tables/t2/seats/Paul/redeem", redeem, carl)
    cash = await house.post(f"{seat}/voucher", {"id": "6", "cents": 1_200}, carl)
    pay = {"id": "7", "code": cash["voucher"]}
    await house.post("/api/tables/t2/vouchers/pay", pay, carl)
    await house.post(f"{seat}/cash-out", {"id": "4", "cents": 46_800}, carl)
    staff = (Person("Dana", Role.DEALER), Person("Sam", Role.PIT_SUPERVISOR))
    await house.act("t1", Adjust("Paul", 150, "a slip"), *staff)
    await house.act("t1", house.act_of("t1", "correct round 1 to 5"), *staff)
    pay = {"id": "5", "cents": 1_000}
    await house.post("/api/tables/t1/claims/Paul/pay", pay, carl)
