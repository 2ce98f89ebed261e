"""How many rounds a session takes, from how likely it is still played after each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.figures.oracle.sessions import (
    PLAYING,
    Plan,
    Position,
    Session,
    first_position,
    next_round,
    steps,
)


@dataclass(frozen=True)
class Durations:
    """The probability that a session has ended, by number of rounds; [0] is 0."""

    ended: Sequence[Fraction]

    def mean_of_square(self) -> Fraction:
        """Return the expectation of the square: the odd numbers, while it is played."""
        terms = ((2 * k + 1) * (1 - ended) for k, ended in enumerate(self.ended))
        return sum(terms, Fraction(0))

    def quantile(self, level: Fraction) -> int:
        return next(k for k, ended in enumerate(self.ended) if ended >= level)


def of_some_rounds(mine: Session) -> Durations:
    """Return the durations of a session that ends after its rounds at the latest."""
    going = [then.ends.get(PLAYING, Fraction(0)) for then in mine.course[:-1]]
    return Durations([Fraction(0), *(1 - left for left in going), Fraction(1)])


def until_it_ends(plan: Plan, most: int = 100_000) -> Durations:
    """Follow a session in float64 until less than 1e-25 of it is left."""
    alive = {first_position(plan): 1.0}
    ended = [Fraction(0)]
    ways: dict[Position, list[tuple[Position, float]]] = {}
    while len(ended) < most and sum(alive.values()) > 1e-25:
        following: defaultdict[Position, float] = defaultdict(float)
        for position, weight in alive.items():
            if position not in ways:
                ways[position] = _ways(plan, position)
            for there, chance in ways[position]:
                following[there] += weight * chance
        alive = following
        ended.append(1 - Fraction(sum(alive.values())))
    return Durations(ended)


def _ways(plan: Plan, position: Position) -> list[tuple[Position, float]]:
    """Return the positions after a round that are played on from."""
    found = next_round(plan, position)
    assert not isinstance(found, str)
    return [
        (there, weight / plan.whole)
        for there, weight in steps(plan, *found)
        if not isinstance(next_round(plan, there), str)
    ]
