"""Which two people may do an act, and proposals that events have overtaken."""

from __future__ import annotations

import asyncio

import pytest

from croupier.ledger.commands import BuyIn
from croupier.rules.events import BallRestated, BonusNumbersCorrected, OutcomeCorrected
from croupier.rules.operator import Person, Role
from croupier.table.answers import event_of
from croupier.table.commands import ConfirmLights
from tests.web.a_house import NOON, TEXT, House
from tests.web.two_people import (
    AT_T1,
    PATH,
    WHY,
    adjustment,
    confirmation,
    correction,
    deal,
    played,
)

pytestmark = pytest.mark.anyio

FAST = TEXT.replace('"mbs-roulette-v3"', '"mbs-fast-action-v2"')
HOUR = 60 * 60 * 1000


def outcome(house: House, number: int = 1) -> str | None:
    return house.floor.table("t1").state.series.round(number).winning_number


def recorded(house: House, kind: type[object], table: str = "t1") -> list[object]:
    events = map(event_of, house.store.events(table))
    return [event for event in events if isinstance(event, kind)]


async def empty_round(house: House) -> str:
    """Play a round without wagers: no correction of it moves money."""
    dana = await deal(house, "Dana")
    await house.say("t1", "Dealer: place your bets")
    await house.finish_round("t1", "17")
    return dana


async def test_a_correction_is_of_the_outcome_that_it_saw(house: House) -> None:
    dana, sam = await empty_round(house), await house.log_on("Sam")
    eight = {"kind": "correct", "round_number": 1, "number": "8", **WHY}
    first = await house.post(AT_T1, correction(), dana)
    await house.post(AT_T1, correction(act=eight), dana)

    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)
    path = f"{AT_T1}/2/confirm"
    answer = await house.ask("POST", path, confirmation(), token=sam)

    assert first["act"]["was"] == "17"
    assert (answer.status, answer.json()["clause"]) == (409, "5.5")
    assert answer.json()["error"] == "the record has changed since"
    assert outcome(house) == "5"
    assert await house.get(PATH, sam) == []


async def test_of_two_corrections_at_the_same_moment_one_is_done(house: House) -> None:
    dana = await empty_round(house)
    people = [await house.log_on(name) for name in ("Sam", "Mira")]
    for number in ("5", "8"):
        act = {"kind": "correct", "round_number": 1, "number": number, **WHY}
        await house.post(AT_T1, correction(act=act), dana)

    answers = await asyncio.gather(
        *(
            house.ask("POST", f"{AT_T1}/{n}/confirm", confirmation(), token=who)
            for n, who in enumerate(people, start=1)
        )
    )

    assert sorted(answer.status for answer in answers) == [200, 409]
    assert len(recorded(house, OutcomeCorrected)) == 1


async def test_a_proposal_against_an_older_outcome_is_refused(house: House) -> None:
    dana = await empty_round(house)
    act = {"kind": "correct", "round_number": 1, "number": "5", "was": "16", **WHY}

    await house.refused(409, "POST", AT_T1, correction(act=act), dana)

    assert await house.get(PATH, dana) == []


async def test_a_correction_needs_the_dealer_of_that_table(house: House) -> None:
    await played(house)
    dora, sam = await deal(house, "Dora", "t2"), await house.log_on("Sam")

    error = await house.refused(403, "POST", AT_T1, correction(), dora)
    await house.post(AT_T1, correction(), sam)
    path = f"{AT_T1}/1/confirm"
    again = await house.refused(403, "POST", path, confirmation(), dora)

    assert error == again == "Dora is not the Dealer of t1"
    await house.post(path, confirmation(), await house.log_on("Dana"))
    assert outcome(house) == "5"


async def test_who_may_not_confirm_is_refused_and_the_proposal_lives_on(
    house: House,
) -> None:
    await played(house)
    dana, carl = await house.log_on("Dana"), await house.log_on("Carl")
    await house.post(AT_T1, correction(), dana)

    path = f"{AT_T1}/1/confirm"
    answer = await house.ask("POST", path, confirmation(), token=carl)

    assert (answer.status, answer.json()["clause"]) == (409, "A29")
    assert [each["number"] for each in await house.get(PATH, carl)] == [1]
    await house.post(path, confirmation(), await house.log_on("Sam"))
    assert outcome(house) == "5"


async def test_an_adjustment_needs_a_supervisor(house: House) -> None:
    await played(house)
    dana, carl = await house.log_on("Dana"), await house.log_on("Carl")
    await house.post(AT_T1, adjustment(500), carl)

    path = f"{AT_T1}/1/confirm"
    error = await house.refused(409, "POST", path, confirmation(), dana)

    assert error == "an adjustment needs a Pit Supervisor or above"
    assert len(await house.get(PATH, carl)) == 1
    await house.post(path, confirmation(), await house.log_on("Sam"))


