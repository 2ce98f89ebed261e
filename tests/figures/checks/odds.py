"""`odds`: each figure of a wager and of a layout of chips, by enumeration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.figures.choices import some_chips, some_limits, some_wager
from tests.figures.command import croupier, figures
from tests.figures.oracle.chance import cases
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.moments import (
    central,
    covariance,
    hit_frequency,
    layout_spread,
    mean,
)
from tests.figures.oracle.settlement import (
    Chips,
    Limits,
    Piece,
    Refused,
    lay,
    net,
)

NO_LIMITS = Limits()


def check_row(table: Table, wager: Sequence[Piece], row: dict[str, Any]) -> None:
    """Hold a wager's row against the enumeration of every case, a unit staked."""
    stake = sum(piece.stake for piece in wager)
    at_risk = sum(piece.at_risk for piece in wager)
    likely = cases(table)
    nets = {
        Fraction(value, stake): chance
        for value, chance in layout_spread(table, likely, [wager]).items()
    }
    variance, third = central(nets, 2), central(nets, 3)

    assert row["pieces"] == len(wager)
    assert Fraction(row["win_probability"]) == hit_frequency(table, likely, [wager])
    assert Fraction(row["return"]) == 1 + mean(nets)
    assert Fraction(row["house_edge"]) == -mean(nets)
    assert Fraction(row["variance"]) == variance
    assert row["standard_deviation"] == pytest.approx(math.sqrt(variance), rel=1e-13)
    assert Fraction(row["third_central_moment"]) == third
    if variance:
        skewness = float(third) / float(variance) ** 1.5
        assert row["skewness"] == pytest.approx(skewness, rel=1e-12, abs=1e-12)
    assert Fraction(row["ahead_probability"]) == sum(
        chance for value, chance in nets.items() if value > 0
    )
    assert Fraction(row["maximum_win"]) == max(nets)
    if "at_risk" in row:
        assert Fraction(row["at_risk"]) == Fraction(at_risk, stake)
    if at_risk and "house_edge_at_risk" in row:
        edge = -mean(nets) * stake / at_risk
        assert Fraction(row["house_edge_at_risk"]) == edge


def check_wager(table: Table, row: dict[str, Any]) -> None:
    """Hold the row of a wager without limits against the enumeration."""
    [laid] = lay(table, [Chips(row["wager"], 1)], NO_LIMITS)
    check_row(table, laid, row)


def check_sheet(table: Table) -> None:
    sheet = figures("odds", table.name)

    assert {row["wager"] for row in sheet["wagers"]} == set(table.places)
    assert {row["wager"] for row in sheet["multiple_piece_wagers"]} == set(table.pieces)
    for row in sheet["wagers"] + sheet["multiple_piece_wagers"]:
        check_wager(table, row)
    assert sheet["bonus_draws"] == (math.comb(40, 10) if table.links else 1)
    assert sheet["compartments"] == len(table.numbers)
    assert (sheet["game"], sheet["limits"], sheet["liability"]) == (
        table.name,
        [],
        None,
    )
    assert {Fraction(chance) for chance in sheet["chances"].values()} == {
        Fraction(1, len(table.numbers))
    }


def check_setting(table: Table, setting: str) -> None:
    sheet = figures("odds", table.name, "--setting", setting)

    assert sheet["settings"] == [setting]
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
    told = answer.json
    layout = told["layout"]
    assert layout["chips"] == [str(one) for one in chips]
    assert [row["wager"] for row in told["wagers"]] == [one.wager for one in chips]
    for row, wager in zip(told["wagers"], laid, strict=True):
        check_row(table, wager, row)
    check_pairs(table, laid, told["correlations"])
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


def check_pairs(
    table: Table, laid: Sequence[Sequence[Piece]], told: list[dict[str, Any]]
) -> None:
    """Hold each pair of wagers, as they lie, against the enumeration of both."""
    likely = cases(table)
    nets = [[net(table, [wager], case) for case in likely.weights] for wager in laid]
    stakes = [sum(piece.stake for piece in wager) for wager in laid]
    variances = [covariance(likely, one, one) for one in nets]
    pairs = list(combinations(range(len(laid)), 2))
    for row, (one, other) in zip(told, pairs, strict=True):
        both = covariance(likely, nets[one], nets[other])
        scale = variances[one] * variances[other]
        square = both * abs(both) / scale if scale else Fraction(0)
        assert Fraction(row["covariance"]) == both / (stakes[one] * stakes[other])
        assert Fraction(row["correlation_signed_square"]) == square
        assert row["correlation"] == pytest.approx(
            math.copysign(math.sqrt(abs(square)), square), rel=1e-12, abs=1e-15
        )


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


def check_correlation(seed: int) -> None:
    """Hold two wagers' covariance and correlation against the enumeration."""
    chance = Random(seed)
    table = chance.choice(list(TABLES.values()))
    first = some_wager(chance, table)
    other = some_wager(chance, table)
    if first == other:
        return
    laid = lay(table, [Chips(first, 1), Chips(other, 1)], NO_LIMITS)

    [told] = figures("odds", table.name, first, other)["correlations"]

    assert told["wagers"] == [first, other]
    check_pairs(table, laid, [told])
