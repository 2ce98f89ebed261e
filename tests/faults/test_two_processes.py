"""A second process beside a house that lives, and a house that lost its lease."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.cli.running import run_here
from tests.faults.conftest import DATABASES, Houses
from tests.faults.floor import Floor
from tests.faults.house_process import (
    HouseProcess,
    check_one_sentence,
)
from tests.server_process import NotOpened


@pytest.mark.parametrize("kind", DATABASES)
def test_stray_commands_change_nothing(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    house = houses.new(kind, tmp_path / "first")
    house.start()
    floor = Floor(house, "triple")
    floor.open_round()
    port = int(house.address.rpartition(":")[2])
    second = houses.served_from(house.url, tmp_path / "second")

    for options in ({"port": port}, {"port": 0}):
        with pytest.raises(NotOpened) as refused:
            second.start(**options)
        assert refused.value.status != 0
        check_one_sentence(refused.value.said)
        floor.all_answered(floor.lay("red"))
    for name in ("Dana", "Mira"):
        words = ("house", "password", name, "--by", "Mira", "--database", house.url)
        ran = run_here(*words, stdin=b"correct horse battery\n")
        assert ran.code != 0
        check_one_sentence(ran.stderr)
        floor.all_answered(floor.lay("straight_up:17"))
    assert house.is_ready()

    house.kill()
    house.start()  # who has died holds nothing
    floor.connect()
    floor.finish("17")
    house.end()


def test_a_house_that_lost_its_lease_says_so_and_ends(
    houses: Houses, tmp_path: Path
) -> None:
    """It slept, its sessions were ended, and another one has begun to serve."""
    house = houses.new("postgresql", tmp_path / "first")
    house.start()
    Floor(house, "triple").open_round()
    second = houses.served_from(house.url, tmp_path / "second")
    second.record = house.record
    assert house.process is not None
    os.kill(house.process.pid, signal.SIGSTOP)
    houses.server.end_backends(house.database)
    second.start()
    floor = Floor(second, "v3")
    floor.open_round()
    os.kill(house.process.pid, signal.SIGCONT)

    assert house.ended(20) != 0
    _says_why(house)
    floor.all_answered(floor.lay("red"))
    floor.finish("17")
    second.end()


def _says_why(house: HouseProcess) -> None:
    assert "Traceback" not in house.said
    assert "open as its house" in house.log, house.said
    assert '"critical"' in house.log
