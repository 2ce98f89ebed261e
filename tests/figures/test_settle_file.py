"""`settle-file`: files at random, row by row and in their totals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures.checks.settle_file import check_file


@pytest.mark.parametrize("block", range(3))
def test_files_at_random(block: int, tmp_path: Path) -> None:
    rejected = [
        check_file(seed, tmp_path) for seed in range(10 * block, 10 * block + 10)
    ]

    assert any(rejected), "some rows are outside the limits"
