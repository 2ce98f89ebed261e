"""`wheel-check --by`, and of journals: each group by itself, and all corrected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.figures.checks.wheel_check import check_record, check_verdict, some_record
from tests.figures.command import figures
from tests.figures.files import write_rows
from tests.figures.journals import some_journal
from tests.figures.oracle.drift import by_random_orders
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.journal import read_journal
from tests.figures.oracle.statistics import chi_square_tail, holm
from tests.figures.oracle.wheel import Places
from tests.figures.told import check_question
from tests.figures.wheels import TRIALS, Looks, same_chance

SAME = ("level", "trials", "orders", "seed")
"""What is told of all groups, and of each again."""


Groups = Mapping[tuple[str, ...], list[str]]


def check_groups(table: Table, groups: Groups, told: dict[str, Any]) -> None:
    """Check each group by itself, whether they differ, and how all are corrected."""
    tests = [test for group in told["groups"] for test in group["tests"]]
    tests.append(told["difference"])
    corrected = holm([test["p_value"] for test in tests])
    for test, mine in zip(tests, corrected, strict=True):
        assert test["corrected"] == pytest.approx(mine, rel=1e-9)
        assert test["evidence"] == (test["corrected"] <= told["level"])
    looks = Looks(told["tests"], len(told["groups"]))
    assert looks == Looks(len(tests), len(groups))
    assert told["outcomes"] == sum(len(record) for record in groups.values())
    assert (told["verdict"] == "evidence of bias") == any(t["evidence"] for t in tests)
    for at, group in enumerate(told["groups"]):
        record = groups[tuple(group["group"][key] for key in told["by"])]
        # Drawing orders takes long: only those of one group are drawn a second time.
        check_record(table, record, group, looks, orders=TRIALS if at == 0 else 0)
        check_question(group, {key: told[key] for key in SAME})
        suspicious = any(test["evidence"] for test in group["tests"])
        assert (group["verdict"] == "evidence of bias") == suspicious
    check_difference(table, groups, told["difference"])


def between_groups(places: Places, sizes: Sequence[int], size: int) -> float:
    """Return the chi-square of the groups' counts against the whole record's."""
    whole = np.bincount(places, minlength=size)
    total = 0.0
    for block in np.split(places, np.cumsum(sizes)[:-1]):
        expected = whole * len(block) / len(places)
        seen = np.bincount(block, minlength=size)
        there = expected > 0
        total += float(((seen - expected)[there] ** 2 / expected[there]).sum())
    return total


def check_difference(table: Table, groups: Groups, told: dict[str, Any]) -> None:
    size, sizes = len(table.numbers), [len(record) for record in groups.values()]
    together = [number for record in groups.values() for number in record]
    places = np.array([table.numbers.index(number) for number in together])
    statistic = between_groups(places, sizes, size)
    free = (size - 1) * (len(groups) - 1)
    assert told["statistic"] == pytest.approx(statistic, rel=1e-9)
    assert told["seen"] == (
        f"chi-square of the groups against all is {statistic:,.1f}; {free:,} is usual"
    )
    if "closed form" in told["method"]:
        assert told["p_value"] == pytest.approx(chi_square_tail(statistic, free))
        return
    mine = by_random_orders(places, lambda o: between_groups(o, sizes, size), TRIALS)
    assert same_chance(told["p_value"], mine, int(50 / max(mine, 0.01)))


def grouped(
    rows: Sequence[dict[str, str]], keys: Sequence[str]
) -> dict[tuple[str, ...], list[str]]:
    out: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in rows:
        out[tuple(row[key] for key in keys)].append(row["outcome"])
    return dict(out)


def check_file(seed: int, folder: Path, *, spins: int = 450) -> None:
    """Check a file of outcomes at random by Dealer, wheel and table."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    rows = [
        {
            "outcome": outcome,
            "dealer": chance.choice(("Ana", "Bo")),
            "wheel": chance.choice(("east", "west")),
        }
        for outcome in some_record(seed, table, spins)
    ]
    keys = chance.choice((["dealer"], ["wheel"], ["dealer", "wheel"]))
    file = folder / f"outcomes-{seed}.csv"
    write_rows(file, rows)
    words = [word for key in keys for word in ("--by", key)]
    if "wheel" not in keys:
        wheel = chance.choice(("east", "west"))
        words += ["--wheel", wheel]
        rows = [row for row in rows if row["wheel"] == wheel]

    told = figures("wheel-check", str(file), "--game", table.name, *words)

    assert told["by"] == keys
    check_groups(table, grouped(rows, keys), told)


def check_journal(seed: int, folder: Path, *, rounds: int = 150) -> None:
    """Check the wheel of a journal, whole and by Dealer."""
    table = TABLES[("mbs-roulette-v2", "rws-triple-zero")[seed % 2]]
    file = folder / f"wheel-{seed}.jsonl"
    some_journal(seed, file, tables={"t1": table, "t2": table}, rounds=rounds)
    rows = [
        {"outcome": one.last.winning_number, "dealer": one.dealer}
        for one in sorted(read_journal(file).rounds, key=lambda one: one.number)
        if one.place == "t1" and one.last.winning_number is not None
    ]
    words = ("wheel-check", str(file), "--table", "t1")

    told, by_dealer = figures(*words), figures(*words, "--by", "dealer")

    record = [row["outcome"] for row in rows]
    check_record(table, record, told, Looks(len(told["tests"])))
    check_verdict(table, len(record), told)
    check_groups(table, grouped(rows, ["dealer"]), by_dealer)
