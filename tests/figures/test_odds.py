"""`odds`: each figure of a wager and of a layout of chips, by enumeration."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.figures.choices import some_chips, some_limits, some_wager
from tests.figures.command import croupier, figures
from tests.figures.oracle.chance import Case, cases
from tests.figures.oracle.games import TABLES, Table, complete_bet, triple_zero
from tests.figures.oracle.moments import (
    central,
    covariance,
    hit_frequency,
    layout_spread,
    mean,
)
from tests.figures.oracle.settlement import Chips, Limits, Refused, lay, net

NO_LIMITS = Limits()


def check_wager(table: Table, row: dict[str, Any]) -> None:
    """Hold a wager's row against the enumeration of every case."""
    wager = row["wager"]
    pieces = len(table.places_of(wager))
    laid = lay(table, [Chips(wager, 1)], NO_LIMITS)
    likely = cases(table)
    nets = {
        Fraction(value, pieces): chance
        for value, chance in layout_spread(table, likely, laid).items()
    }
    variance, third = central(nets, 2), central(nets, 3)

    assert row["pieces"] == pieces
    assert Fraction(row["win_probability"]) == hit_frequency(table, likely, laid)
    assert Fraction(row["return"]) == 1 + mean(nets)
    assert Fraction(row["house_edge"]) == -mean(nets)
    assert Fraction(row["variance"]) == variance
    assert row["standard_deviation"] == pytest.approx(math.sqrt(variance), rel=1e-13)
    assert Fraction(row["third_central_moment"]) == third
    assert row["skewness"] == pytest.approx(float(third) / variance**1.5, rel=1e-12)
    assert Fraction(row["ahead_probability"]) == sum(
        chance for value, chance in nets.items() if value > 0
    )
    assert Fraction(row["maximum_win"]) == max(nets)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_wager_of_the_sheet(table: Table) -> None:
    sheet = figures("odds", table.name)

    assert {row["wager"] for row in sheet["wagers"]} == set(table.places)
    assert {row["wager"] for row in sheet["multiple_piece_wagers"]} == set(table.pieces)
    for row in sheet["wagers"] + sheet["multiple_piece_wagers"]:
        check_wager(table, row)
    assert sheet["bonus_draws"] == math.comb(40, 10) if table.links else 1
    assert {Fraction(chance) for chance in sheet["chances"].values()} == {
        Fraction(1, len(table.numbers))
    }


@pytest.mark.parametrize(
    ("table", "setting"),
    [
        (complete_bet(inside=True), "complete_dozen inside"),
        (triple_zero(single=True), "finale_zero single"),
        (
            triple_zero(ring=TABLES["rws-triple-zero"].numbers),
            "ring " + " ".join(TABLES["rws-triple-zero"].numbers),
        ),
    ],
    ids=["inside", "single", "ring"],
)
def test_wagers_under_other_settings(table: Table, setting: str) -> None:
    sheet = figures("odds", table.name, "--setting", setting)

    for row in sheet["multiple_piece_wagers"]:
        check_wager(table, row)


def check_layout(
    table: Table,
    chips: list[Chips],
    limits: Limits,
    *,
    placed: bool = False,
    warned: bool = False,
) -> None:
    """Hold the odds of chips under limits against the enumeration, or the refusal."""
    answer = croupier(
        "odds",
        table.name,
        *map(str, chips),
        *limits.options(),
        *(["--placed"] if placed else []),
        *(["--warned"] if warned else []),
        "--json",
    )
    try:
        laid = lay(table, chips, limits, placed=placed, warned=warned)
    except Refused:
        assert answer.status == 2, (chips, limits)
        return
    likely = cases(table)
    nets = layout_spread(table, likely, laid)
    layout = answer.json["layout"]
    stake = sum(piece.stake for wager in laid for piece in wager)
    variance, third = central(nets, 2), central(nets, 3)
    assert layout["stake_cents"] == stake
    assert layout["at_risk_cents"] == sum(p.at_risk for wager in laid for p in wager)
    assert Fraction(layout["mean_net_cents"]) == mean(nets)
    assert Fraction(layout["return"]) == 1 + mean(nets) / stake
    assert Fraction(layout["house_edge"]) == -mean(nets) / stake
    at_risk = layout["at_risk_cents"]
    if at_risk:
        assert Fraction(layout["house_edge_at_risk"]) == -mean(nets) / at_risk
    assert Fraction(layout["hit_frequency"]) == hit_frequency(table, likely, laid)
    assert Fraction(layout["ahead_probability"]) == sum(
        chance for value, chance in nets.items() if value > 0
    )
    assert Fraction(layout["variance_square_cents"]) == variance
    assert Fraction(layout["third_central_moment_cubic_cents"]) == third
    assert layout["standard_deviation_cents"] == pytest.approx(
        math.sqrt(variance), rel=1e-12
    )
    if variance:
        assert layout["skewness"] == pytest.approx(
            float(third) / float(variance) ** 1.5, rel=1e-12, abs=1e-12
        )
    assert layout["maximum_win_cents"] == max(nets)
    assert {
        row["net_cents"]: Fraction(row["probability"]) for row in layout["distribution"]
    } == nets


def some_layout(seed: int) -> None:
    """Check the odds of chips at random, laid or placed, warned or not."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    chips = some_chips(chance, table)
    check_layout(
        table,
        chips,
        some_limits(chance, table),
        placed=chance.random() < 0.3,
        warned=chance.random() < 0.3,
    )


@pytest.mark.parametrize("block", range(8))
def test_layouts_at_random(block: int) -> None:
    for seed in range(25 * block, 25 * block + 25):
        some_layout(seed)


def check_correlation(seed: int) -> None:
    """Hold two wagers' covariance and correlation against the enumeration."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    first = some_wager(chance, table)
    other = some_wager(chance, table)
    if first == other:
        return
    likely = cases(table)

    def per_unit(wager: str) -> Callable[[Case], Fraction]:
        laid = lay(table, [Chips(wager, 1)], NO_LIMITS)
        size = len(table.places_of(wager))
        return lambda case: Fraction(net(table, laid, case), size)

    one, two = per_unit(first), per_unit(other)
    both = covariance(likely, one, two)
    square = both * abs(both) / covariance(likely, one, one)
    square /= covariance(likely, two, two)

    [told] = figures("odds", table.name, first, other)["correlations"]

    assert told["wagers"] == [first, other]
    assert Fraction(told["covariance"]) == both
    assert Fraction(told["correlation_signed_square"]) == square
    assert told["correlation"] == pytest.approx(
        math.copysign(math.sqrt(abs(square)), square), rel=1e-12, abs=1e-15
    )


def test_correlations_at_random() -> None:
    for seed in range(25):
        check_correlation(seed)
