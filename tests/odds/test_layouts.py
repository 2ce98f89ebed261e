"""Layouts of chips: within the limits and beyond them, against rounds played out."""

from __future__ import annotations

from fractions import Fraction
from time import process_time

import pytest

from croupier.games import find_game
from croupier.odds import Chips, layout_odds, model_of, odds_of, round_result
from croupier.odds.model import cases_of
from croupier.rules.bonus import Outcome
from croupier.rules.clause import WagerRefused
from croupier.rules.notation import NotationError
from croupier.rules.wheel import Number
from tests.rules import oracle

V3, FAST = "mbs-roulette-v3", "mbs-fast-action-v2"


def test_an_over_maximum_wager_is_capped_and_the_excess_safe() -> None:
    capped = layout_odds(V3, ["17@500"], limits=["straight_up 5 100"])

    assert dict(capped.net.outcomes) == {
        -10_000: Fraction(36, 37),
        350_000: Fraction(1, 37),
    }
    assert (capped.stake, capped.at_risk) == (50_000, 10_000)
    assert capped.house_edge == Fraction(1, 37) * Fraction(100, 500)


def test_an_under_minimum_wager_stands_once_and_is_returned_later() -> None:
    first = round_result(V3, ["red@2"], limits=["* 5 100"])
    later = round_result(V3, ["red@2"], limits=["* 5 100"], warned=True)

    assert dict(first.outcomes) == {-200: Fraction(19, 37), 200: Fraction(18, 37)}
    assert dict(later.outcomes) == {0: 1}


@pytest.mark.parametrize(
    ("game", "clause"),
    [
        ("mbs-roulette-v2", "A11"),
        ("mbs-complete-bet-v2", "A11"),
        ("rws-triple-zero", "3.3"),
    ],
)
@pytest.mark.parametrize("stake", ["4", "101"])
def test_elsewhere_a_breach_of_the_limits_is_refused(
    game: str, clause: str, stake: str
) -> None:
    with pytest.raises(WagerRefused, match=r"on red; the limits are 5.00 to 100.00"):
        round_result(game, [f"red@{stake}"], limits=["* 5 100"])

    assert round_result(game, ["red@100"], limits=["* 5 100"]).greatest == 10_000
    assert clause in str(refusal_of(game, stake))


def refusal_of(game: str, stake: str) -> WagerRefused:
    with pytest.raises(WagerRefused) as refused:
        round_result(game, [f"red@{stake}"], limits=["* 5 100"])
    return refused.value


def test_electronic_placing_is_refused_beyond_the_limits_everywhere() -> None:
    with pytest.raises(WagerRefused, match="red"):
        round_result(V3, ["red@500"], limits=["* 5 100"], laid=False)

    assert round_result(V3, ["red@50"], limits=["* 5 100"], laid=False).greatest == 5000


def test_racetrack_and_plain_chips_add_up_on_an_area() -> None:
    with pytest.raises(WagerRefused, match=r"30\.00 on split:17/20"):
        round_result(
            "mbs-complete-bet-v2", ["orphelins@20", "17/20@10"], limits=["* 5 25"]
        )


def test_a_whole_layout_of_fast_action_is_counted_within_a_second() -> None:
    game = find_game(FAST)
    chips = [f"{number}@1" for number in game.numbers]
    chips += ["bonus_win@5", "super_bonus_win@1", "scatter_bonus@1"]
    start = process_time()

    whole = layout_odds(FAST, chips)

    assert process_time() - start < 1
    assert whole.stake == 4700
    edges = Fraction(97169, 1462240) * 40 + Fraction(5, 4) + Fraction(136, 703)
    edges += Fraction(7038047, 52978783)
    assert whole.house_edge == edges / 47
    assert whole.hit_frequency == 1


def test_every_case_of_fast_action_pays_what_the_document_says() -> None:
    for case in cases_of(model_of(FAST)):
        pays = oracle.fast_action_areas(case.number, case.outcome.bonus_numbers)

        assert case.winning == {n: paid for n, paid in pays.items() if paid is not None}


def test_hit_frequency_and_being_ahead_are_told_apart() -> None:
    dozen = odds_of("mbs-complete-bet-v2", "complete:dozen:1")
    both = layout_odds(V3, ["red@10", "black@10", "17@1"])

    # The pieces touch 0 too, where 81 are won against 48, and 13 to 15, where at most
    # 38 are won against 50.
    assert dozen.hit_frequency == Fraction(16, 37)
    assert dozen.ahead_probability == Fraction(13, 37)
    assert both.hit_frequency == Fraction(36, 37)
    assert both.ahead_probability == Fraction(1, 37)
    assert layout_odds(V3, ["red@10", "black@10"]).ahead_probability == 0


def test_the_hit_frequency_of_a_complete_wager_by_hand() -> None:
    areas = oracle.areas_of("mbs-complete-bet-v2")
    inside = ("straight_up", "split", "street", "corner", "six_line")
    touched = {
        number
        for name, area in areas.items()
        if name.partition(":")[0] in inside and "17" in area.numbers
        for number in area.numbers
    }

    complete = odds_of("mbs-complete-bet-v2", "complete:17")

    assert complete.hit_frequency == Fraction(len(touched), 37)


def test_odds_read_well() -> None:
    red = odds_of(V3, "red")

    assert "house edge          0.027027 (1/37)" in str(red)
    assert "<td>0.027027 (1/37)</td>" in red._repr_html_()
    assert repr(red) == "<Odds of red: return 0.972973 (36/37)>"
    assert repr(red.model) == "<Model of mbs-roulette-v3>"
    assert str(Chips("red", 250)) == "red@2.50"
    assert str(Chips("complete_maximum:17", None)) == "complete_maximum:17"


@pytest.mark.parametrize("text", ["red", "@5", "red@", "red@0", "red@1.234", ""])
def test_values_that_are_no_chips_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(NotationError):
        round_result(V3, [text])


def test_one_line_of_chips_and_one_limit_need_no_list() -> None:
    listed = round_result(V3, ["17@500", "red@50"], limits=["* 5 100"])

    assert round_result(V3, "17@500 red@50", limits="* 5 100") == listed
    assert layout_odds(V3, "17@500 red@50", limits="* 5 100").net == listed


def test_the_outcome_of_a_case_is_one_that_can_be_played() -> None:
    for case in cases_of(model_of("rws-triple-zero")):
        assert case.outcome == Outcome(Number(case.name))
