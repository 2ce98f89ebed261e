"""`odds`: each figure of a wager and of a layout of chips, by enumeration."""

from __future__ import annotations

import pytest

from tests.figures.checks.odds import (
    check_correlation,
    check_setting,
    check_sheet,
    some_layout,
)
from tests.figures.oracle.games import TABLES, Table, complete_bet, triple_zero


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_wager_of_the_sheet(table: Table) -> None:
    check_sheet(table)


@pytest.mark.parametrize(
    ("table", "setting"),
    [
        (complete_bet(inside=True), "complete_dozen inside"),
        (triple_zero(single=True), "finale_zero single"),
        (
            triple_zero(ring=TABLES["rws-triple-zero"].numbers),
            "ring " + " ".join(TABLES["rws-triple-zero"].numbers),
        ),
    ],
    ids=["inside", "single", "ring"],
)
def test_wagers_under_other_settings(table: Table, setting: str) -> None:
    check_setting(table, setting)


@pytest.mark.parametrize("block", range(8))
def test_layouts_at_random(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        some_layout(seed)


def test_correlations_at_random() -> None:
    for seed in range(25):
        check_correlation(seed)
