"""First starts killed at every step: the next one makes the house whole."""

from __future__ import annotations

from pathlib import Path

from tests.faults.conftest import Houses
from tests.faults.proxy import Where
from tests.faults.starts import (
    kill_on_postgresql,
    kill_on_sqlite,
    steps_on_postgresql,
    steps_on_sqlite,
)

_CHOSEN = 5
"""How many of the steps of a start are killed here; `soak` takes them all."""


def test_a_first_start_killed_while_it_writes_a_file(
    houses: Houses, tmp_path: Path
) -> None:
    count = steps_on_sqlite(houses, tmp_path / "whole")
    for number in range(_CHOSEN):
        step = 1 + number * (count - 1) // (_CHOSEN - 1)
        kill_on_sqlite(houses, tmp_path / f"step{step}", step)


def test_a_first_start_killed_around_its_commits(
    houses: Houses, tmp_path: Path
) -> None:
    commits = steps_on_postgresql(houses, tmp_path / "whole")
    for number in range(_CHOSEN):
        skip = number * (commits - 1) // (_CHOSEN - 1)
        where = Where.AFTER if number % 2 else Where.BEFORE
        kill_on_postgresql(houses, tmp_path / f"commit{skip}", skip, where)
