"""How high a session comes and how far it falls, with both carried along."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tests.figures.oracle.sessions import (
    Plan,
    Position,
    first_position,
    next_round,
    steps,
)


@dataclass(frozen=True)
class Extremes:
    """The highest bankroll, and the deepest fall from the highest so far."""

    peak: Mapping[int, Fraction]
    drawdown: Mapping[int, Fraction]


def at_least(values: Mapping[int, Fraction], least: int) -> Fraction:
    return sum((p for value, p in values.items() if value >= least), Fraction(0))


def extremes(plan: Plan) -> Extremes:
    """Follow a session of so many rounds with its peak and its fall."""
    assert plan.rounds is not None
    alive: Counter[tuple[Position, int, int]] = Counter(
        {(first_position(plan), plan.bankroll, 0): 1}
    )
    ended: Counter[tuple[int, int]] = Counter()
    for _ in range(plan.rounds):
        ended = Counter({way: weight * plan.whole for way, weight in ended.items()})
        following: Counter[tuple[Position, int, int]] = Counter()
        for (position, high, fall), weight in alive.items():
            found = next_round(plan, position)
            assert not isinstance(found, str)
            for there, chance in steps(plan, *found):
                top = max(high, there.cents)
                deepest = max(fall, top - there.cents)
                if isinstance(next_round(plan, there), str):
                    ended[top, deepest] += weight * chance
                else:
                    following[there, top, deepest] += weight * chance
        alive = following
    for (_, high, fall), weight in alive.items():
        ended[high, fall] += weight
    total = sum(ended.values())
    peaks: Counter[int] = Counter()
    falls: Counter[int] = Counter()
    for (high, fall), weight in ended.items():
        peaks[high] += weight
        falls[fall] += weight
    return Extremes(
        {value: Fraction(weight, total) for value, weight in peaks.items()},
        {value: Fraction(weight, total) for value, weight in falls.items()},
    )
