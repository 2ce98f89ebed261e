"""`best-play`: what the plan attains, and that nothing does better."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.figures.command import figures
from tests.figures.oracle.best_play import (
    Goal,
    attained,
    best_over_one_area,
    best_over_straight_ups,
)
from tests.figures.oracle.chance import cases
from tests.figures.oracle.games import TABLES
from tests.figures.oracle.settlement import Chips, Limits, write


def some_goal(seed: int, most: int) -> Goal:
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    chip = chance.choice((100, 500, 1000))
    target = chance.randint(2, most)
    limits = Limits()
    if chance.random() < 0.6:
        least = chip * chance.randint(1, 3)
        limits = Limits({"*": (least, least + chip * chance.randint(0, target))})
    bankroll = chance.randint(1, target - 1)
    return Goal(table, cases(table), bankroll, target, chip, limits)


def ask(goal: Goal, *words: str) -> dict[str, Any]:
    told = figures(
        "best-play",
        goal.table.name,
        "--bankroll",
        write(goal.bankroll * goal.chip_cents),
        "--target",
        write(goal.target * goal.chip_cents),
        "--chip",
        write(goal.chip_cents),
        *goal.limits.options(),
        *words,
    )
    assert isinstance(told, dict)
    return told


def check_plan(goal: Goal, told: dict[str, Any], best: list[float]) -> None:
    """Hold the plan against what it attains and against the best that there is."""
    plan = {
        row["bankroll_cents"]: [
            Chips(one["wager"], one["stake_cents"]) for one in row["wagers"]
        ]
        for row in told["plan"]
    }
    assert Fraction(told["attained"]) == attained(goal, plan)
    assert abs(told["reached"]["value"] - float(Fraction(told["attained"]))) <= 1e-15
    assert told["reached"]["error"] < 1e-9
    assert best[goal.bankroll] == pytest.approx(
        told["reached"]["value"], abs=told["reached"]["error"] + 1e-12
    )
    for row in told["plan"]:
        assert row["reached"] == pytest.approx(
            best[row["bankroll_cents"] // goal.chip_cents], abs=1e-10
        )


def check_one_area(seed: int, most: int = 24) -> None:
    goal = some_goal(seed, most)
    check_plan(goal, ask(goal), best_over_one_area(goal, goal.table.places))


def check_some_areas(seed: int, most: int = 24) -> None:
    goal = some_goal(seed, most)
    chance = Random(seed)
    places = chance.sample(sorted(goal.table.places), 2)
    words = [word for place in places for word in ("--area", place)]
    check_plan(goal, ask(goal, *words), best_over_one_area(goal, places))


def check_straight_ups(seed: int, most: int = 9) -> None:
    goal = some_goal(seed, most)
    if goal.table.links:
        return
    told = ask(goal, "--over", "straight-ups")
    check_plan(goal, told, best_over_straight_ups(goal))


@pytest.mark.parametrize("block", range(3))
def test_one_area_a_round(block: int) -> None:
    for seed in range(8 * block, 8 * block + 8):
        check_one_area(seed)


def test_two_areas_to_choose_from() -> None:
    for seed in range(100, 116):
        check_some_areas(seed)


def test_sets_of_straight_ups() -> None:
    for seed in range(200, 212):
        check_straight_ups(seed)