async def test_of_several_positions_the_lowest_that_may_is_used(house: House) -> None:
    await played(house)
    mira, max_ = await house.log_on("Mira"), await house.log_on("Max")
    void = {"kind": "void", "round_numbers": [1], "reason": "ball_broke", **WHY}

    adjust = await house.post(AT_T1, adjustment(500), mira)
    voided = await house.post(AT_T1, correction(act=void), mira)
    for number in (1, 2):
        await house.post(f"{AT_T1}/{number}/confirm", confirmation(), max_)

    assert adjust["position"] == "Pit Manager"
    assert voided["position"] == "Table Games Shift Manager"
    log = (await house.get("/api/log?kind=proposal", mira))["events"]
    confirmed = [e["text"] for e in log if e["event"] == "ProposalConfirmed"]
    assert all("position Pit Manager" in text for text in confirmed)


async def test_who_acts_in_a_position_that_the_document_lacks_acts_in_their_own(
    house: House,
) -> None:
    await played(house)
    sam, mira = await house.log_on("Sam"), await house.log_on("Mira")
    acting = {
        "position": Role.TABLE_GAMES_SHIFT_MANAGER.value,
        "from_ms": NOON,
        "until_ms": NOON + HOUR,
    }
    await house.post("/api/staff/Sam/acting", acting, mira)
    money = {"id": "1", "cents": 700}

    await house.post("/api/tables/t1/seats/Paul/buy-in", money, sam)
    await house.post("/api/tables/t1/close", {"id": "2"}, sam)
    await house.post("/api/tables/t1/open", {"id": "3"}, sam)
    await house.post(AT_T1, correction(), await house.log_on("Dana"))
    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)

    [corrected] = recorded(house, OutcomeCorrected)
    assert isinstance(corrected, OutcomeCorrected)
    assert Person("Sam", Role.PIT_SUPERVISOR) in corrected.by


async def test_two_people_restate_the_compartment(house: House) -> None:
    dana, sam = await deal(house, "Dana"), await house.log_on("Sam")
    await house.say(
        "t1", "Dealer: place your bets", "Dealer: spin", "Dealer: no more bets"
    )
    await house.say("t1", "Dealer: ball at rest 17")
    act = {"kind": "correct_ball", "number": "18", "because": "keyed wrongly"}

    proposed = await house.post(AT_T1, correction(act=act), dana)
    await house.post(f"{AT_T1}/1/confirm", confirmation(), sam)

    assert proposed["act"] == {**act, "was": "17"}
    [restated] = recorded(house, BallRestated)
    assert isinstance(restated, BallRestated)
    assert (restated.number, restated.corrected_to) == ("17", "18")
    assert restated.because == "keyed wrongly"


@pytest.mark.house_file(FAST)
async def test_two_people_correct_a_draw(house: House) -> None:
    dana, sam = await deal(house, "Dana", "t2"), await house.log_on("Sam")
    await house.act("t2", BuyIn("Paul", 1_000))
    await house.say("t2", "Dealer: place your bets")
    paul = Person("Paul", Role.PLAYER)
    await house.act("t2", house.wager("Paul", "17", 1_000), paul)
    await house.say("t2", "Dealer: spin", "Dealer: no more bets")
    table = house.floor.table("t2")
    await wait_for_draw(house)
    drawn = list(table.state.series.current.facts.bonus_numbers or ())
    await house.act("t2", ConfirmLights(), Person("Dana", Role.DEALER))
    await house.say("t2", "Dealer: outcome 17", "Dealer: settle")
    others = [n for n in table.game.numbers if n != "17" and n not in drawn]
    lit = sorted({"17", *others[:9]})
    kept = {"round_number": 1, "because": "lights misread"}
    act = {"kind": "correct_draw", "numbers": lit, **kept}

    at_t2 = AT_T1.replace("t1", "t2")
    await house.post(at_t2, correction(act=act), dana)
    await house.post(f"{at_t2}/1/confirm", confirmation(), sam)

    assert house.store.balances("t2")["seat:Paul"] in {41_000, 81_000}  # type: ignore[index]
    [corrected] = recorded(house, BonusNumbersCorrected, "t2")
    assert isinstance(corrected, BonusNumbersCorrected)
    assert corrected.because == "lights misread"


async def wait_for_draw(house: House) -> None:
    """Wait until the table has drawn by itself."""
    for _ in range(200):
        current = house.floor.table("t2").state.series.current
        if current.facts.bonus_numbers is not None:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nothing was drawn")
