"""The tour of the demonstration house: a step is done once the journal has it."""

from __future__ import annotations

from pathlib import Path

from croupier.house.floor.automatic_dealer import DEALER
from croupier.rules import commands as do
from croupier.rules.wheel import Number
from tests.web.a_house import REAL, House, in_house
from tests.web.api.test_proposals import (
    PATH,
    WHY,
    confirmation,
    correction,
    played,
)

_PATH = "/api/demonstration/tour"
_STEPS = ("played", "dealt", "proposed", "corrected", "verified")
_NOTHING: dict[str, int | None] = dict.fromkeys(_STEPS)


def test_each_step_is_marked_with_its_round(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        assert await house.get(_PATH) == {"table": "t1", "round": 0, **_NOTHING}
        await played(house)
        at = f"{_PATH}?table=t1"
        tour = {"table": "t1", "round": 1, **_NOTHING, "dealt": 1}
        assert await house.get(f"{at}&seat=Paul") == {**tour, "played": 1}
        assert await house.get(f"{at}&seat=Ben") == tour
        assert (await house.get(f"{at}&since=2"))["dealt"] is None

        dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
        number = (await house.post(PATH, correction(), dana))["number"]
        assert await house.get(at) == {**tour, "proposed": number}
        await house.post(f"{PATH}/{number}/confirm", confirmation(), sam)
        assert await house.get(at) == {**tour, "corrected": 1}

        ines = await house.log_on("Ines")
        assert (await house.post("/api/journal/verify", None, ines))["is_clean"]
        corrected = {**tour, "corrected": 1, "verified": 1}
        assert await house.get(at) == corrected
        house.pass_minutes(1)
        correct = {"kind": "correct", "round_number": 1}
        again = correction(act={**correct, "number": "6", **WHY})
        number = (await house.post(PATH, again, dana))["number"]
        await house.post(f"{PATH}/{number}/confirm", confirmation(), sam)
        assert await house.get(at) == {**corrected, "verified": None}

    in_house(tmp_path, scenario)


def test_what_the_automatic_dealer_deals_is_no_step(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await house.say("t1", "Dealer: place your bets", "Dealer: spin")
        await house.say("t1", "Dealer: no more bets")
        await house.act("t1", do.AnnounceOutcome(Number("17")), DEALER)
        await house.say("t1", "Dealer: settle")

        assert (await house.get(_PATH))["dealt"] is None

    in_house(tmp_path, scenario)


def test_it_begins_at_a_table_where_nobody_else_deals(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        dana = await house.log_on("Dana")
        await house.post("/api/tables/t1/dealer", None, dana)

        assert (await house.get(_PATH))["table"] == "t2"
        assert (await house.get(f"{_PATH}?table=t1"))["table"] == "t1"

    in_house(tmp_path, scenario)


def test_there_is_none_for_real_money(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await house.refused(403, "GET", _PATH)

    in_house(tmp_path, scenario, REAL)
