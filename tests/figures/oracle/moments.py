"""Distributions as plain dictionaries of Fractions, and what is told of them."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from tests.figures.oracle.chance import Case, Likely
from tests.figures.oracle.games import Table
from tests.figures.oracle.settlement import Pays, Piece, net, wins

Value = TypeVar("Value", int, Fraction)
Spread = dict[Value, Fraction]


def spread(likely: Likely, value: Callable[[Case], Value]) -> Spread[Value]:
    """Return how likely each value is."""
    out: Counter[Value] = Counter()
    for case, weight in likely.weights.items():
        out[value(case)] += weight
    return {value: Fraction(out[value], likely.whole) for value in sorted(out)}


def moment(
    values: Mapping[Value, Fraction], power: int, about: Fraction = Fraction(0)
) -> Fraction:
    terms = ((value - about) ** power * chance for value, chance in values.items())
    return sum(terms, Fraction(0))


def mean(values: Mapping[Value, Fraction]) -> Fraction:
    return moment(values, 1)


def central(values: Mapping[Value, Fraction], power: int) -> Fraction:
    return moment(values, power, mean(values))


def quantile(values: Mapping[Value, Fraction], level: Fraction) -> Value:
    """Return the least value that is not exceeded with this probability."""
    so_far = Fraction(0)
    for value in sorted(values):
        so_far += values[value]
        if so_far >= level:
            return value
    raise AssertionError(so_far)


def layout_spread(
    table: Table,
    likely: Likely,
    wagers: Sequence[Sequence[Piece]],
    pays: Pays | None = None,
) -> Spread[int]:
    return spread(likely, lambda case: net(table, wagers, case, pays))


def hit_frequency(
    table: Table, likely: Likely, wagers: Iterable[Sequence[Piece]]
) -> Fraction:
    """Return how likely it is that something is paid."""
    at_risk = [piece for wager in wagers for piece in wager if piece.at_risk]
    return likely.probability(
        lambda case: any(wins(table, piece.place, case) for piece in at_risk)
    )


def covariance(likely: Likely, one: Sequence[int], other: Sequence[int]) -> Fraction:
    """Return the covariance of two values that are given for each case in order."""
    weights, whole = tuple(likely.weights.values()), likely.whole
    both = sum(w * a * b for w, a, b in zip(weights, one, other, strict=True))
    means = (sum(map(operator.mul, weights, each)) for each in (one, other))
    return Fraction(whole * both - math.prod(means), whole * whole)
