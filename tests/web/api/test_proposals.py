"""Two-person acts over HTTP: two people, both by password, the effect shown first."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.ledger.accounts import Entry
from croupier.ledger.commands import CashOut
from tests.web.a_house import House
from tests.web.two_people import (
    AT_T1,
    PATH,
    PAUL,
    WHY,
    adjustment,
    confirmation,
    correction,
    played,
)

pytestmark = pytest.mark.anyio


def balances(house: House) -> dict[str, int]:
    return {str(k): v for k, v in house.store.balances("t1").items()}


def change(account: str, name: str, cents: int) -> dict[str, object]:
    return {"account": account, "name": name, "cents": cents}


def as_shown(before: dict[str, int], after: dict[str, int]) -> list[dict[str, object]]:
    changes = {a: after.get(a, 0) - before.get(a, 0) for a in {**before, **after}}
    return [
        change(account.partition(":")[0], account.partition(":")[2], cents)
        for account, cents in sorted(changes.items())
        if cents
    ]


async def test_a_correction_has_the_effect_that_was_shown(house: House) -> None:
    await played(house)
    dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
    before = balances(house)

    proposed = await house.post(AT_T1, correction(), dana)
    assert balances(house) == before
    [waiting] = await house.get(PATH, sam)
    done = await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)

    assert waiting == proposed
    assert proposed["effect"] == [
        change("house", "", 36_000),
        change("seat", "Paul", -36_000),
    ]
    assert as_shown(before, balances(house)) == done["effect"] == waiting["effect"]
    assert await house.get(PATH, sam) == []
    again = await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)
    assert again == done
    assert as_shown(before, balances(house)) == done["effect"]


async def test_one_person_cant_act_as_two(house: House) -> None:
    await played(house)
    mira, path = await house.log_on("Mira"), f"{AT_T1}/1/confirm"
    adjust = {**adjustment(500), "position": "Pit Manager"}
    await house.post(AT_T1, adjust, mira)

    other = confirmation(position="Table Games Shift Manager")
    error = await house.refused(403, "POST", path, other, mira)

    assert error == "another person must confirm your proposal"
    max_ = await house.log_on("Max")
    error = await house.refused(403, "POST", path, {"password": "wrong"}, max_)
    assert error.startswith("the name or the password is wrong")
    error = await house.refused(
        403, "POST", path, confirmation(position="Dealer"), max_
    )
    assert error == "Max is not Dealer"
    assert len(await house.get(PATH, max_)) == 1
    await house.post(path, confirmation(), max_)


async def test_a_proposal_needs_the_password_once_more(house: House) -> None:
    await played(house)
    dana = await house.log_on("Dana")

    error = await house.refused(403, "POST", AT_T1, correction(password="no"), dana)

    assert error.startswith("the name or the password is wrong")
    assert await house.get(PATH, dana) == []


async def test_a_proposal_expires_or_is_withdrawn(house: House) -> None:
    await played(house)
    dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
    before = balances(house)
    for _ in range(2):
        await house.post(AT_T1, correction(), dana)
    answer = await house.ask("DELETE", f"{PATH}/1?reason=a%20slip", token=dana)
    assert answer.status == 204
    await house.refused(404, "POST", f"{AT_T1}/1/confirm", confirmation(), sam)

    house.pass_minutes(10)

    assert await house.get(PATH, sam) == []
    path = f"{AT_T1}/2/confirm"
    error = await house.refused(404, "POST", path, confirmation(), sam)
    assert error == "no proposal 2 is waiting"
    await house.refused(404, "DELETE", f"{PATH}/2", token=sam)
    assert balances(house) == before
    ends = [
        event["text"]
        for event in (await house.get("/api/log?kind=proposal", sam))["events"]
        if event["event"] == "ProposalEnded"
    ]
    assert ends == [
        "proposal ended: number 1, reason a slip",
        "proposal ended: number 2, reason expired",
    ]


async def test_what_has_another_effect_by_now_is_proposed_again(house: House) -> None:
    await played(house)
    dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
    await house.post(AT_T1, correction(), dana)
    await house.act("t1", CashOut("Paul", 130_000))

    path = f"{AT_T1}/1/confirm"
    error = await house.refused(409, "POST", path, confirmation(), sam)

    assert error == "its effect has changed since it was proposed: propose it again"
    again = await house.post(AT_T1, correction(), dana)
    assert change("claim", "Paul", 30_000) in again["effect"]
    await house.post(f"{AT_T1}/2/confirm", confirmation(), sam)
    assert balances(house)["claim:Paul"] == -30_000


async def test_an_adjustment_and_the_voiding_of_rounds(house: House) -> None:
    await played(house)
    carl, sam = await house.log_on("Carl"), await house.log_on("Sam")
    mira = await house.log_on("Mira")
    adjust = adjustment(-550, "paid twice by mistake")
    shown = await house.post(AT_T1, adjust, carl)
    assert shown["effect"] == [
        change("adjustments", "", 550),
        change("seat", "Paul", -550),
    ]
    before = balances(house)
    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)
    assert as_shown(before, balances(house)) == shown["effect"]

    before = balances(house)
    void = {"kind": "void", "round_numbers": [1], "reason": "ball_broke", **WHY}
    void["because"] = "found in two halves"
    shown = await house.post(AT_T1, correction(act=void), sam)
    assert shown["act"] == void
    await house.post(f"{AT_T1}/2/confirm", confirmation(), mira)

    assert as_shown(before, balances(house)) == shown["effect"]


async def test_what_the_table_refuses_by_then_is_over(house: House) -> None:
    await played(house)
    sam, mira = await house.log_on("Sam"), await house.log_on("Mira")
    adjust = adjustment(-136_000)
    await house.post(AT_T1, adjust, sam)
    await house.act("t1", CashOut("Paul", 100))

    path = f"{AT_T1}/1/confirm"
    answer = await house.ask("POST", path, confirmation(), token=mira)

    assert (answer.status, answer.json()["clause"]) == (409, "1.6")
    assert await house.get(PATH, mira) == []
    [*_, last] = (await house.get("/api/log?kind=proposal", mira))["events"]
    assert last["text"].startswith("proposal ended: number 1, reason refused: ")


async def test_what_is_no_two_person_act_is_refused(house: House) -> None:
    await played(house)
    dana = await house.log_on("Dana")
    right = {"kind": "correct", "round_number": 7, "number": "5", **WHY}
    for act, sentence in (
        (right, "round 7 has no outcome to correct"),
        ({**right, "round_number": 1, "number": "S"}, "has no compartment S"),
        ({**right, "round_number": 1, "because": " "}, "this needs a reason"),
        (adjustment(0)["act"], "an adjustment is whole cents, not zero"),
    ):
        error = await house.refused(409, "POST", AT_T1, correction(act=act), dana)
        assert sentence in error
    for wrong in (
        "correct round 1 to 5",
        {**right, "kind": "dance"},
        {**right, "round_number": 0},
        {**right, "more": 1},
        {"kind": "void", "round_numbers": [], "reason": "ball_broke"},
        {"kind": "void", "round_numbers": [1], "reason": None},
        adjustment(10**16)["act"],
        adjustment(5, "")["act"],
    ):
        await house.refused(400, "POST", AT_T1, correction(act=wrong), dana)
    elsewhere = AT_T1.replace("t1", "t9")
    await house.refused(404, "POST", elsewhere, correction(), dana)
    await house.refused(400, "POST", f"{AT_T1}/0/confirm", confirmation(), dana)
    await house.refused(404, "POST", f"{AT_T1}/99/confirm", confirmation(), dana)


async def test_tables_play_on_during_a_confirmation(house: House) -> None:
    import asyncio

    await played(house)
    dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
    await house.post(AT_T1, correction(), dana)
    await house.say("t1", "Dealer: place your bets")
    confirming = asyncio.create_task(
        house.post(f"{AT_T1}/1/confirm", confirmation(), sam)
    )
    asked = [house.act("t1", house.wager("Paul", "red", 100), PAUL) for _ in range(20)]

    done: list[Any] = await asyncio.wait_for(
        asyncio.gather(confirming, *asked, house.get("/api/me", dana)), timeout=10
    )

    assert done[0]["number"] == 1
    assert sum(e.cents for _, _, e in house.store.entries("t1")) == 0
    assert isinstance(next(house.store.entries("t1"))[2], Entry)
