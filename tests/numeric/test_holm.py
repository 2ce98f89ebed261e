"""Holm's correction, worked by hand."""

from __future__ import annotations

import pytest

from croupier.numeric.probability import holm


def test_p_values_are_corrected_after_holm() -> None:
    # Worked by hand: 0.01×4, 0.02×3, 0.03×2, 0.04×1, none below the one before it.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.9]) == [1, 1]
    assert holm([]) == []
