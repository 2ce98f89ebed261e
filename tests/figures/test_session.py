"""`session`: every figure of plans at random, by a second dynamic program."""

from __future__ import annotations

import pytest

from tests.figures.checks.session import check_rounds, check_until_it_ends


@pytest.mark.parametrize("block", range(4))
def test_sessions_of_some_rounds(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        arithmetic = "float64" if seed % 3 == 0 else ""
        check_rounds(seed, arithmetic=arithmetic, most_rounds=9)


@pytest.mark.parametrize("block", range(3))
def test_sessions_until_they_end(block: int) -> None:
    checked = [
        check_until_it_ends(seed, units=(1, 8))
        for seed in range(1000 + 20 * block, 1020 + 20 * block)
    ]

    assert sum(checked) >= 8
