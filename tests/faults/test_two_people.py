"""Acts over two streams, killed at each of their commits: done once, and wholly."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from http.client import HTTPException
from itertools import count
from pathlib import Path

import pytest

from tests.cli.running import run_here
from tests.faults.acts import AdjustCredit
from tests.faults.conftest import Houses
from tests.faults.hooks import step_clock
from tests.faults.house_process import HouseProcess, Reply
from tests.robustness.recorder import Journal

_NOON_MS = 1_799_985_600_000
"""Friday 15 January 2027, noon in Singapore."""
_DAY_MS = 24 * 3_600_000


@pytest.mark.parametrize(
    ("kind", "steps"), [("sqlite", (1, 3, 5, 7)), ("postgresql", count(1))]
)
def test_an_act_of_two_people_is_done_once_after_any_kill(
    kind: str, steps: Iterable[int], houses: Houses, tmp_path: Path
) -> None:
    mortal = houses.mortal(kind, tmp_path)
    mortal.house.start()
    done: list[AdjustCredit] = []
    for step in steps:
        act = AdjustCredit(mortal.house)
        act.make_ready()
        mortal.die_at(step)
        has_died = _ask_over_restarts(mortal.house, act)
        mortal.live()
        done.append(act)
        if not has_died:
            break
    _check(mortal.house, done)


@pytest.mark.parametrize(
    ("kind", "steps"), [("sqlite", (1, 4, 7, 10)), ("postgresql", range(1, 7))]
)
def test_a_closed_day_is_signed_after_any_kill(
    kind: str, steps: Sequence[int], houses: Houses, tmp_path: Path
) -> None:
    assert run_here("journal", "key", tmp_path / "key").code == 0
    noon = _NOON_MS - time.time_ns() // 1_000_000
    mortal = houses.mortal(kind, tmp_path)
    house = mortal.house
    key = ("--signing-key", str(tmp_path / "key"))
    step_clock(tmp_path, noon)
    house.start(*key)
    for number, step in enumerate(steps):
        step_clock(tmp_path, noon + number * _DAY_MS)
        day = f"2027-01-{15 + number}"
        house.sessions.clear()  # no session lasts overnight
        house.session("Mira")
        mortal.die_at(step)
        _closed(house, key)
        mortal.live()
        report = house.ask("GET", f"/api/gaming-day/{day}", by="Mira")
        assert report["closed_by"] == "Mira", report
        assert report["head"], report
    journal = Journal(house.export())
    logged = [each["entry"] for each in journal.records["log_entries"]]
    assert sum('"kind":"day"' in each for each in logged) == len(steps)
    house.end()


_CLOSE = "/api/gaming-day/close?early=true"


def _closed(house: HouseProcess, key: tuple[str, ...]) -> Reply:
    """Close the day that runs, at the first attempt or after a start."""
    try:
        return house.http("POST", _CLOSE, by="Mira")
    except (OSError, HTTPException):
        _start_again(house, *key)
    return house.http("POST", _CLOSE, by="Mira")


def _ask_over_restarts(house: HouseProcess, act: AdjustCredit) -> bool:
    """Ask; if the house has died, start it and ask again. Whether it has died."""
    has_died = not act.is_asked()
    if has_died:
        _start_again(house)
        assert act.is_asked(), act.replies
    return has_died


def _start_again(house: HouseProcess, *options: str) -> None:
    assert house.ended(10) == -signal.SIGKILL
    house.start(*options)


def _check(house: HouseProcess, acts: list[AdjustCredit]) -> None:
    """Each is done and on record as confirmed, or not done and on record as ended."""
    journal = Journal(house.export())
    outcomes = Counter(_outcome(act, journal) for act in acts)
    assert set(outcomes) <= {(1, 1, 0), (0, 0, 1)}, outcomes
    house.end()


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
