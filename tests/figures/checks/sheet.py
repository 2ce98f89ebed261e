"""PAR sheets: kinds, volatility, bands of the return, and the other formats."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from tests.figures.oracle.chance import cases
from tests.figures.oracle.games import Table
from tests.figures.oracle.moments import central, layout_spread, mean
from tests.figures.oracle.settlement import Chips, Limits, lay
from tests.figures.oracle.statistics import (
    binomial,
    check_quantile,
    normal_quantile,
    sum_of_rounds,
)


def nets_of(table: Table, wager: str) -> dict[int, Fraction]:
    """Return the net results of a unit on each piece."""
    laid = lay(table, [Chips(wager, 1)], Limits())
    return layout_spread(table, cases(table), laid)


def check_band(nets: dict[int, Fraction], pieces: int, band: dict[str, Any]) -> None:
    """Hold the ends of a band against the quantiles of the sum of the rounds."""
    rounds = band["rounds"]
    tail = (1 - band["level_percent"] / 100) / 2
    ends = ((band["return_low"], tail), (band["return_high"], 1 - tail))
    if band["method"] == "Cornish-Fisher":
        variance, third = float(central(nets, 2)), float(central(nets, 3))
        for end, level in ends:
            z = normal_quantile(level)
            bent = z + (z * z - 1) * third / variance**1.5 / math.sqrt(rounds) / 6
            off = float(mean(nets)) + bent * math.sqrt(variance / rounds)
            assert end == pytest.approx(1 + off / pieces, rel=1e-9)
        return
    if len(nets) == 2:
        low, high = nets
        start, chances = binomial(rounds, float(nets[high]))
        first, step = rounds * low + start * (high - low), high - low
    else:
        first, step, chances = sum_of_rounds(nets, rounds)
    for end, level in ends:
        net = round((end - 1) * rounds * pieces)
        assert end == pytest.approx(1 + net / rounds / pieces, rel=1e-12, abs=1e-12)
        assert check_quantile(first, step, chances, net, level), (band, net)


def check_kinds(table: Table, sheet: dict[str, Any], most_rounds: int) -> None:
    """Check each kind: that its wagers are alike, and each of its figures."""
    listed = [wager for kind in sheet["kinds"] for wager in kind["wagers"]]
    assert sorted(listed) == sorted([*table.places, *table.pieces])
    for kind in sheet["kinds"]:
        nets = nets_of(table, kind["wagers"][0])
        pieces = len(table.places_of(kind["wagers"][0]))
        assert all(nets_of(table, wager) == nets for wager in kind["wagers"][1:6])
        assert kind["volatility_index"] == pytest.approx(
            normal_quantile(0.95) * math.sqrt(central(nets, 2)) / pieces, rel=1e-9
        )
        assert {
            Fraction(row["net"]): Fraction(row["probability"])
            for row in kind["distribution"]
        } == {Fraction(value, pieces): chance for value, chance in nets.items()}
        assert len(kind["bands"]) == 15
        for band in kind["bands"]:
            if band["rounds"] <= most_rounds:
                check_band(nets, pieces, band)
