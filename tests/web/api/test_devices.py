"""Devices over HTTP: invited, paired, listed, revoked."""

from __future__ import annotations

import pytest

from tests.web.a_house import House

pytestmark = pytest.mark.anyio

TERMINAL = {"name": "T1", "kind": "terminal", "table": "t1"}


async def test_a_device_is_enrolled_with_a_code_that_serves_once(house: House) -> None:
    sam = await house.log_on("Sam")
    invited = await house.post("/api/devices", TERMINAL, sam)
    [before] = await house.get("/api/devices", sam)
    paired = await house.post("/api/pair", {"code": invited["code"].lower()})
    [after] = await house.get("/api/devices", sam)

    assert (before["is_enrolled"], after["is_enrolled"]) == (False, True)
    assert after["code_until_ms"] is None
    assert (paired["device"], paired["kind"]) == ("T1", "terminal")
    error = await house.refused(401, "POST", "/api/pair", {"code": invited["code"]})
    assert error == "the pairing code is unknown, used, or too old"
    written = str(house.floor.record.state) + str(after)
    assert paired["token"] not in written
    assert invited["code"] not in written


async def test_a_code_is_too_old_after_ten_minutes(house: House) -> None:
    sam = await house.log_on("Sam")
    invited = await house.post("/api/devices", TERMINAL, sam)
    house.pass_minutes(10.1)

    await house.refused(401, "POST", "/api/pair", {"code": invited["code"]})
    again = await house.post("/api/devices", TERMINAL, sam)
    await house.post("/api/pair", {"code": again["code"]})


async def test_a_revoked_device_is_unknown(house: House) -> None:
    sam = await house.log_on("Sam")
    invited = await house.post("/api/devices", TERMINAL, sam)
    paired = await house.post("/api/pair", {"code": invited["code"]})
    assert (await house.ask("DELETE", "/api/devices/T1", token=sam)).status == 204

    await house.refused(401, "GET", "/api/device", token=paired["token"])
    path = "/api/tables/t1/wagers"
    await house.refused(401, "GET", path, token=paired["token"])
    error = await house.refused(404, "DELETE", "/api/devices/T1", token=sam)
    assert error == "there is no device 'T1'"


async def test_what_is_no_device_of_the_house_is_refused(house: House) -> None:
    sam = await house.log_on("Sam")
    for change, sentence in (
        ({"table": "t9"}, "a terminal belongs to a table of the house"),
        ({"kind": "station"}, "a station belongs to no table"),
        ({"name": "a/b"}, "'a/b' is not a name: it holds a / or : or @"),
    ):
        body = {**TERMINAL, **change}
        error = await house.refused(409, "POST", "/api/devices", body, sam)
        assert error == sentence
    body = {**TERMINAL, "kind": "toaster"}
    await house.refused(400, "POST", "/api/devices", body, sam)
    station = {"name": "desk", "kind": "station"}
    await house.post("/api/devices", station, sam)
