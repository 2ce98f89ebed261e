"""Intervals cover what they promise: calculated if they can be, and over many draws."""

from __future__ import annotations

from itertools import product
from math import comb, factorial, prod, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.lab.simulator import simulate
from croupier.lab.simulator.intervals import (
    Moments,
    bankroll_bounds,
    mean_interval,
    ratio_interval,
    reach_of,
)
from tests.lab.simulator.coverage import FIGURES, WAGERS, questions, shares_inside
from tests.lab.simulator.plans import MARTINGALE, red


def at_most(count: int, trials: int, chance: float) -> float:
    """The probability of so many successes or fewer, term by term."""
    return sum(
        comb(trials, k) * chance**k * (1 - chance) ** (trials - k)
        for k in range(count + 1)
    )


def moments_of(values: list[float], low: float, high: float) -> Moments:
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    return Moments(mean, sqrt(variance), low, high)


def exact_coverage(
    outcomes: list[tuple[float, float]], trials: int, level: float
) -> float:
    """How often the mean of so many draws has the expectation in its interval."""
    values, chances = zip(*outcomes, strict=True)
    expected = sum(value * chance for value, chance in outcomes)
    covered = 0.0
    for counts in product(range(trials + 1), repeat=len(values)):
        if sum(counts) != trials:
            continue
        ways = factorial(trials) // prod(map(factorial, counts))
        chance = ways * prod(c**n for c, n in zip(chances, counts, strict=True))
        drawn = [v for v, n in zip(values, counts, strict=True) for _ in range(n)]
        found = mean_interval(
            moments_of(drawn, min(values), max(values)), trials, level
        )
        covered += chance * (found[0] - 1e-12 <= expected <= found[1] + 1e-12)
    return covered


@pytest.mark.parametrize("count", [0, 1, 3, 19, 20])
def test_with_two_values_it_is_clopper_and_pearsons(count: int) -> None:
    trials, level = 20, 0.95
    drawn = [35.0] * count + [-1.0] * (trials - count)

    low, high = mean_interval(moments_of(drawn, -1.0, 35.0), trials, level)

    shares = [(end + 1) / 36 for end in (low, high)]
    if count < trials:
        assert at_most(count, trials, shares[1]) == pytest.approx(0.025)
    if count > 0:
        assert 1 - at_most(count - 1, trials, shares[0]) == pytest.approx(0.025)
    assert (count > 0) == (low > -1 + 1e-12)
    assert (count < trials) == (high < 35 - 1e-12)


@pytest.mark.parametrize("trials", [1, 5, 20, 60])
@pytest.mark.parametrize("level", [0.9, 0.99])
@pytest.mark.parametrize("chance", [1 / 37, 12 / 37, 18 / 37])
def test_one_wager_is_covered_as_often_as_it_should_be(
    trials: int, level: float, chance: float
) -> None:
    outcomes = [(35.0, chance), (-1.0, 1 - chance)]

    assert exact_coverage(outcomes, trials, level) >= level


@pytest.mark.parametrize("trials", [3, 10, 24])
@pytest.mark.parametrize(
    "outcomes",
    [
        [(35.0, 1 / 37), (2.0, 11 / 37), (-1.0, 25 / 37)],
        [(200.0, 0.002), (1.0, 0.498), (-1.0, 0.5)],
        [(-30.0, 0.03), (0.0, 0.07), (1.0, 0.9)],
    ],
)
def test_three_results_are_covered_as_often_as_they_should_be(
    trials: int, outcomes: list[tuple[float, float]]
) -> None:
    assert exact_coverage(outcomes, trials, 0.95) >= 0.95


@given(
    st.floats(-100, 100),
    st.floats(0, 100),
    st.floats(0, 100),
    st.floats(0, 1),
    st.integers(1, 10**12),
    st.floats(0.5, 0.9999),
)
def test_an_interval_is_about_its_mean_and_within_its_bounds(
    mean: float, below: float, above: float, part: float, trials: int, level: float
) -> None:
    low, high = mean - below, mean + above
    # No distribution between the bounds has more variance than this.
    found = mean_interval(
        Moments(mean, part * sqrt(below * above), low, high), trials, level
    )

    assert low - 1e-9 <= found[0] <= mean <= found[1] <= high + 1e-9


