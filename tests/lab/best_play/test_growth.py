"""Stakes for growth: held against every way of staking, and against Kelly's formula.

The second search tries all stakes, and takes logarithms of what each number leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, log
from random import Random
from typing import Any

import numpy as np
import pytest

from croupier.lab.best_play import GrowthPlay, favourable_wheel, growth_play
from croupier.lab.best_play.growth_search import StakeChoice, fastest_growth
from croupier.lab.sessions import SessionError
from croupier.lab.wheel.check import check_wheel
from croupier.lab.wheel.record import CheckPlan
from tests.lab.best_play.growths import alike_choices, best_grown, grown, random_choices
from tests.lab.wheel.wheels import fair, weighted
from tests.lab.wheel.wheels import wheel as outcomes_of

V3 = "mbs-roulette-v3"
PLAN = CheckPlan(trials=199, orders=199, enough=10)


def test_no_stakes_grow_faster_than_those_found() -> None:
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


def test_a_float_chance_is_taken_as_it_is_written() -> None:
    for given in (0.03, np.float64(0.03), "0.03"):
        model = favourable_wheel(V3, {"17": given})

        assert model.weights == favourable_wheel(V3, {"17": "3/100"}).weights


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
def test_impossible_chances_are_refused(chances: dict[str, str], said: str) -> None:
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
def test_arguments_without_stakes_are_refused(asked: dict[str, Any], said: str) -> None:
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


def test_a_wheel_check_gives_the_lower_ends_of_its_intervals() -> None:
    spins = 20_000
    check = check_wheel(outcomes_of(weighted(3, {"17": 2.0}, spins)), PLAN)
    lowest = {each.numbers[0]: each.probability.low for each in check.intervals.numbers}
    [(number, low)] = [each for each in lowest.items() if each[1] > 1 / 37]

    model = favourable_wheel(V3, check)

    weights, total = dict(model.weights), sum(model.weights.values())
    assert number == "17"
    assert weights.pop(number) / total == pytest.approx(low, abs=1e-6)
    for weight in weights.values():
        assert weight / total == pytest.approx((1 - low) / 36, abs=1e-6)
    assert growth_play(model, bankroll=1000).stakes[0].wager == "straight_up:17"


def test_a_check_without_a_surely_favourable_number_gives_no_wheel() -> None:
    check = check_wheel(outcomes_of(fair(3)), PLAN)

    with pytest.raises(SessionError, match="no number's interval is above"):
        favourable_wheel(V3, check)


def test_stakes_are_a_frame_of_a_row_for_each_area() -> None:
    model = favourable_wheel(V3, {"17": "1/30"})

    frame = growth_play(model, bankroll=1000, areas=["17", "red"]).to_frame()

    assert frame["wager"].to_list() == ["straight_up:17", "red"]
    assert frame["stake_cents"].to_list()[1] == 0
    assert frame["player_edge"][0] == pytest.approx(0.2)
