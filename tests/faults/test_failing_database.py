"""A database that fails: full, locked, silent or away; the house waits and goes on."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses
from tests.faults.floor import Floor, at_once, in_round
from tests.faults.hooks import make_impatient
from tests.waiting import wait_for


@pytest.mark.parametrize("kind", DATABASES)
def test_a_full_disk_is_named_and_loses_nothing(
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
    floor = in_round(house)
    fill()
    sent = floor.lay("red")
    wait_for(lambda: not house.is_ready(), 15)
    assert "disk full" in house.log
    refused = house.http("DELETE", "/api/devices/unknown", by="Mira")
    assert refused.status >= 400
    make_room()
    floor.all_answered(sent)
    wait_for(house.is_ready, 15)
    floor.finish("17")

    house.end()


@pytest.mark.parametrize("kind", DATABASES)
def test_an_unknown_result_is_reported_and_the_act_sent_again(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    house = houses.new(kind, tmp_path, is_hooked=True)
    make_impatient(tmp_path)
    house.start()
    floor = in_round(house)
    with houses.locked(house):
        sent = floor.lay("straight_up:18")
        at_once(lambda each: each.until(lambda: each.unknown), floor.terminals)
        wait_for(lambda: not house.is_ready(), 15)
        assert house.http("GET", "/health").status == 200
    floor.all_answered(sent)
    wait_for(house.is_ready, 15)
    for terminal, sent_id in sent:
        terminal.repeat(sent_id)
    floor.finish("17")

    assert "lock" in house.log
    counts = house.end()
    assert counts["answered again"] >= len(sent)
    assert counts["refused"] == 0


def test_silence_is_noticed_and_does_not_keep_a_house_from_stopping(
    houses: Houses, tmp_path: Path
) -> None:
    house, proxy = houses.behind_proxy(tmp_path)
    house.start()
    floor = in_round(house)
    proxy.flowing.clear()
    sent = floor.lay("straight_up:18")
    wait_for(lambda: not house.is_ready(), 60)
    proxy.flowing.set()
    floor.all_answered(sent)
    wait_for(house.is_ready, 15)
    proxy.flowing.clear()
    floor.lay("straight_up:19")
    status = house.terminate()
    assert status == 0 or "can't be" in house.said, house.said
    proxy.flowing.set()
    house.start()
    floor.connect()
    floor.finish("17")

    house.end()


def test_a_house_goes_on_when_its_database_is_back(
    houses: Houses, tmp_path: Path
) -> None:
    server = houses.server
    house = houses.new("postgresql", tmp_path)
    house.start()
    floor = Floor(house, "triple")

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

    house.end()


def test_a_house_without_its_database_stops_in_time_and_waits_at_its_start(
    houses: Houses, tmp_path: Path
) -> None:
    server = houses.server
    house = houses.new("postgresql", tmp_path)
    house.start()
    assert "the database has no synchronous standby" in house.log
    floor = Floor(house, "v3")
    floor.open_round()
    server.halt()
    try:
        floor.lay("red")
        time.sleep(0.5)
        status = house.terminate()
        assert status == 0 or "can't be" in house.said, house.said
        waiting = house.launch()
        wait_for(lambda: "PostgreSQL" in house.said, 20)
        assert waiting.poll() is None
    finally:
        server.resume()
    house.wait_until_open()
    floor.connect()
    floor.finish("17")

    house.end()
