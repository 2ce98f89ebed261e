"""Corrections, limits and authority in a served house, on each database."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from croupier.rules.events import OutcomeCorrected, OutcomeDecided, ResultSent
from croupier.table.answers import event_of
from tests.house_server.line import line_to
from tests.house_server.server import PASSWORD, House

pytestmark = pytest.mark.anyio

SHIFT_MANAGER = "Table Games Shift Manager"


def test_of_two_corrections_confirmed_at_once_one_goes_through(house: House) -> None:
    async def play() -> int:
        house.deal("triple")
        async with line_to(house, "triple", staff="Dana") as dealer:
            acts = ("spin", "no more bets", "outcome 17", "settle")
            await dealer.acts("place your bets", *acts)
            return dealer.view.round

    number = asyncio.run(play())
    sessions = [house.session(name) for name in ("Sam", "Sue")]
    proposed = [
        house.propose(
            "triple",
            f"correct round {number} to {outcome}",
            by=("Dana", "Sam"),
            confirm=False,
        ).json["number"]
        for outcome in ("5", "8")
    ]

    def confirm(number: int, token: str) -> int:
        path = f"/api/tables/triple/proposals/{number}/confirm"
        return house.http("POST", path, {"password": PASSWORD}, token=token).status

    with ThreadPoolExecutor(2) as pool:
        statuses = sorted(pool.map(confirm, proposed, sessions))

    assert statuses == [200, 409]
    rows = [row for row in house.rows("triple") if row.round_number == number]
    events = [event_of(row) for row in rows]
    [corrected] = [each for each in events if isinstance(each, OutcomeCorrected)]
    sent = [each.number for each in events if isinstance(each, ResultSent)]
    assert sent == ["17", corrected.corrected_to], "1.3: the result is sent again"


def test_limits_are_not_changed_away(house: House) -> None:
    for limits in ([], ["straight_up 1 100"]):
        body = {"id": house.new_id(), "limits": limits, "settings": []}
        token = house.session("Mira")

        reply = house.http("PUT", "/api/tables/v3/terms", body, token=token)

        assert (reply.status, reply.json["clause"]) == (409, "3.3.1")
    assert house.events("v3", "TermsChanged") == []


def test_an_acting_shift_manager_decides_and_the_result_is_sent(house: House) -> None:
    now = house.ask("GET", "/api/house")["at_ms"]
    acting = {"position": SHIFT_MANAGER, "from_ms": now - 1000}
    acting["until_ms"] = now + 3_600_000
    house.ask("POST", "/api/staff/Sue/acting", acting, by="Mira")

    async def play() -> int:
        house.deal("triple")
        async with (
            line_to(house, "triple", staff="Dana") as dealer,
            line_to(house, "triple", staff="Sue") as sue,
            line_to(house, "triple", device="Cara-triple") as cara,
        ):
            await dealer.acts("place your bets", "spin", "no more bets")
            await dealer.acts("irregularity unlisted")
            await sue.done("act", act="decide outcome 17")
            await cara.until(lambda: cara.view.winning_number == "17", "the result")
            await dealer.acts("settle")
            await sue.done("act", act=f"decide round {dealer.view.round} outcome 18")
            await cara.until(lambda: cara.view.winning_number == "18", "the new result")
            return dealer.view.round

    number = asyncio.run(play())

    rows = [row for row in house.rows("triple") if row.round_number == number]
    events = [event_of(row) for row in rows]
    sent = [each.number for each in events if isinstance(each, ResultSent)]
    decided = [each.by for each in events if isinstance(each, OutcomeDecided)]
    assert sent == ["17", "18"]
    assert {(by.name, by.role.value, by.acting) for by in decided} == {
        ("Sue", SHIFT_MANAGER, True)
    }
