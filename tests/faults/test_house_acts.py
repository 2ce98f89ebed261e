"""Acts of the house's people whose commits are cut: done once, and no start breaks."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from tests.faults.acts import ACTS, Act, check_acts
from tests.faults.conftest import Houses
from tests.faults.proxy import Fault, Where
from tests.robustness.recorder import Journal


def test_acts_are_done_once_at_every_commit(houses: Houses, tmp_path: Path) -> None:
    """Each commit of each act is cut, and the act is asked for again."""
    house, proxy = houses.behind_proxy(tmp_path)
    house.start()
    done: list[Act] = []
    for kind in ACTS:
        for where in (Where.BEFORE, Where.DURING, Where.AFTER):
            for skip in count():
                act = kind(house)
                act.make_ready()
                fault = proxy.arm(Fault(where, skip=skip))
                act.do()
                done.append(act)
                if not fault.struck.is_set():  # it has no such commit
                    proxy.disarm()
                    break
            assert skip > 0, f"{kind.__name__} commits nothing"

    house.kill()
    house.start()
    for act in done:
        assert act.is_done(), act.name
    counts = check_acts(done, Journal(house.export()))
    assert counts["asked again"] > len(ACTS)
    house.end()
