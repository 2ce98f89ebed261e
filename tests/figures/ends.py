"""The ends of a session, as the commands tell them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

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
