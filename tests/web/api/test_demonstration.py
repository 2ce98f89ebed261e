"""What only a house of demonstration money does."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from croupier.house.people import devices
from tests.web.a_house import REAL, House, in_house


def test_a_visitor_gets_a_seat_with_credit(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        seat = await house.post("/api/demonstration/seat", {"table": "t1"})

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

    in_house(tmp_path, scenario)


def test_a_closed_table_gives_no_seat_and_leaves_no_device(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        sam = await house.log_on("Sam")
        await house.post("/api/tables/t1/close", {"id": "1"}, sam)

        answer = await house.ask("POST", "/api/demonstration/seat", {"table": "t1"})

        assert answer.status == 409
        assert answer.json() == {
            "error": "the table is closed",
            "clause": "3.2",
            "reason": {"code": "table_closed", "values": {}},
        }
        assert house.floor.record.state.devices == {}

    in_house(tmp_path, scenario)


def test_guests_who_left_make_room_for_new_ones(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        path, body = "/api/demonstration/seat", {"table": "t1"}
        seats = [await house.post(path, body) for _ in range(3)]

        devices = house.floor.record.state.devices
        assert list(devices) == [each["device"] for each in seats[1:]]
        await house.refused(401, "GET", "/api/device", token=seats[0]["token"])

    with patch.object(devices, "_MOST_GUESTS", 2):
        in_house(tmp_path, scenario)


def test_a_visitor_may_be_anybody_of_the_staff(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        path = "/api/demonstration/staff"
        given = await house.post(path, {"name": "Mira"})

        assert (await house.get("/api/me", given["token"]))["name"] == "Mira"
        error = await house.refused(404, "POST", path, {"name": "Nobody"})
        assert error == "'Nobody' is not on the staff"

    in_house(tmp_path, scenario)


def test_for_real_money_nobody_gets_anything_without_a_proof(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        for path, body in (("seat", {"table": "t1"}), ("staff", {"name": "Mira"})):
            error = await house.refused(403, "POST", f"/api/demonstration/{path}", body)
            assert error == "this house plays for real money"
        assert house.floor.record.state.devices == {}

    in_house(tmp_path, scenario, REAL)
