"""Compiled loops are kept for as long as no source of theirs changes."""

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from croupier.batch import kernels
from croupier.batch.kernels import digest_of


def test_any_source_that_changes_is_another_name(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("A = 1\n")
    (tmp_path / "two.py").write_text("B = 2\n")
    before = digest_of([tmp_path])

    (tmp_path / "two.py").write_text("B = 3\n")

    assert digest_of([tmp_path]) != before


def test_no_byte_is_read_for_another_files(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("A = 1\nB = 2\n")
    (tmp_path / "two.py").write_text("")
    before = digest_of([tmp_path])

    (tmp_path / "one.py").write_text("A = 1\n")
    (tmp_path / "two.py").write_text("B = 2\n")

    assert digest_of([tmp_path]) != before


def test_a_loop_is_compiled_where_nothing_can_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernels, "_kept_in", lambda: None)
    config: Any = numba.config
    before = config.CACHE_DIR

    total = kernels.machine_code(_total)

    assert total(np.arange(5)) == 10
    assert before == config.CACHE_DIR


def _total(values: np.ndarray[Any, Any]) -> int:
    total = 0
    for value in values:
        total += value
    return total
