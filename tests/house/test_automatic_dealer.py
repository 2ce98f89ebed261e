"""The automatic dealer: what it deals before anybody comes, and after a person left."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest

from croupier.games import all_games
from croupier.house.connection import views
from croupier.house.connection.listeners import Audience, Listener
from croupier.house.floor.automatic_dealer import AutomaticDealer, Pace
from croupier.journal.events import house as ev
from croupier.rules.round import Phase
from croupier.table.answers import event_of
from tests.web.a_house import TEXT, House, in_house

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
def test_a_new_table_has_rounds_before_anybody_watches(
    tmp_path: Path, game: str
) -> None:
    async def scenario(house: House) -> None:
        table = house.floor.table(game)
        pace = Pace(first_rounds=_FIRST, looks_again=0.01)
        dealer = AutomaticDealer(table, lambda: True, AsyncMock(), pace)
        dealing = asyncio.create_task(dealer.deal())
        async with asyncio.timeout(20):
            while len(table.history.rounds) < _FIRST:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)

        assert (table.state.series.last, views.phase_of(table.state)) == (
            _FIRST,
            Phase.ENDED,
        )
        assert all(each.number for each in table.history.rounds)
        dealing.cancel()
        with suppress(asyncio.CancelledError):
            await dealing

    in_house(tmp_path, scenario, TEXT + _TABLE.format(name=game))


def test_a_round_in_play_is_dealt_to_its_end_when_nobody_watches(
    tmp_path: Path,
) -> None:
    name = "mbs-roulette-v3"

    async def scenario(house: House) -> None:
        table = house.floor.table(name)
        await house.say(name, "Dealer: place your bets")
        pace = Pace(looks_again=0.01).at_once
        dealing = asyncio.create_task(
            AutomaticDealer(table, lambda: True, AsyncMock(), pace).deal()
        )
        async with asyncio.timeout(20):
            while not table.history.rounds:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)

        last = table.state.series.last, views.phase_of(table.state)
        assert last == (1, Phase.ENDED)
        dealing.cancel()
        with suppress(asyncio.CancelledError):
            await dealing

    in_house(tmp_path, scenario, TEXT + _TABLE.format(name=name))


def test_who_took_the_table_and_left_its_console_is_relieved(tmp_path: Path) -> None:
    """Not while anybody of the staff is there; the table deals by itself again."""
    name = "mbs-roulette-v3"

    async def scenario(house: House) -> None:
        floor, dana = house.floor, await house.log_on("Dana")
        table = floor.table(name)
        await house.post(f"/api/tables/{name}/dealer", None, dana)
        console = Listener(Audience.STAFF, None, None, Mock())
        table.listeners.join(console)
        dealer = AutomaticDealer(
            table,
            lambda: name not in floor.record.state.dealers,
            lambda: floor.opening.relieve(table),
            Pace(looks_again=0.001, dealer_away=0.003),
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
        assert event_of(went) == ev.DealerWent("Dana", name)

    in_house(tmp_path, scenario, TEXT + _TABLE.format(name=name))
