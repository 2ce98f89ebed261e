"""Sessions of some rounds with something carried along: a peak, a fall, the stakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from tests.figures.oracle.sessions import (
    Plan,
    Position,
    first_position,
    next_round,
    steps,
)

Value = TypeVar("Value", int, tuple[int, int])


def carried(
    plan: Plan, first: Value, carry: Callable[[Value, int, Position], Value]
) -> dict[Value, Fraction]:
    """Return how likely each value is that is carried to the end of a session.

    `carry` gets the value so far, the units of a round and the position after it.
    """
    assert plan.rounds is not None
    alive: Counter[tuple[Position, Value]] = Counter({(first_position(plan), first): 1})
    ended: Counter[Value] = Counter()
    for _ in range(plan.rounds):
        ended = Counter({value: n * plan.whole for value, n in ended.items()})
        following: Counter[tuple[Position, Value]] = Counter()
        for (position, value), weight in alive.items():
            found = next_round(plan, position)
            assert not isinstance(found, str)
            here, units = found
            for there, chance in steps(plan, here, units):
                then = carry(value, units, there)
                if isinstance(next_round(plan, there), str):
                    ended[then] += weight * chance
                else:
                    following[there, then] += weight * chance
        alive = following
    for (_, value), weight in alive.items():
        ended[value] += weight
    total = sum(ended.values())
    return {value: Fraction(weight, total) for value, weight in ended.items()}


def staked(plan: Plan) -> dict[int, Fraction]:
    """Return how likely each sum of stakes is, in cents."""
    return carried(plan, 0, lambda so_far, units, _: so_far + units * plan.unit_cents)


def rounds_played(plan: Plan) -> dict[int, Fraction]:
    return carried(plan, 0, lambda so_far, _, __: so_far + 1)
