"""The tables of the readings: every house edge, every count, every complete wager."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.odds import odds_of, par_sheet, round_result
from croupier.rules.layout import WagerType

# Typed from the readings: areas, and the house edge of every wager.
AREAS = {
    "mbs-roulette-v2": 157,
    "mbs-roulette-v3": 157,
    "mbs-complete-bet-v2": 157,
    "mbs-fast-action-v2": 43,
    "rws-triple-zero": 166,
}
ONE_EDGE = {
    "mbs-roulette-v2": Fraction(1, 37),
    "mbs-roulette-v3": Fraction(1, 37),
    "mbs-complete-bet-v2": Fraction(1, 37),
    "rws-triple-zero": Fraction(1, 13),
}
FAST_ACTION_EDGES = {
    "straight_up": Fraction(97169, 1462240),
    "bonus_win": Fraction(1, 4),
    "super_bonus_win": Fraction(136, 703),
    "scatter_bonus": Fraction(7038047, 52978783),
}
PIECES = {
    "mbs-complete-bet-v2": {
        "tiers": 6,
        "orphelins": 5,
        "voisins_du_zero": 9,
        "zero_spiel": 4,
        "neighbours:17": 5,
        "complete:dozen:1": 54,
        "complete:dozen:2": 54,
        "complete:dozen:3": 48,
    },
    "rws-triple-zero": {
        "tiers": 6,
        "orphelins": 5,
        "zero_spiel": 5,
        "grand_series": 10,
        "finales:0": 6,
        "finales:6": 4,
        "finales:7": 3,
        "neighbours:17:1": 3,
        "neighbours:17": 5,
        "neighbours:17:3": 7,
    },
}
# Number: pieces, pays, at maximum: units, pays.
COMPLETE = {
    "0": (7, 116, 17, 235),
    "1": (9, 129, 27, 297),
    "2": (12, 165, 36, 396),
    "4": (9, 123, 30, 294),
    "33": (9, 123, 30, 294),
    "5": (12, 156, 40, 392),
    "32": (12, 156, 40, 392),
    "34": (6, 93, 18, 198),
    "36": (6, 93, 18, 198),
    "35": (8, 118, 24, 264),
}
ONE_TO_SIX = [
    "straight_up 1 100",
    "split 1 200",
    "street 1 300",
    "corner 1 400",
    "six_line 1 600",
]


@pytest.mark.parametrize("game", AREAS)
def test_each_area_has_its_row(game: str) -> None:
    sheet = par_sheet(game)

    assert len(sheet.wagers) == AREAS[game]
    assert [odds.name for odds in sheet.wagers] == [a.name for a in sheet.game.areas]


@pytest.mark.parametrize("game", ONE_EDGE)
def test_every_wager_of_a_table_game_has_the_same_edge(game: str) -> None:
    sheet = par_sheet(game, limits=ONE_TO_SIX)

    edges = {o.house_edge for o in (*sheet.wagers, *sheet.multiple_piece_wagers)}
    assert edges == {ONE_EDGE[game]}


def test_the_edges_of_fast_action() -> None:
    sheet = par_sheet("mbs-fast-action-v2")

    edges = {(o.name.partition(":")[0], o.house_edge) for o in sheet.wagers}
    assert edges == set(FAST_ACTION_EDGES.items())


@pytest.mark.parametrize(
    ("game", "wager"), [(game, wager) for game in PIECES for wager in PIECES[game]]
)
def test_a_multiple_piece_wager_has_its_pieces(game: str, wager: str) -> None:
    assert odds_of(game, wager).pieces == PIECES[game][wager]


def test_the_other_ways_to_take_a_dozen_and_finale_zero() -> None:
    inside = odds_of(
        "mbs-complete-bet-v2", "complete:dozen:1", settings=["complete_dozen inside"]
    )
    single = odds_of("rws-triple-zero", "finales:0", settings=["finale_zero single"])

    assert inside.pieces == 42
    assert single.pieces == 4
    assert (inside.house_edge, single.house_edge) == (Fraction(1, 37), Fraction(1, 13))


@pytest.mark.parametrize("number", COMPLETE)
def test_a_complete_wager_wins_what_the_table_says(number: str) -> None:
    pieces, pays, units, at_maximum = COMPLETE[number]

    one_unit = round_result("mbs-complete-bet-v2", [f"complete:{number}@1"])
    maximum = odds_of(
        "mbs-complete-bet-v2", f"complete_maximum:{number}", limits=ONE_TO_SIX
    )

    assert odds_of("mbs-complete-bet-v2", f"complete:{number}").pieces == pieces
    assert one_unit.greatest == pays * 100
    assert one_unit.probability(lambda v: v == pays * 100) == Fraction(1, 37)
    assert maximum.maximum_win == Fraction(at_maximum, units)


def test_the_sheet_groups_equal_wagers() -> None:
    sheet = par_sheet("rws-triple-zero")

    sizes = {kind.title: len(kind.wagers) for kind in sheet.kinds}
    assert sizes["Straight Up"] == 39
    assert sizes["Split"] == 64
    assert sizes["Street"] == 16
    assert sizes["Corner"] == 22
    assert sizes["Six Line"] == 11
    assert sizes["Column"] == sizes["Dozen"] == 3
    assert sizes[WagerType.GREEN.title] == sizes[WagerType.TOP_LINE.title] == 1
    listed = [name for kind in sheet.kinds for name in kind.wagers]
    assert len(listed) == len(set(listed)) == 166 + len(sheet.multiple_piece_wagers)
