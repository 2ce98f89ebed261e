"""A database that is there and says nothing: no answer, no end of the line."""

from __future__ import annotations

from pathlib import Path

from tests.faults.conftest import Houses
from tests.faults.floor import Floor
from tests.faults.house_process import STOP_SECONDS
from tests.faults.record import OutsideRecord
from tests.waiting import wait_for


def test_silence_is_noticed_and_does_not_keep_a_house_from_stopping(
    houses: Houses, tmp_path: Path
) -> None:
    house, proxy = houses.behind_proxy(tmp_path)
    house.start()
    record = OutsideRecord()
    floor = Floor(house, "triple", record)
    floor.open_round()
    floor.all_answered(floor.lay("straight_up:17"))
    proxy.flowing.clear()
    sent = floor.lay("straight_up:18")
    wait_for(lambda: not house.is_ready(), 60)
    proxy.flowing.set()
    floor.all_answered(sent)
    wait_for(house.is_ready, 15)
    proxy.flowing.clear()
    floor.lay("straight_up:19")
    status = house.stop(STOP_SECONDS)
    assert status == 0 or "can't be" in house.said, house.said
    proxy.flowing.set()
    house.start()
    floor.connect()
    floor.finish("17")

    assert record.compare(house.export())["unanswered"] == 0
    house.verify()
    assert house.stop() == 0
