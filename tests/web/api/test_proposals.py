"""Two-person acts over HTTP: two people, both by password, the effect shown first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.ledger.accounts import Entry
from croupier.rules.operator import Person, Role
from croupier.table import commands as ask
from tests.web.a_house import PASSWORD, House, in_house

PAUL = Person("Paul", Role.PLAYER)
PATH = "/api/proposals"


async def played(house: House) -> None:
    """Paul has won 350.00 on 17 with 10.00, and has 1,000.00 more; Dana deals."""
    await deal(house, "Dana")
    await house.act("t1", ask.BuyIn("Paul", 101_000))
    await house.say("t1", "Dealer: place your bets")
    await house.act("t1", house.wager("Paul", "17", 1_000), PAUL)
    await house.finish_round("t1", "17")


async def deal(house: House, name: str, table: str = "t1") -> str:
    """Have somebody deal at a table; return their token."""
    token = await house.log_on(name)
    await house.post(f"/api/tables/{table}/dealer", token=token)
    return token


WHY = {"because": "the ball was misread"}


def correction(**change: object) -> dict[str, object]:
    act = {"kind": "correct", "round_number": 1, "number": "5", **WHY}
    return {"table": "t1", "act": act, "password": PASSWORD, **change}


def adjustment(cents: int, reason: str = "a mistake") -> dict[str, object]:
    act = {"kind": "adjust", "seat": "Paul", "cents": cents, "reason": reason}
    return correction(act=act)


def confirmation(**change: object) -> dict[str, object]:
    return {"password": PASSWORD, **change}


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


def test_a_correction_does_what_was_shown(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await played(house)
        dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
        before = balances(house)

        proposed = await house.post(PATH, correction(), dana)
        assert balances(house) == before
        [waiting] = await house.get(PATH, sam)
        done = await house.post(f"{PATH}/1/confirm", confirmation(), sam)

        assert waiting == proposed
        assert proposed["effect"] == [
            change("house", "", 36_000),
            change("seat", "Paul", -36_000),
        ]
        assert as_shown(before, balances(house)) == done["effect"] == waiting["effect"]
        assert await house.get(PATH, sam) == []
        again = await house.post(f"{PATH}/1/confirm", confirmation(), sam)
        assert again == done
        assert as_shown(before, balances(house)) == done["effect"]

    in_house(tmp_path, scenario)


def test_nobody_is_two_people(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await played(house)
        mira, path = await house.log_on("Mira"), f"{PATH}/1/confirm"
        adjust = {**adjustment(500), "position": "Pit Manager"}
        await house.post(PATH, adjust, mira)

        other = confirmation(position="Table Games Shift Manager")
        error = await house.refused(403, "POST", path, other, mira)

        assert error == "a second person confirms, never the same one twice"
        max_ = await house.log_on("Max")
        error = await house.refused(403, "POST", path, {"password": "wrong"}, max_)
        assert error.startswith("the name or the password is wrong")
        error = await house.refused(
            403, "POST", path, confirmation(position="Dealer"), max_
        )
        assert error == "Max is not Dealer"
        assert len(await house.get(PATH, max_)) == 1
        await house.post(path, confirmation(), max_)

    in_house(tmp_path, scenario)


def test_a_proposal_needs_the_password_once_more(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await played(house)
        dana = await house.log_on("Dana")

        error = await house.refused(403, "POST", PATH, correction(password="no"), dana)

        assert error.startswith("the name or the password is wrong")
        assert await house.get(PATH, dana) == []

    in_house(tmp_path, scenario)


def test_a_proposal_expires_or_is_withdrawn(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await played(house)
        dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
        before = balances(house)
        for _ in range(2):
            await house.post(PATH, correction(), dana)
        answer = await house.ask("DELETE", f"{PATH}/1?reason=a%20slip", token=dana)
        assert answer.status == 204
        await house.refused(404, "POST", f"{PATH}/1/confirm", confirmation(), sam)

        house.pass_minutes(10)

        assert await house.get(PATH, sam) == []
        path = f"{PATH}/2/confirm"
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

    in_house(tmp_path, scenario)


def test_what_has_another_effect_by_now_is_proposed_again(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await played(house)
        dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
        await house.post(PATH, correction(), dana)
        await house.act("t1", ask.CashOut("Paul", 130_000))

        path = f"{PATH}/1/confirm"
        error = await house.refused(409, "POST", path, confirmation(), sam)

        assert error == "what it would do has changed since: propose it again"
        again = await house.post(PATH, correction(), dana)
        assert change("claim", "Paul", 30_000) in again["effect"]
        await house.post(f"{PATH}/2/confirm", confirmation(), sam)
        assert balances(house)["claim:Paul"] == -30_000

    in_house(tmp_path, scenario)


def test_an_adjustment_and_the_voiding_of_rounds(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await played(house)
        carl, sam = await house.log_on("Carl"), await house.log_on("Sam")
        mira = await house.log_on("Mira")
        adjust = adjustment(-550, "paid twice by mistake")
        shown = await house.post(PATH, adjust, carl)
        assert shown["effect"] == [
            change("adjustments", "", 550),
            change("seat", "Paul", -550),
        ]
        before = balances(house)
        await house.post(f"{PATH}/1/confirm", confirmation(), sam)
        assert as_shown(before, balances(house)) == shown["effect"]

        before = balances(house)
        void = {"kind": "void", "round_numbers": [1], "reason": "ball_broke", **WHY}
        void["because"] = "found in two halves"
        shown = await house.post(PATH, correction(act=void), sam)
        assert shown["act"] == void
        await house.post(f"{PATH}/2/confirm", confirmation(), mira)

        assert as_shown(before, balances(house)) == shown["effect"]

    in_house(tmp_path, scenario)


def test_what_the_table_refuses_by_then_is_over(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await played(house)
        sam, mira = await house.log_on("Sam"), await house.log_on("Mira")
        adjust = adjustment(-136_000)
        await house.post(PATH, adjust, sam)
        await house.act("t1", ask.CashOut("Paul", 100))

        path = f"{PATH}/1/confirm"
        answer = await house.ask("POST", path, confirmation(), token=mira)

        assert (answer.status, answer.json()["clause"]) == (409, "1.6")
        assert await house.get(PATH, mira) == []
        [*_, last] = (await house.get("/api/log?kind=proposal", mira))["events"]
        assert last["text"].startswith("proposal ended: number 1, reason refused: ")

    in_house(tmp_path, scenario)


def test_what_is_no_two_person_act_is_refused(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await played(house)
        dana = await house.log_on("Dana")
        right = {"kind": "correct", "round_number": 7, "number": "5", **WHY}
        for act, sentence in (
            (right, "round 7 has no outcome to correct"),
            ({**right, "round_number": 1, "number": "S"}, "has no compartment S"),
            ({**right, "round_number": 1, "because": " "}, "this needs a reason"),
            (adjustment(0)["act"], "an adjustment is whole cents, not zero"),
        ):
            error = await house.refused(409, "POST", PATH, correction(act=act), dana)
            assert sentence in error
        for wrong in (
            "correct round 1 to 5",
            {**right, "kind": "dance"},
            {**right, "round_number": 0},
            {**right, "more": 1},
            {"kind": "void", "round_numbers": [], "reason": None},
            adjustment(10**16)["act"],
            adjustment(5, "")["act"],
        ):
            await house.refused(400, "POST", PATH, correction(act=wrong), dana)
        await house.refused(404, "POST", PATH, correction(table="t9"), dana)
        await house.refused(400, "POST", f"{PATH}/0/confirm", confirmation(), dana)
        await house.refused(404, "POST", f"{PATH}/99/confirm", confirmation(), dana)

    in_house(tmp_path, scenario)


def test_tables_play_on_while_somebody_confirms(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        import asyncio

        await played(house)
        dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
        await house.post(PATH, correction(), dana)
        await house.say("t1", "Dealer: place your bets")
        confirming = asyncio.create_task(
            house.post(f"{PATH}/1/confirm", confirmation(), sam)
        )
        asked = [
            house.act("t1", house.wager("Paul", "red", 100), PAUL) for _ in range(20)
        ]

        done: list[Any] = await asyncio.wait_for(
            asyncio.gather(confirming, *asked, house.get("/api/me", dana)), timeout=10
        )

        assert done[0]["number"] == 1
        assert sum(e.cents for _, _, e in house.store.entries("t1")) == 0
        assert isinstance(next(house.store.entries("t1"))[2], Entry)

    in_house(tmp_path, scenario)
