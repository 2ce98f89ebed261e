"""Tables over HTTP: opened, closed, dealt at, looked at; limits that change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.rules.operator import Person, Role
from tests.web.a_house import TEXT, House, in_house

BROKEN = "Dealer: irregularity ball_broke"
VIRTUAL = TEXT.replace('"console"', '"virtual"', 1)


async def table(house: House, name: str = "t1") -> Any:
    tables = await house.get("/api/tables")
    return next(each for each in tables if each["name"] == name)


def test_a_table_is_closed_and_opened_once(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
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

    in_house(tmp_path, scenario)


def test_new_limits_are_in_force_with_the_next_round(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
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
        assert "close on drop" in error, "one person leaves the sensor as it is"

    in_house(tmp_path, scenario)


def test_an_interpretation_is_recorded_with_its_rounds(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        mira, sam = await house.log_on("Mira"), await house.log_on("Sam")
        await house.play_round("t1", outcome="17")
        path = "/api/tables/t1/interpretations"
        body = {"id": "1", "question": "at rest?", "answer": "no", "rounds": [1]}

        refused = await house.ask("POST", path, body, token=sam)
        done = await house.post(path, {**body, "id": "2"}, mira)
        later = {**body, "id": "3", "rounds": [2]}
        unknown = await house.ask("POST", path, later, token=mira)

        assert (refused.status, refused.json()["clause"]) == (409, "5.10")
        assert (unknown.status, unknown.json()["clause"]) == (409, "5.10")
        [row] = [
            each
            for each in house.floor.store.events("t1")
            if each.kind == "InterpretationRecorded"
        ]
        assert row.sequence == done["sequence"]

    in_house(tmp_path, scenario)


def test_dealers_rotate(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
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

    in_house(tmp_path, scenario)


def test_a_dealer_is_relieved_by_a_supervisor_and_by_no_other_dealer(
    tmp_path: Path,
) -> None:
    async def scenario(house: House) -> None:
        dana, dora = await house.log_on("Dana"), await house.log_on("Dora")
        sam = await house.log_on("Sam")
        path = "/api/tables/t1/dealer"
        await house.post(path, token=dana)
        await house.post("/api/tables/t2/dealer", token=dora)

        taken = await house.refused(409, "POST", path, token=dora)
        gone = await house.refused(409, "DELETE", path, token=dora)

        assert taken == (
            "Dana deals at t1: they go first, or a supervisor relieves them"
        )
        assert gone == "Dora does not deal at t1"
        assert (await table(house))["dealer"] == "Dana"
        assert (await house.get("/api/me", dora))["deals_at"] == "t2"
        assert (await house.ask("DELETE", path, token=sam)).status == 200
        await house.post(path, token=dora)
        assert (await table(house))["dealer"] == "Dora"
        log = await house.get("/api/log?kind=dealer", sam)
        went = [each["by"] for each in log["events"] if each["event"] == "DealerWent"]
        assert went == ["Sam", "Dora"]

    in_house(tmp_path, scenario)


def test_the_staff_see_every_wager_and_a_terminal_its_own(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        sam = await house.log_on("Sam")
        seats = [
            await house.post("/api/demonstration/seat", {"table": "t1"})
            for _ in range(2)
        ]
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

    in_house(tmp_path, scenario)


def test_a_virtual_wheel_is_labelled_as_no_documents_wheel(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        assert "no document's wheel" in (await table(house))["wheel_label"]
        assert (await table(house, "t2"))["wheel_label"] is None

    in_house(tmp_path, scenario, VIRTUAL)


def test_history_counts_and_says_that_it_is_information_only(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
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

    in_house(tmp_path, scenario)
