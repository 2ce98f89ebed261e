"""Sums over rounds: exact by enumeration, and bounds that hold."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from croupier.audit.report import bounds
from croupier.audit.report.bounds import BoundMethod, RoundSums, bounds_of
from croupier.audit.report.rounds import game_table
from croupier.games import find_game
from croupier.odds import odds_of, probability
from croupier.odds.model import cases_of, model_of, total_weight
from croupier.odds.quantiles import sum_quantile

V3 = find_game("mbs-roulette-v3")
FAST = find_game("mbs-fast-action-v2")
ZEROS = find_game("rws-triple-zero")
Chips = dict[str, int]
"""Cents by area."""


def _win(chips: Chips, winning: Any) -> int:
    """What the House wins, piece by piece."""
    return sum(
        -cents * winning[area] if area in winning else cents
        for area, cents in chips.items()
    )


def _by_case(game: Any, chips: Chips) -> list[tuple[int, Fraction]]:
    model = model_of(game)
    whole = total_weight(model)
    return [
        (_win(chips, case.winning), Fraction(case.weight, whole))
        for case in cases_of(model)
    ]


def _sums(rounds: list[tuple[Any, Chips]], times: int = 1) -> RoundSums:
    sums = RoundSums()
    for game, chips in rounds:
        values = [value for value, _ in _by_case(game, chips)]
        sums.add(game_table(game), np.array([values] * times, np.int64))
    return sums


def _enumerated(rounds: list[tuple[Any, Chips]]) -> dict[int, Fraction]:
    """Every outcome of every round against every other."""
    shares: dict[int, Fraction] = {}
    for cases in product(*(_by_case(game, chips) for game, chips in rounds)):
        value = sum(each for each, _ in cases)
        chance = Fraction(1)
        for _, part in cases:
            chance *= part
        shares[value] = shares.get(value, Fraction()) + chance
    return shares


SMALL: dict[str, list[tuple[Any, Chips]]] = {
    "one wager": [(V3, {"straight_up:17": 500})],
    "two rounds": [
        (V3, {"straight_up:17": 500, "split:17/20": 200, "red": 1_000}),
        (V3, {"dozen:1": 700, "straight_up:0": 100}),
    ],
    "three rounds": [
        (V3, {"red": 100}),
        (V3, {"low": 300}),
        (V3, {"corner:1/2/4/5": 5}),
    ],
    "two games": [(V3, {"red": 300}), (ZEROS, {"top_line": 100, "green": 50})],
    "a draw": [(FAST, {"straight_up:17": 100, "bonus_win": 50, "scatter_bonus": 7})],
    "nothing at risk": [(V3, {"red": 0})],
}


@pytest.mark.parametrize("name", SMALL)
def test_mean_variance_and_range_are_those_of_every_outcome(name: str) -> None:
    shares = _enumerated(SMALL[name])

    sums = _sums(SMALL[name])

    mean = sum((v * p for v, p in shares.items()), Fraction())
    square = sum((v * v * p for v, p in shares.items()), Fraction())
    assert sums.mean == mean
    assert sums.variance == square - mean**2
    assert (sums.least, sums.greatest) == (min(shares), max(shares))


@pytest.mark.parametrize("name", SMALL)
def test_convolved_bounds_are_the_quantiles_of_every_outcome(name: str) -> None:
    shares = _enumerated(SMALL[name])
    values = sorted(shares)

    for bound in bounds_of(_sums(SMALL[name])):
        tail = Fraction(100 - bound.level, 200)
        below = sum((shares[v] for v in values if v < bound.low), Fraction())
        above = sum((shares[v] for v in values if v > bound.high), Fraction())

        assert bound.method is BoundMethod.CONVOLUTION
        assert below <= tail
        assert above <= tail
        # No narrower bound would do.
        assert below + shares.get(bound.low, 0) > tail - Fraction(1, 10**8)
        assert above + shares.get(bound.high, 0) > tail - Fraction(1, 10**8)
        assert bound.low in shares
        assert bound.high in shares


@pytest.mark.parametrize(
    ("game", "area"),
    [(V3, "straight_up:17"), (V3, "dozen:2"), (ZEROS, "red"), (FAST, "straight_up:1")],
)
def test_rounds_that_are_alike_have_the_quantiles_of_the_odds(
    game: Any, area: str
) -> None:
    net = odds_of(game, area).net.scaled(100)
    rounds = 700

    sums = _sums([(game, {area: 100})], rounds)

    assert sums.mean == -net.mean * rounds
    assert sums.variance == net.variance * rounds
    for bound in bounds_of(sums):
        tail = Fraction(100 - bound.level, 200)
        assert bound.high == -int(sum_quantile(net, rounds, tail) or 0)
        assert bound.low == -int(sum_quantile(net, rounds, 1 - tail) or 0)


@pytest.mark.parametrize("name", ["two rounds", "a draw"])
def test_large_amounts_are_as_exact(name: str) -> None:
    factor = 10**12
    large = [(g, {a: c * factor for a, c in chips.items()}) for g, chips in SMALL[name]]

    small, sums = _sums(SMALL[name]), _sums(large)

    assert sums.mean == small.mean * factor
    assert sums.variance == small.variance * factor**2
    pairs = zip(bounds_of(small), bounds_of(sums), strict=True)
    assert all(one.low * factor == two.low for one, two in pairs)


def test_too_many_kinds_of_rounds_have_bounds_that_hold_for_any_distribution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = [(V3, {"straight_up:17": 100 + 10 * n, "red": 50}) for n in range(60)]
    exact = bounds_of(_sums(rounds))
    monkeypatch.setattr(bounds, "MOST_SHAPES", 50)

    sums = _sums(rounds)
    wide = bounds_of(sums)

    assert sums.shapes is None
    assert sums.variance == _sums(rounds[:40]).variance + _sums(rounds[40:]).variance
    for narrow, bound in zip(exact, wide, strict=True):
        assert narrow.method is BoundMethod.CONVOLUTION
        assert bound.method is BoundMethod.BERNSTEIN
        assert bound.low <= narrow.low < narrow.high <= bound.high
        assert narrow.normal_low == bound.normal_low
        assert narrow.normal_high == bound.normal_high


def test_bernstein_is_what_the_inequality_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probability, "_MOST_CELLS", 0)
    sums = _sums([(V3, {"straight_up:17": 100})], 10_000)

    low, high = bounds_of(sums)

    variance = 10_000 * 100**2 * 36**2 * Fraction(36, 37**2)
    assert sums.variance == variance
    furthest = 3_500 + 100 / 37  # from the mean of a round to its worst
    for bound in (low, high):
        reach = float(sums.mean) - bound.low
        chance = 2 * np.exp(
            -(reach**2) / (2 * (float(variance) + furthest * reach / 3))
        )
        assert chance == pytest.approx(1 - bound.level / 100, rel=1e-3)
        half = (bound.normal_high - bound.normal_low) / 2
        wanted = {95: 1.959964, 99: 2.575829}[bound.level]
        assert half == pytest.approx(wanted * sqrt(variance), rel=1e-6)


def _most(groups: int, chance: float) -> int:
    """More than so many of the groups lie outside once in ten thousand times."""
    chances = [
        comb(groups, k) * chance**k * (1 - chance) ** (groups - k)
        for k in range(groups + 1)
    ]
    return next(k for k in range(groups) if sum(chances[k + 1 :]) < 1e-4)


def test_bounds_cover_what_they_say_they_cover() -> None:
    rng = np.random.default_rng(95)
    areas = [area.name for area in ZEROS.areas]
    table = game_table(ZEROS)
    outside: Counter[int] = Counter()
    groups = 300
    for _ in range(groups):
        sums, won = RoundSums(), 0
        for _ in range(int(rng.integers(5, 40))):
            chips: Chips = {}
            for area in rng.choice(areas, size=int(rng.integers(1, 5))):
                chips[str(area)] = chips.get(str(area), 0) + 100 * int(
                    rng.integers(1, 9)
                )
            values = [value for value, _ in _by_case(ZEROS, chips)]
            sums.add(table, np.array([values], np.int64))
            won += values[int(rng.integers(0, 39))]
        for bound in bounds_of(sums):
            outside[bound.level] += not bound.holds(won)

    assert outside[95] <= _most(groups, 0.05)
    assert outside[99] <= _most(groups, 0.01)
    assert outside[95] >= groups * 0.05 / 5


def test_hits_are_a_sum_like_any_other() -> None:
    # Three areas of one round: 17 hits all of them, 20 one, every other number none.
    values = [
        sum(number in numbers for numbers in ({"17"}, {"17", "20"}, {"17", "16"}))
        for number in V3.numbers
    ]
    sums = RoundSums()

    sums.add(game_table(V3), np.array([values], np.int64))

    assert sums.mean == Fraction(3 + 1 + 1, 37)
    assert sums.variance == Fraction(9 + 1 + 1, 37) - Fraction(5, 37) ** 2
