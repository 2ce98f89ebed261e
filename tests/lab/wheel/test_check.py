"""Fair wheels are left alone, and biased ones are found and named."""

from __future__ import annotations

import re
from collections import Counter
from math import comb
from typing import Any

import numpy as np
import polars as pl
import pytest

from croupier.lab.wheel.check import Verdict, WheelCheck, check_wheel
from croupier.lab.wheel.check_text import check_json, notes, verdict_lines
from croupier.lab.wheel.outcomes import read_wheel
from croupier.lab.wheel.record import CheckPlan
from croupier.lab.wheel.single_tests import (
    colour_changes,
    deviations,
    distances,
    furthest_arc,
    repeats,
    ring_arc,
)
from croupier.numeric.probability import least_above
from tests.lab.wheel.wheels import FAST, SPINS, V3, fair, weighted, wheel

WHEELS = 200
PLAN = CheckPlan(trials=1_999, orders=1_999, enough=10)
"""Fewer fair wheels to compare with: a false alarm is as rare, and they are quick."""


@pytest.fixture(scope="module")
def fair_checks() -> list[WheelCheck]:
    return [check_wheel(wheel(fair(seed)), PLAN) for seed in range(WHEELS)]


@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_fair_wheels_are_suspected_no_more_often_than_the_level(
    fair_checks: list[WheelCheck], level: float
) -> None:
    smallest = [min(each.corrected for each in check.judged) for check in fair_checks]

    alarms = sum(p_value <= level for p_value in smallest)

    # A fair wheel has more once in ten thousand times.
    assert alarms < least_above(WHEELS, level, 1e-4)
    # Holm is careful, and the tests overlap; but it must not be asleep.
    assert alarms >= WHEELS * level / 10


@pytest.mark.parametrize("level", [0.02, 0.1, 0.5])
def test_each_test_is_as_rarely_wrong_as_its_p_value_says(
    fair_checks: list[WheelCheck], level: float
) -> None:
    alarms = Counter(
        each.test.name
        for check in fair_checks
        for each in check.judged
        if each.test.p_value <= level
    )

    names = {each.test.name for each in fair_checks[0].judged}
    assert len(names) == 9
    too_many = least_above(WHEELS, level, 1e-4)
    assert all(alarms[name] < too_many for name in names)
    assert all(alarms[name] >= WHEELS * level / 10 for name in names)


def test_a_fair_wheel_gives_no_evidence_of_bias() -> None:
    check = check_wheel(wheel(fair(3)))

    assert check.verdict is Verdict.NO_EVIDENCE
    assert verdict_lines(check)[0] == "No evidence of bias at a level of 1 %."


def _evidence(places: Any) -> dict[str, Any]:
    check = check_wheel(wheel(places), PLAN)
    return {test.name: test for test in check.evidence}


@pytest.mark.parametrize("seed", range(5))
def test_one_number_that_comes_up_too_often_is_named(seed: int) -> None:
    found = _evidence(weighted(seed, {"17": 2.2}))

    assert "17" in found["single numbers"].named
    assert "17 came up" in found["single numbers"].seen


@pytest.mark.parametrize("seed", range(5))
def test_one_number_that_comes_up_too_rarely_is_named(seed: int) -> None:
    found = _evidence(weighted(seed, {"0": 0.15}))

    assert found["single numbers"].named == ("0",)


@pytest.mark.parametrize("seed", range(5))
def test_a_sector_is_named_though_no_number_of_it_stands_out(seed: int) -> None:
    tilted = dict.fromkeys(V3.ring[3:13], 1.25)

    found = _evidence(weighted(seed, tilted, 6_000))

    assert "single numbers" not in found
    assert len(tilted.keys() & set(found["sectors of neighbours"].named)) >= 8


@pytest.mark.parametrize("seed", range(5))
def test_a_sector_across_the_ends_of_the_ring_is_one_sector(seed: int) -> None:
    tilted = {"35", "3", "26", "0", "32", "15"}

    found = _evidence(weighted(seed, dict.fromkeys(tilted, 1.5)))

    assert len(tilted & set(found["sectors of neighbours"].named)) >= 5


