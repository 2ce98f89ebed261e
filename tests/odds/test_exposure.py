"""Exposure and liability: what the House pays, against every single round."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import layout_odds, session
from croupier.games import find_game
from croupier.odds import NoBound, exposure_of, maximum_liability, round_result
from croupier.odds.chips import ChipsError
from croupier.odds.distribution import OddsError
from croupier.rules.clause import WagerRefused
from croupier.transcript import PracticeTable

V3 = "mbs-roulette-v3"


def test_the_limits_apply_to_each_player() -> None:
    wagers = {"Anna": ["17@500"], "Ben": ["17@80"]}

    found = exposure_of(V3, wagers, limits=["straight_up 5 100"])

    at_17 = next(each for each in found.cases if each.outcome == "17")
    assert at_17.paid_cents == 35 * (10_000 + 8_000)
    assert found.worst == at_17
    others = {each.collected_cents for each in found.cases if each is not at_17}
    assert others == {18_000}


def test_the_worst_case_of_fast_action_has_a_status() -> None:
    found = exposure_of(
        "mbs-fast-action-v2", {"Anna": ["7@1"], "Ben": ["super_bonus_win@1"]}
    )

    assert found.worst.outcome == "7 super_bonus"
    assert found.worst.net_cents == 8_000 + 35_000
    assert sum(each.probability for each in found.cases) == 1


def test_a_cap_over_all_players_refuses_the_last() -> None:
    with pytest.raises(WagerRefused, match="all Players together have reached"):
        exposure_of(
            V3,
            {"Anna": ["17@60"], "Ben": ["17@60"]},
            settings=["area_maximum straight_up 100"],
        )


LIMITS = ["* 5 1000", "straight_up 5 100", "split 5 200", "red 50 400"]


def test_a_player_can_win_exactly_the_liability() -> None:
    found = maximum_liability(V3, limits=LIMITS)
    table = PracticeTable(V3, limits=LIMITS)
    table.place_your_bets()
    for each in found.worst.areas:
        table.lay("Anna", each.area, each.stake_cents // 100)
        table.lay("Anna", each.area, 7)  # beyond the maximum: paid no more (5.16)
    table.spin()
    table.no_more_bets()
    table.outcome(found.worst.outcome)

    paid = sum(p.paid_cents for wager in table.settle() for p in wager.pieces)

    assert paid == found.worst.paid_cents


def test_players_multiply_the_liability_up_to_the_cap() -> None:
    one = maximum_liability(V3, limits=LIMITS)
    seven = maximum_liability(V3, limits=LIMITS, players=7)
    capped = maximum_liability(
        V3, limits=LIMITS, players=7, settings=["area_maximum 300"]
    )

    assert seven.worst.paid_cents == 7 * one.worst.paid_cents
    assert {each.stake_cents for each in capped.worst.areas} == {30_000}
    assert "7 Players" in str(seven)
    assert str(one) in repr(one)
    assert "one Player" in str(one)


@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 4), st.integers(1, 25))
def test_the_most_on_an_area_equals_an_exhaustive_search(
    players: int, least: int, more: int, cap: int
) -> None:
    most = least + more
    limits = [f"* {least} {most}"]
    found = maximum_liability(
        "rws-triple-zero",
        limits=limits,
        players=players,
        settings=[f"area_maximum {cap}"],
    )

    # Each Player lays nothing, or whole units within the limits.
    choices = [0, *range(least, most + 1)]
    fits = max(
        total
        for stakes in product(choices, repeat=players)
        if (total := sum(stakes)) <= cap
    )
    assert {each.stake_cents for each in found.worst.areas} == {100 * fits}


def test_a_cap_leaves_room_if_an_under_minimum_wager_stands() -> None:
    limits, cap = ["* 80 100"], ["area_maximum 150"]
    stands = maximum_liability(V3, limits=limits, settings=cap, players=2)
    refuses = maximum_liability(
        "rws-triple-zero", limits=limits, settings=cap, players=2
    )

    laid = exposure_of(
        V3, {"Anna": ["17@100"], "Ben": ["17@50"]}, limits=limits, settings=cap
    )

    assert {each.stake_cents for each in stands.worst.areas} == {15_000}
    assert {each.stake_cents for each in refuses.worst.areas} == {10_000}
    assert laid.worst.paid_cents == 35 * 15_000


def test_without_a_maximum_there_is_no_bound() -> None:
    with pytest.raises(NoBound, match="no maximum for split"):
        maximum_liability(V3, limits=["straight_up 5 100"])
    with pytest.raises(OddsError, match="at least one Player"):
        maximum_liability(V3, limits=LIMITS, players=0)
    capped = maximum_liability(V3, limits=[], settings=["area_maximum 10"])
    assert capped.worst.areas[0].stake_cents == 1000


def test_the_worst_of_fast_action_by_hand() -> None:
    found = maximum_liability("mbs-fast-action-v2", limits=["* 1 10"])

    assert found.worst.outcome.endswith("bonus scatter")
    assert found.worst.paid_cents == 1000 * (40 + 2 + 700)
    whole = {e.paid_cents for e in found.cases if e.outcome.endswith("super_bonus")}
    assert whole == {1000 * (80 + 2 + 350)}


def test_exposures_read_well() -> None:
    found = exposure_of(V3, {"Anna": ["17@10"]})

    assert str(found) == (
        "10.00 on the layout of Roulette (MBS) v3: at worst, 17, the House pays"
        " 350.00 net"
    )
    assert repr(found) == f"<Exposure: {found}>"
    assert '<th scope="row" class="r">350.00</th>' in found._repr_html_()
    most = maximum_liability(V3, limits=LIMITS)
    assert '<th scope="row">straight_up:2</th>' in most._repr_html_()
    assert found.as_json()["worst"]["outcome"] == "17"
    assert len(find_game(V3).numbers) == len(found.as_json()["cases"])


def test_a_player_s_exposure_is_the_player_s_result() -> None:
    chips = ["17@10", "red@50", "dozen:2@5"]

    assert exposure_of(V3, {"Anna": chips}).net == round_result(V3, chips)
    assert exposure_of(V3, {"Anna": " ".join(chips)}).net == round_result(V3, chips)


def test_other_values_than_wagers_are_refused_in_a_sentence() -> None:
    pairs: Any = [("red", 10)]

    for ask in (
        lambda: exposure_of("mbs-roulette-v3", pairs),
        lambda: layout_odds("mbs-roulette-v3", pairs),
        lambda: session("mbs-roulette-v3", pairs, bankroll=100, rounds=9),
    ):
        with pytest.raises(ChipsError, match=r"^\('red', 10\) is no wager: write it"):
            ask()


def test_frames_have_a_row_for_each_case_and_each_winning_area() -> None:
    cases = exposure_of(V3, ["17@10"]).to_frame()
    areas = maximum_liability(V3, limits=["straight_up 5 100", "* 5 1000"]).to_frame()

    assert cases.height == 37
    assert cases.filter(cases["net_cents"] > 0)["paid_cents"].to_list() == [35_000]
    assert abs(cases["probability"].sum() - 1) < 1e-12
    best = areas.filter(areas["area"] == "straight_up:17").row(0, named=True)
    assert (best["outcome"], best["pays"]) == ("17", 35)
    assert best["paid_cents"] == 350_000
