"""A disk that is full, and then is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses
from tests.faults.floor import Floor
from tests.faults.record import OutsideRecord
from tests.waiting import wait_for


@pytest.mark.parametrize("kind", DATABASES)
def test_a_full_disk_is_called_so_and_loses_nothing(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    """On PostgreSQL it is the server that says so, in its own words."""
    fill: Callable[[], None]
    make_room: Callable[[], None]
    if kind == "sqlite":
        house = houses.new(kind, tmp_path, is_hooked=True)
        full = tmp_path / "full"
        fill, make_room = full.touch, full.unlink
    else:
        house, proxy = houses.behind_proxy(tmp_path)
        fill, make_room = proxy.full.set, proxy.full.clear
    house.start()
    record = OutsideRecord()
    floor = Floor(house, "triple", record)
    floor.open_round()
    floor.all_answered(floor.lay("straight_up:17"))
    fill()
    sent = floor.lay("red")
    wait_for(lambda: not house.is_ready(), 15)
    assert "disk full" in house.log
    refused = house.http("DELETE", "/api/devices/nobody", by="Mira")
    assert refused.status >= 400
    make_room()
    floor.all_answered(sent)
    wait_for(house.is_ready, 15)
    floor.finish("17")

    assert record.compare(house.export())["unanswered"] == 0
    house.verify()
    assert house.stop() == 0
