"""`simulate`: the intervals of its means, a second time, and how often they hold."""

from __future__ import annotations

import pytest

from tests.figures.checks.intervals import check_coverage, check_intervals


@pytest.mark.parametrize("block", range(2))
def test_intervals_of_plans_at_random(block: int) -> None:
    checked = [check_intervals(seed) for seed in range(20 * block, 20 * block + 20)]

    assert sum(checked) > 15


@pytest.mark.parametrize("sessions", [8, 150])
def test_intervals_hold_as_often_as_they_say(sessions: int) -> None:
    check_coverage(5000, 90, sessions)
