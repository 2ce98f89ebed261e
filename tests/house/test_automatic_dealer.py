"""The automatic dealer: what it deals before anybody comes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from croupier.games import all_games
from croupier.house.connection import views
from croupier.house.floor.automatic_dealer import AutomaticDealer, Pace
from croupier.rules.round import Phase
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
        dealing = asyncio.create_task(AutomaticDealer(table, lambda: True, pace).deal())
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
