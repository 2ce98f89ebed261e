"""Tests of draws, against the exact distribution of every short sequence."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.numeric.randomness import DrawCounts, RandomnessTest, least_draws


def results(draws: tuple[int, ...], cells: int) -> dict[str, RandomnessTest]:
    counts = DrawCounts(range(cells))
    counts.add(draws)
    return {test.name: test for test in counts.tests()}


@pytest.mark.parametrize("cells", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["runs", "serial correlation"])
def test_deviations_have_mean_0_and_variance_1(name: str, cells: int) -> None:
    every = [
        results(draws, cells)[name].statistic
        for draws in product(range(cells), repeat=5)
    ]

    assert sum(every) / len(every) == pytest.approx(0, abs=1e-12)
    assert sum(value**2 for value in every) / len(every) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "degrees"), [("chi-square of numbers", 2), ("serial pairs", 8)]
)
def test_chi_square_is_its_degrees_of_freedom_on_average(
    name: str, degrees: int
) -> None:
    every = [results(draws, 3)[name].statistic for draws in product(range(3), repeat=6)]

    assert sum(every) / len(every) == pytest.approx(degrees)


def test_a_sequence_in_pieces_has_the_same_counts() -> None:
    draws = (0, 2, 1, 1, 2, 0, 0, 1, 2, 2, 1)
    counts = DrawCounts(range(3))

    for piece in (draws[:1], draws[1:1], draws[1:4], draws[4:5], draws[5:]):
        counts.add(piece)

    whole = DrawCounts(range(3))
    whole.add(draws)
    assert (counts.singles, counts.steps) == (whole.singles, whole.steps)
    assert counts.pairs == whole.pairs
    assert counts.pairs.total() == 5


def test_the_level_decides_the_verdict() -> None:
    # 2.5758 standard deviations to either side hold 99 % of a normal distribution.
    assert RandomnessTest("runs", 2.57, 0.0102).passes(0.99)
    assert not RandomnessTest("runs", 2.58, 0.0099).passes(0.99)


def test_each_pair_is_expected_five_times() -> None:
    assert least_draws(37) == 13_690
