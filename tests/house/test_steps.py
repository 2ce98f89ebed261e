"""The steps of a round on the console: ticked when they were taken, and only then."""

from __future__ import annotations

from pathlib import Path

from croupier.house.connection.views import steps_of
from tests.web.a_house import House, in_house


def told(house: House) -> dict[str, str]:
    state = house.floor.table("t1").state
    return {
        each.step: each.state for each in steps_of(state, {}, lights_confirmed=False)
    }


def test_a_round_that_is_void_before_its_close_was_never_closed(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await house.say("t1", "Dealer: place your bets", "Dealer: spin")
        betting = told(house)
        await house.say("t1", "Dealer: irregularity ball_broke")

        assert betting == {
            "open": "done",
            "spin": "done",
            "close": "now",
            "outcome": "later",
            "settle": "later",
        }
        assert told(house) == {
            "open": "done",
            "spin": "done",
            "close": "later",
            "outcome": "later",
            "settle": "now",
        }

    in_house(tmp_path, scenario)


def test_a_round_that_was_closed_shows_it(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        await house.say(
            "t1", "Dealer: place your bets", "Dealer: spin", "Dealer: no more bets"
        )

        assert told(house)["close"] == "done"
        assert told(house)["outcome"] == "now"

    in_house(tmp_path, scenario)
