"""Acts over two streams, killed at each of their commits: done once, and wholly."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from http.client import HTTPException
from itertools import count
from pathlib import Path

import pytest

from tests.cli.running import run_here
from tests.faults.acts import AdjustCredit
from tests.faults.conftest import DATABASES, Houses
from tests.faults.hooks import die_after, step_clock
from tests.faults.house_process import HouseProcess, Reply
from tests.faults.proxy import Fault, Where
from tests.faults.record import Journal

_NOON_MS = 1_799_985_600_000
"""Friday 15 January 2027, noon in Singapore."""
_DAY_MS = 24 * 3_600_000


def test_what_two_people_confirm_is_done_once_whenever_the_house_dies(
    houses: Houses, tmp_path: Path
) -> None:
    house, proxy = houses.behind_proxy(tmp_path)
    house.start()
    done: list[AdjustCredit] = []
    for where in (Where.BEFORE, Where.AFTER):
        for skip in count():
            act = AdjustCredit(house)
            act.make_ready()
            fault = proxy.arm(Fault(where, skip=skip, also=partial(_kill, house)))
            _ask_over_restarts(house, act)
            done.append(act)
            if not fault.struck.is_set():
                proxy.disarm()
                break
    _check(house, done)


def test_a_proposal_on_a_file_is_done_once_whenever_the_house_dies(
    houses: Houses, tmp_path: Path
) -> None:
    house = houses.new("sqlite", tmp_path, is_hooked=True)
    house.start()
    done: list[AdjustCredit] = []
    for operations in (1, 3, 5, 7):
        act = AdjustCredit(house)
        act.make_ready()
        die_after(tmp_path, operations)
        _ask_over_restarts(house, act)
        done.append(act)
    _check(house, done)


@pytest.mark.parametrize("kind", DATABASES)
def test_a_closed_day_is_signed_whenever_the_house_dies(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    assert run_here("journal", "key", tmp_path / "key").code == 0
    noon = _NOON_MS - time.time_ns() // 1_000_000
    faults: list[Callable[[], object]]
    if kind == "sqlite":
        house = houses.new("sqlite", tmp_path, is_hooked=True)
        faults = [partial(die_after, tmp_path, at) for at in (1, 4, 7, 10)]
    else:
        house, proxy = houses.behind_proxy(tmp_path, is_hooked=True)
        faults = [
            partial(proxy.arm, Fault(where, skip=skip, also=partial(_kill, house)))
            for skip in (0, 1, 2)
            for where in (Where.BEFORE, Where.AFTER)
        ]
    key = ("--signing-key", str(tmp_path / "key"))
    step_clock(tmp_path, noon)
    house.start(*key)
    for number, strike in enumerate(faults):
        step_clock(tmp_path, noon + number * _DAY_MS)
        day = f"2027-01-{15 + number}"
        house.sessions.clear()  # nobody stays logged on overnight
        house.session("Mira")
        strike()
        _closed(house, key)
        (tmp_path / "die").unlink(missing_ok=True)
        report = house.ask("GET", f"/api/gaming-day/{day}", by="Mira")
        assert report["closed_by"] == "Mira", report
        assert report["head"], report
    journal = Journal(house.export())
    assert len(journal.records["published_heads"]) == len(faults)
    house.verify()
    assert house.stop() == 0


_CLOSE = "/api/gaming-day/close?early=true"


def _closed(house: HouseProcess, key: tuple[str, ...]) -> Reply:
    """Close the day that runs, at the first attempt or after a start."""
    try:
        return house.http("POST", _CLOSE, by="Mira")
    except (OSError, HTTPException):
        _start_again(house, *key)
    return house.http("POST", _CLOSE, by="Mira")


def _ask_over_restarts(house: HouseProcess, act: AdjustCredit) -> None:
    """Ask; where the house has died, start it and ask again."""
    if not act.is_asked():
        _start_again(house)
        assert act.is_asked(), act.replies


def _start_again(house: HouseProcess, *options: str) -> None:
    assert house.ended(10) == -signal.SIGKILL
    house.start(*options)


def _check(house: HouseProcess, acts: list[AdjustCredit]) -> None:
    """Each is done and on record as confirmed, or not done and on record as ended."""
    journal = Journal(house.export())
    outcomes = Counter(_outcome(act, journal) for act in acts)
    assert set(outcomes) <= {(1, 1, 0), (0, 0, 1)}, outcomes
    house.verify()
    assert house.stop() == 0


def _outcome(act: AdjustCredit, journal: Journal) -> tuple[int, int, int]:
    """How often it was paid, confirmed and ended."""
    paid = journal.of_kind("triple", "Adjusted")
    confirmed = journal.of_kind("house", "ProposalConfirmed")
    ended = journal.of_kind("house", "ProposalEnded")
    return (
        sum(event["body"]["reason"] == act.name for event in paid),
        sum(map(act.is_about, (event["body"] for event in confirmed))),
        sum(map(act.is_about, (event["body"] for event in ended))),
    )


def _kill(house: HouseProcess) -> None:
    if house.process is not None:
        house.process.kill()
