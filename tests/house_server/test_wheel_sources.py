"""Sources of outcomes: a sensor, lights, a virtual wheel."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.games import find_game
from croupier.protocol.answers import Answered, MessageProblem, Notice
from croupier.rules.clause import Rule
from croupier.rules.game import Irregularity
from tests.house_server.line import Line, clause_of, line_to, text_of
from tests.house_server.server import GAMES, House

pytestmark = pytest.mark.anyio


async def _proposed(line: Line, kind: str) -> Notice:
    """Wait for the notice of this kind."""

    def found() -> list[Notice]:
        return [each for each in line.own.notices if each.kind == kind]

    await line.until(found, f"a notice {kind}")
    return found()[-1]


async def _settled(house: House, dealer: Line) -> None:
    state = house.ask("GET", f"/api/tables/{dealer.view.table}/state", by="Sam")
    if state["view"]["phase"] == "held":
        async with line_to(house, dealer.view.table, staff="Mira") as boss:
            await boss.done("act", act="decide void", position="Gaming Shift Manager")
    await dealer.acts("settle")


async def test_the_dealer_confirms_the_sensors_report(house: House) -> None:
    house.deal("sensed")
    async with (
        line_to(house, "sensed", staff="Dana") as dealer,
        line_to(house, "sensed", device="sensor-sensed") as sensor,
        line_to(house, "sensed", device="Anna-sensed") as anna,
    ):
        await dealer.acts("place your bets")
        facts: list[tuple[dict[str, Any], str, str]] = [
            (
                {"fact": "spun", "revolutions": 6, "against_wheel": True},
                "spin",
                "BallSpun",
            ),
            ({"fact": "at_rest", "number": "17"}, "outcome", "OutcomeAnnounced"),
        ]
        for fact, kind, event in facts:
            if kind == "outcome":
                await sensor.done("wheel_fact", fact="dropped", revolutions=7)
            await sensor.done("wheel_fact", **fact)
            notice = await _proposed(dealer, kind)
            kinds = [row.kind for row in house.rows("sensed")]
            assert event not in kinds, "never the outcome by itself"
            await dealer.done("answer_notice", notice=notice.id, accept=True)
            await dealer.event(event)
        await dealer.until(lambda: not dealer.own.notices, "no more notices")
        assert dealer.view.winning_number == "17"
        assert anna.own.notices == ()
        await dealer.acts("settle")
    answered = house.events("sensed", "NoticeAnswered")
    assert [each.accepted for each in answered] == [True, True]
    reported = house.events("sensed", "SensorReported")
    assert [each.fact for each in reported] == ["spun", "dropped", "at_rest"]


_V3 = find_game(GAMES["v3"])
_FACTS: dict[str, dict[str, Any]] = {
    "ball_same_direction": {"fact": "spun", "against_wheel": False},
    "ball_dropped_without_spin": {"fact": "dropped"},
    "fewer_than_four_revolutions": {"fact": "dropped", "revolutions": 3},
}
"""Irregularities that the sensor need not name itself."""


def test_every_irregular_fact_waits_for_an_answer_with_its_clause(
    lite_house: House,
) -> None:
    house = lite_house

    async def void(irregularity: Irregularity, dealer: Line, sensor: Line) -> None:
        await dealer.acts("place your bets")
        if irregularity is not Irregularity.BALL_DROPPED_WITHOUT_SPIN:
            await dealer.acts("spin")
        name = irregularity.value
        await sensor.done("wheel_fact", **_FACTS.get(name, {"fact": name}))
        clause = _V3.voiding.get(irregularity) or _V3.clause(Rule.REFERRAL)
        await dealer.until(
            lambda: _unanswered(dealer) == {name: clause.number}, "the report"
        )
        await dealer.done("act", act=f"uphold {name} because we saw it")
        await dealer.until(lambda: dealer.view.phase in {"void", "held"}, "the void")
        assert dealer.view.standing is not None
        assert dealer.view.standing.clause == clause.number
        await _settled(house, dealer)

    async def every() -> None:
        house.deal("sensed")
        async with (
            line_to(house, "sensed", staff="Dana") as dealer,
            line_to(house, "sensed", device="sensor-sensed") as sensor,
        ):
            for irregularity in Irregularity:
                await void(irregularity, dealer, sensor)
            await _rejected_by_two(house, dealer, sensor)

    asyncio.run(every())


def _unanswered(line: Line) -> dict[str, str]:
    seen = line.staff.wheel_seen
    return {each.irregularity: each.clause for each in seen.unanswered} if seen else {}


async def _rejected_by_two(house: House, dealer: Line, sensor: Line) -> None:
    """A45: the Dealer alone can't dismiss a report; two people can reject it."""
    name = "foreign_object"
    await dealer.acts("place your bets", "spin")
    assert await sensor.denied("wheel_fact", fact="exploded")
    await sensor.done("wheel_fact", fact=name)
    await dealer.until(lambda: _unanswered(dealer) == {name: "5.4"}, "the report")
    alone = await dealer.refused("act", act=f"reject {name} because a shadow")
    assert clause_of(alone) == "A29"
    async with line_to(house, "sensed", device="Anna-sensed") as anna:
        answer = await anna.ask("act", act=f"uphold {name}")
        assert not getattr(answer, "registered", False), "not a Player's to answer"
    await dealer.acts("no more bets", "outcome 17")
    await dealer.until(lambda: dealer.view.phase == "held", "the hold (A40)")
    rejected = house.propose("sensed", f"reject {name}", by=("Dana", "Sam"))
    assert rejected.status == 200
    await dealer.until(lambda: dealer.view.phase == "closed", "play goes on")
    answered = house.events("sensed", "ReportAnswered")[-1]
    assert [each.name for each in answered.by] == ["Dana", "Sam"]
    assert not answered.upheld
    await dealer.acts("outcome 17", "settle")


