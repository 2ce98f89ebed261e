"""PAR sheets: kinds, volatility, bands of the return, and the other formats."""

from __future__ import annotations

import csv
import io
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.figures.command import croupier, figures
from tests.figures.oracle.chance import cases
from tests.figures.oracle.games import TABLES, Table
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


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_kind_and_its_bands(table: Table) -> None:
    check_kinds(table, figures("odds", table.name), most_rounds=10_000)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_csv_has_the_same_figures(table: Table) -> None:
    rows = list(csv.DictReader(io.StringIO(croupier("odds", table.name, "--csv").out)))

    assert {row["wager"] for row in rows} == {*table.places, *table.pieces}
    for row in rows[:: max(1, len(rows) // 40)]:
        nets = nets_of(table, row["wager"])
        pieces = len(table.places_of(row["wager"]))
        assert row["game"] == table.name
        assert int(row["pieces"]) == pieces
        assert Fraction(row["return"]) == 1 + mean(nets) / pieces
        assert Fraction(row["house_edge"]) == -mean(nets) / pieces
        assert Fraction(row["variance"]) == central(nets, 2) / pieces**2
        assert Fraction(row["maximum_win"]) == Fraction(max(nets), pieces)
        assert float(row["standard_deviation"]) == pytest.approx(
            math.sqrt(central(nets, 2)) / pieces, rel=1e-12
        )
        assert float(row["skewness"]) == pytest.approx(
            float(central(nets, 3)) / float(central(nets, 2)) ** 1.5, rel=1e-12
        )


def test_the_page_has_every_fraction(tmp_path: Path) -> None:
    page = tmp_path / "sheet.html"
    table = TABLES["mbs-fast-action-v2"]

    assert croupier("odds", table.name, "--html", str(page)).status == 0

    text = page.read_text(encoding="utf-8")
    for wager in ("straight_up:17", "bonus_win", "super_bonus_win", "scatter_bonus"):
        nets = nets_of(table, wager)
        for figure in (1 + mean(nets), -mean(nets), central(nets, 2)):
            assert str(figure) in text, wager
