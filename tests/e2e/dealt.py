"""Whole rounds over the protocol, for tests of pages that show past rounds."""

from __future__ import annotations

from typing import Any

from croupier.protocol.client import connect
from croupier.protocol.messages import ConfirmLightsSeen
from tests.e2e.conftest import Seats
from tests.house_server.server import House
from tests.reasons import reasoned


def play(
    seats: Seats,
    house: House,
    table: str,
    number: str,
    *wagers: str,
    seat: str = "Anna",
) -> int:
    """Deal and settle a round with this outcome; return its number."""
    house.deal(table)
    sitting = seats.sit(table, seat)
    session = house.session("Dana")

    async def deal() -> int:
        async with connect(house.address, table, session=session) as dealer:
            await dealer.act("place your bets")
            await sitting.table.until(lambda view: view.phase == "betting")
            await sitting.table.wager(*wagers)
            await dealer.act("spin")
            await dealer.act("no more bets")
            await dealer.until(lambda view: view.phase == "closed")
            if dealer.view.lights is not None:
                await dealer.do(ConfirmLightsSeen)
            await dealer.outcome(number)
            await dealer.act("settle")
            await sitting.table.until(lambda view: view.phase == "ended")
            return dealer.view.round

    return seats.do(deal())


def act(seats: Seats, house: House, table: str, *acts: str, by: str = "Dana") -> Any:
    """Do the Dealer's acts one after another; return the table's view after them."""
    house.deal(table, by)
    session = house.session(by)

    async def say() -> Any:
        async with connect(house.address, table, session=session) as dealer:
            for each in acts:
                await dealer.act(reasoned(each))
            return dealer.view

    return seats.do(say())
