"""First starts killed at every step: the next one makes the house whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses
from tests.faults.starts import kill_start, steps_of_start

_CHOSEN = 5
"""How many of the steps of a start are killed here; `soak` takes them all."""


@pytest.mark.parametrize("kind", DATABASES)
def test_a_first_start_killed_at_any_step_can_start_again(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    count = steps_of_start(houses, kind, tmp_path / "whole")
    for number in range(_CHOSEN):
        step = 1 + number * (count - 1) // (_CHOSEN - 1)
        kill_start(houses, kind, tmp_path / f"step{step}", step)
