"""Covariance and correlation, against closed forms and against sums."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.games import find_game
from croupier.odds import Model, correlation, odds_of


def test_red_and_black_are_almost_exclusive() -> None:
    pair = correlation("mbs-roulette-v3", "red", "black")

    # The product is 1 on zero and -1 elsewhere; either mean is -1/37.
    assert pair.covariance == Fraction(-35, 37) - Fraction(1, 37**2)
    assert pair.signed_square == -(Fraction(1296, 1368) ** 2)
    assert pair.coefficient == pytest.approx(-1296 / 1368)


def test_a_wager_correlates_fully_with_itself() -> None:
    pair = correlation("rws-triple-zero", "green", "street:0/00/000")

    assert pair.covariance == odds_of("rws-triple-zero", "green").variance
    assert pair.signed_square == 1


def test_the_bonus_wagers_of_fast_action_are_correlated() -> None:
    bonus = correlation("mbs-fast-action-v2", "bonus_win", "super_bonus_win")
    apart = correlation("mbs-fast-action-v2", "super_bonus_win", "scatter_bonus")

    # A Super Bonus Number is always a Bonus Number: E[XY] over the three cases.
    p, q = Fraction(1, 4), Fraction(21, 9139)
    product = q * 700 + (p - q) * -2 + (1 - p)
    means = (3 * p - 1) * (351 * q - 1)
    assert bonus.covariance == product - means
    assert apart.covariance < 0


def test_a_constant_result_has_no_correlation() -> None:
    game = find_game("mbs-roulette-v3")
    only_red = {number: int(number == "1") for number in game.numbers}

    pair = correlation(Model(game, only_red, ("only 1",)), "red", "17")

    assert pair.covariance == pair.signed_square == 0
    assert str(pair) == "red and straight_up:17: covariance 0, correlation 0.000000"
