"""Records of a plan's sessions: compiled as in plain Python, and as it was played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from croupier.lab.sessions import SessionError
from croupier.lab.simulator import Simulation, simulate
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.session_records import COLUMNS
from croupier.lab.simulator.stakes import SessionEnd
from tests.cli.running import run_here

V3 = "mbs-roulette-v3"


def doubling(round_: int, bankroll: int, net: int, units: int, memory: object) -> int:
    return 2 * units if net < 0 else 1


def played(strategy: str | Callable[..., int], **words: Any) -> Simulation:
    usual = {"bankroll": 100, "target": 200, "rounds": 60, "limits": ["* 5 100"]}
    return simulate(
        V3, "red@5", strategy=strategy, sessions=150, seed=3, **{**usual, **words}
    )


@pytest.mark.parametrize("rule", ["start-again", "stop", "stake-allowed"])
@pytest.mark.parametrize("strategy", ["martingale", "oscars-grind", "fibonacci"])
def test_compiled_records_are_the_plain_ones(strategy: str, rule: str) -> None:
    _check(played(strategy, over_bankroll=rule))


def test_records_of_a_function_are_the_plain_ones() -> None:
    _check(played(doubling, stop_loss=60))


def _check(simulation: Simulation) -> None:
    plan, records = simulation.plan, simulation.records
    plain: Any = np.zeros((len(COLUMNS), 150), np.int64)
    PlainEngine().record(plan, 0, plain)
    scales = [1, 1, plan.unit * plan.grain_cents, *[plan.grain_cents] * 4, 1]

    assert np.array_equal(records.columns, plain * np.array(scales)[:, np.newaxis])
    for end in SessionEnd:
        assert (records.column("end") == end).sum() == simulation.tally.ended(end)
    assert records.column("rounds").sum() == simulation.spins
    ends = simulation.histogram.cents @ simulation.histogram.sessions.astype(np.int64)
    assert records.column("bankroll_cents").sum() == ends


def test_a_column_that_is_none_is_named() -> None:
    with pytest.raises(SessionError, match="there is no column 'peak'; there are end"):
        played("flat").records.column("peak")


def test_extremes_are_told_when_asked_for_and_records_written(tmp_path: Path) -> None:
    words = ("simulate", V3, "-w", "red@5", "--bankroll", "100", "--rounds", "30")
    few = (*words, "--sessions", "80", "--seed", "5", "--strategy", "martingale")
    path = tmp_path / "r.parquet"

    told = run_here(*few, "--extremes", "--records", path)
    document = run_here(*few, "--extremes", "--json").json()
    plain = run_here(*few, "--extremes", "--json", "--engine", "plain").json()

    frame = pl.read_parquet(path)
    assert "deepest drawdown, 50% quantile" in told.stdout
    assert "deepest drawdown" not in run_here(*few).stdout
    assert document == plain
    middle = document["extremes"]["drawdown_cents"][2]
    assert middle["level"] == 0.5
    assert middle["value"] == sorted(frame["drawdown_cents"])[39]
    assert document["extremes"]["sessions"] == frame.height == 80
