"""A house whose clock steps, forwards and back."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses
from tests.faults.floor import Floor
from tests.faults.hooks import step_clock
from tests.faults.record import Journal, OutsideRecord

_NOON_MS = 1_799_985_600_000
"""Friday 15 January 2027, noon in Singapore."""
_DAY = "2027-01-15"
_HOUR_MS = 3_600_000
_STEPS_H = (0, -1, 2, -2, 1)


@pytest.mark.parametrize("kind", DATABASES)
def test_time_on_record_never_goes_back(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    house = houses.new(kind, tmp_path, is_hooked=True)
    noon = _NOON_MS - time.time_ns() // 1_000_000
    step_clock(tmp_path, noon)
    house.start()
    record = OutsideRecord()
    floor = Floor(house, "triple", record)
    for hours in _STEPS_H:
        floor.open_round()
        floor.all_answered(floor.lay("straight_up:17"))
        step_clock(tmp_path, noon + hours * _HOUR_MS)
        floor.all_answered(floor.lay("straight_up:18"))
        floor.finish("17")

    journal = Journal(house.export())
    record.compare(house.export())
    for stream in journal.streams.values():
        times = [event["at_ms"] for event in stream]
        assert all(earlier <= later for earlier, later in pairwise(times))
    placed = journal.of_kind("triple", "WagerPlaced")
    first, last = placed[0]["at_ms"], placed[-1]["at_ms"]
    path = f"/api/search/wagers?table=triple&from_ms={first}&to_ms={last + 1}"
    found = house.ask("GET", path, by="Mira")
    assert len(found["wagers"]) == len(placed) == 4 * len(_STEPS_H)
    report = house.ask("GET", f"/api/gaming-day/{_DAY}", by="Mira")
    [table] = [each for each in report["tables"] if each["table"] == "triple"]
    assert table["rounds"] == len(_STEPS_H)
    assert table["staked_cents"] == 500 * len(placed)
    house.verify()
    assert house.stop() == 0
