"""A house whose database is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses
from tests.faults.house_process import HouseProcess, NotOpened


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


def _is_refused(house: HouseProcess, *options: str) -> None:
    with pytest.raises(NotOpened) as refused:
        house.start(*options)
    assert refused.value.status != 0
    assert refused.value.said.startswith("croupier: ")
    assert "Traceback" not in refused.value.said
