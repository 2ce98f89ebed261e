"""A seat over HTTP, by the token of its terminal."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from croupier.ledger.commands import BuyIn, CashOut, IssueVoucher
from croupier.rules.operator import Person, Role
from tests.web.a_house import House

pytestmark = pytest.mark.anyio

SEAT = "/api/tables/t1/seat"


async def guest(house: House, cents: int = 10_000) -> tuple[str, str]:
    """Return the token and the name of a terminal with credit."""
    seat = await house.post("/api/tables/t1/guests")
    name = seat["device"]
    await house.act("t1", BuyIn(name, cents))
    return seat["token"], name


async def place(house: House, seat: str, wager: str, cents: int) -> None:
    person = Person(seat, Role.PLAYER)
    await house.act("t1", house.wager(seat, wager, cents), person)


async def test_a_terminal_sees_the_results_of_its_own_chips(house: House) -> None:
    (token, anna), (_, ben) = await guest(house), await guest(house)
    assert (await house.get(f"{SEAT}/results", token))["numbers"] == []
    await house.say("t1", "Dealer: place your bets")
    await place(house, anna, "17", 100)
    await place(house, ben, "18", 5_000)

    shown = await house.get(f"{SEAT}/results", token)

    nets = {each["number"]: each["least_cents"] for each in shown["numbers"]}
    assert (nets["17"], nets["18"], nets["000"]) == (3_500, -100, -100)
    assert (shown["stake_cents"], shown["house_edge"]) == (100, "1/13")
    for path in ("/api/tables/t2/seat/results",):
        await house.refused(403, "GET", path, token=token)
    sam = await house.log_on("Sam")
    await house.refused(401, "GET", f"{SEAT}/results", token=sam)


async def test_a_seat_has_its_own_rounds_with_pieces_and_corrections(
    house: House,
) -> None:
    (token, anna), (other, ben) = await guest(house), await guest(house)
    assert (await house.get(f"{SEAT}/rounds", token))["rounds"] == []
    await house.say("t1", "Dealer: place your bets")
    await place(house, anna, "17", 100)
    await place(house, ben, "red", 500)
    await house.finish_round("t1", "17")
    await house.play_round("t1", outcome="3")
    await house.say(
        "t1", "Dealer + Pit Supervisor: correct round 1 to 18 because misread"
    )

    shown = await house.get(f"{SEAT}/rounds", token)

    [played] = shown["rounds"]
    assert (played["round"], played["winning_number"]) == (1, "18")
    assert [each["wager"] for each in played["wagers"]] == ["straight_up:17"]
    assert played["wagers"][0]["pieces"][0]["clause"] == "4.1"
    assert played["totals"]["net_cents"] == -100
    [correction] = played["corrections"]
    assert (correction["event"], correction["clause"]) == (
        "OutcomeCorrected",
        "5.5",
    )
    assert (correction["number_before"], correction["number_after"]) == ("17", "18")
    assert correction["because"] == "misread"
    assert correction["net_before_cents"] == 3_500
    assert correction["net_after_cents"] == -100
    assert (shown["seat"], shown["player"]) == (anna, None)
    assert shown["session"]["staked_cents"] == 100
    [theirs] = (await house.get(f"{SEAT}/rounds", other))["rounds"]
    assert theirs["totals"]["net_cents"] == 500
    ines = await house.log_on("Ines")
    whole = await house.get("/api/tables/t1/rounds/1", ines)
    seals = {each["sequence"]: each["hash"] for each in whole["events"]}
    assert seals[played["sequence"]] == played["seal"]


async def test_what_changed_the_credit_meanwhile_is_listed_with_its_reason(
    house: House,
) -> None:
    token, anna = await guest(house)
    await house.get(f"{SEAT}/rounds", token)
    player = Person(anna, Role.PLAYER)
    for _ in range(2):
        await house.say("t1", "Dealer: place your bets")
        await place(house, anna, "17", 100)
        await house.finish_round("t1", "17")
    away = (await house.get(f"{SEAT}/changes", token))["sequence"]
    credit = house.floor.table("t1").state.credit(anna)

    await house.say("t1", "Dealer: place your bets")
    await place(house, anna, "red", 500)
    out = "Dealer: irregularity ball_out_of_wheel"
    await house.say("t1", "Dealer: spin", out, "Dealer: settle")
    await house.say(
        "t1", "Dealer + Pit Supervisor: correct round 1 to 18 because misread"
    )
    await house.act("t1", BuyIn(anna, 2_000))
    await house.act("t1", IssueVoucher(anna, 700), player)
    await house.act("t1", CashOut(anna, 300))

    shown = await house.get(f"{SEAT}/changes?after={away}", token)
    found = [
        tuple(each[name] for name in ("event", "round", "clause", "because"))
        for each in shown["changes"]
    ]
    assert found == [
        ("RoundSettled", 3, "5.3.4", ""),
        ("OutcomeCorrected", 1, "5.5", "misread"),
        ("BoughtIn", 3, None, ""),
        ("CashedOut", 3, None, ""),
    ]
    void, corrected, *_, last = shown["changes"]
    assert void["number_after"] is None
    assert void["reason"]["reason"]["code"] == "ball_out_of_wheel"
    assert (corrected["number_before"], corrected["number_after"]) == ("17", "18")
    sums = [(c["before_cents"], c["after_cents"]) for c in shown["changes"]]
    assert sums == [
        (credit - 500, credit),
        (credit, credit - 3_600),
        (credit - 3_600, credit - 1_600),
        (credit - 2_300, credit - 2_600),
    ]
    assert last["after_cents"] == house.floor.table("t1").state.credit(anna)
    again = await house.get(f"{SEAT}/changes?after={shown['sequence']}", token)
    assert again["changes"] == []


async def test_the_next_player_at_a_seat_sees_no_earlier_rounds(house: House) -> None:
    token, seat = await guest(house, 100)
    await house.get(f"{SEAT}/rounds", token)
    await house.say("t1", "Dealer: place your bets")
    await place(house, seat, "red", 100)
    await house.finish_round("t1", "3")
    assert len((await house.get(f"{SEAT}/rounds", token))["rounds"]) == 1
    person = Person(seat, Role.PLAYER)
    house.pass_minutes(1)
    credit = house.floor.table("t1").state.credit(seat)
    await house.act("t1", IssueVoucher(seat, credit), person)
    assert (await house.get(f"{SEAT}/rounds", token))["rounds"] == []

    house.pass_minutes(1)
    await house.act("t1", BuyIn(seat, 1_000))
    await house.say("t1", "Dealer + Pit Supervisor: correct round 1 to 2")
    assert (await house.get(f"{SEAT}/rounds", token))["rounds"] == []


async def test_own_rounds_come_page_by_page_the_latest_first(house: House) -> None:
    token, seat = await guest(house)
    await house.get(f"{SEAT}/rounds", token)
    for _ in range(3):
        await house.say("t1", "Dealer: place your bets")
        await place(house, seat, "red", 100)
        await house.finish_round("t1", "0")

    first = await house.get(f"{SEAT}/rounds?count=2", token)
    rest = await house.get(f"{SEAT}/rounds?before=2", token)

    assert [each["round"] for each in first["rounds"]] == [3, 2]
    assert (first["has_more"], rest["has_more"]) == (True, False)
    assert [each["round"] for each in rest["rounds"]] == [1]


async def test_wagers_are_rehearsed_with_the_chips_and_the_credit_of_the_seat(
    house: House,
) -> None:
    token, seat = await guest(house)
    path, head = f"{SEAT}/rehearsal", house.store.head("t1")
    wagers = [{"wager": "neighbours:17", "stake_cents": 100}]
    late = await house.post(path, {"wagers": wagers}, token)
    assert house.store.head("t1") == head
    await house.say("t1", "Dealer: place your bets")
    await place(house, seat, "17", 99_950)
    credit = house.floor.table("t1").state.credit(seat)
    head = house.store.head("t1")

    shown = await house.post(
        path, {"wagers": [{"wager": "red", "stake_cents": 500}]}, token
    )
    over = await house.post(path, {"wagers": wagers}, token)
    poor = [{"wager": each, "stake_cents": 9_000} for each in ("red", "black")]
    broke = await house.post(path, {"wagers": poor}, token)

    assert shown["pieces"] == [{"area": "red", "stake_cents": 500}]
    assert (shown["total_cents"], shown["credit_after_cents"]) == (
        500,
        credit - 500,
    )
    assert "the limits are" in over["refusal"]["text"]
    assert "credit" in broke["refusal"]["text"]
    assert late["refusal"]["clause"] == "3.2"
    assert (over["pieces"], over["credit_after_cents"]) == ([], None)
    assert house.store.head("t1") == head


async def test_demonstration_credit_is_added_once_for_each_id(house: House) -> None:
    token, seat = await guest(house, 100)
    path, state = f"{SEAT}/credit", house.floor.table("t1")
    before = state.state.credit(seat)

    for sent in ("1", "1", "2"):
        await house.post(path, {"id": sent}, token)

    assert state.state.credit(seat) == before + 200_000
    with patch.object(type(house.floor), "is_demonstration", False):
        await house.refused(403, "POST", path, {"id": "3"}, token)
