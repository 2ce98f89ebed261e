"""The tour of the demonstration house: a step is done once the journal has it."""

from __future__ import annotations

import pytest

from croupier.house.floor.automatic_dealer import DEALER
from croupier.rules.commands import AnnounceOutcome
from croupier.rules.wheel import Number
from tests.web.a_house import REAL, House
from tests.web.two_people import (
    AT_T1,
    WHY,
    confirmation,
    correction,
    played,
)

pytestmark = pytest.mark.anyio

_PATH = "/api/demonstration/tour"
_STEPS = ("played", "dealt", "proposed", "corrected", "verified")
_NOTHING: dict[str, int | None] = dict.fromkeys(_STEPS)


async def test_each_step_is_marked_with_its_round(house: House) -> None:
    assert await house.get(_PATH) == {"table": "t1"}
    await played(house)
    at = "/api/tables/t1/tour"
    tour = {"table": "t1", **_NOTHING, "dealt": 1}
    assert await house.get(f"{at}?seat=Paul") == {**tour, "played": 1}
    assert await house.get(f"{at}?seat=Ben") == tour
    assert (await house.get(f"{at}?since=2"))["dealt"] is None

    dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
    number = (await house.post(AT_T1, correction(), dana))["number"]
    assert await house.get(at) == {**tour, "proposed": number}
    await house.post(f"{AT_T1}/{number}/confirm", confirmation(), sam)
    assert await house.get(at) == {**tour, "corrected": 1}

    ines = await house.log_on("Ines")
    assert (await house.post("/api/journal/verify", None, ines))["is_clean"]
    corrected = {**tour, "corrected": 1, "verified": 1}
    assert await house.get(at) == corrected
    house.pass_minutes(1)
    correct = {"kind": "correct", "round_number": 1}
    again = correction(act={**correct, "number": "6", **WHY})
    number = (await house.post(AT_T1, again, dana))["number"]
    await house.post(f"{AT_T1}/{number}/confirm", confirmation(), sam)
    assert await house.get(at) == {**corrected, "verified": None}


async def test_what_the_automatic_dealer_deals_is_no_step(house: House) -> None:
    await house.say("t1", "Dealer: place your bets", "Dealer: spin")
    await house.say("t1", "Dealer: no more bets")
    await house.act("t1", AnnounceOutcome(Number("17")), DEALER)
    await house.say("t1", "Dealer: settle")

    assert (await house.get("/api/tables/t1/tour"))["dealt"] is None


async def test_it_begins_at_a_table_without_another_dealer(house: House) -> None:
    dana = await house.log_on("Dana")
    await house.post("/api/tables/t1/dealer", None, dana)

    assert (await house.get(_PATH))["table"] == "t2"


@pytest.mark.house_file(REAL)
async def test_there_is_none_for_real_money(house: House) -> None:
    await house.refused(403, "GET", _PATH)
