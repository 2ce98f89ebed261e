"""`wheel-check --by`, and of journals: each group by itself, and all corrected."""

from __future__ import annotations

from pathlib import Path

from tests.figures.checks.wheel_check import some_record
from tests.figures.checks.wheel_groups import (
    check_file,
    check_journal,
)
from tests.figures.command import figures
from tests.figures.files import write_rows
from tests.figures.oracle.games import TABLES


def test_outcomes_by_dealer_and_wheel(tmp_path: Path) -> None:
    for seed in (3, 5):
        check_file(seed, tmp_path)


def test_outcomes_of_a_journal(tmp_path: Path) -> None:
    check_journal(1, tmp_path)


def test_a_group_of_nine_is_not_tested(tmp_path: Path) -> None:
    table = TABLES["mbs-roulette-v3"]
    rows = [
        {"outcome": outcome, "dealer": "Ana" if at >= 9 else "Bo"}
        for at, outcome in enumerate(some_record(0, table, 400))
    ]
    file = tmp_path / "few.csv"
    write_rows(file, rows)

    told = figures("wheel-check", str(file), "--game", table.name, "--by", "dealer")

    ana, bo = told["groups"]
    assert (ana["outcomes"], bo["outcomes"], bo["tests"]) == (391, 9, [])
    assert (told["tests"], told["difference"]) == (len(ana["tests"]), None)
