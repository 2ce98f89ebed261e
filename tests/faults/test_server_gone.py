"""A house whose PostgreSQL goes away: for a moment, for long, at a start, at a stop."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from tests.faults.conftest import Houses
from tests.faults.floor import Floor
from tests.faults.record import OutsideRecord
from tests.waiting import wait_for


def test_a_house_goes_on_when_its_database_is_back(
    houses: Houses, tmp_path: Path
) -> None:
    server = houses.server
    house = houses.new("postgresql", tmp_path)
    house.start()
    record = OutsideRecord()
    floor = Floor(house, "triple", record)

    floor.open_round()
    assert server.end_backends(house.database) > 0  # while nothing is asked
    floor.all_answered(floor.lay("straight_up:17"))
    server.halt(signal.SIGINT)
    server.resume()
    floor.all_answered(floor.lay("straight_up:18"))
    sent = floor.lay("straight_up:19")
    server.end_backends(house.database)  # while wagers are on their way
    floor.all_answered(sent)
    server.halt(signal.SIGQUIT)  # without a checkpoint, as in a crash
    sent = floor.lay("straight_up:20")
    wait_for(lambda: not house.is_ready(), 15)
    assert house.http("GET", "/health").status == 200
    assert "can't be written" in house.log
    server.resume()
    floor.all_answered(sent)
    wait_for(house.is_ready, 15)
    floor.finish("17")

    record.compare(house.export())
    house.verify()
    assert house.stop() == 0


def test_a_house_without_its_database_stops_in_time_and_waits_at_its_start(
    houses: Houses, tmp_path: Path
) -> None:
    server = houses.server
    house = houses.new("postgresql", tmp_path)
    house.start()
    assert "the database has no synchronous standby" in house.log
    record = OutsideRecord()
    floor = Floor(house, "v3", record)
    floor.open_round()
    server.halt()
    try:
        floor.lay("red")
        time.sleep(0.5)
        status = house.stop()
        assert status == 0 or "can't be" in house.said, house.said
        waiting = house.launch()
        wait_for(lambda: "PostgreSQL" in house.said, 20)
        assert waiting.poll() is None
    finally:
        server.resume()
    house.wait_until_open(waiting)
    floor.connect()
    floor.finish("17")

    assert record.compare(house.export())["unanswered"] == 0
    house.verify()
    assert house.stop() == 0
