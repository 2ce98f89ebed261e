"""An act that two people confirmed before a stop is done once, after the restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from croupier.house.floor.floor import Floor, FloorOptions
from croupier.journal.events.house import (
    ConfirmationGiven,
    ProposalConfirmed,
    ProposalEnded,
)
from croupier.ledger import money
from croupier.ledger.commands import Adjust
from croupier.rules.operator import Person, Role
from croupier.table import Submission
from croupier.table.answers import event_of
from croupier.table.commands import ConfirmBall, StateBall
from tests.web.a_house import DEALER, House
from tests.web.two_people import AT_T1, adjustment, deal, played

pytestmark = pytest.mark.anyio

SAM = Person("Sam", Role.PIT_SUPERVISOR)


async def confirmed(house: House) -> None:
    """Propose and confirm an adjustment, as if the house stopped before doing it."""
    await played(house)
    await house.post(AT_T1, adjustment(500), await house.log_on("Dana"))
    given = ConfirmationGiven(1, "Sam", Role.PIT_SUPERVISOR.value, acting=False)
    house.floor.record.write(given)


async def started_again(house: House) -> None:
    await house.floor.close()
    options = FloorOptions(clock=house.clock, steady=house.steady)
    house.floor = Floor(house.store, options)


def adjusted(house: House) -> list[int]:
    events = map(event_of, house.store.events("t1"))
    return [each.cents for each in events if isinstance(each, money.Adjusted)]


def ends(house: House) -> list[ProposalConfirmed | ProposalEnded]:
    events = map(event_of, house.store.events("house"))
    kinds = ProposalConfirmed | ProposalEnded
    return [each for each in events if isinstance(each, kinds)]


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.05)


async def test_what_no_table_was_told_is_done_at_the_start(house: House) -> None:
    await confirmed(house)

    await started_again(house)
    await started_again(house)

    assert adjusted(house) == [500]
    assert ends(house) == [ProposalConfirmed(1, "Sam", "Pit Supervisor")]
    assert house.floor.record.state.proposals == {}


async def test_what_the_table_had_done_is_not_done_again(house: House) -> None:
    await confirmed(house)
    adjust = Adjust("Paul", 500, "a mistake")
    submission = Submission("proposal:1", (DEALER, SAM), adjust)
    await house.floor.table("t1").submit(submission)

    await started_again(house)

    assert adjusted(house) == [500]
    assert ends(house) == [ProposalConfirmed(1, "Sam", "Pit Supervisor")]


async def test_an_interrupted_table_does_it_when_the_ball_is_known(
    house: House,
) -> None:
    await confirmed(house)
    await house.say("t1", "Dealer: place your bets", "Dealer: spin")

    await started_again(house)
    assert (adjusted(house), ends(house)) == ([], [])
    await house.act("t1", StateBall(None))
    await house.act("t1", ConfirmBall(), SAM)

    await until(lambda: bool(ends(house)))
    assert adjusted(house) == [500]
    assert ends(house) == [ProposalConfirmed(1, "Sam", "Pit Supervisor")]


async def test_what_the_table_refuses_ends_with_its_reason(house: House) -> None:
    await confirmed(house)
    await deal(house, "Dana")
    sam = await house.log_on("Sam")
    await house.post("/api/tables/t1/close", {"id": "c"}, sam)

    await started_again(house)

    assert adjusted(house) == []
    [end] = ends(house)
    assert isinstance(end, ProposalEnded)
    assert str(end.reason) == "refused: the table is closed"
