"""Acts of two people over HTTP, for tests to ask for."""

from __future__ import annotations

from croupier.ledger.commands import BuyIn
from croupier.rules.operator import Person, Role
from tests.web.a_house import PASSWORD, House

PAUL = Person("Paul", Role.PLAYER)
PATH = "/api/proposals"
AT_T1 = "/api/tables/t1/proposals"


async def played(house: House) -> None:
    """Dana deals; Paul wins 350.00 with 10.00 on 17, and has 1,000.00 besides."""
    await deal(house, "Dana")
    await house.act("t1", BuyIn("Paul", 101_000))
    await house.say("t1", "Dealer: place your bets")
    await house.act("t1", house.wager("Paul", "17", 1_000), PAUL)
    await house.finish_round("t1", "17")


async def deal(house: House, name: str, table: str = "t1") -> str:
    """Have a person deal at a table; return their token."""
    token = await house.log_on(name)
    await house.post(f"/api/tables/{table}/dealer", token=token)
    return token


WHY = {"because": "the ball was misread"}


def correction(**change: object) -> dict[str, object]:
    act = {"kind": "correct", "round_number": 1, "number": "5", **WHY}
    return {"act": act, "password": PASSWORD, **change}


def adjustment(cents: int, reason: str = "a mistake") -> dict[str, object]:
    act = {"kind": "adjust", "seat": "Paul", "cents": cents, "reason": reason}
    return correction(act=act)


def confirmation(**change: object) -> dict[str, object]:
    return {"password": PASSWORD, **change}
