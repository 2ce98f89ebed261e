"""The statistics of a wheel's record, as the documentation's table names them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tests.figures.oracle.games import RED
from tests.figures.oracle.statistics import (
    at_least,
    at_most,
    holm,
    twice_the_smaller_tail,
)

Places = NDArray[np.int64]
"""Outcomes as places round the ring."""


def chi_square(counts: Sequence[float] | NDArray[np.int64]) -> float:
    expected = sum(counts) / len(counts)
    return math.fsum((count - expected) ** 2 / expected for count in counts)


def single_numbers(counts: Sequence[int]) -> float:
    """Return the p-value of the most striking number, paid for all of them."""
    spins, chance = sum(counts), 1 / len(counts)
    return min(holm([twice_the_smaller_tail(spins, chance, c) for c in counts]))


def repeats(outcomes: Sequence[str]) -> int:
    return sum(one == other for one, other in pairwise(outcomes))


def runs(outcomes: Sequence[str]) -> tuple[int, int]:
    """Return the runs of red and black, and of how many outcomes; green left out."""
    colours = [number in RED for number in outcomes if number[0] not in "0SM"]
    changes = sum(one != other for one, other in pairwise(colours))
    return changes + 1, len(colours)


def furthest_arc(counts: NDArray[np.int64]) -> float:
    """Return how far the count of any arc is from its share, in deviations."""
    return float(furthest_arcs(counts[None])[0])


def furthest_arcs(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the same of many wheels, each a row of counts."""
    size, spins = counts.shape[1], int(counts[0].sum())
    ends = np.zeros((len(counts), 1), dtype=np.int64)
    round_twice = np.concatenate([counts, counts], axis=1)
    sums = np.concatenate([ends, np.cumsum(round_twice, axis=1)], axis=1)
    furthest = np.zeros(len(counts))
    for width in range(2, size // 2 + 1):
        within = sums[:, width : width + size] - sums[:, :size]
        share = width / size
        off = np.abs(within - spins * share).max(axis=1)
        furthest = np.maximum(furthest, off / math.sqrt(spins * share * (1 - share)))
    return furthest


def gathering(places: Places, size: int) -> float:
    """Return how far the distances round the ring gather anywhere (Rayleigh)."""
    turns = np.exp(2j * math.pi * np.diff(places) / size)
    return float(abs(turns.sum()) ** 2) / len(turns)


def direction(places: Places, size: int) -> float:
    """Return the mean distance to the next outcome, in compartments."""
    turns = np.exp(2j * math.pi * np.diff(places) / size).sum()
    return float(np.angle(turns)) / (2 * math.pi) * size % size


def arc_tails(size: int, spins: int, furthest: float) -> float:
    """Return the sum over all arcs of how likely each is so far off, either way."""
    total = 0.0
    for width in range(2, size // 2 + 1):
        share = width / size
        off = furthest * math.sqrt(spins * share * (1 - share))
        total += at_least(spins, share, math.ceil(spins * share + off - 1e-6))
        total += at_most(spins, share, math.floor(spins * share - off + 1e-6))
    return size * total


def simulated_p_value(
    seen: float, draw: Callable[[np.random.Generator], float], trials: int
) -> float:
    """Return how often a fair wheel gets as far, the record itself counted in."""
    chance = np.random.default_rng(20_261_116)
    beyond = sum(draw(chance) >= seen * (1 - 1e-12) for _ in range(trials))
    return (beyond + 1) / (trials + 1)
