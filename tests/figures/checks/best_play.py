"""`best-play`: what the plan attains, and that nothing does better."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.figures.checks.what_if import Change, some_change
from tests.figures.command import croupier, figures
from tests.figures.oracle.best_play import (
    Goal,
    attained,
    best_over_one_area,
    best_over_the_layout,
)
from tests.figures.oracle.chance import cases
from tests.figures.oracle.games import TABLES
from tests.figures.oracle.settlement import Chips, Limits, lay, net, write
from tests.figures.told import check_figure, check_question


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
    over = "one-area" if "--over" not in words else words[words.index("--over") + 1]
    changed = " (what-if, no approved game)" if goal.pays else ""
    question = {
        "game": goal.table.name + changed,
        "over": over,
        "bankroll_cents": goal.bankroll * goal.chip_cents,
        "target_cents": goal.target * goal.chip_cents,
        "chip_cents": goal.chip_cents,
    }
    check_question(told, question)
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
    mine = attained(goal, plan)
    assert Fraction(told["attained"]) == mine.reached
    check_figure(told["rounds_played"], mine.rounds)
    check_figure(told["staked_cents"], mine.staked_cents)
    assert abs(told["reached"]["value"] - float(Fraction(told["attained"]))) <= 1e-15
    assert told["reached"]["error"] < 1e-9
    assert best[goal.bankroll] == pytest.approx(
        told["reached"]["value"], abs=told["reached"]["error"] + 1e-12
    )
    for row in told["plan"]:
        check_row(goal, plan, row, best[row["bankroll_cents"] // goal.chip_cents])


def check_row(
    goal: Goal, plan: dict[int, list[Chips]], row: dict[str, Any], best: float
) -> None:
    """Hold one bankroll of the plan against the plan as it is kept to from there."""
    chips = row["bankroll_cents"] // goal.chip_cents
    mine = attained(replace(goal, bankroll=chips), plan)
    assert row["reached"] == pytest.approx(best, abs=1e-10)
    assert abs(Fraction(row["reached"]) - mine.reached) <= Fraction(
        row["reached_error"]
    )
    assert abs(Fraction(row["rounds_played"]) - mine.rounds) <= Fraction(
        row["rounds_error"]
    )
    assert row["reached_error"] < 1e-9
    assert row["rounds_error"] < 1e-9


def check_one_area(seed: int, most: int = 24) -> None:
    goal = some_goal(seed, most)
    check_plan(goal, ask(goal), best_over_one_area(goal, goal.table.places))


def check_the_layout(
    name: str, bankroll: int, target: int, limits: Limits | None = None
) -> None:
    """Check the best sets of areas of a whole layout, for a few chips."""
    table = TABLES[name]
    goal = Goal(table, cases(table), bankroll, target, 1000, limits or Limits())
    told = ask(goal, "--over", "several-areas")
    check_plan(goal, told, best_over_the_layout(goal))


def check_some_areas(seed: int, most: int = 24) -> None:
    goal = some_goal(seed, most)
    chance = Random(seed)
    places = chance.sample(sorted(goal.table.places), 2)
    words = [word for place in places for word in ("--area", place)]
    check_plan(goal, ask(goal, *words), best_over_one_area(goal, places))


def check_changed_game(seed: int, folder: Path, most: int = 10) -> bool:
    """Check the plan at another game; return whether the House has an edge on all."""
    goal, chance = some_goal(seed, most), Random(seed)
    change = some_change(chance, goal.table)
    file = folder / f"{seed}.toml"
    file.write_text(change.toml(), encoding="utf-8")
    goal = replace(goal, likely=change.likely(), pays=change.rate)
    places = chance.sample(sorted(goal.table.places), 2)
    places.append(_changed_place(chance, change))
    words = [word for place in places for word in ("--area", place)]
    favours = [place for place in places if _edge(goal, place) <= 0]
    if favours:
        money = [
            write(chips * goal.chip_cents) for chips in (goal.bankroll, goal.target)
        ]
        answer = croupier(
            *(
                "best-play",
                goal.table.name,
                "--bankroll",
                money[0],
                "--target",
                money[1],
            ),
            *("--chip", write(goal.chip_cents), "--what-if", str(file), *words),
        )
        assert answer.status == 2
        assert any(f"has no edge on {place}" in answer.err for place in favours)
        return False
    told = ask(goal, "--what-if", str(file), *words)
    assert told["approved"] is False
    check_plan(goal, told, best_over_one_area(goal, places))
    return True


def _edge(goal: Goal, place: str) -> int:
    """Return what the House wins on a chip, times the weights of all cases."""
    laid = lay(goal.table, [Chips(place, 1)], Limits())
    return -sum(
        weight * net(goal.table, laid, case, goal.pays)
        for case, weight in goal.likely.weights.items()
    )


def _changed_place(chance: Random, change: Change) -> str:
    places = change.table.places
    return chance.choice([p for p in places if places[p].type in change.pays])
