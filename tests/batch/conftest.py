"""Loops of few rows are compiled here as those of many are elsewhere."""

from __future__ import annotations

import pytest

from croupier.batch import kernels


@pytest.fixture(autouse=True)
def compiled_for_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make machine code of every loop, however few rows it is given."""
    monkeypatch.setattr(kernels, "ROWS_AS_WRITTEN", -1)
    monkeypatch.setattr(kernels, "_MANY_ROWS", 0)
