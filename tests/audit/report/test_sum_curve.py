"""The curve of a sum held against convolution by hand, exact and enclosed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from croupier.audit.report import sum_curve
from croupier.audit.report.sum_curve import (
    MOST_CELLS,
    SumCurve,
    SumRange,
    WaveSums,
    chernoff_tail,
    curve_of,
)

Rounds = list[tuple[int, ...]]
"""By round what each of its equally likely cases gives."""


def _shapes(rounds: Rounds) -> Any:
    shapes: dict[tuple[int, ...], Counter[bytes]] = {}
    for values in rounds:
        weights = (1,) * len(values)
        body = np.array(sorted(values), np.int64).tobytes()
        shapes.setdefault(weights, Counter())[body] += 1
    return shapes


def _range(rounds: Rounds) -> SumRange:
    mean, variance, furthest = Fraction(), Fraction(), 0.0
    for values in rounds:
        one = Fraction(sum(values), len(values))
        mean += one
        variance += Fraction(sum(v * v for v in values), len(values)) - one**2
        furthest = max(furthest, float(max(values) - one), float(one - min(values)))
    least, greatest = sum(map(min, rounds)), sum(map(max, rounds))
    return SumRange(mean, variance, least, greatest, furthest)


def _curve(rounds: Rounds, cells: int = MOST_CELLS) -> SumCurve:
    return curve_of(_shapes(rounds), _range(rounds), cells)


def _convolved(rounds: Rounds) -> tuple[int, Any]:
    """The least sum, and the probability of each whole number from there on."""
    chances = np.ones(1)
    for values in rounds:
        cases = np.bincount(np.array(values) - min(values)) / len(values)
        chances = np.convolve(chances, cases)
    return sum(map(min, rounds)), chances


def _played(rng: Any, rounds: int, unit: int = 1) -> Rounds:
    """Rounds of some chips on 37 numbers: on one, on a dozen and on half of them."""
    found = []
    for _ in range(rounds):
        values = np.zeros(37, np.int64)
        for covered, pays in ((1, 35), (12, 2), (18, 1)):
            stake = unit * int(rng.integers(0, 4))
            won = rng.permutation(37) < covered
            values += np.where(won, -pays * stake, stake)
        found.append(tuple(values.tolist()))
    return found


def _check(curve: SumCurve, rounds: Rounds, widest: float) -> None:
    """Every probability lies where the curve says, and the ends are quantiles."""
    least, chances = _convolved(rounds)
    at_most = np.cumsum(chances)
    for point in np.linspace(0, len(chances) - 1, 200).astype(int).tolist():
        low, high = curve.at_most(least + point).low, curve.at_most(least + point).high
        assert low - 1e-9 <= at_most[point] <= high + 1e-9
        assert high - low <= widest
        above = curve.at_least(least + point)
        assert above.low - 1e-9 <= 1 - at_most[point] + chances[point]
        assert above.high + 1e-9 >= 1 - at_most[point] + chances[point]
    for tail in (0.2, 0.025, 0.005, 1e-4):
        low_end, high_end = curve.ends(tail)
        below = at_most[low_end - least - 1] if low_end > least else 0.0
        assert below <= tail + 1e-9
        assert 1 - at_most[high_end - least] <= tail + 1e-9
        # No narrower bounds would do, but for what the enclosure is wide.
        assert at_most[low_end - least] >= tail - widest
        assert 1 - at_most[high_end - least - curve.step] >= tail - widest


@pytest.mark.parametrize("rounds", [1, 3, 30, 300])
def test_a_curve_is_what_convolution_by_hand_gives(rounds: int) -> None:
    played = _played(np.random.default_rng(rounds), rounds)

    curve = _curve(played)

    assert curve.is_exact
    _check(curve, played, 1e-9)


@pytest.mark.parametrize("rounds", [40, 400])
@pytest.mark.parametrize("waves", [500, 100])
def test_a_curve_of_few_waves_encloses_it(
    monkeypatch: pytest.MonkeyPatch, rounds: int, waves: int
) -> None:
    monkeypatch.setattr(sum_curve, "_FEWEST_WAVES", waves)
    played = _played(np.random.default_rng(rounds), rounds)

    curve = _curve(played, cells=0)

    assert isinstance(curve.heights, WaveSums)
    assert curve.heights.looked_at == waves
    _check(curve, played, 40 / waves)


def test_waves_where_most_rounds_agree_are_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # All but one round move by tens: every tenth of the circle is a strong wave.
    monkeypatch.setattr(sum_curve, "_FEWEST_WAVES", 8_000)
    rng = np.random.default_rng(7)
    played = [*_played(rng, 200, unit=10), (0, 0, 3), (-1, 0, 0, 1)]

    curve = _curve(played, cells=0)

    assert curve.step == 1
    assert isinstance(curve.heights, WaveSums)
    assert curve.heights.places.max() > curve.points / 20
    _check(curve, played, 0.01)
    every = _curve(played, cells=16_000_000)
    assert every.is_exact
    _check(every, played, 1e-9)


def test_many_rounds_of_one_kind_are_a_binomial_sum() -> None:
    rounds: Rounds = [(1, 0, 0, 0)] * 2_000

    curve = _curve(rounds)

    total, tail = 4**2_000, 0
    for count in range(440):
        tail += comb(2_000, count) * 3 ** (2_000 - count)
    exact = float(Fraction(tail, total))
    found = curve.at_most(439)
    assert found.low <= exact <= found.high
    assert found.high - found.low < 1e-8


def test_amounts_too_fine_for_any_lattice_are_enclosed() -> None:
    rng = np.random.default_rng(5)
    fine: Rounds = [
        (-1, int(s), -int(s) + 1) for s in rng.integers(10**9, 2 * 10**9, 300)
    ]
    coarse: Rounds = [(0, v // 10**6, w // 10**6) for _, v, w in fine]

    found, about = _curve(fine), _curve(coarse)

    assert not found.is_exact
    for tail in (0.025, 0.005):
        for one, two in zip(found.ends(tail), about.ends(tail), strict=True):
            assert one / 10**6 == pytest.approx(two, abs=400)


def test_what_can_t_vary_is_certain() -> None:
    curve = _curve([(5, 5, 5), (-2, -2)])

    assert curve.ends(0.025) == (3, 3)
    assert (curve.at_most(2).high, curve.at_most(3).low) == (0.0, 1.0)


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("apart", [1, 4, 8])
def test_chernoff_bounds_the_tail_and_is_near_it(side: int, apart: int) -> None:
    played = _played(np.random.default_rng(3), 100)
    known = _range(played)
    least, chances = _convolved(played)
    value = round(known.mean + side * apart * Fraction(float(known.variance) ** 0.5))
    value = min(max(value, known.least + 5), known.greatest - 5)

    bound = chernoff_tail(_shapes(played), known, value)

    part = chances[value - least :] if side > 0 else chances[: value - least + 1]
    assert part.sum() <= bound
    assert bound <= max(100 * part.sum(), 1e-12)
