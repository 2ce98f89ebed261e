from __future__ import annotations

from math import atan2

import pytest

from croupier.drawing import draw_table
from croupier.drawing.racetrack import lay_out_track, racetrack_bands, sections_of
from croupier.games import find_game
from croupier.rules.game import Game
from croupier.rules.wheel import numbers
from tests.drawing.reading import SVG, Read, texts
from tests.drawing.sixth_game import DOUBLE_ZERO

COMPLETE_BET = find_game("mbs-complete-bet-v2")
TRIPLE_ZERO = find_game("rws-triple-zero")

with_racetrack = pytest.mark.parametrize(
    "game", [COMPLETE_BET, TRIPLE_ZERO, DOUBLE_ZERO], ids=lambda game: game.name
)


@with_racetrack
def test_the_numbers_follow_the_ring_clockwise(game: Game) -> None:
    read = Read(draw_table(game))
    labels = [
        (cell.get("data-number"), next(cell.iter(f"{SVG}text")))
        for cell in read.every("track")
    ]
    places = {n: (float(t.get("x", 0)), float(t.get("y", 0))) for n, t in labels}
    middle_x = sum(x for x, _ in places.values()) / len(places)
    middle_y = sum(y for _, y in places.values()) / len(places)

    clockwise = sorted(
        game.ring, key=lambda n: atan2(places[n][1] - middle_y, places[n][0] - middle_x)
    )

    start = clockwise.index(game.ring[0])
    assert (*clockwise[start:], *clockwise[:start]) == game.ring


@with_racetrack
def test_each_number_is_on_the_track_once(game: Game) -> None:
    read = Read(draw_table(game))

    shown = [texts(cell) for cell in read.every("track")]

    assert shown == [[number] for number in game.ring]


def test_another_ring_is_followed_too() -> None:
    ring = (*TRIPLE_ZERO.ring[1:], TRIPLE_ZERO.ring[0])

    read = Read(draw_table(TRIPLE_ZERO, ring=ring))

    assert [cell.get("data-number") for cell in read.every("track")] == list(ring)


@pytest.mark.parametrize(
    ("game", "sections"),
    [
        (
            COMPLETE_BET,
            [
                ["TIERS", "6 pieces"],
                ["ORPHELINS", "5 pieces"],
                ["VOISINS DU ZERO", "9 pieces"],
                ["0-SPIEL", "4 pieces"],
            ],
        ),
        (
            TRIPLE_ZERO,
            [
                ["TIERS", "6 pieces"],
                ["ORPHELINS", "5 pieces"],
                ["GRAND SERIES", "10 pieces"],
                ["0-SPIEL", "5 pieces"],
            ],
        ),
        (DOUBLE_ZERO, [["BOTH ZEROS", "2 pieces"], ["FIRST STREET", "1 piece"]]),
    ],
    ids=lambda value: value.name if isinstance(value, Game) else "",
)
def test_the_sections_are_the_fixed_pieces_of_the_game(
    game: Game, sections: list[list[str]]
) -> None:
    read = Read(draw_table(game))

    assert [texts(section) for section in read.every("section")] == sections


@pytest.mark.parametrize(
    ("game", "right"),
    [(COMPLETE_BET, "26 0 32"), (TRIPLE_ZERO, "0 000 00")],
    ids=lambda value: value.name if isinstance(value, Game) else "",
)
def test_the_ends_and_cuts_are_those_of_the_design(game: Game, right: str) -> None:
    track = lay_out_track(game.ring, sections_of(game))

    cuts = [
        (track.top[round(up * len(track.top)) - 1], _below(track.bottom, low))
        for up, low in (
            band.right for band in racetrack_bands(track, sections_of(game))[:-1]
        )
    ]

    assert track.right == numbers(right)
    assert track.left == numbers("8 23 10")
    assert cuts == [("33", "27"), ("9", "17"), ("28", "19")]


def _below(bottom: tuple[str, ...], cut: float) -> str:
    """The number before a cut of the lower straight, from left to right."""
    from_left = bottom[::-1]
    return from_left[round(cut * len(from_left)) - 1]


@pytest.mark.parametrize(
    "name", ["mbs-roulette-v2", "mbs-roulette-v3", "mbs-fast-action-v2"]
)
def test_a_game_whose_document_has_no_racetrack_shows_none(name: str) -> None:
    read = Read(draw_table(find_game(name)))

    assert not list(read.every("racetrack"))
