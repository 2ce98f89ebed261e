"""`wheel-check`: statistics, p-values and corrections, a second time."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.figures.command import figures
from tests.figures.oracle.chance import cases
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.settlement import wins
from tests.figures.oracle.statistics import (
    at_least,
    chi_square_tail,
    clopper_pearson,
    holm,
    twice_the_smaller_tail,
)
from tests.figures.oracle.wheel import (
    blocks_of_time,
    chi_square,
    furthest_arc,
    furthest_change,
    gathering,
    repeats,
    runs,
    simulated_p_value,
    single_numbers,
)

TRIALS = 800


def some_record(seed: int, table: Table, spins: int) -> list[str]:
    """Return outcomes of a wheel, with a bias of some neighbours in half of them."""
    chance = Random(seed)
    ring = table.ring or table.numbers
    weights = [1.0] * len(ring)
    if seed % 2:
        at = chance.randrange(len(ring))
        for step in range(4):
            weights[(at + step) % len(ring)] = 1.3
    return chance.choices(ring, weights, k=spins)


def same_chance(told: float, mine: float, trials: int = TRIALS) -> bool:
    """Say whether two p-values by fair wheels drawn differ no more than draws do."""
    spread = math.sqrt(mine * (1 - mine) / trials) + math.sqrt(told * (1 - told) / 9999)
    return abs(told - mine) <= 5 * spread + 3 / trials


def check_counts(table: Table, record: list[str], told: dict[str, Any]) -> None:
    """Check the tests that look at counts alone."""
    tests = {test["test"]: test for test in told["tests"]}
    counts = Counter(record)
    listed = [counts[number] for number in table.numbers]
    size, spins = len(table.numbers), len(record)
    assert told["outcomes"] == spins
    assert {n: told["counts"][n] for n in table.numbers} == {
        n: counts[n] for n in table.numbers
    }
    whole = tests["all compartments"]
    statistic = chi_square(listed)
    assert whole["statistic"] == pytest.approx(statistic, rel=1e-9)
    if spins / size >= 5:
        tail = chi_square_tail(statistic, size - 1)
        assert whole["p_value"] == pytest.approx(tail, rel=1e-7)
    assert tests["single numbers"]["p_value"] == pytest.approx(
        single_numbers(listed), rel=1e-7
    )
    again = repeats(record)
    assert tests["repeats"]["statistic"] == again
    assert tests["repeats"]["p_value"] == pytest.approx(
        twice_the_smaller_tail(spins - 1, 1 / size, again), rel=1e-7
    )
    many, of = runs(record)
    assert tests["runs of red and black"]["statistic"] == many
    assert tests["runs of red and black"]["p_value"] == pytest.approx(
        twice_the_smaller_tail(of - 1, 0.5, many - 1), rel=1e-7
    )


def check_ring(table: Table, record: list[str], told: dict[str, Any]) -> None:
    """Check the tests that look round the ring, against fair wheels drawn here."""
    tests = {test["test"]: test for test in told["tests"]}
    size, spins = len(table.ring), len(record)
    places = np.array([table.ring.index(number) for number in record])
    counts = np.bincount(places, minlength=size)
    arc, strength = furthest_arc(counts), gathering(places, size)
    sectors, distance = tests["sectors of neighbours"], tests["distance to the next"]
    assert sectors["statistic"] == pytest.approx(arc, rel=1e-9)
    assert distance["statistic"] == pytest.approx(strength, rel=1e-9)
    even = np.full(size, 1 / size)
    assert same_chance(
        sectors["p_value"],
        simulated_p_value(
            arc, lambda chance: furthest_arc(chance.multinomial(spins, even)), TRIALS
        ),
    )
    # Many steps round a ring that go anywhere: the strength is exponential.
    assert distance["p_value"] == pytest.approx(math.exp(-strength), abs=0.03)


def check_drift(table: Table, record: list[str], told: dict[str, Any]) -> None:
    """Check what is seen of a drift, in blocks and at moments of equal length."""
    tests = {test["test"]: test for test in told["tests"]}
    size = len(table.numbers)
    places = np.array([table.numbers.index(number) for number in record])
    in_blocks = tests["blocks of time"]
    many = int(in_blocks["pays_for"].split()[-4])
    if len(record) % many == 0:
        blocks = blocks_of_time(places, size, many)
        assert in_blocks["statistic"] == pytest.approx(blocks, rel=1e-9)
    change = furthest_change(places, size)
    assert tests["one change"]["statistic"] == pytest.approx(change, rel=1e-9)


def straight_up_return(table: Table) -> Fraction:
    """Return what a winning straight up brings back on average, its stake included."""
    likely = cases(table)
    place = f"straight_up:{table.numbers[-1]}"
    won = {c: w for c, w in likely.weights.items() if wins(table, place, c)}
    back = sum(w * (1 + table.pays("straight_up", c.status)) for c, w in won.items())
    return Fraction(back, sum(won.values()))


def check_interval(row: dict[str, Any], spins: int, level: float, back: float) -> None:
    """Hold an interval and an edge against Clopper and Pearson, and the payout."""
    low, high = clopper_pearson(spins, row["count"], level)
    told = row["probability"]
    assert told["value"] == pytest.approx(row["count"] / spins)
    assert told["low"] == pytest.approx(low, rel=1e-6, abs=1e-9)
    assert told["high"] == pytest.approx(high, rel=1e-6, abs=1e-9)
    for end in ("value", "low", "high"):
        edge = told[end] * back / len(row["numbers"]) - 1
        assert row["edge"][end] == pytest.approx(edge, rel=1e-9, abs=1e-9)


def check_intervals(table: Table, record: list[str], told: dict[str, Any]) -> None:
    counts, size, spins = Counter(record), len(table.numbers), len(record)
    back = straight_up_return(table)
    worth = told["worth_exploiting"]
    assert Fraction(worth["straight_up_return"]) == back
    assert worth["excess"] == pytest.approx(float(size / back - 1))
    intervals = told["intervals"]
    assert intervals["confidence"] == pytest.approx(1 - told["level"])
    groups = [intervals["numbers"], intervals.get("sectors") or []]
    assert len(groups[0]) == size
    assert len(groups[1]) in {0, size * (size // 2 - 1)}
    for group in groups:
        for row in group[:: max(1, len(group) // 20)]:
            assert row["count"] == sum(counts[number] for number in row["numbers"])
            share = spins * len(row["numbers"]) / size
            assert row["expected"] == pytest.approx(share)
            check_interval(row, spins, 1 - told["level"] / len(group), float(back))


def check_power(table: Table, spins: int, told: dict[str, Any]) -> None:
    """Check how likely one number that is too likely would be found, by its test."""
    size, power = len(table.numbers), told["power"][0]
    looks = len(told["tests"]) * size
    count = next(
        c
        for c in range(spins // size, spins + 1)
        if 2 * at_least(spins, 1 / size, c) * looks <= told["level"]
    )
    found = at_least(spins, (1 + power["excess"]) / size, count)
    assert power["probability"] == pytest.approx(found, rel=0.05, abs=0.002)
    nearly = at_least(spins, (1 + power["excess_found"]) / size, count)
    assert nearly == pytest.approx(power["with_probability"], abs=0.01)


def check_verdict(told: dict[str, Any]) -> None:
    """Check Holm's correction over the tests, and what counts as evidence."""
    corrected = holm([test["p_value"] for test in told["tests"]])
    for test, mine in zip(told["tests"], corrected, strict=True):
        assert test["corrected"] == pytest.approx(mine, rel=1e-9)
        assert test["evidence"] == (test["corrected"] <= told["level"])
    assert (told["verdict"] == "evidence of bias") == any(
        test["evidence"] for test in told["tests"]
    )


def check_wheel(seed: int, table: Table, spins: int, folder: Path) -> None:
    record = some_record(seed, table, spins)
    file = folder / f"wheel-{seed}.txt"
    file.write_text("".join(f"{number}\n" for number in record), encoding="utf-8")

    told = figures("wheel-check", str(file), "--game", table.name)

    check_counts(table, record, told)
    check_drift(table, record, told)
    check_intervals(table, record, told)
    check_power(table, spins, told)
    check_verdict(told)
    if table.ring:
        check_ring(table, record, told)


@pytest.mark.parametrize(
    ("seed", "name", "spins"),
    [
        (1, "mbs-roulette-v3", 1600),
        (2, "rws-triple-zero", 1000),
        (3, "mbs-fast-action-v2", 800),
        (4, "mbs-complete-bet-v2", 120),
    ],
)
def test_records_at_random(seed: int, name: str, spins: int, tmp_path: Path) -> None:
    check_wheel(seed, TABLES[name], spins, tmp_path)
