"""Quantiles of what many rounds add up to, by convolution.

The sum of independent rounds has the product of their Fourier transforms. On a circle
of M steps, wide enough that what lies beyond it is negligible, the transform back
needs M terms and the probability of “at most x” is one sum over those that count. It
is float64; but a quantile is one of the sum's own values, and it is given only where
that sum leaves no doubt about it.

Laws of this file:
- the circle's width is set by Bernstein's inequality: less than `_BEYOND` is outside;
- angles are reduced in whole numbers, so that they are as exact as a float can be;
- a sum closer than `DOUBT` to what was asked for is not answered.
"""

from __future__ import annotations

from cmath import exp
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, gcd, lcm, log, pi, sqrt

from croupier.odds.distribution import Distribution, Value

DOUBT = 1e-9
"""Far above what rounding, and what was left out, can come to: see the tests."""
_BEYOND = 1e-13
_NEGLIGIBLE = 1e-18
_MOST_TERMS = 80_000
"""Above so many exponentials a sum is not tried: it would take too long."""


@dataclass(frozen=True)
class _Circle:
    """The sum over some rounds, as steps above `first` on a circle of M steps."""

    first: int
    turns: list[complex]
    """What turns by so many steps; its length is M."""
    terms: list[tuple[int, complex]]

    @property
    def steps(self) -> int:
        return len(self.turns)

    def at_most(self, place: int) -> float:
        """The probability that the sum is at most `first + place` steps."""
        length, m, turns = place + 1, self.steps, self.turns
        waves = sum(
            (term * (1 - turns[-j * length % m])).real for j, term in self.terms
        )
        return length / m + 2 / m * waves


def sum_quantile(net: Distribution, rounds: int, below: Fraction) -> Value | None:
    """The least sum not exceeded with probability `below`; None if it can't be told."""
    common = lcm(*(value.denominator for value in net.values))
    whole = [int((value - net.least) * common) for value in net.values]
    step = gcd(*whole)
    places = tuple(place // step for place in whole)
    circle = _circle(places, net.probabilities, rounds)
    if circle is None:
        return None
    place = _search(circle, float(below))
    if place is None:
        return None
    return rounds * net.least + Fraction((circle.first + place) * step, common)


def _search(circle: _Circle, wanted: float) -> int | None:
    """The first place whose sum exceeds what is wanted, without a doubt."""
    low, high = 0, circle.steps - 1
    while low < high:
        middle = (low + high) // 2
        at_most = circle.at_most(middle)
        if abs(at_most - wanted) < DOUBT:
            return None
        low, high = (low, middle) if at_most > wanted else (middle + 1, high)
    return low


@lru_cache(maxsize=32)
def _circle(
    places: tuple[int, ...], chances: tuple[Fraction, ...], rounds: int
) -> _Circle | None:
    """None where a circle that is wide enough would take too long to go round."""
    weighed = list(zip(places, chances, strict=True))
    mean = sum((place * chance for place, chance in weighed), Fraction())
    square = sum((place**2 * chance for place, chance in weighed), Fraction())
    furthest = float(max(places[-1] - mean, mean))
    reach = _reach(float(square - mean**2) * rounds, furthest)
    first = floor(mean * rounds) - reach
    if reach * len(places) > _MOST_TERMS:
        return None
    steps = 2 * reach + 1
    turns = [exp(2j * pi * step / steps) for step in range(steps)]
    floats = [(place, float(chance)) for place, chance in weighed]
    return _Circle(first, turns, _terms(floats, first, turns, rounds))


def _reach(variance: float, furthest: float) -> int:
    """How far from its mean the sum may be, but for a negligible probability."""
    nats = -log(_BEYOND / 2)
    half = nats * furthest / 3
    return ceil(half + sqrt(half**2 + 2 * nats * variance)) + 1


def _terms(
    weighed: list[tuple[int, float]], first: int, turns: list[complex], rounds: int
) -> list[tuple[int, complex]]:
    """For each frequency that counts, its part in the sums that `at_most` takes."""
    steps = len(turns)
    least = _NEGLIGIBLE ** (1 / rounds)
    found = []
    for j in range(1, steps // 2 + 1):
        once = sum([chance * turns[j * place % steps] for place, chance in weighed])
        if abs(once) > least:
            back = turns[-j * first % steps] / (1 - turns[-j])
            found.append((j, once**rounds * back))
    return found
