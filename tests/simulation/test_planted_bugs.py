"""The invariants can fail: each planted bug is seen by the simulation."""

from __future__ import annotations

import pytest

from tests.robustness.books import Violation
from tests.simulation.house import SimulatedHouse
from tests.simulation.planted import PLANTED

_CRASHES = {"does_not_reach_behind_a_snapshot"}
"""Seen as a table that can't be opened, not as something that does not hold."""


@pytest.mark.parametrize("name", PLANTED)
def test_the_simulation_sees_a_table_that(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    PLANTED[name](monkeypatch)
    seen = AssertionError if name in _CRASHES else Violation

    with pytest.raises(seen) as caught:
        _run_houses()

    assert "in a house of seed" in caught.value.__notes__[0]


def _run_houses() -> None:
    for seed in (1, 2, 3):
        SimulatedHouse(seed).run(2_000)


def test_without_a_planted_bug_the_same_houses_stand() -> None:
    SimulatedHouse(1).run(300)
