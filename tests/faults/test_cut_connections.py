"""Commits of a table whose connection to PostgreSQL is cut, on either side of them."""

from __future__ import annotations

from pathlib import Path

from tests.faults.conftest import Houses
from tests.faults.floor import Floor
from tests.faults.proxy import Fault, Where

_STEPS = (
    "WagerPlaced",
    "BallSpun",
    "NoMoreBetsAnnounced",
    "OutcomeAnnounced",
    "RoundSettled",
)


def test_wagers_and_acts_are_done_once_at_every_cut(
    houses: Houses, tmp_path: Path
) -> None:
    """Each wager and each step of a round, cut before, after and in its commit."""
    house, proxy = houses.behind_proxy(tmp_path)
    house.start()
    for table, steps in (("triple", _STEPS), ("v3", _STEPS[:1])):
        floor = Floor(house, table)
        for where in Where:
            for event in steps:
                fault = proxy.arm(Fault(where, event.encode()))
                number = floor.open_round()
                floor.all_answered(floor.lay("straight_up:17", "red"))
                floor.finish("17")
                assert fault.struck.wait(5), (where, event)
                assert floor.dealer.view["round"] == number

    assert house.end()["refused"] == 0
