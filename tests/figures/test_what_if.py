"""`--what-if`: other pay tables, wheels and draws, enumerated a second time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures.checks.what_if import (
    Change,
    check_change,
    check_session,
    check_wager,
)
from tests.figures.oracle.games import TABLES


def test_sessions_at_changed_games(tmp_path: Path) -> None:
    checked = [check_session(seed, tmp_path) for seed in range(24)]

    assert sum(checked) > 12


@pytest.mark.parametrize("block", range(3))
def test_changes_at_random(block: int, tmp_path: Path) -> None:
    for seed in range(15 * block, 15 * block + 15):
        check_change(seed, tmp_path)


@pytest.mark.parametrize("zeros", [(), ("0", "00")], ids=["none", "two"])
def test_other_compartments(zeros: tuple[str, ...], tmp_path: Path) -> None:
    table = TABLES["mbs-roulette-v3"]
    change = Change(table, numbers=(*zeros, *(str(n) for n in range(1, 37))))
    file = tmp_path / "wheel.toml"
    file.write_text(change.toml(), encoding="utf-8")

    for wager in ("red", "straight_up:17", "corner:1/2/4/5", "column:3"):
        check_wager(change, wager, file)
