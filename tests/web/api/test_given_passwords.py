"""A password that somebody else gave is changed before anything is done with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.records.house_record import Denied
from croupier.protocol import messages as msg
from tests.web.a_house import PASSWORD, REAL, House, in_house
from tests.web.api.test_log_on import paired
from tests.web.api.test_proposals import PATH, adjustment

GIVEN, OWN = "seventeen black", "thirty-two red"
DAY_MINUTES = 24 * 60


def unasked(house: House, name: str) -> str:
    """A session of somebody who would have to log on at a device."""
    return house.floor.sessions.log_on_unasked(name)[0]


async def give(house: House, by: str, name: str) -> None:
    path, body = f"/api/staff/{name}/password", {"password": GIVEN}
    answer = await house.ask("PUT", path, body, token=unasked(house, by))
    assert answer.status == 204, answer.body


async def change(house: House, name: str) -> None:
    body = {"password": GIVEN, "new_password": OWN}
    path, token = "/api/me/password", unasked(house, name)
    answer = await house.ask("PUT", path, body, token=token)
    assert answer.status == 204, answer.body


def test_nothing_is_done_before_it_is_changed(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        station = await paired(house, unasked(house, "Ada"), "station", None)
        await give(house, "Ada", "Sam")
        log_on = {"name": "Sam", "password": GIVEN, "device": station}

        session = await house.post("/api/log-on", log_on)
        sam = session["token"]

        assert session["must_change_password"]
        said = "change the password that Ada gave you first"
        for method, path, body in (
            ("GET", "/api/proposals", None),
            ("GET", "/api/meters", None),
            ("POST", "/api/tables/t1/open", {"id": "a"}),
            ("POST", PATH, adjustment(500)),
            ("PUT", "/api/staff/Sam/password", {"password": OWN}),
        ):
            assert await house.refused(403, method, path, body, sam) == said
        hello = msg.Hello(table="t1", device=station, session=sam)
        with pytest.raises(Denied, match="Ada gave you"):
            house.floor.connect(hello, None)  # type: ignore[arg-type]
        assert (await house.get("/api/me", sam))["must_change_password"]
        shown = await house.get("/api/staff", unasked(house, "Ada"))
        assert [p["name"] for p in shown if p["must_change_password"]] == ["Sam"]

        await change(house, "Sam")
        session = await house.post("/api/log-on", {**log_on, "password": OWN})

        assert not session["must_change_password"]
        await house.get("/api/proposals", session["token"])

    in_house(tmp_path, scenario, REAL)


@pytest.mark.parametrize(("first", "second"), [("Mira", "Max"), ("Max", "Mira")])
def test_giver_and_given_are_not_two_people_on_that_day(
    tmp_path: Path, first: str, second: str
) -> None:
    async def scenario(house: House) -> None:
        house.seat("t1", "Paul")
        await give(house, "Mira", "Max")
        await change(house, "Max")
        passwords = {"Mira": PASSWORD, "Max": OWN}
        body = {**adjustment(500), "password": passwords[first]}
        path, confirm = f"{PATH}/1/confirm", {"password": passwords[second]}

        await house.post(PATH, body, unasked(house, first))
        token = unasked(house, second)
        error = await house.refused(403, "POST", path, confirm, token)

        assert error.startswith("Mira gave Max a password: they do nothing together")
        answer = await house.ask(
            "POST", path, {"password": PASSWORD}, token=unasked(house, "Sam")
        )
        assert answer.status == 200, answer.body
        house.pass_minutes(DAY_MINUTES)
        await house.post(PATH, body, unasked(house, first))
        path = f"{PATH}/2/confirm"
        await house.post(path, confirm, unasked(house, second))

    in_house(tmp_path, scenario, REAL)


def test_two_whom_a_third_gave_theirs_are_not_two_people(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        house.seat("t1", "Paul")
        for name in ("Sam", "Max"):
            await give(house, "Ada", name)
            await change(house, name)
        body = {**adjustment(500), "password": OWN}
        path, confirm = f"{PATH}/1/confirm", {"password": OWN}
        await house.post(PATH, body, unasked(house, "Sam"))

        error = await house.refused(403, "POST", path, confirm, unasked(house, "Max"))

        assert error.startswith("Ada gave Sam and Max their passwords")
        mira = unasked(house, "Mira")
        await house.post(path, {"password": PASSWORD}, mira)

    in_house(tmp_path, scenario, REAL)


def test_a_password_of_the_demonstration_is_everybodys(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        ada = await house.log_on("Ada")
        body = {"password": GIVEN}
        await house.ask("PUT", "/api/staff/Sam/password", body, token=ada)

        session = await house.post("/api/log-on", {"name": "Sam", **body})

        assert not session["must_change_password"]
        await house.get("/api/proposals", session["token"])

    in_house(tmp_path, scenario)


def test_ones_own_is_changed_with_the_one_before(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        path, body = "/api/staff/Ada/password", {"password": OWN}

        error = await house.refused(409, "PUT", path, body, await house.log_on("Ada"))

        assert error == "your own password is changed with the one before"

    in_house(tmp_path, scenario)


def test_nobody_changes_their_own_rights(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        ada = await house.log_on("Ada")
        for duties in (["administrator", "cashier"], ["inspector"]):
            body = {"name": "Ada", "duties": duties}
            error = await house.refused(403, "POST", "/api/staff", body, ada)
            assert error == "nobody changes their own positions and duties"

        assert (await house.get("/api/me", ada))["duties"] == ["administrator"]

    in_house(tmp_path, scenario)
