"""Every message of the protocol by every kind of sender, in a round of play.

The messages are those of the JSON Schema that a real server hands out, so one that is
added without a row fails here.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.protocol.answers import Answered
from tests.house_server.line import Line, line_to
from tests.house_server.server import House
from tests.security.fields import FIELDS, PIN

# Dana deals at this table, Dora at another; Sam supervises the pit, Carl is cashier
# and attendant, Ines inspects, Ada administrates; a board may have a token or none.
REGISTERED = """
               Anna board nobody console Dora Sam Carl Ines Ada sensor layout Dana
sit            yes  .     .      .       .    .   .    .    .   .      .      .
leave          yes  .     .      .       .    .   .    .    .   .      .      .
redeem         yes  .     .      .       .    .   .    .    .   .      .      .
wagers         yes  .     .      .       .    .   .    .    .   .      .      .
collect        yes  .     .      .       .    .   .    .    .   .      .      .
ask_buy_in     yes  .     .      .       .    .   .    .    .   .      .      .
shown          yes  .     .      .       .    .   .    .    .   .      .      .
answer_notice  .    .     .      .       .    yes yes  .    .   .      .      yes
wheel_fact     .    .     .      .       .    .   .    .    .   yes    .      .
lit            .    .     .      .       .    .   .    .    .   .      yes    .
interpret      .    .     .      .       .    .   .    .    .   .      .      .
confirm_lights .    .     .      .       .    .   .    .    .   .      .      .
ball_was       .    .     .      .       .    .   .    .    .   .      .      .
confirm_ball   .    .     .      .       .    .   .    .    .   .      .      .
act            .    .     .      .       .    yes .    .    .   .      .      yes
outcome        .    .     .      .       .    yes .    .    .   .      .      yes
"""
"""While wagers are taken at a table without lights, and nothing is in doubt: no sender
has lights, a ball or a question of the rules to speak of. Only `outcome`, the last row,
is said after "No more bets"."""
SENDERS: dict[str, dict[str, str]] = {
    "Anna": {"device": "Anna-v3"},
    "board": {"device": "board-v3"},
    "nobody": {},
    "console": {"device": "console-v3"},
    "sensor": {"device": "sensor-sensed"},
    "layout": {"device": "layout-lit"},
}
"""Everybody else is of the staff."""
COLOURS = {"Dana": "green"}
"""What a Dealer issues; the others try another, so that nobody has it before them."""
ELSEWHERE = {"sensor": "sensed", "layout": "lit"}
"""The tables of devices that this one has not."""


def rows() -> dict[str, dict[str, str]]:
    head, *lines = [line.split() for line in REGISTERED.strip().splitlines()]
    return {name: dict(zip(head, cells, strict=True)) for name, *cells in lines}


def test_every_message_that_is_published_has_a_row(house: House) -> None:
    kinds = house.ask("GET", "/api/protocol.json")["$defs"]
    names = [each["$ref"].rpartition("/")[2] for each in kinds["ToHouse"]["oneOf"]]
    published = {kinds[name]["properties"]["type"]["enum"][0] for name in names}

    assert published - {"hello", "ping"} == set(rows())


@pytest.fixture
def in_play(house: House) -> House:
    """A house with credit at one seat, a Player, and a Dealer at each of two tables."""
    house.deal("v3", by="Dana")
    house.deal("v2", by="Dora")
    house.deal("sensed", by="Dora")
    house.ask("POST", "/api/players", {"name": "Pia", "pin": PIN}, by="Carl")
    house.buy_in("v3", "Ben-v3", cents=9_000)
    return house


def test_no_sender_can_speak_for_another(in_play: House) -> None:
    *during, outcome = rows()

    async def play() -> list[tuple[str, str]]:
        async with (
            line_to(in_play, "v3", staff="Mira") as pit,
            line_to(in_play, "v3", device="Ben-v3") as ben,
            line_to(in_play, "v3", staff="Dana") as dealer,
            line_to(in_play, "sensed", staff="Dora") as sensed,
        ):
            await dealer.acts("place your bets")
            await sensed.acts("place your bets")
            found = await _registered(in_play, during, pit, ben)
            await dealer.acts("spin", "no more bets")
            return found + await _registered(in_play, [outcome], pit, ben)

    expected = [
        (kind, who)
        for kind, row in rows().items()
        for who, cell in row.items()
        if cell == "yes"
    ]
    assert set(asyncio.run(play())) ^ set(expected) == set()


async def _registered(
    house: House, kinds: list[str], pit: Line, ben: Line
) -> list[tuple[str, str]]:
    """Which messages were taken from whom."""
    found = []
    for who in rows()[kinds[0]]:
        named = SENDERS.get(who, {"staff": who})
        async with line_to(house, ELSEWHERE.get(who, "v3"), **named) as line:
            for kind in kinds:
                fields = await _fields(house, kind, pit, ben)
                if kind == "act":
                    fields["act"] = f"colour {COLOURS.get(who, 'blue')} to Ben-v3 5"
                answer = await line.ask(kind, **fields)
                if isinstance(answer, Answered) and answer.registered:
                    found.append((kind, who))
    return found


async def _fields(house: House, kind: str, pit: Line, ben: Line) -> dict[str, Any]:
    """A message that somebody at this table could have registered now."""
    if kind == "answer_notice":
        if not pit.staff.notices:
            await ben.done("ask_buy_in", cents=100)
        await pit.until(lambda: pit.staff.notices, "the notice")
        return {"notice": pit.staff.notices[0].id, "accept": True}
    if kind == "redeem":
        path = "/api/tables/v3/seats/Ben-v3/voucher"
        body = {"id": house.new_id(), "cents": 600}
        given = await asyncio.to_thread(house.ask, "POST", path, body, by="Carl")
        return {"code": given["voucher"]}
    return {**FIELDS.get(kind, {})}