async def _closed(house: House, dealer: Line) -> tuple[str, ...]:
    """Play a round of Fast Action to its draw; return the ten numbers."""
    await dealer.acts("place your bets", "spin", "no more bets")
    number = dealer.view.round
    drawn = await dealer.event("BonusNumbersDrawn", round_number=number)
    early = await dealer.ask("outcome", number="17")
    assert isinstance(early, Answered)
    confirmed = await dealer.refused("outcome", number="17", confirmed=True)
    assert clause_of(confirmed) == "1.1.1"
    assert "lit" in text_of(confirmed)
    return tuple(drawn.fields["numbers"])


async def test_without_a_device_the_dealer_confirms_the_lights(house: House) -> None:
    house.deal("fast")
    async with (
        line_to(house, "fast", staff="Dana") as dealer,
        line_to(house, "fast", device="Anna-fast") as anna,
    ):
        await dealer.refused("confirm_lights")
        await _closed(house, dealer)
        await anna.refused("confirm_lights")
        await dealer.done("confirm_lights")
        await dealer.acts("outcome 17", "settle")
        assert clause_of(await dealer.refused("confirm_lights")) == "1.1.1"


async def test_a_virtual_wheel_is_labelled_and_dealt_by_the_house(house: House) -> None:
    tables = {each["name"]: each for each in house.ask("GET", "/api/tables")}
    assert "no document's wheel" in tables["virtual"]["wheel_label"]
    assert tables["v3"]["wheel_label"] is None
    assert house.rows("virtual")[-1].kind == "TableOpened", "nobody watches yet"

    house.buy_in("virtual", "Ben-virtual")
    async with line_to(house, "virtual", device="Ben-virtual") as ben:
        assert ben.view.virtual_wheel
        await ben.event("PlaceYourBetsAnnounced")
        await ben.place("w1=straight_up:17@500")
        await ben.event("NoMoreBetsAnnounced")
        house.deal("virtual")
        async with line_to(house, "virtual", staff="Dana") as dealer:
            await _dealt_by_hand(dealer)
            await ben.event("RoundSettled", round_number=1)
        house.ask("DELETE", "/api/tables/virtual/dealer", by="Dana")
        await ben.until(lambda: ben.view.round == 2, "the house deals again")
    by = [each.by.name for each in house.events("virtual", "OutcomeAnnounced")]
    assert by[:1] == ["Dana"]


async def _dealt_by_hand(dealer: Line) -> None:
    """Deal after the house stopped dealing; the house still runs the wheel."""
    assert clause_of(await dealer.refused("act", act="ball at rest 17")) == "3.7"
    if not dealer.view.spun:
        await dealer.ask("act", act="spin")
    if dealer.view.at_rest is None:
        early = await dealer.ask("outcome", number="17")
        assert isinstance(early, Answered)
        assert not early.registered
    await dealer.until(lambda: dealer.view.at_rest, "the ball at rest")
    at_rest = dealer.view.at_rest
    assert at_rest is not None
    assert dealer.view.phase == "closed", "nobody but the Dealer announces it"
    await dealer.acts(f"outcome {at_rest}", "settle")


@pytest.mark.parametrize("table", ["sensed", "lit"])
async def test_a_device_belongs_to_its_own_table(table: str, lite_house: House) -> None:
    name = {"sensed": "layout-lit", "lit": "sensor-sensed"}[table]

    async with line_to(lite_house, table, device=name) as line:
        [problem] = line.of(MessageProblem)
        assert "another table" in problem.reason.text
