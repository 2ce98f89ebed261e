"""Staff over HTTP: joining, leaving, passwords, acting for a time."""

from __future__ import annotations

import pytest

from tests.web.a_house import NOON, PASSWORD, House
from tests.web.staffing import NINA, PROPOSALS, define, give_password, member

pytestmark = pytest.mark.anyio

HOUR = 3_600_000


async def test_a_new_member_of_staff_gets_a_password(house: House) -> None:
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


async def test_who_is_removed_or_gets_a_password_is_logged_off(house: House) -> None:
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
    assert error == "you can't remove yourself"


async def test_what_is_no_position_or_name_is_refused(house: House) -> None:
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


async def test_acting_starts_and_ends_by_the_clock(house: House) -> None:
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


async def test_no_one_assigns_a_position_above_their_own(house: House) -> None:
    mira, ada = await house.log_on("Mira"), await house.log_on("Ada")
    acting = {"from_ms": NOON, "until_ms": NOON + HOUR}
    manager = {**acting, "position": "Pit Manager"}
    await house.post("/api/staff/Sam/acting", manager, mira)
    sam, path = await house.log_on("Sam"), "/api/staff/Dora/acting"
    shift = {**acting, "position": "Gaming Shift Manager"}

    error = await house.refused(403, "POST", path, shift, sam)

    assert error == "Sam can't assign a position above their own"
    await house.post(path, manager, sam)
    await house.post(path, shift, ada)


async def test_acting_is_ended_and_never_assigned_to_oneself(house: House) -> None:
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
