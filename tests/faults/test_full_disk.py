"""A disk that is full, and then is not."""

from __future__ import annotations

from pathlib import Path

from tests.faults.conftest import Houses
from tests.faults.floor import Floor
from tests.faults.record import OutsideRecord
from tests.waiting import wait_for


def test_a_full_disk_is_called_so_and_loses_nothing(
    houses: Houses, tmp_path: Path
) -> None:
    house = houses.new("sqlite", tmp_path, is_hooked=True)
    house.start()
    record = OutsideRecord()
    floor = Floor(house, "triple", record)
    floor.open_round()
    floor.all_answered(floor.lay("straight_up:17"))
    full = tmp_path / "full"
    full.touch()
    sent = floor.lay("red")
    wait_for(lambda: not house.is_ready(), 15)
    assert "disk full" in house.log
    refused = house.http("DELETE", "/api/devices/nobody", by="Mira")
    assert refused.status >= 400
    full.unlink()
    floor.all_answered(sent)
    wait_for(house.is_ready, 15)
    floor.finish("17")

    assert record.compare(house.export())["unanswered"] == 0
    house.verify()
    assert house.stop() == 0
