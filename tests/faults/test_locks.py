"""A database that somebody else keeps locked, for longer than the house waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses
from tests.faults.floor import Floor, at_once
from tests.faults.hooks import make_impatient
from tests.faults.record import OutsideRecord
from tests.waiting import wait_for


@pytest.mark.parametrize("kind", DATABASES)
def test_what_nobody_knows_is_said_so_and_sent_again(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    house = houses.new(kind, tmp_path, is_hooked=True)
    make_impatient(tmp_path)
    house.start()
    record = OutsideRecord()
    floor = Floor(house, "triple", record)
    floor.open_round()
    floor.all_answered(floor.lay("straight_up:17"))
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
    counts = record.compare(house.export())
    assert counts["answered again"] >= len(sent)
    assert counts["refused"] == counts["unanswered"] == 0
    house.verify()
    assert house.stop() == 0
