"""`layout`: every area and every piece, against the documents' tables."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.figures.checks.layout import check_areas
from tests.figures.command import figures
from tests.figures.oracle.games import TABLES, Table, complete_bet, triple_zero
from tests.golden_tables import golden_rows


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_area_of_the_layout(table: Table) -> None:
    check_areas(table)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_second_table_agrees_with_the_golden_counts(table: Table) -> None:
    counts = Counter(place.type for place in table.places.values())

    for row in golden_rows(f"{table.name}.areas"):
        kind, count, pays = row.split()
        assert counts.pop(kind) == int(count)
        assert str(table.pays(kind)) == pays.partition("/")[0]
    assert not counts


@pytest.mark.parametrize(
    "table",
    [TABLES["mbs-complete-bet-v2"], TABLES["rws-triple-zero"]],
    ids=lambda table: table.name,
)
def test_the_pieces_of_every_wager(table: Table) -> None:
    for wager, places in table.pieces.items():
        told = figures("layout", table.name, wager)["areas"]

        assert Counter(row["area"] for row in told) == Counter(places), wager


def test_the_pieces_under_the_other_settings() -> None:
    inside = complete_bet(inside=True)
    single = triple_zero(single=True)

    for table, setting, wager in (
        (inside, "complete_dozen inside", "complete:dozen:1"),
        (inside, "complete_dozen inside", "complete:dozen:3"),
        (single, "finale_zero single", "finales:0"),
    ):
        [told] = figures("odds", table.name, wager, "--setting", setting)["wagers"]
        assert told["pieces"] == len(table.pieces[wager])
