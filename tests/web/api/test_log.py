"""The log of significant events over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.journal.events.house import (
    ClockChanged,
    DeviceLost,
    LogOnFailed,
    PlayerLimited,
)
from croupier.ledger.commands import CashOut
from croupier.rules.commands import Settle
from croupier.rules.operator import Person, Role
from croupier.table import Refused, Submission
from tests.web.a_house import NOON, House, in_house

pytestmark = pytest.mark.anyio


async def eventful(house: House) -> str:
    """Cause events a minute apart; return Ines' token."""
    ines = await house.log_on("Ines")
    house.pass_minutes(1)
    await house.say("t1", "Dealer: place your bets", "Dealer: irregularity ball_broke")
    house.pass_minutes(1)
    record = house.floor.record
    await house.floor.in_house(lambda: record.write(ClockChanged(-5_000)))
    house.pass_minutes(1)
    await house.say("t1", "Dealer: settle")
    dealer, player = Person("Dana", Role.DEALER), Person("Paul", Role.PLAYER)
    for person, command in ((dealer, Settle()), (player, CashOut("Paul", 5))):
        submission = Submission(f"by {person}", (person,), command)
        assert isinstance(await house.floor.table("t2").submit(submission), Refused)
    house.pass_minutes(1)
    await house.floor.in_house(lambda: record.write(DeviceLost("T1", "t1", True)))
    return ines


async def test_the_log_has_house_and_tables_in_the_order_of_time(house: House) -> None:
    ines = await eventful(house)

    page = await house.get(f"/api/log?from_ms={NOON}", ines)

    told = [(e["event"], e["table"], e["is_alarm"]) for e in page["events"]]
    assert told[-5:] == [
        ("IrregularityReported", "t1", False),
        ("RoundVoided", "t1", True),
        ("ClockChanged", None, True),
        ("ActRefused", "t2", False),
        ("DeviceLost", "t1", True),
    ]
    times = [event["at_ms"] for event in page["events"]]
    assert times == sorted(times)
    assert page["has_more"] is False
    void = next(e for e in page["events"] if e["event"] == "RoundVoided")
    assert "clause 5.4" in void["text"]
    assert void["round"] == 1


async def test_pages_follow_each_other_without_a_gap(house: House) -> None:
    ines = await eventful(house)
    whole = (await house.get(f"/api/log?from_ms={NOON}", ines))["events"]
    path, found = f"/api/log?count=2&from_ms={NOON}", []
    while True:
        page = await house.get(path, ines)
        found += page["events"]
        path = f"/api/log?count=2&after={page['after']}"
        if not page["has_more"]:
            break

    assert found == whole
    assert (await house.get(path, ines))["events"] == []
    for wrong in ("x", "1-2", "1-x-t1", "-1-2-t1", "1" * 50 + "-2-t1"):
        await house.refused(400, "GET", f"/api/log?after={wrong}", token=ines)


async def test_the_newest_come_first_where_that_is_asked(house: House) -> None:
    ines = await eventful(house)
    since = f"newest=true&from_ms={NOON}"
    void = (await house.get("/api/log?kind=void", ines))["events"][1]
    body = {"table": "t1", "sequence": void["sequence"]}
    await house.post("/api/log/acknowledge", body, ines)
    whole = (await house.get(f"/api/log?count=500&from_ms={NOON}", ines))["events"]
    path, found = f"/api/log?count=2&{since}", []
    while True:
        page = await house.get(path, ines)
        found += page["events"]
        path = f"/api/log?count=2&{since}&after={page['after']}"
        if not page["has_more"]:
            break

    assert found == whole[::-1]
    everything = await house.get("/api/log?newest=true&count=500", ines)
    assert everything["events"] == found
    late = await house.get(f"/api/log?newest=true&from_ms={house.now_ms}", ines)
    assert [event["event"] for event in late["events"]] == ["DeviceLost"]


