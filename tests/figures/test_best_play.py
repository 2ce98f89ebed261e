"""`best-play`: what the plan attains, and that nothing does better."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures.checks.best_play import (
    check_changed_game,
    check_one_area,
    check_some_areas,
    check_the_layout,
)
from tests.figures.oracle.settlement import Limits


@pytest.mark.parametrize("name", ["mbs-roulette-v3", "rws-triple-zero"])
def test_sets_of_areas_of_the_whole_layout(name: str) -> None:
    for target in (2, 3, 4, 5):
        check_the_layout(name, target - 1, target)
    for least, most in ((1, 1), (2, 3)):
        limits = Limits({"*": (1000 * least, 1000 * most)})
        check_the_layout(name, 5, 6, limits)


@pytest.mark.parametrize("block", range(2))
def test_one_area_a_round(block: int) -> None:
    for seed in range(5 * block, 5 * block + 5):
        check_one_area(seed, most=16)


def test_two_areas_to_choose_from() -> None:
    for seed in range(100, 110):
        check_some_areas(seed)


def test_games_that_pay_otherwise(tmp_path: Path) -> None:
    checked = [check_changed_game(seed, tmp_path) for seed in range(400, 420)]

    assert 5 <= sum(checked) < len(checked)
