"""Intervals cover what they promise, over many seeds."""

from __future__ import annotations

from math import sqrt

from croupier.simulator import Simulation, simulate


def played(seed: int) -> Simulation:
    return simulate(
        "mbs-roulette-v3",
        "red@1",
        bankroll=6,
        target=12,
        rounds=12,
        strategy="fibonacci",
        sessions=400,
        seed=seed,
        level=0.9,
    )


def test_over_many_seeds_the_exact_answers_lie_inside_as_often_as_they_should() -> None:
    seeds = 100
    runs = [played(seed) for seed in range(seeds)]
    exact = runs[0].exact
    assert exact is not None
    for run in runs:
        run.__dict__["beside"] = runs[0].beside

    for name in ("ruined", "reached", "ahead", "rounds_played", "net_cents"):
        inside = sum(bool(getattr(run, name).is_inside) for run in runs)
        # 90 % or a little more, less four standard deviations.
        assert inside >= seeds * 0.9 - 4 * sqrt(seeds * 0.09), name
        assert inside < seeds, name
    for level in exact.quantiles:
        inside = sum(bool(run.quantiles[level].is_inside) for run in runs)
        assert inside >= seeds * 0.9 - 4 * sqrt(seeds * 0.09), level
