"""The figures of a session as the commands tell them: ends, value and error."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from tests.figures.oracle.sessions import (
    PLAYING,
    REACHED,
    RUINED,
    STOPPED,
    STOPPED_BY_LOSS,
)


def ends_told(ends: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the ends as they are told: the stop-loss apart, and among the stopped."""
    by_loss = ends.get(STOPPED_BY_LOSS, Fraction(0))
    return {
        **{end: ends.get(end, Fraction(0)) for end in (REACHED, RUINED, PLAYING)},
        STOPPED: ends.get(STOPPED, Fraction(0)) + by_loss,
        STOPPED_BY_LOSS: by_loss,
    }


def check_question(told: Mapping[str, Any], question: Mapping[str, object]) -> None:
    """Check that an answer repeats what it was asked."""
    assert {key: told[key] for key in question} == dict(question)


def check_figure(told: dict[str, Any], mine: Fraction) -> None:
    """Hold a figure against the second one: equal, or within the error it tells."""
    if "fraction" in told:
        assert Fraction(told["fraction"]) == mine
        assert told["error"] == 0
        assert told["value"] == pytest.approx(float(mine), rel=1e-15, abs=5e-324)
    else:
        assert abs(Fraction(told["value"]) - mine) <= Fraction(told["error"])
