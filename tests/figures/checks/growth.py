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
    growth_on_areas,
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
    # No whole stakes grow faster than the best in parts of chips.
    assert mine <= growth_in_parts(chances.values()) + 1e-13
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


APART = (("dozen:1", "dozen:3"), ("column:2", "column:3"), ("red", "black"))


def check_growth_on_areas(seed: int) -> None:
    """Check the stakes on one or two areas whose numbers a wheel favours."""
    chance, table = Random(seed), TABLES["mbs-roulette-v3"]
    places = chance.choice(APART)[: chance.randint(1, 2)]
    numbers = [n for place in places for n in table.places[place].numbers]
    likely = Fraction(1, len(numbers)) * Fraction(chance.randint(86, 97), 100)
    bankroll = chance.randint(8, 40)

    told = figures(
        *("best-play", table.name, "--growth", "--bankroll", str(bankroll)),
        *(word for n in numbers for word in ("--chance", f"{n} {likely}")),
        *(word for place in places for word in ("--area", place)),
    )

    wins = [likely * len(table.places[place].numbers) for place in places]
    pays = [table.pays(table.places[place].type) for place in places]
    best = growth_on_areas(list(zip(wins, pays, strict=True)), bankroll, most=bankroll)
    assert told["growth"]["value"] == pytest.approx(best, rel=1e-9, abs=1e-14)
    for row in told["stakes"]:
        at = places.index(row["wager"])
        assert row["probability"] == pytest.approx(float(wins[at]))
        edge = wins[at] * (pays[at] + 1) - 1
        assert row["player_edge"] == pytest.approx(float(edge))
