"""Games side by side, and the odds of an hour."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.odds import compare_games, odds_of, read_what_if
from croupier.odds.distribution import OddsError
from croupier.rules.clause import WagerRefused

V3, TRIPLE = "mbs-roulette-v3", "rws-triple-zero"


def test_differences_are_exact() -> None:
    found = compare_games(V3, TRIPLE, wagers=["red", "17"])

    assert [row.wagers for row in found.rows] == [("red",), ("straight_up:17",)]
    for row in found.rows:
        assert row.differences == (Fraction(0), Fraction(3, 39) - Fraction(1, 37))


def test_a_game_and_its_what_if_differ_in_the_changed_wagers() -> None:
    changed = read_what_if(V3, "[pays]\nred = 2\n")

    found = compare_games(V3, changed)

    differs = [row.wagers for row in found.rows if row.differences[1]]
    assert differs == [("red",)]
    [red] = (row for row in found.rows if row.wagers == ("red",))
    assert red.differences[1] == Fraction(-18, 37)
    assert "no approved game" in str(found)


def test_every_wager_of_every_game_is_compared() -> None:
    found = compare_games("mbs-roulette-v2", TRIPLE)

    assert found.to_frame().height == sum(
        len(row.wagers) * sum(odds is not None for odds in row.odds)
        for row in found.rows
    )
    [basket] = (row for row in found.rows if "street:0/00/000" in row.wagers)
    assert basket.odds[0] is None
    assert basket.differences == (None, None)
    assert "none" in found._repr_html_()
    for row in found.rows:
        for game, odds in zip(("mbs-roulette-v2", TRIPLE), row.odds, strict=True):
            for wager in row.wagers if odds else ():
                assert odds_of(game, wager).net == odds.net if odds else False


def test_a_single_game_or_a_missing_wager_is_refused() -> None:
    with pytest.raises(OddsError, match="two games or more"):
        compare_games(V3)
    with pytest.raises(WagerRefused):
        compare_games(V3, TRIPLE, wagers=["street:0/00/000"])


def test_an_hour_is_the_sum_of_its_rounds() -> None:
    odds = odds_of(V3, "red")

    hour = odds.by_hour(30)

    net = odds.net.after(30)
    assert (hour.rounds, hour.staked, hour.mean) == (30, 30, net.mean)
    assert hour.standard_deviation == pytest.approx(net.standard_deviation)
