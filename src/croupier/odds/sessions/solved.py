"""What a solver finds out about a chain, before it is put into words and money."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction

from croupier.odds.sessions.chain import End

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


@unique
class Arithmetic(Enum):
    """How the figures were reckoned."""

    EXACT = "exact"
    FLOAT64 = "float64"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How the session stands after so many rounds."""

    round: int
    ruined: Fraction
    reached: Fraction
    stopped: Fraction
    points: tuple[int, ...]
    """The bankrolls at `LEVELS`."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The chances of a session's ends, in points, and what it takes on average."""

    arithmetic: Arithmetic
    ended: Mapping[End, Mapping[int, Fraction]]
    """The points at which it has ended, with their probabilities."""
    playing: Mapping[int, Fraction]
    """The points at which it is still going on after the last round."""
    rounds: Fraction
    units: Fraction
    """Expected, in units of the base wager."""
    snapshots: tuple[Snapshot, ...] = ()
    relative_error: Fraction = Fraction(0)
    """Of every probability and expectation, as a part of it."""
    lost_mass: Fraction = Fraction(0)
    """Probability that is not accounted for, at most."""
    lost_rounds: Fraction = Fraction(0)
    lost_units: Fraction = Fraction(0)


def quantile_points(
    weights: Iterable[tuple[int, Fraction | int]], total: Fraction | int
) -> tuple[int, ...]:
    """The least points that are not exceeded with each of `LEVELS`; points rising."""
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
    """The sum of several mappings, by rising points."""
    sums: dict[int, Fraction] = {}
    for part in parts:
        for point, chance in part.items():
            sums[point] = sums.get(point, Fraction(0)) + chance
    return dict(sorted(sums.items()))


def checkpoints(rounds: int, most: int = 100) -> Sequence[int]:
    """Rounds at which to look, evenly spread, the last among them."""
    count = min(rounds, most)
    return [rounds * place // count for place in range(1, count + 1)]
