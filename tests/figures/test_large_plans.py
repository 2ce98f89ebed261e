"""`session` of strategies with many positions: by numbered positions in arrays.

The sessions by name are those that took long, or were refused, before they were solved
by sparse systems. The largest of them are for the soak.
"""

from __future__ import annotations

import pytest

from tests.figures.checks.large_plans import (
    Named,
    check_large_plan,
    check_martingale,
    check_named,
)

SMALL = [
    Named("grand-martingale", 100, 150),
    Named("d-alembert", 40, 80),
    Named("d-alembert", 40, 60, 500),
    Named("fibonacci", 200, 400),
    Named("fibonacci", 100, 200, 1000),
    Named("oscars-grind", 12, 24),
    Named("oscars-grind", 10, 20, 200),
    Named("labouchere", 15, 30),
    Named("labouchere", 25, 50, 100),
]


@pytest.mark.parametrize("asked", SMALL, ids=lambda asked: f"{asked}")
def test_sessions_with_many_positions(asked: Named) -> None:
    check_named(asked, most=20_000)


@pytest.mark.parametrize("until_it_ends", [True, False])
def test_large_plans_at_random(until_it_ends: bool) -> None:
    checked = [
        check_large_plan(seed, until_it_ends=until_it_ends, most=1500)
        for seed in range(5000, 5012)
    ]

    assert sum(checked) >= 4


@pytest.mark.parametrize(
    ("units", "target", "maximum"),
    [(100, 200, None), (100, 200, 50), (1000, 1100, None)],
)
def test_martingales_until_they_end(
    units: int, target: int, maximum: int | None
) -> None:
    check_martingale(units, target, maximum)
