"""Covariance and correlation, against closed forms and against sums."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.odds import Chips, Model, correlation, layout_odds, odds_of
from tests.odds.brute import net_by_number
from tests.rules import oracle


def test_red_and_black_all_but_exclude_each_other() -> None:
    pair = correlation("mbs-roulette-v3", "red", "black")

    # The product is 1 on zero and -1 elsewhere; either mean is -1/37.
    assert pair.covariance == Fraction(-35, 37) - Fraction(1, 37**2)
    assert pair.signed_square == -(Fraction(1296, 1368) ** 2)
    assert pair.coefficient == pytest.approx(-1296 / 1368)


def test_a_wager_goes_with_itself() -> None:
    pair = correlation("rws-triple-zero", "green", "street:0/00/000")

    assert pair.covariance == odds_of("rws-triple-zero", "green").variance
    assert pair.signed_square == 1


def test_the_bonus_wagers_of_fast_action_go_together() -> None:
    bonus = correlation("mbs-fast-action-v2", "bonus_win", "super_bonus_win")
    apart = correlation("mbs-fast-action-v2", "super_bonus_win", "scatter_bonus")

    # A Super Bonus Number is always a Bonus Number: E[XY] over the three cases.
    p, q = Fraction(1, 4), Fraction(21, 9139)
    product = q * 700 + (p - q) * -2 + (1 - p)
    means = (3 * p - 1) * (351 * q - 1)
    assert bonus.covariance == product - means
    assert apart.covariance < 0


def test_what_never_varies_has_no_correlation() -> None:
    game = find_game("mbs-roulette-v3")
    only_red = {number: int(number == "1") for number in game.numbers}

    pair = correlation(Model(game, only_red, ("only 1",)), "red", "17")

    assert pair.covariance == pair.signed_square == 0
    assert str(pair) == "red and straight_up:17: covariance 0, correlation 0.000000"


GAMES = st.sampled_from(oracle.TABLE_GAMES)


@given(GAMES, st.integers(0, 10**6), st.integers(0, 10**6))
def test_covariance_is_that_of_the_enumeration(game: str, i: int, j: int) -> None:
    names = list(oracle.areas_of(game))
    one, other = names[i % len(names)], names[j % len(names)]

    found = correlation(game, one, other).covariance

    x = list(net_by_number(game, {one: 1}).values())
    y = list(net_by_number(game, {other: 1}).values())
    n = len(x)
    product = Fraction(sum(a * b for a, b in zip(x, y, strict=True)), n)
    assert found == product - Fraction(sum(x), n) * Fraction(sum(y), n)


@given(
    st.sampled_from(oracle.FIVE_GAMES),
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(1, 99)), min_size=2, max_size=4
    ),
)
@settings(max_examples=25)
def test_the_variance_of_a_layout_is_that_of_its_pairs(
    game: str, picked: list[tuple[int, int]]
) -> None:
    areas = find_game(game).areas
    chips = [Chips(areas[place % len(areas)].name, cents) for place, cents in picked]

    whole = layout_odds(game, chips)

    stakes = [each.stake_cents or 0 for each in chips]
    variances = [odds_of(game, each.wager).variance for each in chips]
    expected = sum(s * s * v for s, v in zip(stakes, variances, strict=True))
    for i, j in combinations(range(len(chips)), 2):
        pair = correlation(game, chips[i].wager, chips[j].wager)
        expected += 2 * stakes[i] * stakes[j] * pair.covariance
    assert whole.variance == expected
