"""The automatic dealer: what it deals before anybody comes, and after a person left."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock, patch

import pytest

from croupier.games import all_games, find_game
from croupier.house.floor import automatic_dealer
from croupier.house.floor.automatic_dealer import AutomaticDealer, Pace
from croupier.journal.events import house as house_events
from croupier.protocol.messages import Hello
from croupier.rules.clause import Rule
from croupier.rules.events import NoMoreBetsAnnounced
from croupier.rules.round import Phase
from croupier.table.answers import event_of
from croupier.table.judgements import SYSTEM
from tests.web.a_house import TEXT, opened

pytestmark = pytest.mark.anyio

_TABLE = """
[[tables]]
name = "{name}"
game = "{name}"
wheel = "virtual"
automatic_dealer = true
countdown_seconds = 30
limits = {{ "*" = [1, 1000] }}
"""
_FIRST = 2


@pytest.mark.parametrize("game", [game.name for game in all_games()])
async def test_a_new_table_has_rounds_before_a_page_shows_it(
    tmp_path: Path, game: str
) -> None:
    lights = 'lights = "dealer"' if find_game(game).provides(Rule.BONUS_DRAW) else ""
    text = TEXT + _TABLE.format(name=game) + lights
    async with opened(tmp_path, text) as house:
        table = house.floor.table(game)
        pace = Pace(first_rounds=_FIRST, looks_again=0.01)
        dealer = AutomaticDealer(house.floor, table, pace)
        dealing = asyncio.create_task(dealer.deal())
        async with asyncio.timeout(20):
            while len(table.history.rounds) < _FIRST:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)

        assert (table.state.series.last, table.state.phase) == (
            _FIRST,
            Phase.ENDED,
        )
        assert all(each.number for each in table.history.rounds)
        refused = [
            each for each in house.store.events(game) if each.kind == "ActRefused"
        ]
        assert refused == []
        dealing.cancel()
        with suppress(asyncio.CancelledError):
            await dealing


async def test_it_asks_for_nothing_that_a_person_has_done_already(
    tmp_path: Path,
) -> None:
    name = "mbs-roulette-v3"

    async with opened(tmp_path, TEXT + _TABLE.format(name=name)) as house:
        table = house.floor.table(name)
        await house.say(name, "Dealer: place your bets")
        pace = Pace(countdown=1.2, spin_before_close=0.2, ball_rolls=0.1)
        pace = replace(pace, before_settling=0.1, between_rounds=30, looks_again=0.01)
        dealing = asyncio.create_task(AutomaticDealer(house.floor, table, pace).deal())
        await asyncio.sleep(0.05)  # it waits for the spin
        await house.say(name, "Dealer: spin", "Dealer: no more bets")
        async with asyncio.timeout(20):
            while not table.history.rounds:
                await asyncio.sleep(0.01)

        kinds = [each.kind for each in house.store.events(name)]
        assert kinds.count("NoMoreBetsAnnounced") == 1
        assert "ActRefused" not in kinds
        dealing.cancel()
        with suppress(asyncio.CancelledError):
            await dealing


async def test_it_leaves_the_close_to_the_house_if_that_closes_by_its_countdown(
    tmp_path: Path,
) -> None:
    name = "rws-triple-zero"
    text = TEXT + _TABLE.format(name=name).replace("= 30", "= 1")

    async with opened(tmp_path, text) as house:
        table = house.floor.table(name)
        await house.say(name, "Dealer: place your bets")
        pace = Pace(None, 0, 0, 0, 0, 30, looks_again=0.01)
        dealing = asyncio.create_task(AutomaticDealer(house.floor, table, pace).deal())
        async with asyncio.timeout(20):
            while not table.history.rounds:
                await asyncio.sleep(0.01)

        rows = house.store.events(name, kinds=["NoMoreBetsAnnounced"])
        assert [event_of(row) for row in rows] == [NoMoreBetsAnnounced(SYSTEM, False)]
        dealing.cancel()
        with suppress(asyncio.CancelledError):
            await dealing


async def test_a_round_in_play_is_dealt_to_its_end_without_a_page(
    tmp_path: Path,
) -> None:
    name = "mbs-roulette-v3"

    async with opened(tmp_path, TEXT + _TABLE.format(name=name)) as house:
        table = house.floor.table(name)
        await house.say(name, "Dealer: place your bets")
        pace = Pace(0, 0, 0, 0, 0, 0, looks_again=0.01)
        dealing = asyncio.create_task(AutomaticDealer(house.floor, table, pace).deal())
        async with asyncio.timeout(20):
            while not table.history.rounds:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)

        last = table.state.series.last, table.state.phase
        assert last == (1, Phase.ENDED)
        dealing.cancel()
        with suppress(asyncio.CancelledError):
            await dealing


async def test_who_took_the_table_and_left_its_console_is_relieved(
    tmp_path: Path,
) -> None:
    """Not while anybody of the staff is there; the table deals by itself again."""
    name = "mbs-roulette-v3"

    async with opened(tmp_path, TEXT + _TABLE.format(name=name)) as house:
        floor, dana = house.floor, await house.log_on("Dana")
        table = floor.table(name)
        await house.post(f"/api/tables/{name}/dealer", None, dana)
        console = floor.connections.connect(name, Hello(session=dana), Mock())
        dealer = AutomaticDealer(
            floor, table, Pace(looks_again=0.001, dealer_away=0.003)
        )

        async def look_for_a_while() -> None:
            for _ in range(4):
                await dealer._look_for_dealer()

        await look_for_a_while()
        assert floor.record.state.dealers[name] == "Dana"
        table.listeners.leave(console)
        await look_for_a_while()

        assert name not in floor.record.state.dealers
        [*_, went] = house.store.events("house")
        assert event_of(went) == house_events.DealerWent("Dana", name)


class HurriedClock:
    """A clock that is five seconds later at each look."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 5
        return self.now


@pytest.mark.parametrize("rounds_before", [0, 1])
async def test_a_simulated_hour_has_no_more_rounds_than_the_table_may_have(
    rounds_before: int, tmp_path: Path
) -> None:
    name, clock = "mbs-roulette-v3", HurriedClock()
    text = TEXT + _TABLE.format(name=name) + "rounds_per_hour = 50\n"

    async with opened(tmp_path, text) as house:
        table = house.floor.table(name)
        if rounds_before:
            await house.say(name, "Dealer: place your bets", "Dealer: spin")
            await house.say(name, "Dealer: irregularity ball_broke", "Dealer: settle")
        pace = Pace(first_rounds=1_000, looks_again=0.001)
        dealer = AutomaticDealer(house.floor, table, pace)
        with patch.object(automatic_dealer, "monotonic", clock):
            dealing = asyncio.create_task(dealer.deal())
            async with asyncio.timeout(30):
                while clock.now < 3_600:
                    assert table.state.series.last <= 1 + clock.now / 72
                    await asyncio.sleep(0.001)
            dealing.cancel()
            with suppress(asyncio.CancelledError):
                await dealing

        assert 40 <= table.state.series.last - rounds_before <= 50
