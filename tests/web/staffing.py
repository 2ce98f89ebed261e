"""Members of the staff, for tests to propose."""

from __future__ import annotations

from typing import Any

from tests.web.a_house import PASSWORD, House

PROPOSALS = "/api/staff/proposals"
NINA: dict[str, object] = {
    "name": "Nina",
    "positions": ["Dealer"],
    "duties": ["attendant"],
}


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
    """Ada proposes a member of the staff, and Mira confirms."""
    ada, mira = await house.log_on("Ada"), await house.log_on("Mira")
    proposed = await house.post(PROPOSALS, {**body, "password": PASSWORD}, ada)
    path = f"/api/proposals/{proposed['number']}/confirm"
    await house.post(path, {"password": PASSWORD}, mira)
