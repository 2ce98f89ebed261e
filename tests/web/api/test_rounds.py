"""Past rounds over HTTP: listed, recalled in full, searched for a disputed wager."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.house.history import past_rounds
from croupier.ledger.commands import BuyIn
from croupier.rules.commands import IncreaseWager, WithdrawWager
from croupier.rules.operator import Person, Role
from croupier.table import Submission
from croupier.table.commands import ReportShown
from tests.web.a_house import NOON, SYSTEM, House, opened

pytestmark = pytest.mark.anyio

PAUL, PIA = Person("Paul", Role.PLAYER), Person("Pia", Role.PLAYER)
ROUNDS = "/api/tables/t1/rounds"


async def played(house: House) -> None:
    """Play three rounds: Paul wins, Pia loses, and one is void."""
    await house.act("t1", BuyIn("Paul", 10_000))
    await house.act("t1", BuyIn("Pia", 10_000))
    await house.say("t1", "Dealer: place your bets")
    await house.act("t1", house.wager("Paul", "17", 1_000), PAUL)
    shown = ReportShown("T1", "place your bets", NOON + 7)
    await house.act("t1", shown, SYSTEM)
    await house.finish_round("t1", "17")
    house.pass_minutes(1)
    await house.say("t1", "Dealer: place your bets")
    await house.act("t1", house.wager("Pia", "red", 500), PIA)
    await house.finish_round("t1", "2")
    house.pass_minutes(1)
    await house.say("t1", "Dealer: place your bets")
    await house.act("t1", house.wager("Pia", "red", 500), PIA)
    await house.say("t1", "Dealer: irregularity ball_broke", "Dealer: settle")


async def test_rounds_are_listed_the_latest_first(house: House) -> None:
    ines = await house.log_on("Ines")
    assert await house.get(ROUNDS, ines) == []
    await played(house)

    third, second, first = await house.get(ROUNDS, ines)

    assert (first["status"], first["winning_number"]) == ("settled", "17")
    totals = first["totals"]
    assert (totals["stake_cents"], totals["paid_cents"]) == (1_000, 35_000)
    assert (second["totals"]["collected_cents"], second["wager_count"]) == (500, 1)
    assert first["wagers"] == []
    assert (third["status"], third["winning_number"]) == ("void", None)
    assert third["clause"] == "5.4"
    assert first["settled_ms"] == NOON
    [only] = await house.get(f"{ROUNDS}?before=3&count=1", ines)
    assert only["round"] == 2
    assert await house.get(f"{ROUNDS}?before=1", ines) == []
    for query in ("before=0", "count=0", "count=101", "before=x"):
        await house.refused(400, "GET", f"{ROUNDS}?{query}", token=ines)
    await house.refused(404, "GET", "/api/tables/t9/rounds", token=ines)


async def test_a_receipt_is_found_by_its_seal_as_it_is_printed(house: House) -> None:
    ines = await house.log_on("Ines")
    await played(house)
    path = "/api/tables/t1/search/seals?seal="
    second = await house.get(f"{ROUNDS}/2", ines)
    settled = next(e for e in second["events"] if e["event"] == "RoundSettled")
    seal = settled["hash"]
    printed = "%20".join(seal[at : at + 8] for at in range(0, len(seal), 8))

    whole = await house.get(path + printed, ines)
    begun = await house.get(path + seal[:8].upper(), ines)
    other = await house.get(f"/api/tables/t2/search/seals?seal={seal}", ines)

    assert whole == begun
    [found] = whole
    assert (found["round"], found["sequence"]) == (2, settled["sequence"])
    assert (found["settled_ms"], found["seal"]) == (settled["at_ms"], seal)
    assert other == []
    assert await house.get(path + "0" * 64, ines) == []
    for wrong in ("0000000", "not%20a%20seal", "%20" * 8, "0-" * 7, "0" * 65):
        await house.refused(400, "GET", path + wrong, token=ines)


async def test_a_round_that_is_held_is_listed_as_referred(house: House) -> None:
    ines = await house.log_on("Ines")
    await house.say("t1", "Dealer: place your bets", "Dealer: no spin")

    [held] = await house.get(ROUNDS, ines)

    assert (held["status"], held["clause"]) == ("referred", "A12")


async def test_a_correction_is_seen_in_the_list(house: House) -> None:
    ines = await house.log_on("Ines")
    await played(house)
    people = (Person("Dana", Role.DEALER), Person("Sam", Role.PIT_SUPERVISOR))
    await house.act("t1", house.act_of("t1", "correct round 1 to 5"), *people)

    [first] = await house.get(f"{ROUNDS}?before=2", ines)

    [correction] = first["corrections"]
    assert (first["winning_number"], correction["number_before"]) == ("5", "17")
    assert (first["status"], first["totals"]["paid_cents"]) == ("settled", 0)


async def test_a_round_is_recalled_in_full(house: House) -> None:
    ines = await house.log_on("Ines")
    await played(house)

    found = await house.get(f"{ROUNDS}/1", ines)

    assert (found["winning_number"], found["phase"]) == ("17", "ended")
    assert found["limits"] == ["* 1.00 1000.00"]
    assert found["credit_before"] == {"Paul": 10_000, "Pia": 10_000}
    assert found["credit_after"] == {"Paul": 45_000, "Pia": 10_000}
    by = {each["event"]: each for each in found["events"]}
    assert by["PlaceYourBetsAnnounced"]["by"] == "Dealer (Dealer)"
    assert by["WagerPlaced"]["entries"] == [
        {"account": "seat:Paul", "cents": -1_000},
        {"account": "layout", "cents": 1_000},
    ]
    assert found["wagers"][0]["pieces"][0]["clause"] == "4.1"
    assert found["announcements"] == [
        {
            "terminal": "T1",
            "announcement": "place your bets",
            "shown_at_ms": NOON + 7,
            "reported_at_ms": NOON,
        }
    ]
    void = await house.get(f"{ROUNDS}/3", ines)
    assert void["standing"]["clause"] == "5.4"
    error = await house.refused(404, "GET", f"{ROUNDS}/9", token=ines)
    assert error == "t1 has no round 9"
    await house.refused(404, "GET", f"{ROUNDS}/9007199254740992", token=ines)


async def test_nothing_that_looks_back_shows_the_id_of_a_command(house: House) -> None:
    """With the id, a device could ask for the command's answer."""

    ines = await house.log_on("Ines")
    await played(house)
    rows = [*house.store.events("t1")]
    paths = (f"{ROUNDS}/1", f"{ROUNDS}/3", ROUNDS, "/api/log")

    told = [json.dumps(await house.get(path, ines)) for path in paths]

    assert rows
    for text in told:
        assert not [each for each in rows if f'"{each.command_id}"' in text]


