"""Sums over rounds: exact by enumeration, and bounds that hold."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest

from croupier.audit.report import round_sums
from croupier.audit.report.bounds import Bound, Judgement, holm_enclosed, judge
from croupier.audit.report.round_sums import RoundSums
from croupier.audit.report.rounds import game_table
from croupier.games import find_game
from croupier.numeric.figure import BoundedValue
from croupier.numeric.probability import least_above
from croupier.numeric.sums import RoundKinds, SumMethod, not_shown_negligible
from croupier.odds import odds_of
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


def _bounds(sums: RoundSums) -> tuple[Bound, ...]:
    return judge(0, sums).bounds


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

    for bound in _bounds(_sums(SMALL[name])):
        tail = Fraction(100 - int(bound.level), 200)
        below = sum((shares[v] for v in values if v < bound.low), Fraction())
        above = sum((shares[v] for v in values if v > bound.high), Fraction())

        assert bound.method is SumMethod.CONVOLUTION
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
    for bound in _bounds(sums):
        tail = Fraction(100 - int(bound.level), 200)
        assert bound.high == -int(sum_quantile(net, rounds, tail) or 0)
        assert bound.low == -int(sum_quantile(net, rounds, 1 - tail) or 0)


@pytest.mark.parametrize("name", ["two rounds", "a draw"])
def test_large_amounts_are_as_exact(name: str) -> None:
    factor = 10**12
    large = [(g, {a: c * factor for a, c in chips.items()}) for g, chips in SMALL[name]]

    small, sums = _sums(SMALL[name]), _sums(large)

    assert sums.mean == small.mean * factor
    assert sums.variance == small.variance * factor**2
    pairs = zip(_bounds(small), _bounds(sums), strict=True)
    assert all(one.low * factor == two.low for one, two in pairs)


def test_too_many_kinds_of_rounds_have_bounds_that_hold_for_any_distribution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = [(V3, {"straight_up:17": 100 + 10 * n, "red": 50}) for n in range(60)]
    exact = _bounds(_sums(rounds))
    monkeypatch.setattr(round_sums, "MOST_SHAPES", 50)

    sums = _sums(rounds)
    wide = _bounds(sums)

    assert sums.shapes is None
    assert sums.variance == _sums(rounds[:40]).variance + _sums(rounds[40:]).variance
    for narrow, bound in zip(exact, wide, strict=True):
        assert narrow.method is SumMethod.CONVOLUTION
        assert bound.method is SumMethod.BERNSTEIN
        assert bound.low <= narrow.low < narrow.high <= bound.high
        assert narrow.normal_low == bound.normal_low
        assert narrow.normal_high == bound.normal_high


def test_bernstein_bounds_follow_the_inequality(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(round_sums, "MOST_SHAPES", 0)
    sums = _sums([(V3, {"straight_up:17": 100})], 10_000)

    low, high = _bounds(sums)

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
        wanted = {95: 1.959964, 99: 2.575829}[int(bound.level)]
        assert half == pytest.approx(wanted * sqrt(variance), rel=1e-6)


def test_bounds_cover_their_level() -> None:
    rng = np.random.default_rng(95)
    areas = [area.name for area in ZEROS.areas]
    table = game_table(ZEROS)
    outside: Counter[int] = Counter()
    groups = 300
    for _ in range(groups):
        sums, won = RoundSums(), 0
        for _ in range(int(rng.integers(5, 20))):
            chips: Chips = {}
            for area in rng.choice(areas, size=int(rng.integers(1, 5))):
                chips[str(area)] = chips.get(str(area), 0) + 100 * int(
                    rng.integers(1, 9)
                )
            values = [value for value, _ in _by_case(ZEROS, chips)]
            sums.add(table, np.array([values], np.int64))
            won += values[int(rng.integers(0, 39))]
        for bound in _bounds(sums):
            outside[int(bound.level)] += not bound.low <= won <= bound.high

    assert outside[95] < least_above(groups, 0.05, 1e-4)
    assert outside[99] < least_above(groups, 0.01, 1e-4)
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


def _said(p_value: BoundedValue, *, is_below: bool = True) -> str:
    bounds = tuple(
        Bound(level, -1, 1, SumMethod.CONVOLUTION, 0.0, 0.0) for level in (95, 99)
    )
    return Judgement(0, is_below, bounds, p_value).says


def test_verdicts_are_proven() -> None:
    said = [
        _said(BoundedValue(0.051, 0.051, 0.051)),
        _said(BoundedValue(0.049, 0.049, 0.051)),
        _said(BoundedValue(0.049, 0.049, 0.049)),
        _said(BoundedValue(0.009, 0.009, 0.011)),
        _said(BoundedValue(0.009, 0.009, 0.009)),
        _said(BoundedValue(0.009, 0.009, 0.009), is_below=False),
        _said(BoundedValue(0.0, 0.0, 1.0)),
    ]

    assert said == [
        "within 95 %",
        "not shown to be outside 95 %",
        "within 99 %",
        "not shown to be outside 99 %",
        "below 99 %",
        "above 99 %",
        "not shown to be outside 95 %",
    ]


@pytest.mark.parametrize("name", SMALL)
def test_the_p_value_is_twice_the_smaller_tail_of_every_outcome(name: str) -> None:
    shares = _enumerated(SMALL[name])
    sums = _sums(SMALL[name])

    for value in list(shares)[:60]:
        below = sum((p for v, p in shares.items() if v <= value), Fraction())
        above = sum((p for v, p in shares.items() if v >= value), Fraction())
        p_value = min(Fraction(1), 2 * min(below, above))

        found = judge(value, sums).p_value

        assert found.low <= p_value <= found.high
        assert found.high - found.low < 1e-9


def test_a_figure_that_no_game_gives_has_no_p_value_left() -> None:
    sums = _sums([(V3, {"straight_up:17": 100})], 50)

    assert judge(sums.greatest + 1, sums).p_value == BoundedValue(0.0, 0.0, 0.0)
    assert judge(sums.least - 1, sums).says == "below 99 %"


def test_loose_bounds_say_only_what_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_sums, "MOST_SHAPES", 0)
    sums = _sums([(V3, {"red": 100})], 400)

    # The deviation is 20 wins; Berry and Esseen's bound on each tail is 0.56/20.
    assert judge(int(sums.mean), sums).says == "within 95 %"
    assert judge(int(sums.mean) + 4_400, sums).says == "not shown to be outside 95 %"
    assert judge(30_000, sums).says == "above 99 %"
    p_value = judge(int(sums.mean) + 4_400, sums).p_value
    assert p_value.high - p_value.value == pytest.approx(0.056, rel=0.05)
    # Bernstein's inequality at 300 wins more than expected.
    spread = 2 * (float(sums.variance) + sums.furthest * (30_000 - sums.mean) / 3)
    expected = 2 * np.exp(-(float(30_000 - sums.mean) ** 2) / float(spread))
    assert judge(30_000, sums).p_value.high == pytest.approx(expected, rel=1e-6)


def test_third_moments_are_those_of_every_outcome() -> None:
    sums = _sums(SMALL["two rounds"])

    third = size = Fraction()
    for game, chips in SMALL["two rounds"]:
        cases = _by_case(game, chips)
        mean = sum((v * p for v, p in cases), Fraction())
        third += sum(((v - mean) ** 3 * p for v, p in cases), Fraction())
        size += sum((abs(v - mean) ** 3 * p for v, p in cases), Fraction())

    assert sums.third == pytest.approx(float(third))
    assert float(size) <= sums.third_size <= float(size) * (1 + 1e-8)


def test_a_skipped_wave_is_negligible() -> None:
    """Of 400 rounds, held against the product of all their waves."""
    rng = np.random.default_rng(3)
    table, points = game_table(V3), 6_000
    areas = rng.integers(0, len(table.type_of), (400, 4))
    values = -(rng.integers(1, 9, (400, 4, 1)) * table.pays[areas]).sum(axis=1)
    sums = RoundSums()
    sums.add(table, values)
    kinds = RoundKinds.of(sums.shapes or {})
    assert kinds is not None
    waves = np.ones(points // 2 + 1)
    for row in (values - values.min(axis=1, keepdims=True)) // kinds.step:
        chances = np.bincount(row % points, minlength=points) / 37
        waves *= np.abs(np.fft.rfft(chances))

    looked_at = not_shown_negligible(kinds, points)

    others = np.setdiff1d(np.arange(1, len(waves)), looked_at)
    assert waves[others].max() < 1e-12
    assert 0 < len(looked_at) < 4 * np.count_nonzero(waves[1:] > 1e-12)


def test_holm_corrects_p_values_for_their_number() -> None:
    # 0.01 × 4, 0.015 × 3, 0.04 × 2 and 0.03 × 2, none below the one before it.
    p_values = [BoundedValue(p, p, p) for p in (0.04, 0.01, 0.03, 0.015)]

    corrected = [each.high for each in holm_enclosed(p_values)]

    assert corrected == pytest.approx([0.06, 0.04, 0.06, 0.045])
    assert holm_enclosed(
        [BoundedValue(0.4, 0.4, 0.6), BoundedValue(0.5, 0.5, 0.7)]
    ) == [BoundedValue(0.8, 0.8, 1.0), BoundedValue(0.8, 0.8, 1.0)]
    assert holm_enclosed([]) == []


def test_thousands_of_different_rounds_are_judged_by_their_waves() -> None:
    """More than 2,000 rounds of their own kind, held against a Fourier transform."""
    rng = np.random.default_rng(13)
    table, points = game_table(V3), 1 << 16
    stakes = rng.integers(1, 6, (2_500, 3, 1))
    areas = rng.integers(0, len(table.type_of), (2_500, 3))
    values = -(stakes * table.pays[areas]).sum(axis=1)
    sums = RoundSums()
    sums.add(table, values)
    waves = np.ones(points // 2 + 1, np.complex128)
    for row in values:
        waves *= np.fft.rfft(np.bincount(row % points, minlength=points) / 37)
    chances = np.fft.fftshift(np.fft.irfft(waves, points))
    at_most = np.cumsum(chances)

    for chance, said in [
        (0.0048, "below 99 %"),
        (0.0055, "within 99 %"),
        (0.0240, "within 99 %"),
        (0.0260, "within 95 %"),
        (0.9740, "within 95 %"),
        (0.9770, "within 99 %"),
        (0.9960, "above 99 %"),
    ]:
        value = int(np.searchsorted(at_most, chance)) - points // 2

        judged = judge(value, sums)

        below = at_most[value + points // 2]
        above = 1 - at_most[value + points // 2 - 1]
        assert judged.says == said
        assert judged.bounds[0].method is SumMethod.CONVOLUTION
        p_value = 2 * min(below, above)
        assert judged.p_value.low <= p_value <= judged.p_value.high
        assert judged.p_value.high <= p_value * 1.03
    for bound in _bounds(sums):
        tail = (1 - bound.level / 100) / 2
        low, high = np.searchsorted(at_most, [tail, 1 - tail]) - points // 2
        reach = 0.01 * sqrt(sums.variance)
        assert low - reach <= bound.low <= low
        assert high <= bound.high <= high + reach
