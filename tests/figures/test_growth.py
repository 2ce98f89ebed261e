"""`best-play --growth`: that the stakes grow as told, and that none grow faster."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.figures.command import figures
from tests.figures.oracle.games import TABLES
from tests.figures.oracle.growth import (
    exact_growth,
    greatest_growth,
    growth,
    growth_in_parts,
)
from tests.figures.oracle.settlement import write
from tests.figures.told import check_question


def check_told_growth(told: dict[str, Any], mine: Decimal) -> None:
    """Hold the growth and the time in which it doubles against fifty digits."""
    found, error = told["growth"], Decimal(told["growth"]["error"])
    assert abs(Decimal(found["value"]) - mine) <= error
    assert error <= abs(mine) * Decimal("1e-15")
    if "fraction" in found:
        assert Fraction(found["fraction"]) == 0 == mine
    doubled = told["doubling_rounds"]
    assert doubled == (pytest.approx(math.log(2) / float(mine)) if mine else None)


def check_growth(seed: int, most: int = 18) -> None:
    """Check the stakes of a wheel that favours a few numbers."""
    chance = Random(seed)
    table = TABLES[chance.choice(("mbs-roulette-v3", "rws-triple-zero"))]
    favoured = {
        number: Fraction(1, chance.randint(4, 24))
        for number in chance.sample(table.numbers, chance.randint(1, 3))
    }
    left = 1 - sum(favoured.values(), Fraction(0))
    rest = left / (len(table.numbers) - len(favoured))
    chances = {number: favoured.get(number, rest) for number in table.numbers}
    chip, bankroll = chance.choice((100, 500)), chance.randint(4, most)
    least, greatest = 1, bankroll
    limits: list[str] = []
    if chance.random() < 0.5:
        least, greatest = chance.randint(1, 2), chance.randint(2, 5)
        limits = ["--limits", f"* {write(least * chip)} {write(greatest * chip)}"]

    told = figures(
        *("best-play", table.name, "--growth", "--bankroll", write(bankroll * chip)),
        *("--chip", write(chip), *limits),
        *(w for n, p in favoured.items() for w in ("--chance", f"{n} {p}")),
    )

    stakes = {
        row["wager"].partition(":")[2]: row["stake_cents"] // chip
        for row in told["stakes"]
    }
    best = greatest_growth(chances, bankroll, range(least, greatest + 1))
    mine = growth(chances, stakes, bankroll)
    assert all(least <= stake <= greatest for stake in stakes.values() if stake)
    check_question(
        told,
        {
            "approved": False,
            "based_on": table.name,
            "bankroll_cents": bankroll * chip,
            "chip_cents": chip,
        },
    )
    check_told_growth(told, exact_growth(chances, stakes, bankroll))
    assert mine >= best - told["growth_excess"] - 1e-13
    assert mine <= best + 1e-13
    assert told["growth_any_layout"] >= best - 1e-13
    # All that may be laid on a number or several comes to parts of straight-ups.
    assert told["growth_any_layout"] <= growth_in_parts(chances.values()) + 1e-11
    if not limits:
        assert told["growth_any_layout"] >= growth_in_parts(chances.values()) - 1e-13
    assert told["staked_cents"] == chip * sum(stakes.values())
    net = sum(chances[n] * 36 * stake for n, stake in stakes.items())
    assert told["net_cents"] == pytest.approx(
        float((net - sum(stakes.values())) * chip), abs=1e-9
    )
    assert told["something_wins"] == pytest.approx(
        float(sum(chances[n] for n, stake in stakes.items() if stake))
    )
    for row in told["stakes"]:
        number = row["wager"].partition(":")[2]
        assert row["probability"] == pytest.approx(float(chances[number]))
        assert row["player_edge"] == pytest.approx(float(36 * chances[number] - 1))


def test_wheels_that_favour_numbers() -> None:
    for seed in range(5):
        check_growth(seed, most=10)
