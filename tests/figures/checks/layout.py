"""`layout`: every area and every piece, against the documents' tables."""

from __future__ import annotations

from tests.figures.command import figures
from tests.figures.oracle.games import Table


def check_areas(table: Table) -> None:
    told = {row["area"]: row for row in figures("layout", table.name)["areas"]}

    assert set(told) == set(table.places)
    for name, place in table.places.items():
        assert told[name]["type"] == place.type
        assert tuple(told[name]["numbers"]) == place.numbers, name
        assert told[name]["pays"] == (
            {"non_bonus": 35, "bonus": 40, "super_bonus": 80}
            if table.links and place.type == "straight_up"
            else table.pays(place.type)
        )