async def test_a_wager_in_dispute_is_found(house: House) -> None:
    ines = await house.log_on("Ines")
    await played(house)
    late = Submission("late", (PAUL,), house.wager("Paul", "20", 100))
    await house.floor.table("t1").submit(late)
    path = "/api/tables/t1/search/wagers"

    by_seat = await house.get(f"{path}?seat=Paul", ines)
    by_round = await house.get(f"{path}?round=2", ines)
    by_time = await house.get(
        f"{path}?from_ms={NOON + 60_000}&to_ms={NOON + 60_001}", ines
    )
    nothing = await house.get(f"{path}?to_ms={NOON}", ines)

    [mine] = by_seat["wagers"]
    assert (mine["wager"], mine["winning_number"]) == ("straight_up:17", "17")
    assert mine["settled"]["paid_cents"] == 35_000
    assert [step["event"] for step in mine["steps"]] == ["WagerPlaced"]
    [refusal] = by_seat["refusals"]
    asked = {"kind": "PlaceWager", "wager": "20", "cents": 100}
    assert (refusal["player"], refusal["acts"]) == ("Paul", [asked])
    assert [each["player"] for each in by_round["wagers"]] == ["Pia"]
    assert by_time["wagers"] == by_round["wagers"]
    assert (nothing["wagers"], nothing["has_more"]) == ([], False)
    other = "/api/tables/t9/search/wagers"
    await house.refused(404, "GET", other, token=ines)


async def test_a_moment_is_found_in_a_journal_by_halving(house: House) -> None:
    await played(house)
    times = [row.at_ms for row in house.store.events("t1")]

    for at_ms in {0, NOON - 1, *times, *(each + 1 for each in times)}:
        linear = sum(each < at_ms for each in times)
        assert house.store.sequence_before("t1", at_ms) == linear
    assert house.store.sequence_before("nothing", NOON) == 0


@patch.object(past_rounds, "_MOST_ROUNDS", 1)
async def test_a_search_that_is_too_wide_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        ines = await house.log_on("Ines")
        await played(house)

        found = await house.get("/api/tables/t1/search/wagers", ines)

        assert found["has_more"]
        assert [each["round"] for each in found["wagers"]] == [1]


async def test_steps_of_a_wager_are_told_in_order(house: House) -> None:
    ines = await house.log_on("Ines")
    await house.act("t1", BuyIn("Paul", 10_000))
    await house.say("t1", "Dealer: place your bets")
    wager = house.wager("Paul", "red", 500)
    await house.act("t1", wager, PAUL)
    more = IncreaseWager(wager.wager_id, "Paul", 300)
    await house.act("t1", more, PAUL)
    back = WithdrawWager(wager.wager_id, "Paul")
    await house.act("t1", back, PAUL)

    found = await house.get("/api/tables/t1/search/wagers?round=1", ines)

    [mine] = found["wagers"]
    assert [step["event"] for step in mine["steps"]] == [
        "WagerPlaced",
        "WagerIncreased",
        "WagerWithdrawn",
    ]
    assert (mine["settled"], mine["steps"][1]["by"]) == (None, "Paul (Player)")
    [brief] = await house.get(ROUNDS, ines)
    assert (brief["status"], brief["settled_ms"]) == ("open", None)


async def test_recalls_and_reports_do_not_show_voucher_codes(house: House) -> None:
    ines, carl = await house.log_on("Ines"), await house.log_on("Carl")
    seat = "/api/tables/t1/seats/Paul"
    await house.say("t1", "Dealer: place your bets")
    await house.post(f"{seat}/buy-in", {"id": "1", "cents": 5_000}, carl)
    codes = [
        (await house.post(f"{seat}/voucher", {"id": each, "cents": 100}, carl))[
            "voucher"
        ]
        for each in ("2", "3", "4")
    ]
    redeem = {"code": codes[0]}
    await house.post(f"{seat}/redeem", {"id": "5", **redeem}, carl)
    refused = {"id": "6", **redeem}
    await house.refused(409, "POST", f"{seat}/redeem", refused, carl)
    await house.post("/api/vouchers/lost", {"code": codes[1]}, carl)

    recalled = json.dumps(await house.get(f"{ROUNDS}/1", ines))
    log = json.dumps(await house.get(f"/api/log?from_ms={NOON}", ines))

    assert "VoucherIssued" in recalled
    assert "VoucherRedeemed" in recalled
    assert "VoucherReportedLost" in log
    assert "ActRefused" in log
    for code in codes:
        assert code not in recalled
        assert code not in log
        assert code[-4:] in recalled
