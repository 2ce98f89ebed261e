"""A seat over HTTP, by the token of its terminal."""

from __future__ import annotations

from pathlib import Path

from croupier.rules.operator import Person, Role
from croupier.table import commands as ask
from tests.web.a_house import House, in_house

SEAT = "/api/tables/t1/seat"


async def guest(house: House, cents: int = 10_000) -> tuple[str, str]:
    """The token and the name of a terminal with credit."""
    seat = await house.post("/api/demonstration/seat", {"table": "t1"})
    name = seat["device"]
    await house.act("t1", ask.BuyIn(name, cents))
    return seat["token"], name


async def place(house: House, seat: str, wager: str, cents: int) -> None:
    person = Person(seat, Role.PLAYER)
    await house.act("t1", house.wager(seat, wager, cents), person)


def test_a_terminal_sees_what_its_own_chips_would_bring(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        (token, anna), (_, ben) = await guest(house), await guest(house)
        assert (await house.get(f"{SEAT}/results", token))["numbers"] == []
        await house.say("t1", "Dealer: place your bets")
        await place(house, anna, "17", 100)
        await place(house, ben, "18", 5_000)

        shown = await house.get(f"{SEAT}/results", token)

        nets = {each["number"]: each["least_cents"] for each in shown["numbers"]}
        assert (nets["17"], nets["18"], nets["000"]) == (3_500, -100, -100)
        assert (shown["stake_cents"], shown["house_edge"]) == (100, "1/13")
        for path in ("/api/tables/t2/seat/results",):
            await house.refused(403, "GET", path, token=token)
        sam = await house.log_on("Sam")
        await house.refused(401, "GET", f"{SEAT}/results", token=sam)

    in_house(tmp_path, scenario)
