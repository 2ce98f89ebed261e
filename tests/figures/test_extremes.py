"""`session --peak --drawdown`: how high it comes, and how far it falls."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from tests.figures.checks.extremes import (
    check_extremes,
    check_extremes_until_it_ends,
    check_tail,
)
from tests.figures.command import figures
from tests.figures.oracle.closed_forms import gamblers_ruin

RED = Fraction(18, 37)


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
