"""The tour of the demonstration house: a step is done once the journal has it."""

from __future__ import annotations

from pathlib import Path

from croupier.house.floor.automatic_dealer import DEALER
from croupier.rules import commands as do
from croupier.rules.wheel import Number
from tests.web.a_house import REAL, House, in_house
from tests.web.api.test_proposals import PATH, confirmation, correction, played

_PATH = "/api/demonstration/tour"
_NOTHING = {"played": None, "dealt": None, "proposed": None, "corrected": None}


def test_each_step_is_marked_with_its_round(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        assert await house.get(_PATH) == {"table": "t1", "round": 0, **_NOTHING}
        await played(house)
        tour = {"table": "t1", "round": 1, **_NOTHING, "dealt": 1}
        assert await house.get(f"{_PATH}?seat=Paul") == {**tour, "played": 1}
        assert await house.get(f"{_PATH}?seat=Ben") == tour
        assert (await house.get(f"{_PATH}?since=2"))["dealt"] is None

        dana, sam = await house.log_on("Dana"), await house.log_on("Sam")
        number = (await house.post(PATH, correction(), dana))["number"]
        assert await house.get(_PATH) == {**tour, "proposed": number}
        await house.post(f"{PATH}/{number}/confirm", confirmation(), sam)
        assert await house.get(f"{_PATH}?table=t1") == {**tour, "corrected": 1}

    in_house(tmp_path, scenario)


def test_what_the_automatic_dealer_deals_is_no_step(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await house.say("t1", "Dealer: place your bets", "Dealer: spin")
        await house.say("t1", "Dealer: no more bets")
        await house.act("t1", do.AnnounceOutcome(Number("17")), DEALER)
        await house.say("t1", "Dealer: settle")

        assert (await house.get(_PATH))["dealt"] is None

    in_house(tmp_path, scenario)


def test_there_is_none_for_real_money(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await house.refused(403, "GET", _PATH)

    in_house(tmp_path, scenario, REAL)
