"""Tests of counts (numbers, sectors) and of order (repeats, distances, colours).

Every arc from two neighbours to half the ring is a sector. The one furthest from its
share is compared with the furthest of each of many fair wheels, which corrects for
looking at all arcs. Longer arcs need no test: the rest of the ring is an arc too.

On a fair wheel an outcome does not depend on the last one. So repeats of the number,
distances round the ring, and changes of colour are each independent from one pair of
outcomes to the next, and have exact distributions.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, cos, exp, floor, pi, sqrt
from typing import Any

import numpy as np

from croupier.batch.compiled import Floats, Integers
from croupier.lab.wheel.monte_carlo import FoundChance, fair_chance, fair_statistics
from croupier.lab.wheel.record import CheckPlan, WheelRecord, WheelTest
from croupier.numeric.probability import (
    at_least,
    at_most,
    chi_square_tail,
    holm,
    two_sided,
)
from croupier.rules.wheel import Colour, Number, colour_of
from croupier.tabular.figures import counted

LEAST_EXPECTED = 5
"""Smaller expected counts do not allow the chi-square distribution."""
_NAMED = 5
_MANY = 30
"""This many directions count as all directions: see `_pull_bound`."""


def all_compartments(record: WheelRecord, plan: CheckPlan) -> WheelTest:
    """Test all counts against those of a fair wheel, by chi-square."""
    seen = float(_chi_square(record.counts[np.newaxis])[0])
    degrees = record.compartments - 1
    if record.expected >= LEAST_EXPECTED:
        found = FoundChance(
            chi_square_tail(seen, degrees), "chi-square tail, closed form"
        )
    else:
        drawn = fair_statistics(_chi_square, record.spins, record.compartments, plan)
        found = fair_chance(seen, drawn, plan)
    return WheelTest(
        "all compartments",
        seen,
        found.p_value,
        found.method,
        "",
        f"chi-square of all {record.compartments} counts is {seen:,.1f};"
        f" {degrees:,} is usual",
    )


def _chi_square(counts: Integers) -> Floats:
    expected = counts.sum(axis=1, keepdims=True) / counts.shape[1]
    squares = np.square(counts - expected) / expected
    return np.asarray(squares.sum(axis=1), dtype=np.float64)


def single_numbers(record: WheelRecord, plan: CheckPlan, tests: int) -> WheelTest:
    """Test each number's count exactly; name those found at the level over `tests`."""
    chance = 1 / record.compartments
    tails = {
        count: two_sided(count, record.spins, chance)
        for count in {int(count) for count in record.counts}
    }
    corrected = holm([tails[int(count)] for count in record.counts])
    order = np.argsort(corrected, kind="stable")
    furthest = int(
        max(order, key=lambda place: abs(record.counts[place] - record.expected))
    )
    named = [int(place) for place in order if corrected[place] <= plan.level / tests]
    shown = (named or [furthest])[:_NAMED]
    said = ", ".join(
        f"{record.ring[place]} came up {counted(int(record.counts[place]), 'time')}"
        for place in shown
    )
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return WheelTest(
        "single numbers",
        float(record.counts[furthest]),
        min(corrected),
        "exact binomial",
        f"{record.compartments} numbers, Holm",
        f"{said}{more}; {record.expected:,.1f} are expected of each",
        tuple(record.ring[place] for place in named),
        is_together=False,
        looks=record.compartments,
    )


@dataclass(frozen=True, slots=True)
class _Arc:
    """Neighbours on the ring, from the first clockwise."""

    first: int
    length: int
    deviation: float
    """The count's distance from its expectation, in standard deviations."""


def sectors(record: WheelRecord, plan: CheckPlan) -> WheelTest:
    """Test the arc furthest from its share against those of fair wheels."""
    arc = furthest_arc(record.counts)
    numbers = ring_arc(record, arc.first, arc.length)
    seen = abs(arc.deviation)
    drawn = fair_furthest(record.spins, record.compartments, plan)
    bound = furthest_bound(seen, record.spins, record.compartments)
    found = fair_chance(seen, drawn, plan, bound)
    count = record.count_of(numbers)
    arcs = record.compartments * len(arc_lengths(record.compartments))
    return WheelTest(
        "sectors of neighbours",
        seen,
        found.p_value,
        found.method,
        f"all {arcs} arcs, by the greatest of each fair wheel",
        f"{' '.join(numbers)} came up {counted(count, 'time')} together;"
        f" {record.expected * arc.length:,.1f} are expected",
        numbers,
        looks=arcs,
    )


