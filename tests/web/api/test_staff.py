"""Staff over HTTP: joining, leaving, passwords, acting for a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.a_house import NOON, PASSWORD, House, in_house

HOUR = 3_600_000
NINA: dict[str, object] = {
    "name": "Nina",
    "positions": ["Dealer"],
    "duties": ["attendant"],
}
PROPOSALS = "/api/staff/proposals"


async def member(house: House, token: str, name: str) -> Any:
    everybody = await house.get("/api/staff", token)
    return next((each for each in everybody if each["name"] == name), None)


async def give_password(house: House, name: str, password: str) -> None:
    """Ada proposes a temporary password, and Mira confirms it."""
    body = {"temporary": password, "password": PASSWORD}
    path, ada = f"/api/staff/{name}/password", await house.log_on("Ada")
    number = (await house.post(path, body, ada))["number"]
    path, mira = f"/api/proposals/{number}/confirm", await house.log_on("Mira")
    await house.post(path, {"password": PASSWORD}, mira)


async def define(house: House, body: dict[str, object]) -> None:
    """Somebody is on the staff, by Ada's word and Mira's."""
    ada, mira = await house.log_on("Ada"), await house.log_on("Mira")
    proposed = await house.post(PROPOSALS, {**body, "password": PASSWORD}, ada)
    path = f"/api/proposals/{proposed['number']}/confirm"
    await house.post(path, {"password": PASSWORD}, mira)


def test_somebody_joins_and_gets_a_password(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        ada = await house.log_on("Ada")
        await define(house, NINA)
        shown = await member(house, ada, "Nina")
        assert (shown["positions"], shown["has_password"]) == (["Dealer"], False)
        assert shown["duties"] == ["attendant"]
        log_on = {"name": "Nina", "password": PASSWORD}
        await house.refused(401, "POST", "/api/log-on", log_on)

        await give_password(house, "Nina", PASSWORD)

        nina = await house.log_on("Nina")
        assert (await house.get("/api/me", nina))["duties"] == ["attendant"]
        assert (await member(house, ada, "Nina"))["has_password"]

    in_house(tmp_path, scenario)


def test_who_is_removed_or_gets_a_password_is_logged_off(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        ada = await house.log_on("Ada")
        dana, dora = await house.log_on("Dana"), await house.log_on("Dora")

        await give_password(house, "Dana", "battery staple")
        answer = await house.ask("DELETE", "/api/staff/Dora", token=ada)

        assert answer.status == 204
        for token in (dana, dora):
            await house.refused(401, "GET", "/api/me", token=token)
        assert await member(house, ada, "Dora") is None
        error = await house.refused(404, "DELETE", "/api/staff/Dora", token=ada)
        assert error == "'Dora' is not on the staff"
        error = await house.refused(409, "DELETE", "/api/staff/Ada", token=ada)
        assert error == "nobody removes themselves"

    in_house(tmp_path, scenario)


def test_what_is_no_position_or_name_is_refused(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        ada = await house.log_on("Ada")
        for body, status in (
            ({"name": "Nina"}, 409),
            ({"name": "Nina", "positions": ["Player"]}, 409),
            ({"name": " Nina", "duties": ["cashier"]}, 409),
            ({"name": "Nina", "positions": ["Boss"]}, 400),
            ({"name": "", "duties": ["cashier"]}, 400),
        ):
            await house.refused(status, "POST", "/api/staff", body, ada)
            proposal = {**body, "password": PASSWORD}
            await house.refused(status, "POST", PROPOSALS, proposal, ada)

    in_house(tmp_path, scenario)


def test_acting_starts_and_ends_by_the_clock(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        mira, sam = await house.log_on("Mira"), await house.log_on("Sam")
        terms = {"id": "a", "limits": ["* 2 50"], "settings": []}
        path = "/api/tables/t2/terms"
        body = {
            "position": "Pit Manager",
            "from_ms": NOON + HOUR // 6,
            "until_ms": NOON + HOUR // 3,
        }
        answer = await house.ask("POST", "/api/staff/Sam/acting", body, token=mira)
        assert answer.status == 204
        await house.refused(403, "PUT", path, terms, sam)

        house.pass_minutes(10)
        answer = await house.ask("PUT", path, terms, token=sam)
        assert answer.status == 200, answer.body
        acting = (await house.get("/api/me", sam))["positions"][1]
        assert acting["acting"] is True
        assert acting["until_ms"] == NOON + HOUR // 3
        shown = (await member(house, mira, "Sam"))["acting"]
        assert shown[0]["is_in_force"] is True

        house.pass_minutes(10)
        await house.refused(403, "PUT", path, {**terms, "id": "b"}, sam)

    in_house(tmp_path, scenario)


def test_nobody_lets_others_act_above_themselves(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        mira, ada = await house.log_on("Mira"), await house.log_on("Ada")
        acting = {"from_ms": NOON, "until_ms": NOON + HOUR}
        manager = {**acting, "position": "Pit Manager"}
        await house.post("/api/staff/Sam/acting", manager, mira)
        sam, path = await house.log_on("Sam"), "/api/staff/Dora/acting"
        shift = {**acting, "position": "Gaming Shift Manager"}

        error = await house.refused(403, "POST", path, shift, sam)

        assert error == "Sam assigns nobody to act above their own position"
        await house.post(path, manager, sam)
        await house.post(path, shift, ada)

    in_house(tmp_path, scenario)


def test_acting_is_ended_and_never_assigned_to_oneself(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        mira, sam = await house.log_on("Mira"), await house.log_on("Sam")
        body = {"position": "Pit Manager", "from_ms": NOON, "until_ms": NOON + HOUR}
        path = "/api/staff/Sam/acting"
        await house.post(path, body, mira)
        assert len((await house.get("/api/me", sam))["positions"]) == 2

        ending = f"{path}?position=Pit%20Manager"
        assert (await house.ask("DELETE", ending, token=mira)).status == 204

        assert len((await house.get("/api/me", sam))["positions"]) == 1
        error = await house.refused(409, "DELETE", ending, token=mira)
        assert error == "Sam does not act in Pit Manager"
        for name, change in (
            ("Mira", {}),
            ("Sam", {"until_ms": NOON}),
            ("Sam", {"until_ms": NOON + 32 * 24 * HOUR}),
            ("Sam", {"position": "Pit Supervisor"}),
            ("Sam", {"position": "Cashier"}),
        ):
            path = f"/api/staff/{name}/acting"
            await house.refused(409, "POST", path, {**body, **change}, mira)

    in_house(tmp_path, scenario)
