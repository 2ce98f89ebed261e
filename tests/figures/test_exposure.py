"""`exposure`: what the House pays at each outcome, and what the limits allow."""

from __future__ import annotations

import pytest

from tests.figures.checks.exposure import check_exposure, check_maximum, check_sheet
from tests.figures.oracle.games import TABLES, Table


@pytest.mark.parametrize("block", range(4))
def test_exposures_at_random(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        check_exposure(seed)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("cap", [None, 130_000])
def test_the_maximum_liability(table: Table, cap: int | None) -> None:
    check_maximum(table, cap)


def test_the_liability_of_a_sheet() -> None:
    check_sheet()
