from __future__ import annotations

import pytest

from croupier.drawing import NotOnLayout, Theme, draw_wheel
from croupier.games import find_game
from croupier.rules.game import Game
from croupier.rules.wheel import Number
from tests.drawing.reading import Read, texts
from tests.drawing.sixth_game import DOUBLE_ZERO

V3 = find_game("mbs-roulette-v3")
FAST_ACTION = find_game("mbs-fast-action-v2")
TRIPLE_ZERO = find_game("rws-triple-zero")


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize(
    "game", [V3, FAST_ACTION, TRIPLE_ZERO, DOUBLE_ZERO], ids=lambda game: game.name
)
def test_the_compartments_are_those_of_the_ring(game: Game, theme: Theme) -> None:
    read = Read(draw_wheel(game, theme=theme))

    assert [texts(each) for each in read.every("compartment")] == [
        [number] for number in game.ring
    ]


def test_a_ring_whose_order_is_unknown_is_called_illustrative() -> None:
    [foot] = Read(draw_wheel(FAST_ACTION)).every("foot")
    [other] = Read(draw_wheel(V3)).every("foot")

    assert "illustrative order" in texts(foot)
    assert "illustrative order" not in texts(other)


def test_the_ball_lies_in_the_winning_number_which_is_said_in_words() -> None:
    read = Read(draw_wheel(V3, winning_number=Number("17")))

    [foot] = read.every("foot")
    assert len(list(read.every("ball"))) == 1
    assert "17 black" in texts(foot)
    assert "Outcome: 17 black." in read.words("desc")


def test_without_an_outcome_no_ball_is_shown() -> None:
    read = Read(draw_wheel(V3))

    assert not list(read.every("ball"))


def test_the_winning_number_is_at_the_top() -> None:
    read = Read(draw_wheel(V3, winning_number=Number("17")))

    text = list(read.one("compartment", number="17"))[1]

    assert text.get("transform", "").startswith("rotate(0 280 ")


def test_another_ring_is_drawn_as_it_is_given() -> None:
    ring = tuple(reversed(V3.ring))

    read = Read(draw_wheel(V3, ring=ring))

    assert [each.get("data-number") for each in read.every("compartment")] == [*ring]


def test_a_number_that_is_not_on_the_wheel_is_refused() -> None:
    with pytest.raises(NotOnLayout, match="000"):
        draw_wheel(V3, winning_number=Number("000"))
