"""The terms of a table: a new line is asked of the game, a recorded one is kept."""

from __future__ import annotations

import pytest

from croupier.games import find_game
from croupier.rules import events as ev
from croupier.rules.layout import WagerType
from croupier.rules.notation import NotationError
from croupier.rules.series import fresh_round
from croupier.rules.terms import read_settings

FAST = find_game("mbs-fast-action-v2")
CAPS = ("area_maximum straight_up 50", "area_maximum red 100")


def test_a_recorded_cap_is_read_back_though_the_game_lacks_its_type() -> None:
    begun = ev.RoundBegun(1, FAST.document, ("* 5 100",), CAPS, ())

    settings = fresh_round(FAST, begun).settings

    assert settings.area_maximum_cents == {
        WagerType.STRAIGHT_UP: 5000,
        WagerType.RED: 10000,
    }


def test_a_new_cap_is_on_a_type_of_the_game() -> None:
    assert read_settings(FAST, CAPS[:1]).area_maximum_cents

    with pytest.raises(NotationError, match="has no wager red"):
        read_settings(FAST, CAPS)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("mbs-roulette-v3", ["area_maximum 5", "area_maximum * 6"]),
        ("mbs-roulette-v3", ["area_maximum red 5", "area_maximum red 5"]),
        ("mbs-complete-bet-v2", ["complete_dozen inside", "complete_dozen outside"]),
    ],
)
def test_a_setting_is_given_once(name: str, lines: list[str]) -> None:
    game = find_game(name)
    read_settings(game, lines[:1])

    with pytest.raises(NotationError, match="has been given already"):
        read_settings(game, lines)


def test_each_type_has_a_cap_of_its_own_beside_the_general_one() -> None:
    lines = ["area_maximum 500", "area_maximum red 5", "area_maximum black 6"]

    caps = read_settings(find_game("mbs-roulette-v3"), lines).area_maximum_cents

    assert caps == {None: 50000, WagerType.RED: 500, WagerType.BLACK: 600}