@pytest.mark.parametrize("seed", range(5))
def test_a_number_that_becomes_likely_later_is_named_with_the_moment(seed: int) -> None:
    sound, worn = fair(seed), weighted(seed + 90, {"8": 3.5})

    found = _evidence(np.concatenate([sound, worn]))

    assert found["one change"].named == ("8",)
    seen = found["one change"].seen.replace(",", "")
    assert seen.startswith("8 came up ")
    place = int(seen.split(" from outcome ")[1].removesuffix(" on"))
    assert abs(place - 2_001) <= 400


def test_a_wheel_whose_bias_wanders_is_found_by_its_blocks() -> None:
    rng = np.random.default_rng(8)
    spells = []
    for spell in range(10):
        chances = np.ones(37)
        chances[[spell * 3, spell * 3 + 1]] = 4.0
        spells.append(rng.choice(37, size=400, p=chances / chances.sum()))

    found = _evidence(np.concatenate(spells))

    assert "blocks of time" in found
    assert "single numbers" not in found


def test_a_bias_that_stays_is_no_drift() -> None:
    drifting = [
        name
        for seed in range(40)
        for name in _evidence(weighted(seed, {"17": 3.0, "20": 2.0}))
        if name in ("blocks of time", "one change", "one change of a sector")
    ]

    assert len(drifting) <= 2


def test_a_wheel_that_repeats_itself_is_found() -> None:
    places = fair(4)
    again = np.random.default_rng(5).random(SPINS) < 0.04
    for place in np.flatnonzero(again[1:]) + 1:
        places[place] = places[place - 1]

    found = _evidence(places)

    assert "repeats" in found


def test_a_dealer_who_throws_the_same_distance_is_found() -> None:
    rng = np.random.default_rng(6)
    steps = rng.integers(0, 37, SPINS)
    usual = rng.random(SPINS) < 0.2
    steps[usual] = rng.integers(10, 17, int(usual.sum()))

    found = _evidence(np.cumsum(steps) % 37)

    assert list(found) == ["distance to the next"]
    assert "about 13 compartments clockwise" in found["distance to the next"].seen


def test_colours_that_take_turns_are_found() -> None:
    rng = np.random.default_rng(7)
    red = [p for p, n in enumerate(V3.ring) if n in ("1", "3", "5", "7", "9", "12")]
    black = [p for p, n in enumerate(V3.ring) if n in ("2", "4", "6", "8", "10", "11")]
    places = fair(7)
    for place in range(0, SPINS - 1, 8):
        places[place] = rng.choice(red)
        places[place + 1] = rng.choice(black)

    seen = colour_changes(wheel(places))

    assert seen.p_value < 0.001


def test_few_outcomes_leave_the_question_open() -> None:
    check = check_wheel(wheel(fair(1, 100)), PLAN)

    assert check.verdict is Verdict.TOO_FEW
    assert verdict_lines(check)[0].startswith("Too few outcomes to say")


@pytest.mark.parametrize("spins", [1, 2, 9, 10, 11, 37])
def test_a_handful_of_outcomes_is_no_mistake(spins: int) -> None:
    check = check_wheel(wheel(fair(1, spins)), PLAN)

    assert check.verdict is Verdict.TOO_FEW
    assert len(check.judged) == (9 if spins >= 10 else 0)


def test_a_hundred_times_the_same_number_is_no_chance() -> None:
    check = check_wheel(wheel([5] * 100), PLAN)

    assert check.verdict is Verdict.EVIDENCE
    assert {"all compartments", "single numbers", "repeats"} <= {
        test.name for test in check.evidence
    }


def test_counts_are_told_with_their_plural_and_their_thousands_apart() -> None:
    few = check_wheel(wheel([5, *range(6, 15)]), PLAN)
    many = check_wheel(wheel([1, 2, 3, 3] * 1_100), PLAN)

    said = [each.test.seen for each in (*few.judged, *many.judged)]
    assert not [each for each in said if " 1 times" in each or " 1 runs" in each]
    assert any(" 1 time " in each for each in said)
    assert re.findall(r"\d{4,}", " ".join(said)) == []


def test_where_the_ring_is_a_picture_sectors_are_left_out_and_it_says_so() -> None:
    check = check_wheel(wheel(fair(2, game=FAST), FAST), PLAN)

    names = [each.test.name for each in check.judged]
    assert "sectors of neighbours" not in names
    assert "distance to the next" not in names
    assert len(names) == 6
    assert any("W2" in note for note in notes(check))
    assert check_json(check)["left_out"] == ["sectors", "distances"]
    assert [power.what for power in check.powers] == ["one number"]


