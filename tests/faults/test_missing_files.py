"""A house whose database is not there, or is not the one that it was."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.running import run_here
from tests.faults.conftest import DATABASES, Houses, copy_database
from tests.faults.floor import Floor, in_round
from tests.faults.house_process import (
    HouseProcess,
    check_one_sentence,
)
from tests.server_process import NotOpened

_NOTICED_S = 20.0
_CANT_GO_ON = 3


@pytest.mark.parametrize("kind", DATABASES)
def test_a_deleted_database_ends_the_house_loudly(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    house = houses.new(kind, tmp_path)
    house.start()
    Floor(house, "triple").open_round()
    if kind == "sqlite":
        for file in tmp_path.glob("house.db*"):
            file.unlink()
    else:
        houses.server.drop_database(house.database)

    _ends_loudly(house, "house.db" if kind == "sqlite" else "does not exist")
    _is_refused(house)


@pytest.mark.parametrize("kind", DATABASES)
def test_a_replaced_database_ends_the_house_loudly(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    """The other one is the same to the byte, and nothing is written to it."""
    house = houses.new(kind, tmp_path)
    if kind == "sqlite":
        copy_database(tmp_path / "house.db", tmp_path / "other")
        house.start()
        (tmp_path / "other").rename(tmp_path / "house.db")
    else:
        other = houses.server.new_database(house.database)
        house.start()
        houses.server.drop_database(house.database)
        houses.server.rename_database(other, house.database)
    before = house.export()

    # The house may look between the two, when there is neither.
    other_one = ("PostgreSQL database", "does not exist")
    _ends_loudly(house, *(["house.db"] if kind == "sqlite" else other_one))
    assert house.export() == before


def test_locks_deleted_under_a_house_end_it_and_nothing_is_lost(
    houses: Houses, tmp_path: Path
) -> None:
    """The log is signed at night beside the house while both see the same locks."""
    house = houses.new("sqlite", tmp_path)
    key = tmp_path / "house.key"
    assert run_here("journal", "key", key).code == 0
    sign = ("journal", "checkpoint", tmp_path / "house.db", "--key", key)
    house.start()
    in_round(house)
    assert run_here(*sign).code == 0
    assert house.process is not None
    house.process.send_signal(signal.SIGSTOP)  # it has not looked yet
    (tmp_path / "house.db-shm").unlink()

    refused = run_here(*sign)
    house.process.send_signal(signal.SIGCONT)

    assert refused.code == 2
    check_one_sentence(refused.stderr)
    assert "house.db-shm was deleted" in refused.stderr
    _ends_loudly(house, "house.db-shm was deleted, moved or replaced")
    house.start()
    assert run_here(*sign).code == 0
    house.end()


def _ends_loudly(house: HouseProcess, *named: str) -> None:
    assert house.ended(_NOTICED_S) == _CANT_GO_ON
    assert any(each in house.said for each in named)
    assert '"error"' in house.log or '"critical"' in house.log


def _is_refused(house: HouseProcess, *options: str) -> None:
    with pytest.raises(NotOpened) as refused:
        house.start(*options)
    assert refused.value.status != 0
    check_one_sentence(refused.value.said)
