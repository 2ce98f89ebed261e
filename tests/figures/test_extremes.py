"""`session --peak --drawdown`: how high it comes, and how far it falls."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.figures.command import croupier, figures
from tests.figures.oracle.closed_forms import gamblers_ruin
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

RED = Fraction(18, 37)


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


def test_peaks_and_drawdowns_of_some_rounds() -> None:
    for seed in range(2000, 2025):
        check_extremes(seed, most_rounds=6, most_results=3)


def test_peaks_and_drawdowns_until_the_end() -> None:
    checked = [check_extremes_until_it_ends(seed) for seed in range(3000, 3024)]

    assert sum(checked) >= 6


def fall_of_red(units: int, target: int, fall: int) -> Decimal:
    """Return how likely flat play on red falls so deep before it ends.

    From each new height it either comes one unit higher or falls so deep first. Where
    there is less to lose than that, such a height has to be come to before.
    """
    higher = gamblers_ruin(RED, fall, fall + 1).reached
    there = gamblers_ruin(RED, units, fall).reached if fall > units else Decimal(1)
    return there * (1 - higher ** (target - max(units, fall)))


@pytest.mark.parametrize(("units", "target"), [(60, 90), (150, 180)])
def test_red_until_it_ends_by_closed_forms(units: int, target: int) -> None:
    told = figures(
        *("session", "mbs-roulette-v3", "-w", "red@1", "--peak", "--drawdown"),
        *("--bankroll", str(units), "--target", str(target)),
    )

    for row in told["peak"]["at_least"]:
        high = row["peak_cents"] // 100
        mine = gamblers_ruin(RED, units, high).reached if high > units else Decimal(1)
        check_tail(row, float(mine))
    for row in told["drawdown"]["at_least"]:
        fall = row["drawdown_cents"] // 100
        check_tail(row, float(fall_of_red(units, target, fall)) if fall else 1.0)
