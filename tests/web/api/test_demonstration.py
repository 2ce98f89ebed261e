"""Operations of a house of demonstration money only."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.house.people import devices
from tests.web.a_house import REAL, House, opened

pytestmark = pytest.mark.anyio


async def test_a_visitor_gets_a_seat_with_credit(house: House) -> None:
    seat = await house.post("/api/tables/t1/guests")

    assert (seat["table"], seat["credit_cents"]) == ("t1", 100_000)
    device = await house.get("/api/device", seat["token"])
    assert device == {
        "name": seat["device"],
        "kind": "terminal",
        "table": "t1",
        "seat": seat["device"],
    }
    carl = await house.log_on("Carl")
    money = await house.get("/api/tables/t1/seats", carl)
    assert money["seats"] == [
        {
            "seat": seat["device"],
            "credit_cents": 100_000,
            "claim_cents": 0,
            "owed_cents": 0,
        }
    ]
    assert money["cash_cents"] == 100_000


async def test_visitors_have_the_seats_of_their_table_in_turn(house: House) -> None:
    names = [
        (await house.post(f"/api/tables/{table}/guests"))["device"]
        for table in ("t1", "t1", "t2", "t1")
    ]

    assert [name.rpartition(" ")[0] for name in names] == [
        "guest 1",
        "guest 2",
        "guest 1",
        "guest 3",
    ]


async def test_a_closed_table_gives_no_seat_and_leaves_no_device(house: House) -> None:
    sam = await house.log_on("Sam")
    await house.post("/api/tables/t1/close", {"id": "1"}, sam)

    answer = await house.ask("POST", "/api/tables/t1/guests")

    assert answer.status == 409
    assert answer.json() == {
        "error": "the table is closed",
        "clause": "3.2",
        "reason": {"code": "table_closed", "values": {}},
    }
    assert house.floor.record.state.devices == {}


@patch.object(devices, "_MOST_GUESTS", 2)
async def test_guests_who_left_make_room_for_new_ones(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        path = "/api/tables/t1/guests"
        seats = [await house.post(path) for _ in range(3)]

        devices = house.floor.record.state.devices
        assert list(devices) == [each["device"] for each in seats[1:]]
        await house.refused(401, "GET", "/api/device", token=seats[0]["token"])


async def test_a_visitor_may_log_on_as_any_of_the_staff(house: House) -> None:
    path = "/api/demonstration/staff"
    given = await house.post(path, {"name": "Mira"})

    assert (await house.get("/api/me", given["token"]))["name"] == "Mira"
    error = await house.refused(404, "POST", path, {"name": "Nobody"})
    assert error == "'Nobody' is not on the staff"


@pytest.mark.house_file(REAL)
async def test_a_house_of_real_money_takes_no_guests_and_needs_passwords(
    house: House,
) -> None:
    for path, body in (
        ("/api/tables/t1/guests", None),
        ("/api/demonstration/staff", {"name": "Mira"}),
    ):
        error = await house.refused(403, "POST", path, body)
        assert error == "this house plays for real money"
    assert house.floor.record.state.devices == {}
