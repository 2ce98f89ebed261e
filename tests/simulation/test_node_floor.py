"""The simulated floor of `benchmarks/floors.py` sees what it is there to see."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.simulation import node_floor
from tests.simulation.node_floor import (
    FloorJournal,
    OpeningHost,
    SimulatedFloor,
    Told,
)

Patch = pytest.MonkeyPatch


def _struck(patch: Patch) -> Told:
    """Play a small floor on a bad network through every fault."""
    patch.setattr(node_floor, "_LOST", 0.02)
    patch.setattr(node_floor, "_DOUBLED", 0.02)
    floor = SimulatedFloor(12, 3)
    floor.run(8)
    assert floor.is_served
    first, second, third = floor.processes
    floor.hold(first)
    floor.run(9)
    floor.wake(first)
    floor.run(4)
    floor.cut(second, off=True)
    floor.run(8)
    floor.cut(second, off=False)
    floor.run(4)
    floor.lose_sessions()
    floor.run(3)
    floor.kill(third)
    floor.run(5)
    floor.lose_database()
    floor.run(2)
    floor.promote()
    floor.run(5)
    floor.start(third)
    floor.run(5)
    return floor.tell()


def test_whatever_befalls_a_floor_nothing_is_missing_or_doubled(
    monkeypatch: Patch,
) -> None:
    told = _struck(monkeypatch)

    assert (told.missing, told.doubled) == (0, 0)
    assert told.refused > 0
    assert told.sent_again > 0
    assert told.mean > 10


def _writes_in_any_epoch(patch: Patch) -> None:
    patch.setattr(FloorJournal, "takes", lambda *_: True)


def _answers_everything_anew(patch: Patch) -> None:
    right = OpeningHost.open_next

    def open_next(self: OpeningHost, journal: FloorJournal) -> None:
        right(self, journal)
        self.known = {name: set() for name in self.serves}

    patch.setattr(OpeningHost, "open_next", open_next)


def _answers_before_the_commit(patch: Patch) -> None:
    right = SimulatedFloor._commit

    def commit(self: SimulatedFloor, process: node_floor.Process) -> None:
        for asked in process.batch:
            self._answer(asked)
        right(self, process)

    patch.setattr(SimulatedFloor, "_commit", commit)


def _promotes_a_standby_that_is_behind(patch: Patch) -> None:
    right = SimulatedFloor.promote

    def promote(self: SimulatedFloor) -> None:
        self.journal.lose_last()
        right(self)

    patch.setattr(SimulatedFloor, "promote", promote)


@pytest.mark.parametrize(
    ("plant", "column"),
    [
        (_writes_in_any_epoch, "doubled"),
        (_answers_everything_anew, "doubled"),
        (_answers_before_the_commit, "missing"),
        (_promotes_a_standby_that_is_behind, "missing"),
    ],
)
def test_the_columns_show_a_floor_that(
    plant: Callable[[Patch], None], column: str, monkeypatch: Patch
) -> None:
    plant(monkeypatch)

    told = _struck(monkeypatch)

    assert getattr(told, column) > 0, told
