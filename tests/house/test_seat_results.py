"""What one seat's chips would bring at each number, and their exact edge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.games import find_game
from croupier.house.floor.seat_results import SeatResults, seat_results
from croupier.odds import Chips, layout_odds
from croupier.odds.chips import read_chips, read_terms
from croupier.odds.layouts import lay_chips
from croupier.rules.buckets import changed
from croupier.rules.round import RoundOfPlay

# Of the design's own example: 130.00 in all.
EXAMPLE = (
    "0@5",
    "17@10",
    "17/20@10",
    "25/26/28/29@20",
    "31/32/33@10",
    "dozen:2@25",
    "red@50",
)


def laid(game: str, *wagers: str, limits: tuple[str, ...] = ()) -> RoundOfPlay:
    chips = [read_chips(each) for each in wagers]
    terms = read_terms(find_game(game), limits=limits, laid=False)
    return lay_chips(find_game(game), chips, terms)


def results_of(state: RoundOfPlay) -> SeatResults:
    return seat_results(state, state.board.in_order())


def test_each_number_has_its_net_and_the_pieces_that_are_paid() -> None:
    found = results_of(laid("mbs-roulette-v3", *EXAMPLE))

    nets = {each.number: each.least_cents for each in found.numbers}
    assert (nets["17"], nets["0"], nets["25"], nets["8"]) == (
        48500,
        5000,
        15000,
        -13000,
    )
    paid = {each.number: each.paid for each in found.numbers}["17"]
    assert paid == {"straight_up:17": 35000, "split:17/20": 17000, "dozen:2": 5000}
    assert (found.stake_cents, found.ahead) == (13000, 14)
    assert (found.house_edge, found.edge_percent) == ("1/37", "2.70%")
    assert found.cost_cents == 351


@pytest.mark.parametrize(
    ("game", "wagers"),
    [
        ("mbs-roulette-v2", ("17/20@5", "column:1@2")),
        ("mbs-complete-bet-v2", ("complete:17@5", "black@20")),
        ("rws-triple-zero", ("top_line@5", "green@5", "1/2/3@10")),
        ("mbs-fast-action-v2", ("17@10", "S@5", "scatter_bonus@5", "bonus_win@5")),
    ],
)
def test_the_edge_is_that_of_the_odds(game: str, wagers: tuple[str, ...]) -> None:
    odds = layout_odds(game, wagers, laid=False)

    found = results_of(laid(game, *wagers))

    assert found.house_edge == str(odds.house_edge)
    nets = [each.least_cents for each in found.numbers]
    most = [each.most_cents for each in found.numbers]
    assert (min(nets), max(most)) == (odds.net.least, odds.net.greatest)


def test_bonus_numbers_decide_until_they_are_drawn() -> None:
    state = laid("mbs-fast-action-v2", "17@10")

    before = {each.number: each for each in results_of(state).numbers}["17"]
    drawn = tuple(find_game("mbs-fast-action-v2").numbers[:10])
    facts = replace(state.facts, bonus_numbers=drawn)
    after = {
        each.number: each for each in results_of(replace(state, facts=facts)).numbers
    }

    assert (before.least_cents, before.most_cents) == (35000, 80000)
    assert after["17"].least_cents == after["17"].most_cents == 35000
    assert after["1"].most_cents == -1000


def test_chips_over_the_maximum_count_as_they_are_settled() -> None:
    """Laid in two parts, 160 at a maximum of 100: at most 100 are at risk (v3 5.16)."""
    game = find_game("mbs-roulette-v3")
    terms = read_terms(game, limits=["* 1 100"], laid=True)
    state = lay_chips(game, [Chips("17", 8000), Chips("17", 8000)], terms)

    found = {each.number: each for each in results_of(state).numbers}

    assert found["17"].least_cents == 35 * 10000
    assert found["18"].least_cents == -10000


def test_without_chips_there_is_nothing_to_say() -> None:
    state = laid("mbs-roulette-v3", "red@5")

    assert seat_results(state, ()) == SeatResults(state.number)


def test_chips_of_others_on_a_frozen_layout_change_nothing() -> None:
    state = laid("mbs-roulette-v3", "17@10", "red@50")
    facts = replace(state.facts, closed=True, frozen_cents=state.board.stake_cents)
    first, *_ = state.board.in_order()

    found = seat_results(changed(state, facts=facts), [first])

    assert found == seat_results(laid("mbs-roulette-v3", "17@10"), [first])
