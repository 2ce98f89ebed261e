"""The statistics of a wheel's record, as the documentation's table names them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tests.figures.oracle.games import RED
from tests.figures.oracle.statistics import holm, twice_the_smaller_tail

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
    size, spins = len(counts), int(counts.sum())
    twice = np.concatenate([[0], np.cumsum(np.concatenate([counts, counts]))])
    furthest = 0.0
    for width in range(2, size // 2 + 1):
        within = twice[width : width + size] - twice[:size]
        share = width / size
        deviation = math.sqrt(spins * share * (1 - share))
        furthest = max(
            furthest, float(np.abs(within - spins * share).max()) / deviation
        )
    return furthest


def gathering(places: Places, size: int) -> float:
    """Return how far the distances round the ring gather anywhere (Rayleigh)."""
    turns = np.exp(2j * math.pi * np.diff(places) / size)
    return float(abs(turns.sum()) ** 2) / len(turns)


def blocks_of_time(places: Places, size: int, blocks: int) -> float:
    """Return the chi-square of the counts in equal blocks against the whole record."""
    whole = np.bincount(places, minlength=size)
    total = 0.0
    for block in np.split(places, blocks):
        expected = whole * len(block) / len(places)
        seen = np.bincount(block, minlength=size)
        there = expected > 0
        total += float(((seen - expected)[there] ** 2 / expected[there]).sum())
    return total


def furthest_change(places: Places, size: int, moments: int = 39) -> float:
    """Return how far any number gets from its even share at any of the moments."""
    spins = len(places)
    furthest = 0.0
    for number in range(size):
        came = places == number
        count = int(came.sum())
        if not 0 < count < spins:
            continue
        so_far = np.cumsum(came)
        for moment in range(1, moments + 1):
            first = spins * moment // (moments + 1)
            off = abs(float(so_far[first - 1]) - count * first / spins)
            furthest = max(furthest, off / math.sqrt(count * (spins - count) / spins))
    return furthest


def simulated_p_value(
    seen: float, draw: Callable[[np.random.Generator], float], trials: int
) -> float:
    """Return how often a fair wheel gets as far, the record itself counted in."""
    chance = np.random.default_rng(20_261_116)
    beyond = sum(draw(chance) >= seen * (1 - 1e-12) for _ in range(trials))
    return (beyond + 1) / (trials + 1)
