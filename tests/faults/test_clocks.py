"""A house whose clock steps, forwards and back, and a node whose clock is wrong."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from croupier.journal.stores.postgresql_nodes import NodeRows
from tests.faults.conftest import DATABASES, Houses
from tests.faults.floor import Floor
from tests.faults.hooks import step_clock
from tests.robustness.recorder import Journal
from tests.waiting import wait_for

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
    floor = Floor(house, "triple")
    for hours in _STEPS_H:
        floor.open_round()
        floor.all_answered(floor.lay("straight_up:17"))
        step_clock(tmp_path, noon + hours * _HOUR_MS)
        floor.all_answered(floor.lay("straight_up:18"))
        floor.finish("17")

    journal = Journal(house.export())
    for stream in journal.streams.values():
        times = [event["at_ms"] for event in stream]
        assert all(earlier <= later for earlier, later in pairwise(times))
    placed = journal.of_kind("triple", "WagerPlaced")
    first, last = placed[0]["at_ms"], placed[-1]["at_ms"]
    path = f"/api/tables/triple/search/wagers?from_ms={first}&to_ms={last + 1}"
    found = house.ask("GET", path, by="Mira")
    assert len(found["wagers"]) == len(placed) == 4 * len(_STEPS_H)
    report = house.ask("GET", f"/api/gaming-day/{_DAY}", by="Mira")
    [table] = [each for each in report["tables"] if each["table"] == "triple"]
    assert table["rounds"] == len(_STEPS_H)
    assert table["staked_cents"] == 500 * len(placed)
    house.end()


def test_a_node_with_a_wrong_clock_is_not_ready_and_has_no_tables(
    houses: Houses, tmp_path: Path
) -> None:
    url = houses.new("postgresql", tmp_path).url
    nodes = {
        name: houses.served_from(url, tmp_path / name, is_hooked=True) for name in "AB"
    }
    wrong = nodes["A"]
    wrong.start("--node", "A")
    wait_for(lambda: len(_tables_of(url, "A")) == 2, 30)
    nodes["B"].start("--node", "B")

    step_clock(wrong.folder, -600_000)
    wait_for(lambda: not _tables_of(url, "A") and len(_tables_of(url, "B")) == 2, 30)
    reply = wrong.http("GET", "/ready")

    assert reply.status == 503
    assert "clock of the node A is -600 s off" in reply.body["error"]
    [error] = [line for line in wrong.log.splitlines() if '"error"' in line]
    assert "clock of the node A is -600 s off" in error
    assert nodes["B"].is_ready()
    step_clock(wrong.folder, 0)
    wait_for(wrong.is_ready, 10)


def _tables_of(url: str, node: str) -> list[str]:
    with NodeRows(url) as rows:
        owners = rows.registered().owners.values()
    return [each.table for each in owners if each.node == node]
