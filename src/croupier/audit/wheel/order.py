"""Tests of the order of outcomes: repeats, distances, runs of colours.

On a fair wheel an outcome does not depend on the last one. So whether it repeats it,
how far round the ring it lies from it, and whether it changes the colour are all
independent of one another, and have exact distributions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from croupier.audit.wheel.chance import fair_statistics, monte_carlo, monte_carlo_method
from croupier.audit.wheel.record import CheckPlan, WheelRecord, WheelTest
from croupier.batch.columns import Floats, Integers
from croupier.odds.probability import two_sided
from croupier.rules.wheel import Colour, colour_of


def repeats(record: WheelRecord) -> WheelTest:
    """Test how often a number came up twice running."""
    pairs = record.spins - 1
    count = int(np.count_nonzero(record.places[1:] == record.places[:-1]))
    chance = 1 / record.compartments
    return WheelTest(
        "repeats",
        float(count),
        two_sided(count, pairs, chance),
        "exact binomial",
        "",
        f"the same number came up again {count:,} times in {pairs:,};"
        f" {pairs * chance:.1f} are expected",
    )


def distances(record: WheelRecord, plan: CheckPlan) -> WheelTest:
    """Test whether the next outcome tends to lie at one distance from the last."""
    steps = np.diff(record.places) % record.compartments
    counts = np.bincount(steps, minlength=record.compartments).astype(np.int64)
    seen = float(_pull(counts[np.newaxis, np.newaxis])[0])
    drawn = _fair_pulls(record.spins - 1, record.compartments, plan)
    return WheelTest(
        "distance to the next",
        seen,
        monte_carlo(seen, drawn),
        monte_carlo_method(plan),
        "all distances, by how far they gather anywhere",
        f"the next outcome gathers about {_middle(counts)} compartments clockwise of"
        f" the last, with a strength of {seen:.2f}; 1 is usual",
    )


def _turns(compartments: int) -> np.ndarray[Any, np.dtype[np.complex128]]:
    angles = 2j * np.pi * np.arange(compartments) / compartments
    return np.asarray(np.exp(angles), dtype=np.complex128)


def _pull(counts: Integers) -> Floats:
    """How far the distances gather: 1 on average at a fair wheel, after Rayleigh."""
    of_wheel = counts[:, 0, :]
    sums = np.abs(of_wheel @ _turns(of_wheel.shape[1]))
    return np.asarray(sums**2 / of_wheel.sum(axis=1), dtype=np.float64)


def _middle(counts: Integers) -> int:
    """Return the distance that they gather about."""
    compartments = len(counts)
    angle = float(np.angle(counts @ _turns(compartments)))
    return round(angle / (2 * np.pi) * compartments) % compartments


@lru_cache(maxsize=8)
def _fair_pulls(pairs: int, compartments: int, plan: CheckPlan) -> Floats:
    return fair_statistics(_pull, (pairs,), compartments, plan)


def colour_changes(record: WheelRecord) -> WheelTest:
    """Test how often red and black change, the green numbers left out."""
    colours = np.array(
        [_SIGN[colour_of(number)] for number in record.ring], dtype=np.int64
    )
    # As many are red as are black, so that a change is as likely as none.
    assert int(colours.sum()) == 0
    of_outcomes = colours[record.places]
    coloured = of_outcomes[of_outcomes != 0]
    pairs = max(len(coloured) - 1, 0)
    changes = int(np.count_nonzero(coloured[1:] != coloured[:-1]))
    return WheelTest(
        "runs of red and black",
        float(changes + min(len(coloured), 1)),
        two_sided(changes, pairs, 0.5),
        "exact binomial",
        "",
        f"red and black, green left out, make {changes + 1:,} runs;"
        f" {pairs / 2 + 1:.1f} are expected",
    )


_SIGN = {Colour.RED: 1, Colour.BLACK: -1, Colour.GREEN: 0}
