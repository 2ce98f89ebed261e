"""Sums above the house's thresholds over HTTP: they take two people and alarm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.journal.events.house import PlayerDefined, SeatLeft
from croupier.journal.store import HOUSE_STREAM
from tests.web.a_house import PASSWORD, House
from tests.web.thresholds import HOUSE
from tests.web.two_people import AT_T1, PATH, confirmation, deal

pytestmark = pytest.mark.anyio

SEAT = "/api/tables/t1/seats/Paul"


def cents(amount: int, sent_id: str) -> dict[str, Any]:
    return {"id": sent_id, "cents": amount}


def sum_moved(kind: str, amount: int) -> dict[str, object]:
    seat = {} if kind == "fill" else {"seat": "Paul"}
    act = {"kind": kind, "cents": amount, **seat}
    return {"act": act, "password": PASSWORD}


@pytest.mark.house_file(HOUSE)
async def test_a_large_buy_in_takes_two_and_is_an_alarm(house: House) -> None:
    dana, carl = await deal(house, "Dana"), await house.log_on("Carl")
    house.seat("t1", "Paul")
    path = f"{SEAT}/buy-in"

    answer = await house.ask("POST", path, cents(10**12, "1"), token=dana)

    assert answer.status == 409
    assert answer.json()["reason"]["code"] == "second_person_needed"
    assert answer.error.startswith("a second person must confirm it: Dana alone")
    assert house.store.balances("t1") == {}
    proposed = await house.post(AT_T1, sum_moved("buy_in", 300_000), dana)
    assert proposed["act"]["kind"] == "buy_in"
    error = await house.refused(403, "POST", f"{AT_T1}/1/confirm", confirmation(), dana)
    assert error == "another person must confirm your proposal"
    await house.post(f"{AT_T1}/1/confirm", confirmation(), carl)
    assert house.store.balances("t1") == {"seat:Paul": 300_000, "cash": -300_000}
    log = await house.get("/api/log?kind=money", carl)
    [alarm] = [each for each in log["events"] if each["is_alarm"]]
    assert (alarm["event"], alarm["by"]) == ("SumConfirmed", "Dana")
    assert alarm["fields"]["authoriser"] == "Carl"
    assert alarm["fields"]["cents"] == "300000"


@pytest.mark.house_file(HOUSE)
async def test_one_dealer_splits_no_large_sum(house: House) -> None:
    dana, carl = await deal(house, "Dana"), await house.log_on("Carl")
    for n in range(4):
        await house.post(f"{SEAT}/buy-in", cents(25_000, str(n)), dana)

    await house.refused(409, "POST", f"{SEAT}/buy-in", cents(1, "more"), dana)

    await house.post(f"{SEAT}/buy-in", cents(1, "other"), carl)


@pytest.mark.house_file(HOUSE)
async def test_a_large_vouchers_code_goes_to_the_confirmer(house: House) -> None:
    carl, sam = await house.log_on("Carl"), await house.log_on("Sam")
    house.seat("t1", "Paul")
    await house.post(AT_T1, sum_moved("buy_in", 200_000), carl)
    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)
    await house.post(AT_T1, sum_moved("voucher", 200_000), carl)
    done = await house.post(f"{AT_T1}/2/confirm", confirmation(), sam)

    assert done["voucher"]
    found = await house.post("/api/vouchers/find", {"code": done["voucher"]}, carl)
    assert (found["cents"], found["state"]) == (200_000, "outstanding")


@pytest.mark.house_file(HOUSE)
async def test_a_third_person_is_not_told_the_code(house: House) -> None:
    carl, sam = await house.log_on("Carl"), await house.log_on("Sam")
    house.seat("t1", "Paul")
    await house.post(AT_T1, sum_moved("buy_in", 200_000), carl)
    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)
    await house.post(AT_T1, sum_moved("voucher", 200_000), carl)
    done = await house.post(f"{AT_T1}/2/confirm", confirmation(), sam)

    again = await house.post(f"{AT_T1}/2/confirm", confirmation(), sam)
    mira = await house.log_on("Mira")
    path, body = f"{AT_T1}/2/confirm", confirmation()
    said = await house.refused(404, "POST", path, body, mira)

    assert again == done
    assert said == "no proposal 2 is waiting"


@pytest.mark.house_file(HOUSE)
async def test_a_confirmed_code_is_not_repeated_after_the_players_stay(
    house: House,
) -> None:
    carl, sam = await house.log_on("Carl"), await house.log_on("Sam")
    house.floor.record.write(PlayerDefined("Carl", "Paul"))
    house.seat("t1", "Paul")
    await house.post(AT_T1, sum_moved("buy_in", 200_000), carl)
    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)
    await house.post(AT_T1, sum_moved("voucher", 150_000), carl)
    done = await house.post(f"{AT_T1}/2/confirm", confirmation(), sam)
    small = await house.post(f"{SEAT}/voucher", cents(10_000, "v"), carl)
    house.floor.record.write(SeatLeft("t1", "seat of Paul", "Paul"))

    again = await house.post(f"{AT_T1}/2/confirm", confirmation(), sam)
    small_again = await house.post(f"{SEAT}/voucher", cents(10_000, "v"), carl)

    assert done["voucher"]
    assert again == {**done, "voucher": None}
    assert small["voucher"]
    assert small_again == {**small, "voucher": None}


@pytest.mark.house_file(HOUSE)
@pytest.mark.parametrize("drawer", ["t1", HOUSE_STREAM])
async def test_a_large_voucher_is_paid_by_two_and_its_code_is_not_shown(
    house: House, tmp_path: Path, drawer: str
) -> None:
    is_cage = drawer == HOUSE_STREAM
    at = "/api" if is_cage else f"/api/tables/{drawer}"
    carl, sam = await house.log_on("Carl"), await house.log_on("Sam")
    await house.post(f"{SEAT}/buy-in", cents(100_000, "1"), carl)
    issued = await house.post(f"{SEAT}/voucher", cents(60_000, "2"), carl)
    code = issued["voucher"]
    pay = {"id": "3", "code": code}
    alone = await house.ask("POST", f"{at}/vouchers/pay", pay, token=carl)
    assert alone.json()["reason"]["code"] == "second_person_needed"
    act = {"kind": "pay_voucher", "code": code.lower()}
    body = {"voucher": code.lower()} if is_cage else {"act": act}
    to = f"{at}/vouchers/proposals" if is_cage else AT_T1

    proposed = await house.post(to, {**body, "password": PASSWORD}, carl)
    listed = await house.get(PATH, sam)
    found = await house.post("/api/vouchers/find", {"code": code}, carl)
    own = await house.ask(
        "POST", f"{at}/proposals/1/confirm", confirmation(), token=carl
    )
    done = await house.post(f"{at}/proposals/1/confirm", confirmation(), sam)
    log = await house.get("/api/log?kind=proposal", carl)

    assert (own.status, found["state"]) == (403, "outstanding")
    shown = json.dumps([proposed, listed, done, log], ensure_ascii=False).upper()
    assert code not in shown
    assert f"…{code[-4:]}" in shown
    assert {each["account"]: each["cents"] for each in done["effect"]} == {
        "cash": -60_000,
        "vouchers": -60_000,
    }
    paid = house.store.balances(drawer)
    assert paid["cash"] == (60_000 if is_cage else -40_000)  # type: ignore[index]
    assert audit_journal(str(tmp_path / "house.db")).findings == ()


@pytest.mark.house_file(HOUSE.replace("voucher = 3000", "cash_out = 500"))
async def test_the_drawers_of_cage_and_tables_share_one_persons_sum(
    house: House,
) -> None:
    carl = await house.log_on("Carl")
    await house.post(f"{SEAT}/buy-in", cents(100_000, "1"), carl)
    codes = [
        (await house.post(f"{SEAT}/voucher", cents(30_000, f"v{n}"), carl))["voucher"]
        for n in range(2)
    ]
    paths = ("/api/tables/t1/vouchers/pay", "/api/vouchers/pay")

    first, second = [
        await house.ask("POST", path, {"id": code, "code": code}, token=carl)
        for path, code in zip(paths, codes, strict=True)
    ]

    assert first.status == 200
    assert second.json()["reason"]["code"] == "person_sum_reached"


@pytest.mark.house_file(HOUSE)
async def test_a_dealer_of_another_table_neither_proposes_nor_confirms(
    house: House,
) -> None:
    dora, carl = await deal(house, "Dora", "t2"), await house.log_on("Carl")
    fill = sum_moved("fill", 600_000)

    error = await house.refused(403, "POST", AT_T1, fill, dora)
    await house.post(AT_T1, fill, carl)
    path = f"{AT_T1}/1/confirm"
    again = await house.refused(403, "POST", path, confirmation(), dora)

    assert error == again == "Dora is not the Dealer of t1"
    await house.post(path, confirmation(), await house.log_on("Sam"))
    assert house.store.balances("t1") == {"cage": 600_000, "float": -600_000}


@pytest.mark.house_file(HOUSE)
async def test_one_attendant_with_six_invented_players_mints_no_vouchers(
    house: House,
) -> None:
    """Other seats, another table, and the next gaming day do not help either."""

    carl, mira = await house.log_on("Carl"), await house.log_on("Mira")
    paths = [f"/api/tables/t{n % 2 + 1}/seats/Player-{n}" for n in range(6)]
    for n in range(6):
        house.seat(f"t{n % 2 + 1}", f"Player-{n}")
    answers = [
        await house.ask(
            "POST", f"{path}/buy-in", cents(100_000, house.new_id()), token=carl
        )
        for path in paths
    ]
    await house.post("/api/gaming-day/close?early=true", token=mira)
    again = await house.ask("POST", f"{paths[5]}/buy-in", cents(1, "again"), token=carl)

    assert [each.status for each in answers] == [200, 200, 200, 409, 409, 409]
    assert (again.status, again.error) == (
        409,
        "a second person must confirm it: Carl alone moves at most 3000.00 in 24"
        " hours at all tables; this makes 3000.01",
    )
    log = await house.get("/api/log?kind=authority", mira)
    alarms = [each for each in log["events"] if each["is_alarm"]]
    assert [(each["event"], each["by"]) for each in alarms] == [
        ("ActRefused", "Carl")
    ] * 4


@pytest.mark.house_file(HOUSE)
async def test_a_count_of_the_float_that_differs_is_an_alarm_and_takes_two(
    house: House,
) -> None:
    path = "/api/tables/t1/float/count"

    def counted(amount: int, sent_id: str) -> dict[str, object]:
        return {"id": sent_id, "count": "closing", "cents": amount}

    carl, sam = await house.log_on("Carl"), await house.log_on("Sam")
    await house.post("/api/tables/t1/float/fill", cents(100_000, "f"), carl)

    alone = await house.ask("POST", path, counted(10**12, "1"), token=carl)
    await house.post(path, counted(100_000, "2"), carl)
    await house.post(path, counted(95_000, "3"), carl)
    more = await house.ask("POST", path, counted(94_999, "4"), token=carl)
    act = {"kind": "count_float", "count": "closing", "cents": 0}
    body = {"act": act, "password": PASSWORD}
    proposed = await house.post(AT_T1, body, carl)
    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)

    for each in (alone, more):
        assert each.json()["reason"]["code"] == "second_person_needed"
    assert {each["account"]: each["cents"] for each in proposed["effect"]} == {
        "float": -95_000,
        "cage": -95_000,
    }
    log = await house.get("/api/log?kind=money", carl)
    shown = [(each["event"], each["is_alarm"]) for each in log["events"]]
    assert shown == [
        ("FloatCounted", False),
        ("FloatCounted", True),
        ("FloatCounted", True),
        ("SumConfirmed", True),
    ]
