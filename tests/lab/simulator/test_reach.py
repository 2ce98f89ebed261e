"""No session stakes, loses or wins more than its plan says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from croupier.lab.sessions.request import read_request
from croupier.lab.simulator import simulate
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.intervals import PlanReach, reach_of
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import STAKED, SimulationPlan
from tests.lab.simulator.plans import MARTINGALE, red
from tests.lab.simulator.random_plans import plans

V3 = "mbs-roulette-v3"


def plan_of(name: str, rounds: int, **words: Any) -> SimulationPlan:
    request = read_request(
        V3, "red@1", bankroll=100, strategy=name, rounds=rounds, **words
    )
    return compile_plan(request, sessions=1, seed=1)


@pytest.mark.parametrize(
    ("name", "rounds", "staked", "lost"),
    [
        ("flat", 7, 7, 7),
        ("1-3-2-6", 1, 1, 1),
        # Three wins and a loss; what was won before is not held against it.
        ("1-3-2-6", 4, 12, 6),
        ("martingale", 4, 15, 15),
        ("d-alembert", 4, 10, 10),
    ],
)
def test_the_furthest_of_a_few_rounds(
    name: str, rounds: int, staked: int, lost: int
) -> None:
    found = reach_of(plan_of(name, rounds))

    assert found.most_staked == staked
    assert found.lowest == 100 - lost


@given(plans())
def test_no_session_comes_further(plan: SimulationPlan) -> None:
    found = reach_of(plan)

    for session in range(20):
        tally = PlainEngine().run(plan, session, 1)
        [place] = tally.bins.nonzero()[0]
        assert tally.total(STAKED) <= found.most_staked
        assert found.lowest <= place << plan.bin_shift <= found.highest
    assert found.most_staked <= plan.most_staked
    assert (found.lowest, found.highest) >= (plan.lowest, 0)
    assert found.highest <= plan.highest


def test_rounds_beyond_those_that_are_followed_stake_the_most() -> None:
    plan = red(machine=MARTINGALE, bankroll=10**6, rounds=500_000)

    found = reach_of(plan)

    # Seven stakes of 127 units in all, again and again; then 64 in every round.
    assert 127 * 500_000 // 7 < found.most_staked < plan.most_staked


def test_amounts_too_large_to_follow_have_the_plans_bounds() -> None:
    plan = red(bankroll=2**62, unit=2**45, nets=(-(2**45), 2**45), rounds=10**6)

    assert reach_of(plan) == PlanReach(plan.most_staked, plan.lowest, plan.highest)


@pytest.mark.parametrize("name", ["1-3-2-6", "martingale", "oscars-grind"])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_no_end_of_an_interval_is_beyond_what_is_possible(
    name: str, rounds: int
) -> None:
    plan = plan_of(name, rounds)
    found = reach_of(plan)
    lost = 100 * (100 - found.lowest)

    drawn = simulate(
        V3, "red@1", bankroll=100, strategy=name, rounds=rounds, sessions=8, seed=4
    )

    assert drawn.net_cents.low >= -lost
    assert drawn.staked_cents.high <= 100 * found.most_staked
    assert min(each.low_cents for each in drawn.quantiles.values()) >= 10_000 - lost
