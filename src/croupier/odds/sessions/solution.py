"""A solver's findings about a chain, in figures that say what they may be off by.

In float64 every number of a forward walk is a sum of products of numbers that are not
negative, so that no digits cancel. Each rounding changes a number by a factor between
1 - u and 1 + u with u = 2⁻⁵³; after k roundings it is off by at most k·u/(1 - k·u) of
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction

from croupier.odds.sessions.chain import ChainEnd

UNIT = Fraction(1, 2**53)
UNDERFLOW = Fraction(1, 2**1022)
"""A result below it may have lost digits: at most so much for each rounding."""
LEVELS = (
    Fraction(1, 20),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(3, 4),
    Fraction(19, 20),
)
"""The levels of the quantiles that are kept of bankrolls."""
Progress = Callable[[int, int], None]
"""Told how much has been done, and of how much."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A probability or an expectation: `value`, give or take `error`."""

    value: Fraction
    error: Fraction = Fraction(0)

    @property
    def is_exact(self) -> bool:
        return self.error == 0

    @property
    def least(self) -> Fraction:
        return self.value - self.error

    @property
    def greatest(self) -> Fraction:
        return self.value + self.error

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        return f"{float(self.value):.6g}"

    def times(self, factor: Fraction | int) -> Figure:
        size = factor if factor > 0 else -factor
        return Figure(self.value * factor, self.error * size)


def relative_bound(roundings: int) -> Fraction:
    """Return how far a sum of products can be off after so many roundings in a row."""
    assert roundings * UNIT < Fraction(1, 2), "the bound would say nothing"
    return roundings * UNIT / (1 - roundings * UNIT)


def silent(_done: int, _of: int) -> None:
    """Show no progress."""


@unique
class Arithmetic(Enum):
    """How the figures were reckoned."""

    EXACT = "exact"
    FLOAT64 = "float64"


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """How the session stands after so many rounds."""

    round: int
    ruined: Fraction
    reached: Fraction
    stopped: Fraction
    points: tuple[int, ...]
    """The bankrolls at `LEVELS`."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The chances of a session's ends, in points, and what it takes on average."""

    arithmetic: Arithmetic
    ended: Mapping[ChainEnd, Mapping[int, Fraction]]
    """The points at which it has ended, with their probabilities."""
    playing: Mapping[int, Fraction]
    """The points at which it is still going on after the last round."""
    rounds: Fraction
    units: Fraction
    """Expected, in units of the base wager."""
    snapshots: tuple[SessionSnapshot, ...] = ()
    relative_error: Fraction = Fraction(0)
    """Of every probability and expectation, as a part of it."""
    lost_mass: Fraction = Fraction(0)
    """Probability that is not accounted for, at most."""
    lost_rounds: Fraction = Fraction(0)
    lost_units: Fraction = Fraction(0)


def quantile_points(
    weights: Iterable[tuple[int, Fraction | int]], total: Fraction | int
) -> tuple[int, ...]:
    """Return the least points not exceeded with each of `LEVELS`; points rise."""
    wanted = [level * total for level in LEVELS]
    found: list[int] = []
    below: Fraction | int = 0
    last = 0
    for last, weight in weights:
        below += weight
        while len(found) < len(wanted) and below >= wanted[len(found)]:
            found.append(last)
    return (*found, *[last] * (len(wanted) - len(found)))


def together(parts: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """Return the sum of several mappings, by rising points."""
    sums: dict[int, Fraction] = {}
    for part in parts:
        for point, chance in part.items():
            sums[point] = sums.get(point, Fraction(0)) + chance
    return dict(sorted(sums.items()))


def checkpoints(rounds: int, most: int = 100) -> Sequence[int]:
    """Return rounds at which to look, evenly spread, the last among them."""
    count = min(rounds, most)
    return [rounds * place // count for place in range(1, count + 1)]
