"""Stakes for growth: held against every way of staking, and against Kelly's formula.

The second search tries all stakes, and takes logarithms of what each number leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import exp, log
from random import Random
from typing import Any

import numpy as np
import pytest

from croupier.lab.best_play import GrowthPlay, favourable_wheel, growth_play
from croupier.lab.best_play.growth_search import StakeChoice, fastest_growth
from croupier.lab.sessions import SessionError

V3 = "mbs-roulette-v3"


def grown(
    choices: Sequence[StakeChoice], bankroll: float, stakes: Sequence[int]
) -> float:
    """The mean logarithm, way by way."""
    kept = bankroll - sum(stakes)
    if kept <= 0:
        return float("-inf")
    nothing = 1 - sum(sum(choice.chances) for choice in choices)
    found = float(nothing) * log(kept / bankroll)
    for choice, chips in zip(choices, stakes, strict=True):
        for gives, chance in zip(choice.returns, choice.chances, strict=True):
            found += float(chance) * log((kept + gives * chips) / bankroll)
    return found


def best_grown(choices: Sequence[StakeChoice], bankroll: Fraction) -> float:
    """The greatest growth of all stakes within the limits."""
    allowed = [
        [0, *range(choice.least, min(choice.most, int(bankroll)) + 1)]
        for choice in choices
    ]
    return max(
        grown(choices, float(bankroll), stakes)
        for stakes in product(*allowed)
        if sum(stakes) < bankroll
    )


def random_choices(random: Random) -> list[StakeChoice]:
    """One to three areas, some with two ways of winning; all alike if minima bind."""
    choices: list[StakeChoice] = []
    left = Fraction(1)
    for place in range(random.randint(1, 3)):
        if choices and random.random() < 0.3:
            last = choices[-1]
            choice = StakeChoice(
                str(place), last.returns, last.chances, last.least, last.most
            )
        else:
            gives = random.choice([2, 3, 6, 9, 12, 18, 36])
            chance = Fraction(random.randint(85, 140), 100 * gives)
            two = random.random() < 0.3
            choice = StakeChoice(
                str(place),
                (gives, gives + 5) if two else (gives,),
                (chance * 3 / 4, chance / 4) if two else (chance,),
                1,
                random.choice([1, 3, 91]),
            )
        if left >= sum(choice.chances):
            left -= sum(choice.chances)
            choices.append(choice)
    return choices


def test_nothing_grows_faster_than_what_is_found() -> None:
    random = Random(17)
    for _ in range(30):
        choices = random_choices(random)
        if not choices:
            continue
        bankroll = Fraction(random.randint(3, 26 if len(choices) < 3 else 13), 2)

        found = fastest_growth(choices, bankroll)

        best = best_grown(choices, bankroll)
        assert found.growth == pytest.approx(best, abs=1e-12), (choices, bankroll)
        assert grown(choices, float(bankroll), found.stakes) == pytest.approx(best)
        for choice, chips in zip(choices, found.stakes, strict=True):
            assert chips == 0 or choice.least <= chips <= choice.most


def alike_choices(random: Random) -> list[StakeChoice]:
    """Up to four areas that differ in their chances alone, with a minimum."""
    gives, least = random.choice([3, 6, 9]), random.randint(2, 5)
    two = random.random() < 0.3
    returns = (gives, gives + 5) if two else (gives,)
    choices = []
    for place in range(random.randint(1, 4 if gives > 4 else 2)):
        chance = Fraction(random.randint(85, 140), 100 * gives)
        chances = (chance * 3 / 4, chance / 4) if two else (chance,)
        most = least + 3
        choices.append(StakeChoice(str(place), returns, chances, least, most))
    return choices


def test_nothing_grows_faster_under_minima() -> None:
    random = Random(18)
    for _ in range(40):
        choices, bankroll = alike_choices(random), Fraction(random.randint(8, 60), 2)

        found = fastest_growth(choices, bankroll)

        best = best_grown(choices, bankroll)
        assert found.growth == pytest.approx(best, abs=1e-12), (choices, bankroll)


def test_minima_of_several_chips_on_different_areas_are_refused() -> None:
    model = favourable_wheel(V3, {"1": "1/12"})

    with pytest.raises(SessionError, match="choose a larger chip unit, or name areas"):
        growth_play(model, bankroll=100, areas=["dozen:1", "17"], limits=["* 7 50"])
    play = growth_play(
        model, bankroll=100, areas=["dozen:1", "17"], limits=["* 7 50"], chip=7
    )
    assert [str(each) for each in play.stakes] == ["dozen:1@7"]


@pytest.mark.parametrize("gives", [2, 3, 36])
@pytest.mark.parametrize("edge", ["1/10", "1/4", "1/50"])
def test_one_area_is_kelly_s_fraction(gives: int, edge: str) -> None:
    """Of the bankroll stake edge / (returns - 1), to the nearest chips."""
    choice = StakeChoice("a", (gives,), ((1 + Fraction(edge)) / gives,), 1, 10**9)

    found = fastest_growth([choice], Fraction(100_000))

    exactly = 100_000 * Fraction(edge) / (gives - 1)
    assert abs(found.stakes[0] - exactly) < 1


def test_many_numbers_at_once_lie_beside_the_formula() -> None:
    """Bet p - b/r of the bankroll; b is what is kept, as the theory has it."""
    chances = [Fraction(36 + n, 1000) for n in range(5)] + [Fraction(1, 100)]
    choices = [
        StakeChoice(str(n), (36,), (p,), 1, 10**9) for n, p in enumerate(chances)
    ]

    found = fastest_growth(choices, Fraction(1000))

    backed = chances[:5]
    kept = (1 - sum(backed)) / (1 - Fraction(5, 36))
    wanted = [float(1000 * (p - kept / 36)) for p in backed]
    assert found.stakes[5] == 0
    assert all(abs(a - b) < 1 for a, b in zip(found.stakes, wanted, strict=False))


def wheel(chances: Mapping[str, str | Fraction]) -> GrowthPlay:
    return growth_play(favourable_wheel(V3, chances), bankroll=1000)


def test_a_wheel_that_favours_numbers() -> None:
    play = wheel({"17": "1/30", "20": "1/33"})

    assert {each.wager for each in play.stakes} == {"straight_up:17", "straight_up:20"}
    assert float(sum(play.choices[17].chances)) == pytest.approx(1 / 30)
    [seventeen, twenty] = (each.stake_cents or 0 for each in play.stakes)
    assert seventeen > twenty
    kept = 100_000 - seventeen - twenty
    by_hand = (
        log((kept + 36 * seventeen) / 100_000) / 30
        + log((kept + 36 * twenty) / 100_000) / 33
        + log(kept / 100_000) * (1 - 1 / 30 - 1 / 33)
    )
    assert float(play.growth) == pytest.approx(by_hand, rel=1e-12)
    assert play.growth.error < Fraction(1, 10**30)
    edges = seventeen * (Fraction(36, 30) - 1) + twenty * (Fraction(36, 33) - 1)
    assert play.net_cents == edges
    assert play.doubling_rounds == pytest.approx(log(2) / by_hand)
    assert play.winning_chance == Fraction(1, 30) + Fraction(1, 33)


def test_a_fair_wheel_gets_no_stake() -> None:
    for game in (V3, "mbs-fast-action-v2", "rws-triple-zero"):
        play = growth_play(game, bankroll=500)

        assert play.stakes == ()
        assert play.growth.value == 0
        assert play.doubling_rounds is None
        assert "Nothing is staked" in str(play)


def test_a_bankroll_of_one_chip_is_kept() -> None:
    play = growth_play(favourable_wheel(V3, {"17": "1/30"}), bankroll=1)

    assert play.stakes == ()


def test_limits_and_chips_are_kept() -> None:
    model = favourable_wheel(V3, {"17": "1/20", "20": "1/33"})

    play = growth_play(model, bankroll="1002.50", chip=5, limits=["* 10 20"])

    assert [str(each) for each in play.stakes] == ["straight_up:17@20"]
    assert play.staked_cents == 2000


def test_areas_may_be_named() -> None:
    model = favourable_wheel(V3, {"1": "1/18", "2": "1/18"})

    play = growth_play(model, bankroll=1000, areas=["dozen:1", "17", "0"])

    assert [each.wager for each in play.stakes] == ["dozen:1"]


def test_stakes_for_growth_in_a_game_with_bonus_numbers() -> None:
    """The straight-up pays by the status of its number: three ways of winning."""
    model = favourable_wheel("mbs-fast-action-v2", {"17": "1/25"})

    play = growth_play(model, bankroll=200)

    choice = next(each for each in play.choices if each.name == "straight_up:17")
    assert sum(choice.chances) == Fraction(1, 25)
    best = max(range(20), key=lambda chips: grown([choice], 200.0, [chips]))
    assert [str(each) for each in play.stakes] == [f"straight_up:17@{best}"]


def test_the_chances_of_every_number() -> None:
    every = {str(n): Fraction(1, 36) for n in range(1, 36)}
    model = favourable_wheel(V3, {**every, "36": "1/72", "0": "1/72"})

    assert sum(model.weights.values()) == 72


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ({"17": "1/2", "18": "2/3"}, "more than 1"),
        ({"17": "1"}, "leave nothing"),
        ({"17": "often"}, "part of 1"),
        ({"17": "1/0"}, "part of 1"),
        ({"99": "1/30"}, "99"),
        ({"17": "-1/30"}, "-1/30.* is no chance"),
        ({str(n): "1/40" for n in range(37)}, "add up to 1"),
    ],
)
def test_chances_that_make_no_wheel(chances: dict[str, str], said: str) -> None:
    with pytest.raises(SessionError, match=said):
        favourable_wheel(V3, chances)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"areas": ["red", "1"]}, "straight_up:1.* can win together|red and straight"),
        ({"bankroll": 1, "chip": 5}, "below the chip unit"),
        ({"bankroll": 10_000_000}, "1,000,000 chips"),
        ({"limits": ["* 5 5"], "chip": 7}, "leave no area"),
    ],
)
def test_stakes_that_make_no_sense(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(SessionError, match=said):
        growth_play(V3, **{"bankroll": 100, **asked})


def test_it_tells_and_draws_itself() -> None:
    play = wheel({"17": "1/30"})

    told, found = str(play), play.json()
    stakes, curve = play.plot().figure.axes

    assert "straight_up:17@6  3.3333 %" in told
    assert "growth of the bankroll, a round  0.05367 %" in told
    assert "grow faster by more than 1e-12." in told
    assert "<table>" in play._repr_html_()
    assert found["growth"]["value"] == pytest.approx(5.3651e-4, rel=1e-3)
    assert exp(found["growth"]["value"]) - 1 == pytest.approx(
        play.percent_a_round / 100
    )
    assert [each["stake_cents"] for each in found["stakes"] if each["stake_cents"]] == [
        600
    ]
    assert len(stakes.patches) == 37
    heights = np.asarray(curve.lines[0].get_ydata(), dtype=float)
    assert heights[0] == pytest.approx(0.0, abs=1e-12)
    assert max(heights) == pytest.approx(play.percent_a_round, rel=0.01)
