"""How high a session comes and how far it falls: some rounds, or until it ends."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tests.figures.oracle.carried import carried
from tests.figures.oracle.sessions import (
    Plan,
    Position,
    first_position,
    next_round,
    steps,
)

Fall = tuple[Position, int]
"""A position with the highest bankroll so far."""


@dataclass(frozen=True)
class Extremes:
    """The highest bankroll, and the deepest fall from the highest so far."""

    peak: Mapping[int, Fraction]
    drawdown: Mapping[int, Fraction]


def at_least(values: Mapping[int, Fraction], least: int) -> Fraction:
    return sum((p for value, p in values.items() if value >= least), Fraction(0))


def extremes(plan: Plan) -> Extremes:
    """Follow a session of a number of rounds with its peak and its fall."""

    def carry(so_far: tuple[int, int], _: int, there: Position) -> tuple[int, int]:
        high = max(so_far[0], there.cents)
        return high, max(so_far[1], high - there.cents)

    peaks: defaultdict[int, Fraction] = defaultdict(Fraction)
    falls: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (high, fall), chance in carried(plan, (plan.bankroll, 0), carry).items():
        peaks[high] += chance
        falls[fall] += chance
    return Extremes(peaks, falls)


def peak_until_it_ends(plan: Plan, cents: int) -> float:
    """Return how likely a bankroll is ever come to, or passed."""

    def goes_on(fall: Fall) -> bool:
        return not counts(fall) and not isinstance(next_round(plan, fall[0]), str)

    def counts(fall: Fall) -> bool:
        return fall[0].cents >= cents

    return _absorbed(plan, goes_on, counts, carries_high=False)


def fall_until_it_ends(plan: Plan, cents: int) -> float:
    """Return how likely a fall from the highest so far is so deep, or deeper."""

    def goes_on(fall: Fall) -> bool:
        return not counts(fall) and not isinstance(next_round(plan, fall[0]), str)

    def counts(fall: Fall) -> bool:
        return fall[1] - fall[0].cents >= cents

    return _absorbed(plan, goes_on, counts, carries_high=True)


def _absorbed(
    plan: Plan,
    goes_on: Callable[[Fall], bool],
    counts: Callable[[Fall], bool],
    *,
    carries_high: bool,
) -> float:
    """Follow a session round by round until less than 1e-17 of it is left.

    What is carried along is the highest bankroll, or none if it does not matter.
    """
    alive = {(first_position(plan), plan.bankroll): 1.0}
    ways: dict[Fall, list[tuple[Fall, float]]] = {}
    found: list[float] = []
    if not goes_on(next(iter(alive))):
        return float(counts(next(iter(alive))))
    while math.fsum(alive.values()) > 1e-17:
        following: defaultdict[Fall, float] = defaultdict(float)
        for fall, weight in alive.items():
            if fall not in ways:
                ways[fall] = _ways(plan, fall, carries_high=carries_high)
            for there, chance in ways[fall]:
                if goes_on(there):
                    following[there] += weight * chance
                elif counts(there):
                    found.append(weight * chance)
        alive = following
    return math.fsum(found)


def _ways(plan: Plan, fall: Fall, *, carries_high: bool) -> list[tuple[Fall, float]]:
    played = next_round(plan, fall[0])
    assert not isinstance(played, str)
    return [
        (
            (there, max(fall[1], there.cents) if carries_high else fall[1]),
            weight / plan.whole,
        )
        for there, weight in steps(plan, *played)
    ]
