"""Each part of a wheel's check, held against a second computation of it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.figures.oracle.chance import cases
from tests.figures.oracle.drift import (
    MOMENTS,
    blocks_of_time,
    by_random_orders,
    change_of_a_number,
    change_of_a_sector,
    change_tails,
    moments,
)
from tests.figures.oracle.games import Table
from tests.figures.oracle.settlement import wins
from tests.figures.oracle.statistics import (
    at_least,
    chi_square_tail,
    clopper_pearson,
    twice_the_smaller_tail,
)
from tests.figures.oracle.wheel import (
    Places,
    arc_tails,
    chi_square,
    direction,
    furthest_arc,
    gathering,
    repeats,
    runs,
    simulated_p_value,
    single_numbers,
)

TRIALS = 250
"""Fair wheels, and orders of a record, that are drawn here."""


@dataclass(frozen=True)
class Looks:
    """How often was looked: at how many tests in all, in how many groups."""

    tests: int
    groups: int = 1


def same_chance(told: float, mine: float, drawn: int) -> bool:
    """Say whether two p-values by draws differ no more than draws do."""
    spread = math.sqrt(mine * (1 - mine) / TRIALS) + math.sqrt(
        told * (1 - told) / drawn
    )
    return abs(told - mine) <= 5 * spread + 4 / TRIALS


def check_counts(table: Table, record: Sequence[str], told: dict[str, Any]) -> None:
    """Check the tests that look only at counts."""
    tests = {test["test"]: test for test in told["tests"]}
    counts = Counter(record)
    listed = [counts[number] for number in table.numbers]
    size, spins = len(table.numbers), len(record)
    assert (told["game"], told["outcomes"]) == (table.name, spins)
    assert told["counts"] == {n: counts[n] for n in table.ring or table.numbers}
    assert told["ring"] == (list(table.ring) or None)
    whole = tests["all compartments"]
    statistic = chi_square(listed)
    assert whole["statistic"] == pytest.approx(statistic, rel=1e-9)
    if spins / size >= 5:
        tail = chi_square_tail(statistic, size - 1)
        assert whole["p_value"] == pytest.approx(tail, rel=1e-7)
    else:
        even = np.full(size, 1 / size)
        mine = simulated_p_value(
            statistic,
            lambda chance: chi_square(chance.multinomial(spins, even)),
            TRIALS,
        )
        assert same_chance(whole["p_value"], mine, 9999)
    single = tests["single numbers"]
    assert single["p_value"] == pytest.approx(single_numbers(listed), rel=1e-7)
    for number in single["numbers"]:
        tail = twice_the_smaller_tail(spins, 1 / size, counts[number])
        assert tail * size <= told["level"] + 1e-12
    again, (many, of) = repeats(record), runs(record)
    for name, count, trials, chance in (
        ("repeats", again, spins - 1, 1 / size),
        ("runs of red and black", many - 1, of - 1, 0.5),
    ):
        tail = twice_the_smaller_tail(trials, chance, count)
        assert tests[name]["statistic"] == (many if name[0:4] == "runs" else count)
        assert tests[name]["p_value"] == pytest.approx(tail, rel=1e-7)


def check_ring(
    table: Table, record: Sequence[str], told: dict[str, Any], trials: int = TRIALS
) -> None:
    """Check the tests that look round the ring, against fair wheels drawn here."""
    tests = {test["test"]: test for test in told["tests"]}
    size, spins = len(table.ring), len(record)
    places = np.array([table.ring.index(number) for number in record])
    counts = np.bincount(places, minlength=size)
    arc, strength = furthest_arc(counts), gathering(places, size)
    sectors, distance = tests["sectors of neighbours"], tests["distance to the next"]
    assert sectors["statistic"] == pytest.approx(arc, rel=1e-9)
    assert distance["statistic"] == pytest.approx(strength, rel=1e-9)
    if "exact tails" in sectors["method"]:
        tails = arc_tails(size, spins, arc)
        assert sectors["p_value"] == pytest.approx(tails, rel=1e-6)
    elif trials:
        even = np.full(size, 1 / size)
        mine = simulated_p_value(
            arc, lambda chance: furthest_arc(chance.multinomial(spins, even)), trials
        )
        assert same_chance(sectors["p_value"], mine, 9999)
    # Many steps round a ring that go anywhere: the strength is exponential.
    assert distance["p_value"] == pytest.approx(math.exp(-strength), abs=0.03)
    seen = re.search(r"about (\d+) compartments", distance["seen"])
    assert seen is None or int(seen[1]) == round(direction(places, size)) % size


def check_drift(
    table: Table, record: Sequence[str], told: dict[str, Any], orders: int = TRIALS
) -> None:
    """Check what is seen of a drift, against random orders drawn here."""
    tests = {test["test"]: test for test in told["tests"]}
    ring = table.ring or table.numbers
    size = len(ring)
    places = np.array([ring.index(number) for number in record])
    many = int(tests["blocks of time"]["pays_for"].split()[-4])
    found: dict[str, Callable[[Places], float]] = {
        "blocks of time": lambda order: blocks_of_time(order, size, many),
        "one change": lambda order: change_of_a_number(order, size).statistic,
    }
    if table.ring:
        found["one change of a sector"] = lambda order: (
            change_of_a_sector(order, size).statistic
        )
    for name, statistic in found.items():
        test = tests[name]
        assert test["statistic"] == pytest.approx(statistic(places), rel=1e-9)
        if "exact tails" in test["method"]:
            widths = range(2, size // 2 + 1) if "sector" in name else [1]
            tails = change_tails(places, size, widths, test["statistic"])
            assert tails * (1 - 1e-9) <= test["p_value"] <= 1.05 * tails
        elif "closed form" in test["method"]:
            tail = chi_square_tail(test["statistic"], (size - 1) * (many - 1))
            assert test["p_value"] == pytest.approx(tail, rel=1e-7)
        elif orders:
            check_orders(test, by_random_orders(places, statistic, orders))
    check_changes(ring, places, tests)


def check_orders(test: dict[str, Any], mine: float) -> None:
    """Hold a p-value against one by orders drawn here.

    The drawing ends at fifty that show as much: no more are needed to be sure of it.
    """
    drawn = re.match(r"([\d,]+) random orders", test["method"])
    assert drawn is not None, test["method"]
    sure = min(int(drawn[1].replace(",", "")), int(50 / max(mine, 0.01)))
    assert same_chance(test["p_value"], mine, sure), (test, mine)


def check_changes(
    ring: Sequence[str], places: Places, tests: dict[str, dict[str, Any]]
) -> None:
    """Check which numbers are told to have changed, and since when."""
    for name, find in (
        ("one change", change_of_a_number),
        ("one change of a sector", change_of_a_sector),
    ):
        if name not in tests:
            continue
        change, test = find(places, len(ring)), tests[name]
        at = test["since_outcome"] - 1
        named = [ring.index(number) for number in test["numbers"]]
        came = np.isin(places, named)
        before, since = int(came[:at].sum()), int(came[at:].sum())
        assert at in moments(len(places))
        assert plain(test["seen"]) == (
            f"{' '.join(test['numbers'])} came up {before:,} times in the first {at:,} "
            f"outcomes and {since:,} times in the {len(places) - at:,} from outcome "
            f"{at + 1:,} on"
        )
        if (tuple(named), at) != (change.places, change.first):
            # Another one is as far: a set of numbers and all others change alike.
            off = abs(before - (before + since) * at / len(places))
            assert off == pytest.approx(_off(places, change.places, change.first))


def _off(places: Places, named: Sequence[int], first: int) -> float:
    came = np.isin(places, named)
    return abs(float(came[:first].sum() - came.sum() * first / len(places)))


def plain(seen: str) -> str:
    """Leave out the time of an outcome and the plural of a word."""
    return re.sub(r"\b1 time\b", "1 times", re.sub(r" \([\d :-]+ UTC\)", "", seen))


def check_seen(table: Table, record: Sequence[str], told: dict[str, Any]) -> None:
    """Check the figures in what was seen."""
    tests = {test["test"]: plain(test["seen"]) for test in told["tests"]}
    counts, spins, size = Counter(record), len(record), len(table.numbers)
    statistic = chi_square([counts[number] for number in table.numbers])
    seen = _read(
        r"chi-square of all (\S+) counts is (\S+); (\S+) is", tests["all compartments"]
    )
    _check_told(seen, size, statistic, size - 1)
    number, *seen = _read(
        r"(\w+) came up (\S+) times; (\S+) are expected of", tests["single numbers"]
    )
    _check_told(seen, counts[number], spins / size)
    seen = _read(r".* again (\S+) times in (\S+); (\S+) are", tests["repeats"])
    _check_told(seen, repeats(record), spins - 1, (spins - 1) / size)
    many, of = runs(record)
    seen = _read(r".* make (\S+) runs; (\S+) are", tests["runs of red and black"])
    _check_told(seen, many, (of - 1) / 2 + 1)
    number, *seen = _read(
        r"(\w+) came up (\S+) times from outcome (\S+) to outcome (\S+); (\S+) would",
        tests["blocks of time"],
    )
    start, end = (int(text.replace(",", "")) for text in seen[1:3])
    here = record[start - 1 : end].count(number)
    share = counts[number] * (end - start + 1) / spins
    _check_told(seen, here, start, end, share)
    if table.ring:
        numbers, *seen = _read(
            r"([\w ]+) came up (\S+) times together; (\S+) are",
            tests["sectors of neighbours"],
        )
        named = numbers.split()
        together = sum(counts[number] for number in named)
        _check_told(seen, together, spins * len(named) / size)


def _check_told(seen: Sequence[str], *mine: float) -> None:
    """Hold figures in a sentence against the right ones, rounded to a tenth."""
    told = [float(text.replace(",", "")) for text in seen]
    assert told == [pytest.approx(value, abs=0.0501) for value in mine]


def _read(pattern: str, text: str) -> list[str]:
    found = re.match(pattern, text)
    assert found is not None, text
    return [str(group) for group in found.groups()]


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


def check_intervals(
    table: Table, record: Sequence[str], told: dict[str, Any], looks: Looks
) -> None:
    """Check the intervals of numbers and sectors, and of suspicions."""
    counts, size, spins = Counter(record), len(table.numbers), len(record)
    back, level = straight_up_return(table), told["level"] / looks.groups
    worth = told["worth_exploiting"]
    assert Fraction(worth["straight_up_return"]) == back
    assert worth["excess"] == pytest.approx(float(size / back - 1))
    intervals = told["intervals"]
    assert intervals["confidence"] == pytest.approx(1 - level)
    groups = [intervals["numbers"], intervals.get("sectors") or []]
    assert len(groups[0]) == size
    assert len(groups[1]) == (size * (size // 2 - 1) if table.ring else 0)
    for group in groups:
        for row in group[:: max(1, len(group) // 12)]:
            assert row["count"] == sum(counts[number] for number in row["numbers"])
            share = spins * len(row["numbers"]) / size
            assert row["expected"] == pytest.approx(share)
            check_interval(row, spins, 1 - level / len(group), float(back))
    for one in told["suspected"]:
        check_suspected(table, record, one, level)


def check_suspected(
    table: Table, record: Sequence[str], told: dict[str, Any], level: float
) -> None:
    """Check the interval of a suspicion, which may count only later outcomes."""
    row, size = told["interval"], len(table.numbers)
    since = told["since_outcome"]
    here = record[since - 1 :] if since else record
    many = size if len(row["numbers"]) == 1 else size * (size // 2 - 1)
    many *= MOMENTS if since else 1
    assert row["count"] == sum(number in row["numbers"] for number in here)
    assert row["expected"] == pytest.approx(len(here) * len(row["numbers"]) / size)
    back = float(straight_up_return(table))
    check_interval(row, len(here), 1 - level / many, back)


def check_power(table: Table, spins: int, told: dict[str, Any], looks: Looks) -> None:
    """Check how likely one number that is too likely would be found, by its test."""
    size, power = len(table.numbers), told["power"][0]
    worth = told["worth_exploiting"]["excess"]

    def found(spins: int, excess: float) -> float:
        count = next(
            c
            for c in range(spins // size, spins + 1)
            if 2 * at_least(spins, 1 / size, c) * looks.tests * size <= told["level"]
        )
        return at_least(spins, (1 + excess) / size, count)

    assert power["what"] == "one number"
    assert power["probability"] == pytest.approx(
        found(spins, power["excess"]), rel=0.05, abs=0.002
    )
    assert power["worthwhile_probability"] == pytest.approx(
        found(spins, worth), rel=0.05, abs=0.002
    )
    nearly = found(spins, power["excess_found"])
    assert nearly == pytest.approx(power["with_probability"], abs=0.01)
    needed = found(power["worthwhile_outcomes"], worth)
    assert needed == pytest.approx(power["with_probability"], abs=0.02)
