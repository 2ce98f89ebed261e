"""Sums over rounds held against convolution by hand: exact, enclosed and bounded."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from croupier.numeric import sums
from croupier.numeric.sums import (
    BoundedSum,
    ConvolvedSum,
    SumMethod,
    SumMoments,
    chernoff_tail,
    sum_of,
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


def _moments(rounds: Rounds) -> SumMoments:
    mean, variance, third, size = Fraction(), Fraction(), Fraction(), Fraction()
    furthest = 0.0
    for values in rounds:
        one = Fraction(sum(values), len(values))
        mean += one
        variance += Fraction(sum(v * v for v in values), len(values)) - one**2
        third += sum(((v - one) ** 3 for v in values), Fraction()) / len(values)
        size += sum((abs(v - one) ** 3 for v in values), Fraction()) / len(values)
        furthest = max(furthest, float(max(values) - one), float(one - min(values)))
    ends = sum(map(min, rounds)), sum(map(max, rounds))
    return SumMoments(mean, variance, float(third), float(size), *ends, furthest)


def _sum(rounds: Rounds) -> ConvolvedSum | BoundedSum:
    return sum_of(_shapes(rounds), _moments(rounds))


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


def _check(total: ConvolvedSum | BoundedSum, rounds: Rounds, widest: float) -> None:
    """Every probability lies between its ends, and so do the quantiles."""
    least, chances = _convolved(rounds)
    at_most = np.cumsum(chances)
    for point in np.linspace(0, len(chances) - 1, 200).astype(int).tolist():
        found = total.at_most(least + point)
        assert found.low - 1e-9 <= at_most[point] <= found.high + 1e-9
        assert found.low <= found.value <= found.high
        assert found.high - found.low <= widest
    for tail in (0.2, 0.025, 0.005, 1e-4):
        low, high, _ = total.ends(tail)
        below = at_most[low - least - 1] if low > least else 0.0
        assert below <= tail + 1e-9
        assert 1 - at_most[high - least] <= tail + 1e-9
        # No narrower bounds would do, but for the width of the enclosure.
        assert at_most[low - least] >= tail - widest
        step = total.step if isinstance(total, ConvolvedSum) else 1
        assert 1 - at_most[high - least - step] >= tail - widest


@pytest.mark.parametrize("rounds", [1, 3, 30, 300])
def test_a_sum_equals_a_convolution_by_hand(rounds: int) -> None:
    played = _played(np.random.default_rng(rounds), rounds)

    total = _sum(played)

    assert total.ends(0.025)[2] is SumMethod.CONVOLUTION
    _check(total, played, 1e-9)


@pytest.mark.parametrize(("rounds", "points"), [(40, 1_500), (400, 3_000)])
def test_a_sum_on_a_coarser_lattice_is_enclosed(
    monkeypatch: pytest.MonkeyPatch, rounds: int, points: int
) -> None:
    monkeypatch.setattr(sums, "_TRIES", ((2.0, points),))
    played = _played(np.random.default_rng(rounds), rounds)

    total = _sum(played)

    assert total.ends(0.025)[2] is SumMethod.ENCLOSURE
    _check(total, played, 0.6)


def test_a_loss_by_rounding_is_within_hoeffding_s_bounds() -> None:
    rng = np.random.default_rng(11)
    played = _played(rng, 500)
    kinds = sums.RoundKinds.of(_shapes(played))

    least, greatest = kinds.lost(7)

    above = np.array(played) - np.array(played).min(axis=1, keepdims=True)
    drawn = rng.integers(0, 37, (1_000, 500))
    lost = (above[np.arange(500), drawn] % 7).sum(axis=1)
    assert least <= lost.min() < lost.max() <= greatest < 6 * 500


def test_all_waves_outside_the_chosen_ones_are_negligible() -> None:
    kinds = sums.RoundKinds.of(_shapes(_played(np.random.default_rng(5), 60)))

    chosen, every = (of(kinds, 4_096) for of in (sums._chosen_waves, sums._all_waves))

    assert chosen is not None
    assert every is not None
    assert np.abs(chosen - every).max() < 1e-12


def test_waves_with_few_deviating_rounds_are_kept() -> None:
    # All but two rounds move by tens: every tenth of the circle is a strong wave.
    played = [
        *_played(np.random.default_rng(7), 200, unit=10),
        (0, 0, 3),
        (-1, 0, 0, 1),
    ]

    _check(_sum(played), played, 1e-9)


def test_many_rounds_of_one_kind_are_a_binomial_sum() -> None:
    rounds: Rounds = [(1, 0, 0, 0)] * 2_000

    total = _sum(rounds)

    counted = sum(comb(2_000, count) * 3 ** (2_000 - count) for count in range(440))
    exact = float(Fraction(counted, 4**2_000))
    found = total.at_most(439)
    assert found.low <= exact <= found.high
    assert found.high - found.low < 1e-8


def test_amounts_too_fine_for_any_lattice_are_enclosed() -> None:
    rng = np.random.default_rng(5)
    fine: Rounds = [
        (-1, int(s), -int(s) + 1) for s in rng.integers(10**9, 2 * 10**9, 300)
    ]
    coarse: Rounds = [(0, v // 10**6, w // 10**6) for _, v, w in fine]

    found, about = _sum(fine), _sum(coarse)

    for tail in (0.025, 0.005):
        assert found.ends(tail)[2] is SumMethod.ENCLOSURE
        for one, two in zip(found.ends(tail)[:2], about.ends(tail)[:2], strict=True):
            assert one / 10**6 == pytest.approx(two, abs=400)


def test_a_sum_that_can_t_vary_is_certain() -> None:
    total = _sum([(5, 5, 5), (-2, -2)])

    assert total.ends(0.025) == (3, 3, SumMethod.CONVOLUTION)
    assert (total.at_most(2).high, total.at_most(3).low) == (0.0, 1.0)


@pytest.mark.parametrize(("rounds", "off"), [(300, 0.003), (1_500, 0.0006)])
def test_edgeworth_s_term_is_near_and_its_proven_ends_hold(
    rounds: int, off: float
) -> None:
    played = _played(np.random.default_rng(rounds), rounds)
    total = sum_of(None, _moments(played))
    least, chances = _convolved(played)
    at_most = np.cumsum(chances)

    _check(total, played, 1.0)
    middle = round(float(total.known.mean)) - least
    reach = round(3 * float(total.known.variance) ** 0.5)
    for point in np.linspace(middle - reach, middle + reach, 50).astype(int).tolist():
        assert abs(total.at_most(least + point).value - at_most[point]) < off


def test_berry_and_esseen_s_bound_is_used_only_if_it_is_the_tighter_one() -> None:
    few: Rounds = [(1, -1)] * 30
    many: Rounds = [(1, -1)] * 100_000

    loose = sum_of(None, _moments(few))
    tight = sum_of(None, _moments(many))

    # Each of n fair coins has a third moment of 1: the distance is 0.56/√n.
    assert loose.ends(0.025)[2] is SumMethod.BERNSTEIN
    assert tight.ends(0.025)[2] is SumMethod.BERRY_ESSEEN
    found = tight.at_most(0)
    assert found.high - found.low == pytest.approx(2 * 0.56 / 100_000**0.5, rel=1e-6)


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("apart", [1, 4, 8])
def test_chernoff_bounds_the_tail_and_is_near_it(side: int, apart: int) -> None:
    played = _played(np.random.default_rng(3), 100)
    known = _moments(played)
    least, chances = _convolved(played)
    value = round(known.mean + side * apart * Fraction(float(known.variance) ** 0.5))
    value = min(max(value, known.least + 5), known.greatest - 5)

    bound = chernoff_tail(_shapes(played), known, value)

    part = chances[value - least :] if side > 0 else chances[: value - least + 1]
    assert part.sum() <= bound
    assert bound <= max(100 * part.sum(), 1e-12)
