"""The preview of a settlement."""

from __future__ import annotations

import pytest

from croupier.house.floor.exposure import in_chips
from tests.web.a_house import House

pytestmark = pytest.mark.anyio


async def test_a_settlement_is_told_player_by_player_before_it_is_made(
    house: House,
) -> None:
    dana = await house.log_on("Dana")
    path = "/api/tables/t2/settlement"
    await house.say("t2", "Dealer: place your bets")
    error = await house.refused(409, "GET", path, token=dana)
    assert "outcome" in error or "closed" in error
    await house.say("t2", "Anna: lay 17 10 as w1", "Ben: lay red 20 as w2")
    await house.say("t2", "Anna: lay black 5 as w3")
    await house.say("t2", "Dealer: spin", "Dealer: no more bets")
    await house.say("t2", "Dealer: outcome 17")

    told = await house.get(path, dana)
    assert (told["round"], told["winning_number"]) == (1, "17")
    anna, ben = told["by_hand"]
    assert anna["player"] == "Anna"
    assert anna["paid_cents"] == 35_500
    assert anna["paid_in"] == [[10_000, 3], [2_500, 2], [500, 1]]
    assert anna["rest_cents"] == 0
    assert anna["returned_cents"] == 1_500
    assert (ben["collected_cents"], ben["paid_in"]) == (2_000, [])
    assert [each["id"] for each in anna["wagers"]] == ["w1", "w3"]
    view = (await house.get("/api/tables/t2/state", dana))["view"]
    assert view["phase"] == "decided"


def test_what_is_too_small_for_every_chip_is_named() -> None:
    assert in_chips(1_260, (500, 100)) == (((500, 2), (100, 2)), 60)
    assert in_chips(0, (500,)) == ((), 0)


async def test_only_the_staff_see_a_settlement(house: House) -> None:
    await house.refused(401, "GET", "/api/tables/t2/settlement")
