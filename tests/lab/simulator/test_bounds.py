"""No bankroll is beyond a plan's bound, and no session is missing from a tally."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from croupier.lab.sessions import SessionError
from croupier.lab.sessions.request import read_request
from croupier.lab.simulator import simulate
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.cpu.engine import CpuEngine
from croupier.lab.simulator.cpu.positions import MOST_PLACES
from croupier.lab.simulator.cpu.random_words import compiled_bare
from croupier.lab.simulator.intervals import reach_of
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import (
    OwnFunction,
    SessionTally,
    SimulationPlan,
    TallyError,
)
from tests.lab.simulator.plans import MARTINGALE, red
from tests.lab.simulator.random_requests import random_plan
from tests.lab.simulator.reachable import Reachable

ENGINES = [PlainEngine(), CpuEngine(1), CpuEngine(1, most_places=MOST_PLACES)]
JUST_BELOW = [
    ("dozen:1@5", 200, 400, "fibonacci", 200),
    ("street:1/2/3@5", 100, 300, "d-alembert", 50),
    ("1/2/4/5@5", 200, 600, "d-alembert", 2_000),
]
"""A bankroll that cuts the stake wins up to just below the target."""


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_every_bankroll_is_within_the_bound_and_every_stake_the_strategys(
    first: int,
) -> None:
    cut_stakes = 0
    for seed in range(first, first + 50):
        found = Reachable(*random_plan(Random(seed)), most=4_000)

        found.follow()

        assert min(found.cents) >= 0, seed
        assert max(found.cents) <= found.plan.highest * found.plan.grain_cents, seed
        reach = reach_of(found.plan)
        assert min(found.cents) >= reach.lowest * found.plan.grain_cents, seed
        assert max(found.cents) <= reach.highest * found.plan.grain_cents, seed
        cut_stakes += found.cut_stakes
    assert cut_stakes > 100


@pytest.mark.parametrize(("wager", "bankroll", "target", "name", "most"), JUST_BELOW)
def test_stakes_cut_to_what_wins_just_below_the_target(
    wager: str, bankroll: int, target: int, name: str, most: int
) -> None:
    words: dict[str, Any] = {
        "bankroll": bankroll, "target": target, "strategy": name, "rounds": 60,
        "limits": [f"* 5 {most}"],
    }  # fmt: skip
    request = read_request("mbs-roulette-v3", wager, **words)
    found = Reachable(request, compile_plan(request, sessions=1, seed=0), most=50_000)

    found.follow()
    drawn = simulate("mbs-roulette-v3", wager, sessions=20_000, seed=1, **words)

    assert found.is_whole
    assert max(found.cents) <= found.plan.highest * found.plan.grain_cents
    assert set(drawn.histogram.cents.tolist()) <= found.cents


@pytest.mark.parametrize("engine", ENGINES, ids=["plain", "cpu", "cpu, by positions"])
def test_a_bankroll_beyond_the_bound_is_told_and_written_nowhere(
    engine: PlainEngine | CpuEngine,
) -> None:
    plan = red(machine=MARTINGALE, bankroll=20, rounds=9)
    low = replace(plan, summit=21)
    assert plan.highest > low.highest == 21

    engine.run(plan, 0, 40)
    with pytest.raises(TallyError, match="of 40 sessions 40 have an end and"):
        engine.run(low, 0, 40)


def all_in(_round: int, bankroll: int, _net: int, _units: int, _memory: Any) -> int:
    return bankroll // 1000


def test_a_function_that_wins_beyond_the_bound_is_told_too() -> None:
    plan = asked_of_function(all_in)

    with pytest.raises(TallyError, match="a bankroll within the plan's bounds"):
        CpuEngine(1).run(replace(plan, summit=25), 0, 40)


def asked_of_function(function: Any) -> SimulationPlan:
    request = read_request(
        "mbs-roulette-v3", "red@10", bankroll=200, rounds=3, strategy=function
    )
    plan = compile_plan(request, sessions=1, seed=0)
    assert isinstance(plan.machine, OwnFunction)
    return plan


def test_an_engine_that_leaves_a_session_out_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = PlainEngine.run

    def forgetful(*given: Any) -> SessionTally:
        tally = run(*given)
        bins = tally.bins.copy()
        bins[np.nonzero(bins)[0][0]] -= np.uint64(1)
        return SessionTally(tally.sessions, tally.words, bins)

    monkeypatch.setattr(PlainEngine, "run", forgetful)

    with pytest.raises(TallyError, match="of 50 sessions 50 have an end and 4"):
        simulate(
            "mbs-roulette-v3", "red@10", bankroll=100, rounds=5, sessions=50, seed=1,
            engine="plain",
        )  # fmt: skip


class Lying:
    """Promises to go by winning and losing, and goes by how much was won."""

    start = 3
    by_sign = True

    def stake(self, state: int) -> int:
        return state

    def after(self, state: int, net: Fraction) -> int:
        return 1 + (state + abs(int(net))) % 5


def test_a_promise_to_go_by_sign_that_is_not_kept_is_refused() -> None:
    with pytest.raises(SessionError, match="but what comes next depends on how much"):
        simulate("mbs-roulette-v3", "red@1", bankroll=7, rounds=9, strategy=Lying())


@compiled_bare
def read_at(values: Any, place: int) -> Any:
    return values[place]


def test_the_loops_of_these_tests_check_the_bounds_of_arrays() -> None:
    values = np.arange(3)

    assert read_at(values, 2) == 2
    with pytest.raises(IndexError):
        read_at(values, 3)