def test_the_log_tells_sums_in_units_and_has_yes_and_no(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        ines = await house.log_on("Ines")
        record = house.floor.record
        failed = LogOnFailed("Paul", "T1", 1, of_player=True)
        limited = PlayerLimited("Ada", "Paul", 12_345, None)
        house.pass_minutes(1)
        await house.floor.in_house(lambda: record.write(failed, limited))

        log = await house.get("/api/log?newest=true&count=2", ines)

        limits, tried = log["events"]
        assert "stake 123.45" in limits["text"]
        assert limits["fields"]["stake_cents"] == "12345"
        assert "of player yes" in tried["text"]
        assert tried["fields"]["of_player"] is True

    in_house(tmp_path, scenario)


async def test_a_sensor_invited_or_revoked_is_an_alarm(house: House) -> None:
    sam, ines = await house.log_on("Sam"), await house.log_on("Ines")
    for name, kind in (("wheel", "sensor"), ("T7", "terminal")):
        device = {"name": name, "kind": kind, "table": "t1"}
        invited = await house.post("/api/devices", device, sam)
        await house.post("/api/pair", {"code": invited["code"]})
        await house.ask("DELETE", f"/api/devices/{name}", token=sam)

    log = await house.get("/api/log?kind=device&newest=true&count=6", ines)

    alarms = [(e["event"], e["is_alarm"]) for e in reversed(log["events"])]
    assert alarms == [
        ("DeviceInvited", True),
        ("DeviceEnrolled", False),
        ("DeviceRevoked", True),
        ("DeviceInvited", False),
        ("DeviceEnrolled", False),
        ("DeviceRevoked", False),
    ]


def test_a_lost_device_that_no_round_needs_is_no_alarm(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        ines = await house.log_on("Ines")
        lost = [DeviceLost("T2", "t1", False), DeviceLost("T1", "t1", True)]
        record = house.floor.record
        await house.floor.in_house(lambda: record.write(*lost))

        log = await house.get("/api/log?kind=device&newest=true&count=2", ines)

        terminal, guest = log["events"]
        assert (terminal["is_alarm"], guest["is_alarm"]) == (True, False)
        seen = {"sequence": guest["sequence"]}
        await house.refused(404, "POST", "/api/log/acknowledge", seen, ines)

    in_house(tmp_path, scenario)


async def test_a_page_is_full_if_there_is_more(house: House) -> None:
    ines = await eventful(house)
    for order in ("", "&newest=true"):
        path = f"/api/log?kind=authority&count=1&from_ms={NOON}{order}"

        page = await house.get(path, ines)

        [refused] = page["events"]
        assert (refused["event"], refused["by"]) == ("ActRefused", "Dana")
        assert page["has_more"] is False  # the only other refusal was a Player's


async def test_the_log_is_read_by_kind_and_by_table(house: House) -> None:
    ines = await eventful(house)

    voids = await house.get("/api/log?kind=void", ines)
    of_table = await house.get("/api/log?table=t1&count=500", ines)

    assert {event["kind"] for event in voids["events"]} == {"void"}
    assert {event["table"] for event in of_table["events"]} == {"t1"}
    await house.refused(400, "GET", "/api/log?kind=nonsense", token=ines)
    await house.refused(404, "GET", "/api/log?table=t9", token=ines)


async def test_an_alarm_is_acknowledged(house: House) -> None:
    ines = await eventful(house)
    [clock] = (await house.get("/api/log?kind=clock", ines))["events"]
    void = (await house.get("/api/log?kind=void", ines))["events"][1]
    path = "/api/log/acknowledge"

    await house.post(path, {"sequence": clock["sequence"]}, ines)
    await house.post(path, {"table": "t1", "sequence": void["sequence"]}, ines)

    [clock] = (await house.get("/api/log?kind=clock", ines))["events"]
    assert clock["acknowledged_by"] == "Ines"
    assert clock["acknowledged_at_ms"] == house.now_ms
    void = (await house.get("/api/log?kind=void", ines))["events"][1]
    assert void["acknowledged_by"] == "Ines"
    for body in (
        {"sequence": 1},
        {"sequence": 1_000_000},
        {"table": "t1", "sequence": 1},
        {"table": "t9", "sequence": 1},
    ):
        await house.refused(404, "POST", path, body, ines)
    await house.refused(400, "POST", path, {"sequence": 0}, ines)


async def test_no_secret_and_no_digest_is_in_the_log(house: House) -> None:
    ines, sam = await house.log_on("Ines"), await house.log_on("Sam")
    device = {"name": "T1", "kind": "terminal", "table": "t1"}
    code = (await house.post("/api/devices", device, sam))["code"]
    token = (await house.post("/api/pair", {"code": code}))["token"]

    answer = await house.ask("GET", f"/api/log?from_ms={NOON}", token=ines)

    text = answer.body.decode()
    assert "DeviceEnrolled" in text
    digests = [*house.floor.record.state.tokens]
    assert not [each for each in (code, token, *digests) if each in text]
