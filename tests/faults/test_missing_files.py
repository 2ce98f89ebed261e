"""A house whose database is not there, or is not the one that it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses, copy_database
from tests.faults.floor import Floor
from tests.faults.house_process import (
    HouseProcess,
    NotOpened,
    check_one_sentence,
)
from tests.faults.record import OutsideRecord

_NOTICED_S = 20.0


@pytest.mark.parametrize("kind", DATABASES)
def test_only_create_begins_a_house(kind: str, houses: Houses, tmp_path: Path) -> None:
    house = houses.new(kind, tmp_path, is_seeded=False)
    _is_refused(house)
    if kind == "sqlite":
        assert not (tmp_path / "house.db").exists()
    _is_refused(house)  # nor did the first attempt begin one

    house.start("--create")
    assert house.stop() == 0
    before = house.export()
    _is_refused(house, "--create")
    assert house.export() == before


def test_a_deleted_file_ends_the_house_loudly(houses: Houses, tmp_path: Path) -> None:
    house = houses.new("sqlite", tmp_path)
    house.start()
    Floor(house, "triple", OutsideRecord()).open_round()
    for file in tmp_path.glob("house.db*"):
        file.unlink()

    assert house.ended(_NOTICED_S) != 0
    assert "house.db" in house.said
    assert '"error"' in house.log or '"critical"' in house.log
    _is_refused(house)


def test_a_replaced_file_ends_the_house_loudly(houses: Houses, tmp_path: Path) -> None:
    house = houses.new("sqlite", tmp_path)
    copy_database(tmp_path / "house.db", tmp_path / "other")
    house.start()
    (tmp_path / "other").rename(tmp_path / "house.db")

    assert house.ended(_NOTICED_S) != 0
    assert "house.db" in house.said
    assert '"error"' in house.log or '"critical"' in house.log


def _is_refused(house: HouseProcess, *options: str) -> None:
    with pytest.raises(NotOpened) as refused:
        house.start(*options)
    assert refused.value.status != 0
    check_one_sentence(refused.value.said)
