"""Whole rounds of each game over sockets, compared with the engine."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from tests.house_server.line import agree, line_to
from tests.house_server.playing import Floor, rounds_of
from tests.house_server.server import CREDIT, SEATS, House

_V2 = """
round
Dealer: place your bets
Anna: place straight_up:0 10 as w1
Ben: place odd 50 as w2
Ben: place red 5000 as w3
Cara: place split:17/20 10 as w4
Cara: withdraw w4
Dealer: no more bets
Dealer: spin
Vera: lay 0/1/2/3 10 as w5
Dealer: no more bets
Ben: increase w2 50
Dealer: outcome 0
Dealer: settle
round
Dealer: place your bets
Anna: place straight_up:17 10 as w1
Dealer: spin
Dealer: no more bets
Dealer: power failure
Dealer: outcome 17
Gaming Shift Manager: decide outcome 17
Dealer: settle
"""
_V3 = """
round
Dealer: place your bets
Anna: place straight_up:17 100 as w1
Ben: place split:17/20 20 as w2
Ben: increase w2 5
Cara: place dozen:2 20 as w9
Vera: lay straight_up:17 600 as w3
Pit Supervisor for Wim: lay red 50 as w4
Dealer: unclear w4
Dealer: spin
Dealer: no more bets
Anna: withdraw w1
Dealer: outcome 17
Dealer: settle
Pit Supervisor: rule w4 black
Dealer: settle
round
Dealer: place your bets
Ben: place black 50 as w1
Dealer: spin
Dealer: no more bets
Dealer: outcome 20
Dealer: settle
Pit Supervisor + Pit Manager: correct round 2 to 34
round
Dealer: place your bets
Anna: place straight_up:17 10 as w1
Dealer: spin 3
Dealer: settle
"""
_COMPLETE = """
round
Dealer: place your bets
Anna: place orphelins 10 as w1
Ben: place complete:17 5 as w2
Cara: place voisins_du_zero 5 as w3
Cara: place tiers 2000 as w4
Vera: lay complete:20 5 as w5 chips 55
Dealer: spin
Dealer: no more bets
Dealer: outcome 17
Dealer: settle
"""
_FAST = """
round
Dealer: place your bets
Anna: place straight_up:27 25 as w1
Anna: place bonus_win 50 as w2
Ben: place super_bonus_win 5 as w3
Ben: place scatter_bonus 5 as w4
Cara: place split:17/18 10 as w5
Cara: place straight_up:S 10 as w6
Pit Manager: allow early close
Dealer: no more bets
draw
Dealer: spin
Dealer: outcome 27
Dealer: settle
round
Dealer: place your bets
Ben: place scatter_bonus 5 as w1
Dealer: spin
Dealer: no more bets
draw
Dealer: irregularity foreign_object
Dealer: settle
"""
_TRIPLE = """
round
Dealer: place your bets
Anna: place top_line 50 as w1
Anna: place grand_series 5 as w2
Ben: place green 25 as w3
Cara: place neighbours:21:3 5 as w4
Ben: lay red 10 as w5
Dealer: no more bets
Dealer: spin
Dealer: outcome 2
Dealer: settle
round
Dealer: place your bets
Anna: place neighbours:21:3 5 as w1
Dealer: spin
Dealer: no more bets
Dealer: irregularity ball_broke
Dealer: settle
"""
SCRIPTS = {
    "v2": _V2,
    "v3": _V3,
    "complete": _COMPLETE,
    "fast": _FAST,
    "triple": _TRIPLE,
}


@pytest.mark.parametrize("table", SCRIPTS)
def test_rounds_over_sockets_come_out_as_in_the_engine(
    table: str, house: House
) -> None:
    asyncio.run(_played(house, table))


async def _played(house: House, table: str) -> None:
    house.buy_in(table, *(f"{seat}-{table}" for seat in SEATS))
    async with Floor(house, table) as floor:
        await floor.play(*SCRIPTS[table].split("\n")[1:-1])

        played = floor.engine()
        floor.check_answers(played)
        rounds = rounds_of(played)
        await _check_everybody_was_told(floor, rounds)
        _check_history(house, table, rounds)
        _check_recall(house, table, rounds)
        _check_credit(house, table, rounds)
        async with line_to(house, table, staff="Mira") as later:
            await agree(floor.lines["Mira"], later)
        for seat in SEATS:
            async with line_to(house, table, device=f"{seat}-{table}") as later:
                await agree(floor.lines[seat], later)


async def _check_everybody_was_told(floor: Floor, rounds: list[dict[str, Any]]) -> None:
    """Check that the staff heard of every wager, and each terminal of its own only."""
    last = rounds[-1]["round"]
    for seat, line in floor.lines.items():
        await line.event("RoundSettled", round_number=last)
        for each in rounds:
            told = [
                one
                for one in line.events()
                if one.event == "RoundSettled" and one.round == each["round"]
            ][-1]
            own = f"{seat}-{floor.table}"
            mine = [
                wager
                for wager in each["wagers"]
                if seat not in SEATS or wager["player"] == own
            ]
            prefix = f"{own}_" if seat in SEATS else ""
            assert told.fields["winning_number"] == each["winning_number"]
            settled = line.settlements().get(each["round"], [])
            assert _plain(settled, prefix) == _plain(mine, prefix)


def _check_history(house: House, table: str, rounds: list[dict[str, Any]]) -> None:
    history = house.ask("GET", f"/api/tables/{table}/history")
    assert [(each["round"], each["number"]) for each in history["rounds"]] == [
        (each["round"], each["winning_number"]) for each in rounds
    ]
    drawn = [sorted(each["bonus"]) for each in history["rounds"]]
    assert drawn == [sorted(each["bonus_numbers"]) for each in rounds]


def _check_recall(house: House, table: str, rounds: list[dict[str, Any]]) -> None:
    for each in rounds:
        path = f"/api/tables/{table}/rounds/{each['round']}"
        recalled = house.ask("GET", path, by="Ines")
        assert recalled["winning_number"] == each["winning_number"]
        assert _plain(recalled["wagers"]) == _plain(each["wagers"])


def _check_credit(house: House, table: str, rounds: list[dict[str, Any]]) -> None:
    credit: Counter[str] = Counter({f"{seat}-{table}": CREDIT for seat in SEATS})
    for each in rounds:
        for player, sums in each["players"].items():
            credit[player] += sums["paid_cents"] - sums["collected_cents"]
    seats = house.ask("GET", f"/api/tables/{table}/seats", by="Carl")["seats"]
    told = {each["seat"]: each["credit_cents"] for each in seats}
    assert {seat: told[seat] for seat in told if table in seat} == {
        seat: cents for seat, cents in credit.items() if table in seat
    }


def _plain(wagers: list[dict[str, Any]], prefix: str = "") -> list[tuple[Any, ...]]:
    """Return wagers with their results; ids are written as in the engine."""
    return [
        (
            each["id"].replace(".", "_").removeprefix(prefix),
            each["player"],
            each["wager"],
            each["stake_cents"],
            each["paid_cents"],
            each["collected_cents"],
            each["returned_cents"],
            tuple(
                (one["area"], one["paid_cents"], one["collected_cents"])
                for one in each["pieces"]
            ),
        )
        for each in wagers
    ]
