"""`wheel-check`: statistics, p-values and corrections, a second time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.figures.command import figures
from tests.figures.oracle.games import Table
from tests.figures.oracle.statistics import at_least, holm
from tests.figures.wheels import (
    TRIALS,
    Looks,
    check_counts,
    check_drift,
    check_intervals,
    check_power,
    check_ring,
    check_seen,
)


def some_record(seed: int, table: Table, spins: int) -> list[str]:
    """Return outcomes of a wheel: fair, biased, or biased from some outcome on."""
    chance = Random(seed)
    ring = table.ring or table.numbers
    weights = [1.0] * len(ring)
    at, many, strong = chance.randrange(len(ring)), chance.choice((1, 4)), 1.0
    if seed % 2:
        strong = 2.5 if many == 1 else 1.7
    for step in range(many):
        weights[(at + step) % len(ring)] = strong
    fair = chance.randrange(spins) if seed % 4 == 3 else 0
    return chance.choices(ring, k=fair) + chance.choices(ring, weights, k=spins - fair)


def check_verdict(table: Table, spins: int, told: dict[str, Any]) -> None:
    """Check Holm's correction over the tests, and what is said of them."""
    corrected = holm([test["p_value"] for test in told["tests"]])
    for test, mine in zip(told["tests"], corrected, strict=True):
        assert test["corrected"] == pytest.approx(mine, rel=1e-9)
        assert test["evidence"] == (test["corrected"] <= told["level"])
    suspected = [
        (test["test"], test["since_outcome"], numbers)
        for test in told["tests"]
        if test["evidence"] and test["numbers"]
        for numbers in named(test)
    ]
    assert suspected == [
        (one["test"], one["since_outcome"], one["interval"]["numbers"])
        for one in told["suspected"]
    ]
    assert told["verdict"] == verdict(table, spins, told)


def named(test: dict[str, Any]) -> list[list[str]]:
    """Return the sets of numbers that a test suspects: single ones each by itself."""
    if test["test"] == "single numbers":
        return [[number] for number in test["numbers"]]
    return [test["numbers"]]


def verdict(table: Table, spins: int, told: dict[str, Any]) -> str:
    """Return what is to be said: nothing is seen, but would twice as likely be?"""
    if any(test["evidence"] for test in told["tests"]):
        return "evidence of bias"
    size = len(table.numbers)
    looks = len(told["tests"]) * size
    count = next(
        c
        for c in range(spins // size, spins + 2)
        if 2 * at_least(spins, 1 / size, c) * looks <= told["level"]
    )
    if at_least(spins, 2 / size, count) >= 0.9:
        return "no evidence of bias"
    return "too few outcomes to say"


def check_wheel(seed: int, table: Table, spins: int, folder: Path) -> None:
    record = some_record(seed, table, spins)
    file = folder / f"wheel-{seed}.txt"
    file.write_text("".join(f"{number}\n" for number in record), encoding="utf-8")

    told = figures("wheel-check", str(file), "--game", table.name)

    check_record(table, record, told, Looks(len(told["tests"])))
    check_verdict(table, spins, told)
    assert (told["trials"], told["orders"], told["seed"]) == (9999, 4999, 37)
    assert told["left_out"] == ([] if table.ring else ["sectors", "distances"])
    assert len(told["tests"]) == (9 if table.ring else 6)


def check_record(
    table: Table,
    record: Sequence[str],
    told: dict[str, Any],
    looks: Looks,
    orders: int = TRIALS,
) -> None:
    """Check all that is told of one record, but for what is corrected and said."""
    check_counts(table, record, told)
    check_drift(table, record, told, orders)
    check_intervals(table, record, told, looks)
    check_power(table, len(record), told, looks)
    check_seen(table, record, told)
    if table.ring:
        check_ring(table, record, told, orders)