def test_power_is_what_simulated_wheels_show() -> None:
    record = wheel(fair(1))
    power = check_wheel(record, PLAN).powers[0]
    rng = np.random.default_rng(9)
    chances = np.full(37, (37 - 1.85) / 37 / 36)
    chances[0] = 1.85 / 37
    counts = rng.multinomial(SPINS, chances, size=4_000)

    # Found: the count's tail, doubled, times 37 numbers, times 9 tests, below 1 %.
    tails = np.cumsum(
        [comb(SPINS, k) * (1 / 37) ** k * (36 / 37) ** (SPINS - k) for k in range(200)]
    )
    least = int(np.flatnonzero(1 - tails <= 0.01 / 9 / 37 / 2)[0]) + 1
    found = float(np.mean(counts[:, 0] >= least))

    assert power.found(0.85) == pytest.approx(found, abs=0.02)
    assert power.smallest is not None
    assert power.found(power.smallest) == pytest.approx(0.9, abs=0.01)


def test_the_furthest_arc_is_the_one_that_a_plain_search_finds() -> None:
    counts = np.random.default_rng(11).multinomial(500, np.full(37, 1 / 37))

    arc = furthest_arc(counts)

    apart = {}
    for length in range(2, 19):
        for first in range(37):
            count = sum(int(counts[(first + k) % 37]) for k in range(length))
            share = length / 37
            spread = (500 * share * (1 - share)) ** 0.5
            apart[first, length] = (count - 500 * share) / spread
    best = max(apart, key=lambda key: abs(apart[key]))
    assert (arc.first, arc.length) == best
    assert arc.deviation == pytest.approx(apart[best])
    assert deviations(counts[np.newaxis]).shape == (1, 17, 37)


def test_an_arc_goes_on_over_the_ends_of_the_ring() -> None:
    counts = np.full(37, 10)
    counts[[36, 0, 1]] = 60

    arc = furthest_arc(counts)

    assert ring_arc(wheel([0]), arc.first, arc.length) == ("26", "0", "32")


def test_repeats_and_distances_are_counted_as_they_lie() -> None:
    record = wheel([3, 3, 3, 5, 4, 4])

    assert repeats(record).statistic == 3
    # The steps are 0 0 2 36 0: their directions add up to 3 + e(2/37) + e(-1/37).
    turn = 2 * np.pi / 37
    total = 3 + np.exp(2j * turn) + np.exp(-1j * turn)
    assert distances(record, PLAN).statistic == pytest.approx(abs(total) ** 2 / 5)


def test_green_numbers_make_no_run_and_break_none() -> None:
    names = ["1", "0", "3", "2", "0", "4", "5"]  # red red black black red
    record = read_wheel(names, game=V3)

    seen = colour_changes(record)

    assert seen.statistic == 3
    # Two changes in four: 2 × P(at most 2 of 4) is above 1.
    assert seen.p_value == 1


def test_the_same_plan_gives_the_same_figures() -> None:
    places = fair(5, 500)

    one, two = (check_json(check_wheel(wheel(places), PLAN)) for _ in range(2))

    assert one == two
    assert one["seed"] == 37


def test_outcomes_are_put_in_the_order_of_their_times() -> None:
    table = pl.DataFrame({"outcome": ["1", "2", "3"], "at_ms": [30, 10, 20]})

    record = read_wheel(table, game=V3)

    assert [record.ring[place] for place in record.places] == ["2", "3", "1"]
    assert record.when(0) == "outcome 1 (1970-01-01 00:00 UTC)"


def test_tests_and_intervals_have_frames() -> None:
    check = check_wheel(wheel(weighted(1, {"17": 3.0})), PLAN)

    tests, intervals = check.to_frame(), check.intervals.to_frame()

    assert tests["test"].to_list() == [each.test.name for each in check.judged]
    assert tests["corrected"].to_list() == [each.corrected for each in check.judged]
    [row] = intervals.filter(intervals["numbers"] == "17").to_dicts()
    [interval] = [each for each in check.intervals.numbers if each.numbers == ("17",)]
    assert row["probability_low"] == interval.probability.low
    assert row["edge_value"] == interval.edge.value
    assert intervals.height == 37 + 37 * 17
