"""The arrays of a game are what the plain settlement does, on every area × outcome."""

import pytest

from croupier.batch.compiled import LOSES, compile_game
from croupier.games import all_games
from croupier.odds.chips import Chips, read_terms
from croupier.odds.layouts import lay_chips, settled_at
from croupier.odds.model import cases_of, model_of
from croupier.rules.game import Game

STAKE = 700


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_area_at_every_outcome_pays_as_the_plain_core_settles(game: Game) -> None:
    compiled = compile_game(game)
    chips = [Chips(area.name, STAKE) for area in game.areas]
    state = lay_chips(game, chips, read_terms(game))

    for case in cases_of(model_of(game)):
        row = compiled.pays[compiled.outcome_index(case.outcome)]
        settled = settled_at(state, case.outcome)
        for wager in settled.wagers:
            [piece] = wager.pieces
            pays = int(row[compiled.area_index[piece.area]])
            expected = (0, STAKE) if pays == LOSES else (STAKE * pays, 0)
            assert (piece.paid_cents, piece.collected_cents) == expected, case.name
