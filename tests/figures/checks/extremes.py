"""`session --peak --drawdown`: how high it comes, and how far it falls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.figures.command import croupier
from tests.figures.oracle.elimination import play_until_it_ends
from tests.figures.oracle.extremes import (
    at_least,
    extremes,
    fall_until_it_ends,
    peak_until_it_ends,
)
from tests.figures.oracle.moments import quantile
from tests.figures.oracle.sessions import first_position, next_round
from tests.figures.plans import some_plan
from tests.figures.told import check_figure


def check_extreme(told: dict[str, Any], mine: Mapping[int, Fraction], key: str) -> None:
    """Hold the quantiles and the tail of a peak or a fall against all its values."""
    for row in told["quantiles"]:
        level = Fraction(str(row["level"]))
        assert row[key] <= quantile(mine, level) <= row["at_most_cents"]
    for row in told["at_least"]:
        check_figure(row, at_least(mine, row[key]))
    if told["is_whole"]:
        assert set(mine) <= {row[key] for row in told["at_least"]}


def check_extremes(seed: int, **size: Any) -> None:
    """Check how high a session of some rounds comes, and how far it falls."""
    asked = some_plan(seed, **size)
    if isinstance(next_round(asked.plan, first_position(asked.plan)), str):
        return
    answer = croupier("session", *asked.words, "--peak", "--drawdown", "--json")
    found = extremes(asked.plan)
    check_extreme(answer.json["peak"], found.peak, "peak_cents")
    check_extreme(answer.json["drawdown"], found.drawdown, "drawdown_cents")


def check_tail(told: dict[str, Any], mine: float) -> None:
    """Hold a tail until the end against the second one, followed in float64."""
    value = float(Fraction(told["fraction"])) if "fraction" in told else told["value"]
    assert value == pytest.approx(mine, rel=1e-11, abs=told["error"] + 1e-14)


def check_extremes_until_it_ends(seed: int, most: int = 25) -> bool:
    """Check the same of a session until it ends, unless it has too many positions."""
    asked = some_plan(seed, most_rounds=None, units=(1, 8), most_results=3)
    plan = asked.plan
    if isinstance(next_round(plan, first_position(plan)), str):
        return False
    if play_until_it_ends(plan, most=most) is None:
        return False
    told = croupier("session", *asked.words, "--peak", "--drawdown", "--json").json
    chance = Random(seed)
    for key, tail in (("peak", peak_until_it_ends), ("drawdown", fall_until_it_ends)):
        rows = told[key]["at_least"]
        for row in chance.sample(rows, min(4, len(rows))):
            check_tail(row, tail(plan, row[f"{key}_cents"]))
        for row in told[key]["quantiles"]:
            least, most_cents = row[f"{key}_cents"], row["at_most_cents"]
            level = float(row["level"])
            # At the quantile no more than the rest lies above, and it is reached.
            assert tail(plan, least) >= 1 - level - 1e-12
            assert tail(plan, most_cents + 1) <= 1 - level + 1e-12
    return True
