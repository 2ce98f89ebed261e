"""What the House would pay at worst, against settling every outcome by itself."""

from __future__ import annotations

import random

import pytest

from croupier.games import all_games, find_game
from croupier.house.floor.exposure import exposure_at
from croupier.rules.bonus import Outcome
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import Number
from croupier.transcript import PracticeTable


def betting(game: str, *wagers: tuple[str, str, int]) -> RoundOfPlay:
    table = PracticeTable(game)
    table.place_your_bets()
    for player, wager, stake in wagers:
        table.place(player, wager, stake)
    return table.state


def settled(current: RoundOfPlay, outcome: Outcome) -> int:
    """Paid less collected, area by area, from the pay table alone."""
    net = 0
    for wager in current.board.in_order():
        for area, cents in zip(wager.areas, wager.piece_cents, strict=True):
            assert area.wager_type.value in {"straight_up", "split", "red", "dozen"}
            pays = {"straight_up": 35, "split": 17, "red": 1, "dozen": 2}
            wins = area.covers(outcome.winning_number)
            net += cents * pays[area.wager_type.value] if wins else -cents
    return net


@pytest.mark.parametrize("game", [g.name for g in all_games() if not g.layout.links])
def test_every_number_is_reckoned_as_it_would_be_settled(game: str) -> None:
    chance = random.Random(game)
    areas = ["17", "17/20", "0", "red", "dozen:2", "36"]
    current = betting(
        game,
        *((f"P{n}", chance.choice(areas), chance.randint(1, 9)) for n in range(40)),
    )

    found = exposure_at(current)

    assert list(found) == list(find_game(game).numbers)
    for number, cents in found.items():
        assert cents == settled(current, Outcome(Number(number)))


def test_before_the_draw_the_worst_draw_counts() -> None:
    game = "mbs-fast-action-v2"
    lone = betting(game, ("Anna", "17", 1))
    scatter = betting(game, ("Anna", "scatter_bonus", 1))

    assert exposure_at(lone)[Number("17")] == 80_00  # its link lit whole: 4.1
    assert exposure_at(lone)[Number("18")] == -1_00
    assert set(exposure_at(scatter).values()) == {700_00}
    supers = betting(game, ("Anna", "super_bonus_win", 1), ("Ben", "bonus_win", 1))
    assert set(exposure_at(supers).values()) == {352_00}


def test_an_empty_layout_has_no_exposure() -> None:
    assert set(exposure_at(betting("mbs-roulette-v3")).values()) == {0}
