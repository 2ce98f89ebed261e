"""`settle`: chips at random on outcomes at random, settled a second time."""

from __future__ import annotations

import pytest

from tests.figures.checks.settle import check_settlement


@pytest.mark.parametrize("block", range(4))
def test_settlements_at_random(block: int) -> None:
    lawful = [check_settlement(seed) for seed in range(60 * block, 60 * block + 60)]

    assert 10 < sum(lawful) < 60, "both sides of the limits are tried"
