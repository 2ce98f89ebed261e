"""Tables over HTTP: opening, closing, dealing, views, and changes of limits."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.rules.operator import Person, Role
from tests.web.a_house import TEXT, House

pytestmark = pytest.mark.anyio

BROKEN = "Dealer: irregularity ball_broke"
VIRTUAL = TEXT.replace('"console"', '"virtual"', 1)


async def table(house: House, name: str = "t1") -> Any:
    tables = await house.get("/api/tables")
    return next(each for each in tables if each["name"] == name)


async def test_a_table_is_closed_and_opened_once(house: House) -> None:
    sam = await house.log_on("Sam")
    await house.play_round("t1", outcome="17")
    closed = await house.post("/api/tables/t1/close", {"id": "1"}, sam)

    assert not (await table(house))["is_open"]
    again = await house.post("/api/tables/t1/close", {"id": "1"}, sam)
    assert again == closed
    answer = await house.ask("POST", "/api/tables/t1/close", {"id": "2"}, token=sam)
    assert (answer.status, answer.json()["clause"]) == (409, "3.2")
    await house.post("/api/tables/t1/open", {"id": "3"}, sam)
    assert (await table(house))["is_open"]
    path = "/api/tables/t9/open"
    error = await house.refused(404, "POST", path, {"id": "1"}, sam)
    assert error == "there is no table 't9'"


async def test_new_limits_are_in_force_with_the_next_round(house: House) -> None:
    mira = await house.log_on("Mira")
    await house.say("t1", "Dealer: place your bets")
    body = {"id": "1", "limits": ["* 5 50"], "settings": []}
    answer = await house.ask("PUT", "/api/tables/t1/terms", body, token=mira)
    assert answer.status == 200

    state = (await house.get("/api/tables/t1/state", mira))["view"]
    assert state["limits"][0]["minimum_cents"] == 100
    assert state["next_limits"][0]["minimum_cents"] == 500
    assert await house.get("/api/tables/t1/terms") == {
        "limits": ["* 5.00 50.00"],
        "settings": [],
    }
    await house.say("t1", "Dealer: spin", "Dealer: no more bets")
    await house.say("t1", "Dealer: outcome 17", "Dealer: settle")
    await house.say("t1", "Dealer: place your bets")
    state = (await house.get("/api/tables/t1/state", mira))["view"]
    assert state["limits"][0]["minimum_cents"] == 500
    assert state["next_limits"] is None

    bad = {"id": "2", "limits": ["* 50 5"], "settings": []}
    error = await house.refused(409, "PUT", "/api/tables/t1/terms", bad, mira)
    assert error == "the minimum is above the maximum"
    off = {"id": "3", "limits": ["* 5 50"], "settings": ["close_on_drop off"]}
    error = await house.refused(409, "PUT", "/api/tables/t1/terms", off, mira)
    assert "close_on_drop" in error, "one person leaves the sensor as it is"


async def test_dealers_rotate(house: House) -> None:
    dana, dora = await house.log_on("Dana"), await house.log_on("Dora")
    path = "/api/tables/t1/dealer"
    await house.post(path, token=dana)
    assert (await table(house))["dealer"] == "Dana"

    await house.ask("DELETE", path, token=dana)
    await house.post(path, token=dora)

    assert (await table(house))["dealer"] == "Dora"
    assert (await house.get("/api/me", dora))["deals_at"] == "t1"
    error = await house.refused(409, "DELETE", path, token=dana)
    assert error == "Dana does not deal at t1"
    await house.post("/api/tables/t2/dealer", token=dora)
    assert (await table(house))["dealer"] is None
    answer = await house.ask("DELETE", "/api/tables/t2/dealer", token=dora)
    assert answer.json() == {"table": "t2", "dealer": None}
    await house.refused(404, "POST", "/api/tables/t9/dealer", token=dana)


async def test_a_dealer_is_relieved_by_a_supervisor_and_by_no_other_dealer(
    house: House,
) -> None:
    dana, dora = await house.log_on("Dana"), await house.log_on("Dora")
    sam = await house.log_on("Sam")
    path = "/api/tables/t1/dealer"
    await house.post(path, token=dana)
    await house.post("/api/tables/t2/dealer", token=dora)

    taken = await house.refused(409, "POST", path, token=dora)
    gone = await house.refused(409, "DELETE", path, token=dora)

    assert taken == "Dana deals at t1: they must leave, or a supervisor relieves them"
    assert gone == "Dora does not deal at t1"
    assert (await table(house))["dealer"] == "Dana"
    assert (await house.get("/api/me", dora))["deals_at"] == "t2"
    assert (await house.ask("DELETE", path, token=sam)).status == 200
    await house.post(path, token=dora)
    assert (await table(house))["dealer"] == "Dora"
    log = await house.get("/api/log?kind=dealer", sam)
    went = [each["by"] for each in log["events"] if each["event"] == "DealerWent"]
    assert went == ["Sam", "Dora"]


async def test_the_staff_see_every_wager_and_a_terminal_its_own(house: House) -> None:
    sam = await house.log_on("Sam")
    seats = [await house.post("/api/tables/t1/guests") for _ in range(2)]
    await house.say("t1", "Dealer: place your bets")
    for seat, wager in zip(seats, ("17", "red"), strict=True):
        name = seat["device"]
        line = house.wager(name, wager, 500)
        await house.act("t1", line, Person(name, Role.PLAYER))

    path = "/api/tables/t1/wagers"
    assert [each["wager"] for each in await house.get(path, sam)] == [
        "straight_up:17",
        "red",
    ]
    [own] = await house.get(path, seats[1]["token"])
    assert (own["wager"], own["player"]) == ("red", seats[1]["device"])
    other = "/api/tables/t2/wagers"
    await house.refused(403, "GET", other, token=seats[1]["token"])


@pytest.mark.house_file(VIRTUAL)
async def test_a_virtual_wheel_is_labelled_as_no_documents_wheel(house: House) -> None:
    assert "no document's wheel" in (await table(house))["wheel_label"]
    assert (await table(house, "t2"))["wheel_label"] is None


async def test_history_counts_and_says_that_it_is_information_only(
    house: House,
) -> None:
    for number in ("17", "17", "0", "36"):
        await house.play_round("t1", outcome=number)
    await house.say("t1", "Dealer: place your bets", BROKEN)
    await house.say("t1", "Dealer: settle")

    shown = await house.get("/api/tables/t1/history")

    assert shown["label"].startswith("Information only")
    assert [each["number"] for each in shown["rounds"]] == [
        "17",
        "17",
        "0",
        "36",
        None,
    ]
    assert shown["decided"] == 4
    assert shown["hot"][0] == {"number": "17", "times": 2}
    assert shown["cold"][0]["times"] == 0
    assert shown["colours"] == {"black": 2, "green": 1, "red": 1}
    assert (shown["boxes"]["dozen:2"], shown["boxes"]["column:3"]) == (2, 1)
    await house.refused(404, "GET", "/api/tables/t9/history")
