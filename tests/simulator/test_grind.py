"""Oscar's grind as a function: the same sessions as by its table of states."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from croupier.odds.sessions.request import read_request
from croupier.simulator import simulate
from croupier.simulator.compiler import compile_plan
from croupier.simulator.grind import function_of
from croupier.simulator.plain import PlainEngine
from croupier.simulator.plan import Machine, OwnFunction, SimulationPlan

GRIND: dict[str, Any] = {"strategy": "oscars-grind", "bankroll": 40, "rounds": 60}


def counts_of(plan: SimulationPlan) -> list[int]:
    """What a plan's sessions come to: ends, rounds, stakes, squares, extremes."""
    played = PlainEngine().run(plan, 0, plan.sessions)
    return [int(word) for word in played.words]


@pytest.mark.parametrize(
    ("wager", "words"),
    [
        ("red@1", {}),
        ("red@1", {"bankroll": 9, "rounds": 200}),
        ("red@1", {"limits": ["* 1 3"]}),
        ("dozen:1@1", {"target": 60}),
        ("17@1 + red@2", {"stop_loss": 25}),
        ("red@3", {"bankroll": 40, "limits": ["* 1 7"], "target": 50}),
    ],
)
def test_the_function_plays_as_the_table_does(
    wager: str, words: dict[str, Any]
) -> None:
    request = read_request("mbs-roulette-v3", wager, **{**GRIND, **words})
    by_table = compile_plan(request, sessions=300, seed=4)
    function = function_of(request)
    assert isinstance(by_table.machine, Machine)
    assert function is not None

    by_function = replace(by_table, machine=function)

    assert counts_of(by_function) == counts_of(by_table)


def test_a_long_session_without_a_target_is_played() -> None:
    words: dict[str, Any] = {**GRIND, "bankroll": 1000, "rounds": 1000}

    compiled = simulate("mbs-roulette-v3", "red@10", sessions=10, seed=1, **words)

    assert isinstance(compiled.plan.machine, OwnFunction)
    assert compiled.tally.words.tolist() == counts_of(compiled.plan)
    assert compiled.beside.why_not == "reckoning it would take too long"
