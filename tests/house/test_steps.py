"""The steps of a round on the console, and who begins the next one."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.views.parts import next_round_of, steps_of, takes_wagers
from croupier.protocol.answers import NextRoundView
from croupier.rules.operator import Person, Role
from croupier.table import Refused, Submission
from tests.web.a_house import House, in_house

pytestmark = pytest.mark.anyio

ANNA = Person("Anna", Role.PLAYER)


def told(house: House) -> dict[str, str]:
    state = house.floor.table("t1").state
    return {
        each.step: each.state for each in steps_of(state, {}, lights_confirmed=False)
    }


async def test_a_round_that_is_void_before_its_close_was_never_closed(
    house: House,
) -> None:
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


async def test_a_round_that_was_closed_shows_it(house: House) -> None:
    await house.say(
        "t1", "Dealer: place your bets", "Dealer: spin", "Dealer: no more bets"
    )

    assert told(house)["close"] == "done"
    assert told(house)["outcome"] == "now"


async def test_the_view_says_that_the_rest_has_closed_the_betting(house: House) -> None:
    table = house.floor.table("t1")
    shown = []
    for act in ("place your bets", "spin", "ball dropped", "ball at rest 17"):
        await house.say("t1", f"Dealer: {act}")
        shown.append(takes_wagers(table.state))
    assert shown == [True, True, True, False]

    late = Submission("late", (ANNA,), house.wager("Anna", "red", 1000))
    refused = await table.submit(late)
    await house.say("t1", "Dealer + Pit Supervisor: correct ball to 18")

    assert isinstance(refused, Refused)
    assert not takes_wagers(table.state)


@pytest.mark.parametrize(
    ("by_hand", "by", "usual_ms"), [(True, "dealer", 6_000), (False, "house", 30_000)]
)
def test_who_begins_the_next_round_is_said_while_none_is_in_play(
    by_hand: bool, by: str, usual_ms: int, tmp_path: Path
) -> None:
    async def scenario(house: House) -> None:
        def said(since_ms: int | None = 1_000) -> NextRoundView | None:
            state = house.floor.table("t1").state
            return next_round_of(state, since_ms, by_hand=by_hand)

        before = said()
        await house.say("t1", "Dealer: place your bets", "Dealer: spin")
        betting = said()
        await house.say("t1", "Dealer: irregularity ball_broke")
        void = said()
        await house.say("t1", "Dealer: settle")

        assert before == NextRoundView(by, None)
        assert betting is void is None
        assert said() == NextRoundView(by, 1_000 + usual_ms)
        assert said(since_ms=None) == NextRoundView(by, None)
        state = house.floor.table("t1").state
        later = next_round_of(state, 1_000, by_hand=by_hand, least_round_ms=72_000)
        paced_ms = 0 if by_hand else 72_000
        assert later == NextRoundView(by, 1_000 + usual_ms + paced_ms)

    in_house(tmp_path, scenario)