def arc_lengths(compartments: int) -> range:
    return range(2, compartments // 2 + 1)


def ring_arc(record: WheelRecord, first: int, length: int) -> tuple[Number, ...]:
    around = (*record.ring, *record.ring)
    return around[first : first + length]


def furthest_bound(seen: float, spins: int, compartments: int) -> float:
    """Bound the chance that an arc of a fair wheel deviates so far: a sum of tails."""
    total = 0.0
    for length in arc_lengths(compartments):
        share = length / compartments
        # Slightly less than seen, so that rounding can't make the bound too small.
        reach = seen * (1 - 1e-9) * sqrt(spins * share * (1 - share))
        least, most = ceil(spins * share + reach - 1e-6), spins * share - reach + 1e-6
        total += at_least(least, spins, share)
        total += at_most(floor(most), spins, share) if most >= 0 else 0.0
    return min(compartments * total, 1.0)


def furthest_arc(counts: Integers) -> _Arc:
    """Return the arc whose count is furthest from its share."""
    table = deviations(counts[np.newaxis])[0]
    place = int(np.argmax(np.abs(table)))
    row, first = divmod(place, table.shape[1])
    return _Arc(first, row + 2, float(table[row, first]))


def fair_furthest(spins: int, compartments: int, plan: CheckPlan) -> Floats:
    return fair_statistics(_furthest, spins, compartments, plan)


def _furthest(counts: Integers) -> Floats:
    table = np.abs(deviations(counts))
    return np.asarray(table.max(axis=(1, 2)), dtype=np.float64)


def deviations(counts: Integers) -> Floats:
    """Return standard deviations by wheel, length (from two) and first place."""
    spins = counts.sum(axis=1)[:, np.newaxis]
    compartments = counts.shape[1]
    around = np.concatenate([counts, counts], axis=1)
    sums = np.concatenate(
        [np.zeros((len(counts), 1), np.int64), np.cumsum(around, axis=1)], axis=1
    )
    lengths = arc_lengths(compartments)
    table = np.empty((len(counts), len(lengths), compartments))
    for row, length in enumerate(lengths):
        share = length / compartments
        within = sums[:, length : length + compartments] - sums[:, :compartments]
        spread = np.sqrt(spins * share * (1 - share))
        table[:, row] = (within - spins * share) / spread
    return table


def repeats(record: WheelRecord) -> WheelTest:
    """Test the count of numbers that came up twice in a row."""
    pairs = record.spins - 1
    count = int(np.count_nonzero(record.places[1:] == record.places[:-1]))
    chance = 1 / record.compartments
    return WheelTest(
        "repeats",
        float(count),
        two_sided(count, pairs, chance),
        "exact binomial",
        "",
        f"the same number came up again {counted(count, 'time')} in {pairs:,};"
        f" {pairs * chance:,.1f} are expected",
    )


def distances(record: WheelRecord, plan: CheckPlan) -> WheelTest:
    """Test whether the next outcome tends to lie at one distance from the last."""
    steps = np.diff(record.places) % record.compartments
    counts = np.bincount(steps, minlength=record.compartments).astype(np.int64)
    seen = float(_pull(counts[np.newaxis])[0])
    drawn = fair_statistics(_pull, record.spins - 1, record.compartments, plan)
    found = fair_chance(seen, drawn, plan, _pull_bound(seen, record.compartments))
    return WheelTest(
        "distance to the next",
        seen,
        found.p_value,
        found.method,
        "all distances, by how far they gather anywhere",
        f"the next outcome gathers about {_middle(counts)} compartments clockwise of"
        f" the last, with a strength of {seen:,.2f}; 1 is usual",
    )


def _turns(compartments: int) -> np.ndarray[Any, np.dtype[np.complex128]]:
    angles = 2j * np.pi * np.arange(compartments) / compartments
    return np.asarray(np.exp(angles), dtype=np.complex128)


def _pull(counts: Integers) -> Floats:
    """Return Rayleigh's statistic of the distances; its mean is 1 at a fair wheel."""
    sums = np.abs(counts @ _turns(counts.shape[1]))
    return np.asarray(sums**2 / counts.sum(axis=1), dtype=np.float64)


def _pull_bound(seen: float, compartments: int) -> float:
    """Bound the chance that distances gather this much, for any number of them.

    Along at least one of m directions, a sum of them has cos(π/m) of its length. Along
    a line, the mean of e^(λx) over all directions x is at most e^(λ²/4); over m
    directions it is larger by less than a part in 10²⁰.
    """
    if compartments < _MANY:
        return 1.0
    return min(
        1.0, *(m * exp(-seen * cos(pi / m) ** 2) for m in range(3, compartments + 1))
    )


def _middle(counts: Integers) -> int:
    compartments = len(counts)
    angle = float(np.angle(counts @ _turns(compartments)))
    return round(angle / (2 * np.pi) * compartments) % compartments


def colour_changes(record: WheelRecord) -> WheelTest:
    """Test how often red and black change, the green numbers left out."""
    colours = np.array(
        [_SIGN[colour_of(number)] for number in record.ring], dtype=np.int64
    )
    # Red and black have equally many numbers: a change is as likely as none.
    assert int(colours.sum()) == 0
    of_outcomes = colours[record.places]
    coloured = of_outcomes[of_outcomes != 0]
    pairs = max(len(coloured) - 1, 0)
    changes = int(np.count_nonzero(coloured[1:] != coloured[:-1]))
    runs = "runs" if changes else "run"
    return WheelTest(
        "runs of red and black",
        float(changes + min(len(coloured), 1)),
        two_sided(changes, pairs, 0.5),
        "exact binomial",
        "",
        f"red and black, green left out, make {changes + 1:,} {runs};"
        f" {pairs / 2 + 1:,.1f} are expected",
    )


_SIGN = {Colour.RED: 1, Colour.BLACK: -1, Colour.GREEN: 0}
