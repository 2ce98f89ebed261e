"""Money over HTTP: credit, vouchers, float, colour chips, claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.journal.store import HOUSE_STREAM
from croupier.rules.operator import Person, Role
from tests.web.a_house import House
from tests.web.gaming_days import DAY

pytestmark = pytest.mark.anyio

SEAT = "/api/tables/t1/seats/Paul"
PAUL = Person("Paul", Role.PLAYER)


def cents(amount: int, sent_id: str) -> dict[str, Any]:
    return {"id": sent_id, "cents": amount}


async def test_cash_becomes_credit_and_credit_cash(house: House) -> None:
    carl = await house.log_on("Carl")

    bought = await house.post(f"{SEAT}/buy-in", cents(5_000, "1"), carl)
    paid = await house.post(f"{SEAT}/cash-out", cents(2_000, "2"), carl)

    assert (bought["cents"], bought["credit_cents"]) == (5_000, 5_000)
    assert (paid["cents"], paid["credit_cents"]) == (2_000, 3_000)
    answer = await house.ask("POST", f"{SEAT}/cash-out", cents(3_001, "3"), token=carl)
    assert answer.status == 409
    assert answer.json()["clause"] == "1.6"
    rows = [row.body for row in house.store.events("t1") if row.kind == "BoughtIn"]
    assert '"name":"Carl","role":"Cashier"' in rows[0]


async def test_the_same_id_gets_the_same_answer_and_moves_money_once(
    house: House,
) -> None:
    carl, dana = await house.log_on("Carl"), await house.log_on("Dana")
    await house.post("/api/tables/t1/dealer", token=dana)
    path = f"{SEAT}/buy-in"

    answers = [await house.post(path, cents(5_000, "same"), carl) for _ in range(3)]
    other = await house.post(path, cents(700, "same"), dana)

    assert answers[1:] == answers[:1] * 2
    assert other["credit_cents"] == 5_700
    assert house.store.balances("t1") == {"seat:Paul": 5_700, "cash": -5_700}


async def test_an_id_serves_one_command(house: House) -> None:
    sam = await house.log_on("Sam")
    await house.post(f"{SEAT}/buy-in", cents(5_000, "1"), sam)
    before = house.store.head("t1")

    for path, body in (
        (f"{SEAT}/buy-in", cents(6_000, "1")),
        (f"{SEAT}/cash-out", cents(5_000, "1")),
        ("/api/tables/t1/seats/Pia/buy-in", cents(5_000, "1")),
        ("/api/tables/t1/float/fill", cents(5_000, "1")),
        ("/api/tables/t1/close", {"id": "1"}),
    ):
        error = await house.refused(409, "POST", path, body, sam)
        assert error == "this id has been used for another command"
    assert house.store.head("t1") == before
    log = await house.get("/api/log?kind=authority", sam)
    assert {each["by"] for each in log["events"]} == {"Sam"}


async def test_a_refusal_is_repeated_too(house: House) -> None:
    carl = await house.log_on("Carl")
    path = f"{SEAT}/cash-out"
    first = await house.refused(409, "POST", path, cents(100, "1"), carl)
    await house.post(f"{SEAT}/buy-in", cents(5_000, "2"), carl)

    again = await house.refused(409, "POST", path, cents(100, "1"), carl)

    assert first == again


async def test_a_voucher_is_issued_looked_up_and_redeemed_once(house: House) -> None:
    carl = await house.log_on("Carl")
    await house.post(f"{SEAT}/buy-in", cents(5_000, "1"), carl)
    issued = await house.post(f"{SEAT}/voucher", cents(4_000, "2"), carl)
    code = issued["voucher"]
    assert (issued["credit_cents"], issued["cents"]) == (1_000, 4_000)
    voucher = await house.post("/api/vouchers/find", {"code": code}, carl)
    assert (voucher["cents"], voucher["state"]) == (4_000, "outstanding")
    assert (voucher["issued_at"], voucher["held_by"]) == ("t1", None)
    [event] = house.store.events("t1", kinds=["VoucherIssued"])
    assert voucher["device"] == SEAT.rpartition("/")[2]
    issue = event.at_ms, event.sequence
    assert (voucher["issued_ms"], voucher["sequence"]) == issue
    assert (voucher["ended_by"], voucher["ended_ms"]) == (None, None)

    printed = " ".join(code[at : at + 4] for at in range(0, len(code), 4))
    found = await house.post("/api/vouchers/find", {"code": printed}, carl)
    assert found == voucher
    redeem = {"id": "3", "code": printed.lower().replace(" ", "-")}
    path = "/api/tables/t2/seats/Pia/redeem"
    redeemed = await house.post(path, redeem, carl)

    assert redeemed["credit_cents"] == 4_000
    voucher = await house.post("/api/vouchers/find", {"code": code}, carl)
    assert (voucher["state"], voucher["held_by"]) == ("redeemed", "t2")
    error = await house.refused(409, "POST", path, {**redeem, "id": "4"}, carl)
    assert error == f"voucher …{code[-4:]} can't be redeemed"
    await house.refused(409, "POST", "/api/vouchers/lost", {"code": code}, carl)
    none = {"code": "NONE"}
    await house.refused(404, "POST", "/api/vouchers/find", none, carl)


@pytest.mark.parametrize(
    ("drawer", "path"),
    [("t2", "/api/tables/t2/vouchers/pay"), (HOUSE_STREAM, "/api/vouchers/pay")],
)
async def test_a_voucher_is_paid_in_cash_in_one_step(
    house: House, drawer: str, path: str
) -> None:
    carl = await house.log_on("Carl")
    await house.post(f"{SEAT}/buy-in", cents(5_000, "1"), carl)
    issued = await house.post(f"{SEAT}/voucher", cents(4_000, "2"), carl)
    code = issued["voucher"]
    printed = " ".join(code[at : at + 4] for at in range(0, len(code), 4))
    pay = {"id": "3", "code": printed.lower()}

    paid = await house.post(path, pay, carl)
    again = await house.post(path, pay, carl)
    more = await house.refused(409, "POST", path, {**pay, "id": "4"}, carl)
    other = await house.refused(409, "POST", path, {"id": "3", "code": "A"}, carl)

    assert (paid["cents"], paid["voucher"]) == (4_000, f"…{code[-4:]}")
    assert again == paid
    assert more == f"voucher …{code[-4:]} can't be redeemed"
    assert other == "this id has been used for another command"
    assert house.store.balances(drawer) == {"vouchers": -4_000, "cash": 4_000}
    found = await house.post("/api/vouchers/find", {"code": code}, carl)
    assert (found["state"], found["held_by"]) == ("redeemed", drawer)
    assert (found["ended_by"], found["ended_ms"]) == ("Carl", house.now_ms)


async def test_the_cage_pays_a_voucher_from_a_drawer_of_its_own(
    house: House, tmp_path: Path
) -> None:
    carl, dana = await house.log_on("Carl"), await house.log_on("Dana")
    await house.post(f"{SEAT}/buy-in", cents(5_000, "1"), carl)
    code = (await house.post(f"{SEAT}/voucher", cents(4_000, "2"), carl))["voucher"]
    pay = {"id": "3", "code": code}

    dealer = await house.refused(403, "POST", "/api/vouchers/pay", pay, dana)
    await house.post("/api/vouchers/pay", pay, carl)

    assert dealer == "Dana may not pay from the drawer of the cage"
    report = await house.get(f"/api/gaming-day/{DAY}", carl)
    assert report["vouchers_paid_cents"] == 4_000
    assert {each["vouchers_paid_cents"] for each in report["tables"]} == {0}
    assert audit_journal(str(tmp_path / "house.db")).findings == ()


async def test_a_lost_voucher_is_not_redeemed_and_an_old_one_expires(
    house: House,
) -> None:
    carl = await house.log_on("Carl")
    await house.post(f"{SEAT}/buy-in", cents(5_000, "1"), carl)
    codes = [
        (await house.post(f"{SEAT}/voucher", cents(100, f"v{n}"), carl))["voucher"]
        for n in range(2)
    ]
    lose = {"code": codes[0]}
    lost = await house.post("/api/vouchers/lost", lose, carl)
    assert lost["state"] == "lost"
    body = {"id": "2", "code": codes[0]}
    await house.refused(409, "POST", f"{SEAT}/redeem", body, carl)
    assert await house.post("/api/vouchers/expire", token=carl) == {"vouchers": 0}

    house.pass_minutes(32 * 24 * 60)
    carl = await house.log_on("Carl")

    assert await house.post("/api/vouchers/expire", token=carl) == {"vouchers": 2}
    found = {"code": codes[1]}
    voucher = await house.post("/api/vouchers/find", found, carl)
    assert (voucher["state"], voucher["ended_by"]) == ("expired", "Carl")
    assert await house.post("/api/vouchers/expire", token=carl) == {"vouchers": 0}


async def test_the_float_is_counted_filled_and_credited(house: House) -> None:
    sam = await house.log_on("Sam")
    path = "/api/tables/t1/float"
    count = {"id": "1", "count": "opening", "cents": 100_000}

    await house.post(f"{path}/count", count, sam)
    await house.post(f"{path}/fill", cents(5_000, "2"), sam)
    await house.post(f"{path}/credit", cents(1_000, "3"), sam)

    shown = await house.get("/api/tables/t1/seats", sam)
    assert shown["float_cents"] == 104_000
    last = {"id": "5", "count": "closing", "cents": 103_500}
    for _ in range(2):  # the same id again gets the same answer
        answer = await house.post(f"{path}/count", last, sam)
        assert answer["booked_cents"] == 104_000
    bad = {**count, "count": "middle"}
    await house.refused(400, "POST", f"{path}/count", bad, sam)
    for amount in (0, -1, 1.5, "1", 10**13):
        body = {"id": "4", "cents": amount}
        await house.refused(400, "POST", f"{path}/fill", body, sam)


async def test_colour_chips_are_sold_to_their_player_and_bought_back(
    house: House,
) -> None:
    sam = await house.log_on("Sam")
    await house.say("t2", "Dealer: colour blue to Paul 5 marker stand")
    path = "/api/tables/t2/colours/blue"
    body = {"id": "1", "player": "Paul", "chips": 10}

    await house.post(f"{path}/buy", body, sam)
    assert house.store.balances("t2")["colour:blue"] == 5_000  # type: ignore[index]
    await house.post(f"{path}/buy-back", {**body, "id": "2", "chips": 4}, sam)

    assert house.store.balances("t2")["colour:blue"] == 3_000  # type: ignore[index]
    for change in ({"player": "Pia"}, {"chips": 7}):
        bad = {**body, "id": f"{change}"[:20].replace(" ", ""), **change}
        await house.refused(409, "POST", f"{path}/buy-back", bad, sam)


async def test_a_claim_is_paid(house: House) -> None:
    sam = await house.log_on("Sam")
    await house.post(f"{SEAT}/buy-in", cents(1_000, "1"), sam)
    await house.say("t1", "Dealer: place your bets")
    await house.act("t1", house.wager("Paul", "17", 1_000), PAUL)
    await house.finish_round("t1", "17")
    await house.post(f"{SEAT}/cash-out", cents(36_000, "2"), sam)
    people = (Person("Dana", Role.DEALER), Person("Sam", Role.PIT_SUPERVISOR))
    await house.act("t1", house.act_of("t1", "correct round 1 to 5"), *people)

    [owes] = (await house.get("/api/tables/t1/seats", sam))["seats"]
    assert (owes["credit_cents"], owes["claim_cents"]) == (0, 36_000)
    path = "/api/tables/t1/claims/Paul/pay"
    await house.refused(409, "POST", path, cents(36_001, "3"), sam)
    await house.post(path, cents(36_000, "4"), sam)
    assert (await house.get("/api/tables/t1/seats", sam))["seats"] == []


async def test_odd_texts_are_refused_without_harm(house: House) -> None:
    carl = await house.log_on("Carl")
    for seat in ("\x07", "\u202e", "ü" * 40, "a b", "%", "\U0001f3b2"):
        path = f"/api/tables/t1/seats/{seat}/buy-in"
        answer = await house.ask("POST", path, cents(100, "1"), token=carl)
        assert answer.status in {200, 409}, (seat, answer.body)
    for sent_id in ("", " ", "a b", "ü", "x" * 51, "a\n"):
        body = cents(100, sent_id)
        await house.refused(400, "POST", f"{SEAT}/buy-in", body, carl)


async def test_only_seats_of_the_table_are_given_credit(house: House) -> None:
    sam = await house.log_on("Sam")
    house.seat("t2", "Paul")
    before = house.store.balances("t1")

    for seat in ("Paul", "Nobody"):
        path = f"/api/tables/t1/seats/{seat}/buy-in"
        error = await house.refused(409, "POST", path, cents(100, seat), sam)
        assert f"t1 has no seat '{seat}'" in error
    assert house.store.balances("t1") == before


async def test_of_dealers_only_the_tables_own_moves_money(house: House) -> None:
    dana, dora = await house.log_on("Dana"), await house.log_on("Dora")
    await house.post("/api/tables/t1/dealer", token=dana)
    await house.post("/api/tables/t2/dealer", token=dora)
    await house.post(f"{SEAT}/buy-in", cents(5_000, "1"), dana)

    for path in (
        f"{SEAT}/buy-in",
        f"{SEAT}/cash-out",
        f"{SEAT}/voucher",
        "/api/tables/t1/float/fill",
    ):
        error = await house.refused(403, "POST", path, cents(100, "2"), dora)
        assert error == "Dora is not the Dealer of t1"
    assert house.store.balances("t1") == {"seat:Paul": 5_000, "cash": -5_000}
