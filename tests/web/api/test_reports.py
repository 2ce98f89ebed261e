"""Reports over HTTP: the gaming day adds up with the ledger; meters; verification."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.events.house import SeatLeft, SeatTaken
from croupier.journal.log.notes import Note, log_key
from croupier.journal.log.publishing import origin_of
from croupier.journal.stores import open_store
from croupier.journal.verification import VerificationReport, verify
from croupier.ledger.commands import BuyIn, IssueVoucher
from croupier.rules.operator import Person, Role
from croupier.table import Submission
from croupier.web.api import build_api
from croupier.web.security.authentication import ApiResources
from tests.journal.stored import checkpoints
from tests.journal.stores import run_sql
from tests.web.a_house import House
from tests.web.gaming_days import CLOSE, DAY, busy_day

pytestmark = pytest.mark.anyio
CARL = Person("Carl", Role.CASHIER)


async def test_the_report_of_a_day_adds_up_with_the_ledger(house: House) -> None:
    ines = await house.log_on("Ines")
    await busy_day(house)

    first, second = (await house.get(f"/api/gaming-day/{DAY}", ines))["tables"]

    ledger: Counter[str] = Counter()
    for _, _, (account, cents) in house.store.entries("t1"):
        ledger[account.replace(":Paul", "s")] += cents
    assert first["accounts"] == dict(ledger)
    assert sum(first["accounts"].values()) == 0
    assert (first["rounds"], first["voids"]) == (3, 0)
    assert first["staked_cents"] == 3_500
    assert first["hold_cents"] == ledger["house"]
    held = [each["hold_cents"] for each in first["by_type"]]
    assert sum(held) == first["hold_cents"] == 1_000 + 2_000 - 500
    cash = first["bought_in_cents"] - first["cashed_out_cents"]
    assert cash + first["claims_paid_cents"] == -ledger["cash"]
    vouchers = first["vouchers_issued_cents"] - first["vouchers_redeemed_cents"]
    assert vouchers == ledger["vouchers"] == 6_200
    assert second["vouchers_redeemed_cents"] == 5_000
    assert second["vouchers_paid_cents"] == second["accounts"]["cash"] == 1_200
    assert second["accounts"]["vouchers"] == -6_200
    assert first["adjusted_cents"] == -ledger["adjustments"] == 150
    claims = first["claims_made_cents"] - first["claims_paid_cents"]
    assert claims == -ledger["claims"] > 0
    [counted] = first["counts"]
    float_cents = counted["cents"] - counted["booked_cents"]
    float_cents += first["filled_cents"] - first["credits_cents"]
    assert float_cents == -ledger["float"] == 100_400
    assert first["adjustments"][0]["authoriser"] == "Sam"


async def test_another_day_has_its_own_report(house: House) -> None:
    await busy_day(house)
    house.pass_minutes(24 * 60)
    ines = await house.log_on("Ines")
    await house.play_round("t1", outcome="0")
    await house.act("t1", BuyIn("Pia", 900))

    before = await house.get(f"/api/gaming-day/{DAY}", ines)
    today = await house.get("/api/gaming-day/2027-01-16", ines)

    assert before["tables"][0]["bought_in_cents"] == 20_000
    assert today["tables"][0]["bought_in_cents"] == 900
    assert today["tables"][0]["rounds"] == 1
    assert today["from_ms"] == before["until_ms"]
    empty = (await house.get("/api/gaming-day/2020-02-29", ines))["tables"]
    assert [each["accounts"] for each in empty] == [{}, {}]
    for day in ("2027-02-30", "0000-01-01", "9999-12-31"):
        error = await house.refused(404, "GET", f"/api/gaming-day/{day}", token=ines)
        assert error == f"there is no day '{day}'"
    for day in ("yesterday", "2027-1-5", "2027-01-15T00"):
        await house.refused(400, "GET", f"/api/gaming-day/{day}", token=ines)


async def test_a_gaming_day_is_closed_once(house: House) -> None:
    carl = await house.log_on("Carl")
    await busy_day(house)
    open_day = await house.get(f"/api/gaming-day/{DAY}", carl)
    assert (open_day["closed_by"], open_day["head"]) == (None, None)

    closed = await house.post(f"{CLOSE}?early=true", token=carl)

    assert (closed["day"], closed["closed_by"]) == (DAY, "Carl")
    assert len(closed["head"]) == 64
    assert await house.get(f"/api/gaming-day/{DAY}", carl) == closed
    await house.refused(409, "POST", CLOSE, token=carl)


async def test_meters_run_since_the_table_began(house: House) -> None:
    await busy_day(house)
    house.pass_minutes(24 * 60)
    await house.play_round("t1", outcome="0")
    ines = await house.log_on("Ines")

    first, _ = await house.get("/api/meters", ines)
    day, _ = await house.get(f"/api/meters?day={DAY}", ines)

    assert (first["rounds"], day["rounds"]) == (4, 3)
    assert first["staked_cents"] == day["staked_cents"] == 3_500
    by_type = {each["wager_type"]: each for each in first["by_type"]}
    assert by_type.keys() == {"red", "straight_up"}
    assert {each["theoretical_return"] for each in by_type.values()} == {"92.31%"}
    assert first["theoretical_return"] == "92.31%"  # 12/13, whatever is wagered
    for each in (first, *by_type.values()):
        returned = 1 - each["hold_cents"] / each["staked_cents"]
        assert each["actual_return"] == f"{returned:.2%}"


PUT_IN = ("BoughtIn", "VoucherRedeemed", "ColourChipsBought")


async def test_drop_win_and_hold_are_those_of_the_journal(house: House) -> None:
    await busy_day(house)
    carl, ines = await house.log_on("Carl"), await house.log_on("Ines")
    await house.say("t2", "Dealer: colour blue to Pia 5 marker stand")
    chips = {"id": "b", "player": "Pia", "chips": 20}
    await house.post("/api/tables/t2/colours/blue/buy", chips, carl)
    drop, won = Counter[str](), Counter[str]()
    for table in ("t1", "t2"):
        for row in house.store.events(table):
            if row.kind in PUT_IN:
                drop[table] += json.loads(row.body)["cents"]
        for _, _, entry in house.store.entries(table):
            won[table] += entry.cents if entry.account == "house" else 0

    meters = await house.get(f"/api/meters?day={DAY}", ines)
    day = await house.get(f"/api/gaming-day/{DAY}", ines)

    assert drop == {"t1": 20_000, "t2": 5_000 + 10_000}
    for shown in (meters, day["tables"]):
        told = {e["table"]: (e["drop_cents"], e["hold_cents"]) for e in shown}
        assert told == {name: (drop[name], won[name]) for name in drop}
    held = {each["table"]: each["hold_of_drop"] for each in meters}
    assert held == {"t1": f"{won['t1'] / drop['t1']:.2%}", "t2": "0.00%"}
    assert day["drop_cents"] == drop.total()
    assert day["hold_cents"] == won.total()
    closed = await house.post(f"{CLOSE}?day={DAY}&early=true", token=carl)
    assert (closed["drop_cents"], closed["hold_cents"]) == (35_000, won.total())
    [empty, _] = await house.get("/api/meters?day=2020-02-29", ines)
    assert (empty["drop_cents"], empty["hold_of_drop"]) == (0, "–")


async def test_the_journal_is_verified_while_tables_play(
    house: House, tmp_path: Path
) -> None:
    ines = await house.log_on("Ines")
    await busy_day(house)
    again = partial(open_store, str(tmp_path / "house.db"))
    house.app = build_api(ApiResources(house.floor, open_again=again))

    report = await house.post("/api/journal/verify", token=ines)

    assert (report["is_clean"], report["findings"]) == (True, [])
    assert report["checked"]["events"] > 30
    assert report["unproven"]
    run_sql(
        f"sqlite:///{tmp_path / 'house.db'}",
        "UPDATE entries SET cents = 1 WHERE account = 'seat:Paul'",
    )
    report = await house.post("/api/journal/verify", token=ines)
    assert not report["is_clean"]
    off = next(each for each in report["findings"] if each["table"] == "balances")
    assert (off["stream"], off["reason"]["code"]) == ("t1", "balance_differs")
    assert off["problem"] == (
        "{account} is {found}, its entries sum to {expected}".format_map(
            off["reason"]["values"]
        )
    )


async def test_one_verification_at_a_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    others_are_answered = Event()

    def verify_slowly(*of: Any, **how: Any) -> VerificationReport:
        assert others_are_answered.wait(20)
        return verify(*of, **how)

    monkeypatch.setattr("croupier.web.api.reports.verify", verify_slowly)

    ines = await house.log_on("Ines")
    asked = [house.ask("POST", "/api/journal/verify", token=ines) for _ in range(3)]

    answers = []
    for answered in asyncio.as_completed(asked):
        answers.append((await answered).status)
        if len(answers) == 2:
            others_are_answered.set()

    assert answers == [409, 409, 200]


async def test_a_table_that_has_left_the_floor_is_still_reported(house: House) -> None:
    await busy_day(house)
    ines = await house.log_on("Ines")
    path = f"/api/gaming-day/{DAY}"
    before = await house.get(path, ines)
    tables = house.floor.tables
    gone = tables.pop("t1")

    after = await house.get(path, ines)

    tables["t1"] = gone
    assert sorted(after["tables"], key=str) == sorted(before["tables"], key=str)


async def test_the_end_of_a_day_is_signed_where_there_is_a_key(house: House) -> None:
    key = Ed25519PrivateKey.generate()
    house.app = build_api(ApiResources(house.floor, signing_key=key))
    mira = await house.log_on("Mira")

    await house.post(f"{CLOSE}?early=true", token=mira)

    [signed] = checkpoints(house.store)
    name = origin_of(house.store, "")
    assert log_key(name, key.public_key()).has_signed(Note.read(signed))


async def test_life_meters_by_terminal_equal_the_ledger(house: House) -> None:
    await busy_day(house)
    ines, record = await house.log_on("Ines"), house.floor.record
    for terminal in ("A", "B"):  # Rita plays at one terminal, and then at another
        house.pass_minutes(1)
        record.write(SeatTaken("t1", terminal, "Rita"))
        house.pass_minutes(1)
        for command in (BuyIn("Rita", 2_000), IssueVoucher("Rita", 500)):
            asked = Submission(house.new_id(), (CARL,), command)
            await house.floor.table("t1").submit(asked)
        await house.play_round("t1", "Rita: place red 10 as p", outcome="1")
        record.write(SeatLeft("t1", terminal, "Rita"))

    t1, t2 = await house.get("/api/meters?terminals=true", ines)

    for table, shown in (("t1", t1), ("t2", t2)):
        balances = house.store.balances(table)
        credit = sum(c for a, c in balances.items() if a.startswith("seat:"))
        meters = shown["terminals"]
        assert sum(each["credit_cents"] for each in meters) == credit
        assert sum(each["staked_cents"] for each in meters) == shown["staked_cents"]
        for each in meters:
            incoming = ("cash_in", "vouchers_in", "returned", "adjusted", "other")
            outgoing = ("staked", "vouchers_out", "cash_out")
            added = sum(each[f"{name}_cents"] for name in incoming)
            taken = sum(each[f"{name}_cents"] for name in outgoing)
            assert added - taken == each["credit_cents"]
    ritas = {each["terminal"]: each for each in t1["terminals"]}
    for name in ("A", "B"):
        mine = ritas[name]
        assert (mine["cash_in_cents"], mine["staked_cents"]) == (2_000, 1_000)
        assert (mine["returned_cents"], mine["vouchers_out_cents"]) == (2_000, 500)
    days, _ = await house.get("/api/meters", ines)
    assert days["terminals"] == []
