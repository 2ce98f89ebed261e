"""Acts of the staff over a connection: in which position, with which reason."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from croupier.games import find_game
from croupier.house.views.connection import Connection
from croupier.house.views.messages import read_act_of
from croupier.protocol import answers, messages
from croupier.rules import commands
from croupier.rules import events as rule_events
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.round import Phase
from croupier.table import Accepted, Refused, Submission
from croupier.table.answers import event_of
from tests.house.connecting import Ear, come, deal
from tests.web.a_house import House

pytestmark = pytest.mark.anyio

DANA = Person("Dana", Role.DEALER)


async def perform(
    place: tuple[Connection, Ear], message_id: str, act: str, **fields: str
) -> answers.Answered:
    connection, ear = place
    message = messages.PerformAct(message_id, act, **fields)  # type: ignore[arg-type]
    connection.take(answers.write_answer(message))
    answer = await ear.answer(message_id)
    assert isinstance(answer, answers.Answered), answer
    return answer


def last_of(house: House, kind: type[object]) -> object:
    events = [event_of(row) for row in house.store.events("t2")]
    return [event for event in events if isinstance(event, kind)][-1]


async def hold(house: House) -> None:
    await house.say("t2", "Dealer: place your bets")
    await house.act("t2", commands.ReportIrregularity(Irregularity.UNLISTED), DANA)
    assert house.floor.table("t2").state.series.current.phase is Phase.HELD


async def test_a_shift_manager_lets_play_go_on_and_says_why(house: House) -> None:
    mira = await come(house, session=await house.log_on("Mira"))
    await hold(house)

    act = "decide continue because the glass was not on the wheel"
    answer = await perform(mira, "d1", act)

    assert answer.registered
    continued = last_of(house, rule_events.PlayContinued)
    assert isinstance(continued, rule_events.PlayContinued)
    assert continued.by == Person("Mira", Role.GAMING_SHIFT_MANAGER)
    assert continued.because == "the glass was not on the wheel"


async def test_a_settled_round_is_decided_in_the_higher_position(
    house: House,
) -> None:
    mira = await come(house, session=await house.log_on("Mira"))
    await house.say("t2", "Dealer: place your bets")
    await house.finish_round("t2", "17")

    act = "decide round 1 outcome 20 because the film shows 20"
    answer = await perform(mira, "d1", act)

    assert answer.registered
    decided = last_of(house, rule_events.OutcomeDecided)
    assert isinstance(decided, rule_events.OutcomeDecided)
    assert decided.by == Person("Mira", Role.GAMING_SHIFT_MANAGER)
    assert (decided.number, decided.because) == ("20", "the film shows 20")


async def test_of_several_positions_the_lowest_that_may_acts(house: House) -> None:
    mira = await come(house, session=await house.log_on("Mira"))
    await house.say("t2", "Dealer: place your bets", "Dealer: spin")

    answer = await perform(mira, "n1", "no spin because a coin fell in")

    assert answer.registered
    called = last_of(house, rule_events.NoSpinAnnounced)
    assert called == rule_events.NoSpinAnnounced(
        Person("Mira", Role.PIT_MANAGER), "a coin fell in"
    )


async def test_a_named_position_is_the_one_that_acts(house: House) -> None:
    mira = await come(house, session=await house.log_on("Mira"))
    await hold(house)

    act = "decide void because the film is gone"
    answer = await perform(mira, "d1", act, position="Pit Manager")

    assert not answer.registered
    assert answer.refusal is not None
    assert answer.refusal.clause == "6.2"


async def test_a_dealer_who_acts_as_manager_decides_without_saying_so(
    house: House,
) -> None:
    mira, manager = await house.log_on("Mira"), Role.GAMING_SHIFT_MANAGER
    acting = {"position": manager.value, "from_ms": house.now_ms - 1}
    acting["until_ms"] = house.now_ms + 60_000
    await house.post("/api/staff/Dana/acting", acting, mira)
    dana = await deal(house)
    await perform(dana, "a1", "place your bets")
    await house.act(
        "t2",
        commands.ReportIrregularity(Irregularity.UNLISTED),
        Person("Dora", DANA.role),
    )

    answer = await perform(dana, "a2", "decide continue because nothing happened")

    assert answer.registered
    opened = last_of(house, rule_events.PlaceYourBetsAnnounced)
    continued = last_of(house, rule_events.PlayContinued)
    assert isinstance(opened, rule_events.PlaceYourBetsAnnounced)
    assert isinstance(continued, rule_events.PlayContinued)
    assert (opened.by.role, continued.by.role) == (Role.DEALER, manager)


OUT_OF_PLAY = (
    "decide round 1 outcome 20",
    "decide round 1 void",
    "decide round 1 w1 return",
    "correct round 1 to 20",
    "correct round 1 bonus numbers 1 2 5 9 13 17 21 25 29 33",
    "void rounds 1 ball_broke",
)
IN_PLAY = (
    *("no spin", "irregularity unlisted", "rule w1 return", "correct ball to 20"),
    *("uphold foreign_object", "reject foreign_object"),
)
HELD = ("decide outcome 17", "decide void", "decide continue", "decide w1 return")


@pytest.mark.parametrize("act", [*OUT_OF_PLAY, *IN_PLAY, *HELD])
async def test_the_house_asks_for_the_reason_of_an_act(house: House, act: str) -> None:
    floor_table = house.floor.table("t2")
    command = read_act_of(floor_table.game, act)
    reasoned = read_act_of(floor_table.game, f"{act} because the film shows it")
    people = (Person("Mira", Role.GAMING_SHIFT_MANAGER),)

    for given in (command, blank(command)):
        refused = await floor_table.submit(Submission(house.new_id(), people, given))
        assert isinstance(refused, Refused)
        assert refused.refusal.clause.number == "A43"
        assert str(refused.refusal.reason) == "this needs a reason"
    answer = await floor_table.submit(Submission(house.new_id(), people, reasoned))
    assert isinstance(answer, Refused)  # no round has begun
    assert answer.refusal.clause.number != "A43"


def blank(command: commands.Command) -> commands.Command:
    """The command with a reason of spaces alone."""
    if isinstance(command, commands.DecideRound):
        return replace(command, decision=replace(command.decision, because="  "))
    return cast(commands.Command, replace(command, because="  "))


def test_an_act_for_each_kind_of_command_that_takes_a_reason_is_tried(
    tmp_path: Path,
) -> None:
    game = find_game("mbs-fast-action-v2")
    tried = [read_act_of(game, act) for act in (*OUT_OF_PLAY, *IN_PLAY, *HELD)]
    decided = {
        type(each.decision) for each in tried if isinstance(each, commands.DecideRound)
    }

    assert {type(each) for each in tried} == {
        *commands.TAKE_REASON,
        commands.DecideRound,
    }
    assert decided == {
        commands.DecideOutcome,
        commands.DecideVoid,
        commands.DecideWager,
    }


@pytest.mark.parametrize(
    "act", ["irregularity foreign_object", "spin", "power failure"]
)
async def test_other_acts_need_no_reason(house: House, act: str) -> None:
    await house.say("t2", "Dealer: place your bets")

    answer = await house.floor.table("t2").submit(
        Submission(house.new_id(), (DANA,), house.act_of("t2", act))
    )

    assert isinstance(answer, Accepted)
