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
from croupier.lab.best_play.growth_search import GrowthSearch, StakeChoice
from croupier.lab.sessions import SessionError
from tests.lab.best_play.test_several_areas import NUMBERS

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
    """One to three areas, some alike, some with two ways of winning."""
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
            least = random.choice([1, 1, 2, 3, 5])
            two = random.random() < 0.3
            choice = StakeChoice(
                str(place),
                (gives, gives + 5) if two else (gives,),
                (chance * 3 / 4, chance / 4) if two else (chance,),
                least,
                least + random.choice([0, 2, 90]),
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

        found = GrowthSearch(choices, bankroll).run()

        best = best_grown(choices, bankroll)
        assert found.growth == pytest.approx(best, abs=1e-12), (choices, bankroll)
        assert grown(choices, float(bankroll), found.stakes) == pytest.approx(best)
        for choice, chips in zip(choices, found.stakes, strict=True):
            assert chips == 0 or choice.least <= chips <= choice.most


def test_a_search_that_is_broken_off_says_what_it_may_lack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choices = [
        StakeChoice(str(p), (36,), (Fraction(p, 1000),), 5, 99)
        for p in (33, 36, 40, 45)
    ]
    whole = GrowthSearch(choices, Fraction(260)).run()
    monkeypatch.setattr("croupier.lab.best_play.growth_search._MOST_PARTS", 1)

    found = GrowthSearch(choices, Fraction(260)).run()

    assert whole.excess < 1e-11
    assert found.growth < whole.growth <= found.growth + found.excess


@pytest.mark.parametrize("gives", [2, 3, 36])
@pytest.mark.parametrize("edge", ["1/10", "1/4", "1/50"])
def test_one_area_is_kelly_s_fraction(gives: int, edge: str) -> None:
    """Of the bankroll stake edge / (returns - 1), to the nearest chips."""
    choice = StakeChoice("a", (gives,), ((1 + Fraction(edge)) / gives,), 1, 10**9)

    found = GrowthSearch([choice], Fraction(100_000)).run()

    exactly = 100_000 * Fraction(edge) / (gives - 1)
    assert abs(found.stakes[0] - exactly) < 1
    assert found.in_parts[0] == pytest.approx(float(exactly), rel=1e-6)


def test_many_numbers_at_once_in_parts_of_chips() -> None:
    """Bet p - b/r of the bankroll; b is what is kept, as the theory has it."""
    chances = [Fraction(36 + n, 1000) for n in range(5)] + [Fraction(1, 100)]
    choices = [
        StakeChoice(str(n), (36,), (p,), 1, 10**9) for n, p in enumerate(chances)
    ]

    found = GrowthSearch(choices, Fraction(1000)).run()

    backed = chances[:5]
    kept = (1 - sum(backed)) / (1 - Fraction(5, 36))
    wanted = [float(1000 * (p - kept / 36)) for p in backed]
    assert list(found.in_parts) == pytest.approx([*wanted, 0.0], abs=1e-4)
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
        assert play.any_layout < 1e-11
        assert "Nothing is staked" in str(play)


@pytest.mark.parametrize(("most", "factor"), [(12, 2), (2, 8)])
def test_no_layout_at_all_grows_faster_than_its_bound(most: int, factor: int) -> None:
    """Random layouts, areas that overlap among them, settled by the numbers."""
    chances = {"17": "1/25", "3": "1/30", "36": "1/29"}
    play = growth_play(
        favourable_wheel(V3, chances),
        bankroll=1000,
        limits=[f"* 1 {most}"],
        areas=["17"] if most == 2 else [],
    )
    others = (1 - sum(Fraction(p) for p in chances.values())) / 34
    weights = [float(Fraction(chances.get(str(n), others))) for n in range(37)]
    random, highest = Random(4), float("-inf")
    for _ in range(4000):
        names = random.sample(list(NUMBERS), random.randint(1, 3))
        layout = {name: random.randint(1, most) for name in names}
        kept = 1000 - sum(layout.values())
        growth = sum(
            weights[n]
            * log(
                (
                    kept
                    + sum(
                        stake * 36 // len(NUMBERS[name])
                        for name, stake in layout.items()
                        if n in NUMBERS[name]
                    )
                )
                / 1000
            )
            for n in range(37)
        )
        highest = max(highest, growth)

    assert 0 < highest <= play.any_layout
    assert float(play.growth) <= play.any_layout
    assert play.any_layout < factor * highest


def test_a_bankroll_of_one_chip_is_kept() -> None:
    play = growth_play(favourable_wheel(V3, {"17": "1/30"}), bankroll=1)

    assert play.stakes == ()
    assert 0.0005 < play.any_layout < 0.0006


def test_limits_and_chips_are_kept() -> None:
    model = favourable_wheel(V3, {"17": "1/20", "20": "1/33"})

    play = growth_play(model, bankroll="1002.50", chip=5, limits=["* 10 20"])

    assert [str(each) for each in play.stakes] == ["straight_up:17@20"]
    assert play.staked_cents == 2000


def test_areas_may_be_named() -> None:
    model = favourable_wheel(V3, {"1": "1/18", "2": "1/18"})

    play = growth_play(model, bankroll=1000, areas=["dozen:1", "17", "0"])

    assert [each.wager for each in play.stakes] == ["dozen:1"]
    assert float(play.growth) < play.any_layout
    assert play.any_layout < 0.05


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
    stakes, curve = play.plot(dark=True).figure.axes

    assert "straight_up:17@6  3.3333 %" in told
    assert "growth of the bankroll, a round  0.05367 %" in told
    assert "no layout at all" in told
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
