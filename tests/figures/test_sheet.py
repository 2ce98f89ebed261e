"""PAR sheets: kinds, volatility, bands of the return, and the other formats."""

from __future__ import annotations

import csv
import io
import math
from fractions import Fraction
from pathlib import Path

import pytest

from tests.figures.checks.sheet import check_kinds, nets_of
from tests.figures.command import croupier, figures
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.moments import central, mean


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
