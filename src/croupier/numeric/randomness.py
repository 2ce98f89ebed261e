"""Tests of a sequence of draws that should be uniform and independent.

The probabilities of a sound generator are known; nothing is estimated from the draws.
Chi-square and normal tails are approximations, good enough from `least_draws` on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import erfc, sqrt
from typing import Generic, TypeVar

from croupier.numeric.probability import chi_square_tail

Drawn = TypeVar("Drawn", bound=Hashable)

_LEAST_EXPECTED = 5
"""Expected count of each pair; fewer are too few for the chi-square distribution."""


@dataclass(frozen=True, slots=True)
class RandomnessTest:
    """One test of the draws, with the probability of a result at least as extreme."""

    name: str
    statistic: float
    p_value: float

    def passes(self, level: float) -> bool:
        """Return whether the result is unremarkable at a level such as 0.99."""
        return self.p_value >= 1 - level


@dataclass(slots=True)
class DrawCounts(Generic[Drawn]):
    """Counts of draws, added chunk by chunk."""

    cells: Sequence[Drawn]
    singles: Counter[Drawn] = field(default_factory=Counter)
    steps: Counter[tuple[Drawn, Drawn]] = field(default_factory=Counter)
    """Each draw with the next: overlapping pairs."""
    pairs: Counter[tuple[Drawn, Drawn]] = field(default_factory=Counter)
    """The first and second draw, the third and fourth, and so on."""
    _odd: tuple[Drawn, ...] = ()
    _last: tuple[Drawn, ...] = ()

    def add(self, draws: Sequence[Drawn]) -> None:
        """Count the next piece of the sequence."""
        self.singles.update(draws)
        self.steps.update(pairwise([*self._last, *draws]))
        waiting = [*self._odd, *draws]
        self.pairs.update(zip(waiting[::2], waiting[1::2], strict=False))
        self._odd = tuple(waiting[-1:]) if len(waiting) % 2 else ()
        self._last = tuple(draws[-1:]) or self._last

    def tests(self) -> Iterator[RandomnessTest]:
        """Yield every test of the draws so far."""
        places = {cell: place for place, cell in enumerate(self.cells)}
        steps = {(places[a], places[b]): n for (a, b), n in self.steps.items()}
        yield _uniform("chi-square of numbers", self.singles, self.cells)
        yield _runs(steps, len(self.cells))
        yield _serial_correlation(steps, len(self.cells))
        every_pair = [(a, b) for a in self.cells for b in self.cells]
        yield _uniform("serial pairs", self.pairs, every_pair)


def least_draws(cells: int) -> int:
    """Return the number of draws that the test of pairs needs."""
    return 2 * _LEAST_EXPECTED * cells**2


def _uniform(
    name: str, counts: Mapping[Drawn, int], cells: Sequence[Drawn]
) -> RandomnessTest:
    """Test by chi-square that all cells are equally likely."""
    expected = sum(counts.values()) / len(cells)
    squares = sum((counts.get(cell, 0) - expected) ** 2 for cell in cells)
    statistic = squares / expected
    return RandomnessTest(name, statistic, chi_square_tail(statistic, len(cells) - 1))


def _runs(steps: Mapping[tuple[int, int], int], cells: int) -> RandomnessTest:
    """Test the number of runs of the lower and the upper half.

    With an odd number of cells the halves are unequal, so a change of half makes the
    next one a little likelier.
    """
    total = sum(steps.values())
    half = cells // 2
    changes = sum(n for (a, b), n in steps.items() if (a < half) != (b < half))
    both = half * (cells - half) / cells**2
    change = 2 * both
    covariance = both * (1 - 4 * both)
    variance = total * change * (1 - change) + 2 * (total - 1) * covariance
    return _normal("runs", (changes - total * change) / sqrt(variance))


def _serial_correlation(
    steps: Mapping[tuple[int, int], int], cells: int
) -> RandomnessTest:
    """Test the correlation between the places of successive draws."""
    middle = cells - 1
    # Twice the distances from the mean are whole; their variance is (cells**2 - 1) / 3.
    products = sum(
        (2 * a - middle) * (2 * b - middle) * n for (a, b), n in steps.items()
    )
    spread = (cells**2 - 1) / 3 * sqrt(sum(steps.values()))
    return _normal("serial correlation", products / spread)


def _normal(name: str, deviations: float) -> RandomnessTest:
    return RandomnessTest(name, deviations, erfc(abs(deviations) / sqrt(2)))
