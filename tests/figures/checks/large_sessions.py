"""`session` with large numbers: by closed forms, and by a walk on an array."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tests.figures.command import figures
from tests.figures.oracle.closed_forms import gamblers_ruin


def holds(told: dict[str, Any], mine: Decimal, *, digits: int = 9) -> bool:
    """Say whether a figure is near to the right one, beside that one: or its log."""
    if told["value"] == 0 or "log10" in told:
        return math.isclose(told["log10"], float(mine.log10()), abs_tol=10.0**-digits)
    off = abs(Decimal(told["value"]) - mine)
    return off <= Decimal(told["error"]) + mine.copy_abs() * Decimal(10) ** -digits


def check_red(game: str, chance: Fraction, units: int, target: int) -> None:
    told = figures(
        *("session", game, "-w", "red@1"),
        *("--bankroll", str(units), "--target", str(target)),
    )

    mine = gamblers_ruin(chance, units, target)
    edge = 1 - 2 * chance
    assert holds(told["reached"], mine.reached)
    assert holds(told["ahead"], mine.reached)
    assert holds(told["ruined"], 1 - mine.reached)
    assert holds(told["rounds_played"], mine.rounds)
    assert holds(told["staked_cents"], 100 * mine.rounds)
    net = -100 * mine.rounds * edge.numerator / edge.denominator
    assert holds(told["net_cents"], net)