@given(st.floats(0.1, 50), st.floats(0.01, 40), st.integers(2, 10**6))
def test_more_sessions_and_less_variance_make_it_narrower(
    room: float, deviation: float, trials: int
) -> None:
    moments = Moments(0.0, deviation, -room, room)
    wide = mean_interval(moments, trials, 0.95)

    more = mean_interval(moments, 4 * trials, 0.95)
    less = mean_interval(moments._replace(deviation=deviation / 2), trials, 0.95)

    assert more[1] <= wide[1]
    assert less[1] <= wide[1] + 1e-9


def test_with_many_sessions_it_is_that_of_the_normal_distribution() -> None:
    low, high = mean_interval(Moments(3.0, 2.0, -10.0, 50.0), 10**9, 0.95)

    half = 1.959964 * 2 / 10**4.5
    assert high - 3 == pytest.approx(half, rel=1e-3)
    assert 3 - low == pytest.approx(half, rel=1e-3)


def test_a_ratio_of_what_is_always_the_same_is_that_of_its_mean() -> None:
    net, staked = Moments(-2.0, 5.0, -20.0, 60.0), Moments(10.0, 0.0, 10.0, 10.0)

    low, high = ratio_interval(net, staked, 500, 0.95, (-5.0, 5.0))

    # The bounds of the difference lie a little to the side of those of the net.
    by_mean = [end / 10 for end in mean_interval(net, 500, 0.95)]
    assert (low, high) == pytest.approx(tuple(by_mean), abs=0.002)


def chance_beyond(rounds: int, wins: int) -> float:
    """Of more wins than this on a number, term by term."""
    return 1 - at_most(wins, rounds, 1 / 37) if wins < rounds else 0.0


def test_bankrolls_beyond_their_bounds_are_negligible() -> None:
    plan = red(ends=(36, 37), nets=(-1, 35), rounds=60, bankroll=200)

    low, high = bankroll_bounds(plan, reach_of(plan), 1_000, 0.95)

    assert low == 200 - 60
    assert high < plan.highest / 2
    wins = int((high - 200 + 60) // 36)
    by_terms = sum(
        comb(60, k) * (1 / 37) ** k * (36 / 37) ** (60 - k) for k in range(wins + 1, 61)
    )
    assert by_terms * 1_000 < 0.05 * 1e-9
    assert chance_beyond(60, 3) > 1e-3


def test_bankrolls_of_large_stakes_are_bounded_by_the_plan() -> None:
    plan = red(machine=MARTINGALE, bankroll=60, rounds=9, target=80)

    reach = reach_of(plan)
    bounds = bankroll_bounds(plan, reach, 100, 0.99)

    assert reach.highest < plan.highest
    assert bounds == (0.0, float(reach.highest))


def test_where_no_session_wins_the_return_has_an_interval() -> None:
    drawn = simulate(
        "mbs-roulette-v3", "17@10", bankroll=10, rounds=1, sessions=20, seed=2,
        level=0.95,
    )  # fmt: skip

    assert drawn.return_rate.value == -1
    assert drawn.return_rate.low == -1
    # Of 20 that all lose, up to 16.8 % may win.
    assert drawn.return_rate.high == pytest.approx(36 * 0.16843 - 1, rel=1e-3)
    assert drawn.return_rate.is_inside
    assert drawn.net_cents.low == -1000


@pytest.mark.parametrize("strategy", ["flat", "fibonacci", "paroli"])
def test_drawn_sessions_are_covered_as_often_as_they_should_be(strategy: str) -> None:
    level, runs = 0.9, 60
    for question in questions([strategy], WAGERS[1:2]):
        shares = shares_inside(question, 25, runs, level)
        for figure in FIGURES:
            # Less four standard deviations.
            assert shares[figure] >= level - 4 * sqrt(0.09 / runs), question.name


def test_intervals_are_no_wider_than_they_need_to_be() -> None:
    runs = 150
    [_, question] = questions(["flat"], WAGERS[:1])

    shares = shares_inside(question, 400, runs, 0.9)

    assert all(0.8 < shares[figure] < 1 for figure in FIGURES)
