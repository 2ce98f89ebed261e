"""Oscar's grind and Labouchère as functions: the same sessions as by their tables."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from croupier.lab.sessions.progressions import Labouchere, OscarsGrind
from croupier.lab.sessions.request import read_request
from croupier.lab.simulator import simulate
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import Machine, OwnFunction, SimulationPlan
from croupier.lab.simulator.strategy_functions import MOST_UNITS_OF_LINES, function_of

WORDS: dict[str, Any] = {"bankroll": 24, "rounds": 30}
"""So short that a table of states is small."""
SEVERAL = "17@1 + red@2"


def counts_of(plan: SimulationPlan) -> list[int]:
    """What a plan's sessions come to: ends, rounds, stakes, squares, extremes."""
    played = PlainEngine().run(plan, 0, plan.sessions)
    return [int(word) for word in played.words]


def rules(over_maximum: str, over_bankroll: str) -> dict[str, Any]:
    return {"over_maximum": over_maximum, "over_bankroll": over_bankroll}


@pytest.mark.parametrize("strategy", ["oscars-grind", "labouchere"])
@pytest.mark.parametrize(
    ("wager", "words"),
    [
        ("red@1", {"target": 40}),
        ("red@1", {"bankroll": 9, "rounds": 25}),
        ("red@1", {"limits": ["* 1 7"]}),
        ("dozen:1@1", {"target": 36}),
        (SEVERAL, {"stop_loss": 12, "target": 36}),
        ("red@3", {"limits": ["* 1 15"], "target": 45}),
        ("red@1", {"limits": ["* 1 8"], **rules("stop", "stake-allowed")}),
        ("red@1", {"limits": ["* 1 8"], **rules("stop", "start-again")}),
        ("red@1", {"limits": ["* 1 6"], **rules("stake-allowed", "stop")}),
        ("red@1", {"bankroll": 12, **rules("start-again", "stake-allowed")}),
        ("red@1", {"bankroll": 12, "target": 20, **rules("start-again", "stop")}),
        (SEVERAL, {"target": 48, **rules("start-again", "stake-allowed")}),
    ],
)
def test_the_function_plays_as_the_table_does(
    strategy: str, wager: str, words: dict[str, Any]
) -> None:
    asked = {**WORDS, **words, "strategy": strategy}
    request = read_request("mbs-roulette-v3", wager, **asked)
    by_table = compile_plan(request, sessions=300, seed=4)
    function = function_of(request)
    assert isinstance(by_table.machine, Machine)
    assert function is not None

    by_function = replace(by_table, machine=function)

    assert counts_of(by_function) == counts_of(by_table)
    bounds = replace(by_function, summit=None)
    assert bounds.highest >= by_table.highest or bounds.target is None
    assert counts_of(bounds)[:4] == counts_of(by_table)[:4]


@pytest.mark.parametrize(
    "strategy",
    [
        Labouchere(start=(1, 1), longest=5),
        Labouchere(start=(3,), longest=3),
        Labouchere(start=(1, 2, 3, 4, 5), longest=3),
        OscarsGrind(start=(Fraction(-1), 2)),
    ],
)
def test_a_first_line_and_a_first_stake_of_ones_own(strategy: Any) -> None:
    request = read_request("mbs-roulette-v3", "red@1", **WORDS, strategy=strategy)
    by_table = compile_plan(request, sessions=300, seed=5)
    function = function_of(request)
    assert function is not None

    by_function = replace(by_table, machine=function)

    assert counts_of(by_function) == counts_of(by_table)


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        ("oscars-grind", {}),
        ("labouchere", {"target": 2000}),
        ("labouchere", {"over_bankroll": "stake-allowed"}),
    ],
)
def test_an_ordinary_bankroll_is_played(strategy: str, words: dict[str, Any]) -> None:
    asked = {"bankroll": 1000, "rounds": 1000, "strategy": strategy, **words}

    compiled = simulate("mbs-roulette-v3", "red@1", sessions=10, seed=1, **asked)

    assert isinstance(compiled.plan.machine, OwnFunction)
    assert compiled.tally.words.tolist() == counts_of(compiled.plan)
    assert compiled.beside.why_not == "calculating it would take too long"


def test_a_line_that_nothing_bounds_has_the_maximum_of_a_table_without_one() -> None:
    asked: dict[str, Any] = {"bankroll": 1000, "rounds": 1000, "strategy": "labouchere"}

    compiled = simulate("mbs-roulette-v3", "17@1", sessions=10, seed=1, **asked)

    assert compiled.plan.machine.greatest == MOST_UNITS_OF_LINES
    assert compiled.tally.words.tolist() == counts_of(compiled.plan)

    asked["target"] = 2000
    plan = compile_plan(
        read_request("mbs-roulette-v3", "17@1", **asked), sessions=10, seed=1
    )
    assert isinstance(plan.machine, Machine)
