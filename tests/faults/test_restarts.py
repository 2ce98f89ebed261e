"""A house that dies and starts again: what its tables show survives, or is new."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses
from tests.faults.floor import Floor

_BLUE = {"player": "Ben", "value_cents": 1_000, "marker": "marker", "stands_on": "bank"}

_CHANGED = {"interrupted", "status", "steps"}
"""Times are those on record by then, also those of the steps."""


@pytest.mark.parametrize("kind", DATABASES)
def test_a_table_shows_after_a_start_what_it_showed_before(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    """But for what was keyed: that is keyed again, at a table shown as interrupted."""
    house = houses.new(kind, tmp_path)
    house.start()
    floor = Floor(house, "v3")
    floor.dealer.done("act", act="colour blue to Ben 10 marker bank")
    for _ in range(2):  # its marker stands for longer than a round
        floor.open_round()
        floor.finish("17")
    floor.open_round()
    floor.all_answered(floor.lay("straight_up:17"))
    floor.dealer.done("act", act="spin")
    floor.dealer.done("act", act="no more bets")
    keyed = floor.dealer.done("outcome", number="17")
    floor.boss.until(lambda: floor.boss.known["staff"]["keyed"] == "17")
    floor.boss.connect()  # a whole view, not one that changes have made
    before = floor.boss.view

    house.kill()
    house.start()
    floor.connect()

    view, staff = floor.boss.view, floor.boss.known["staff"]
    assert keyed["read_back"].startswith("17")
    assert staff["keyed"] is None
    assert view["interrupted"]
    assert view["colours"] == {"blue": _BLUE}
    changed = {name for name in before if view[name] != before[name]}
    assert {name for name in changed if not name.endswith("_ms")} <= _CHANGED
    in_vain = floor.dealer.ask("outcome", number="17", confirmed=True)
    assert not in_vain["registered"]
    floor.finish("17")
    house.end()
