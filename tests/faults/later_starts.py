"""Later starts, which complete what was left half done, killed at one step of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from tests.cli.running import run_here
from tests.faults.acts import Act, AdjustCredit, CloseDay, check_acts
from tests.faults.conftest import Houses, Mortal
from tests.faults.hooks import step_clock
from tests.faults.house_process import HouseProcess
from tests.robustness.recorder import Journal
from tests.server_process import NotOpened
from tests.waiting import wait_for

_NOON_MS = 1_799_985_600_000
"""Friday 15 January 2027, noon in Singapore."""
_DAY = "2027-01-15"
_MOST_STEPS = 60
_SEARCHES = 5
"""What else a house writes, and when, moves its steps: one search may miss one."""


def _confirmed_and_done(journal: Journal) -> tuple[bool, bool]:
    given = journal.of_kind("house", "ConfirmationGiven")
    return bool(given), bool(journal.of_kind("house", "ProposalConfirmed"))


def _closed_and_signed(journal: Journal) -> tuple[bool, bool]:
    closed = journal.of_kind("house", "GamingDayClosed")
    return bool(closed), bool(journal.records["checkpoints"])


LEFT: dict[
    str, tuple[Callable[[HouseProcess], Act], Callable[[Journal], tuple[bool, bool]]]
] = {
    "a proposal confirmed and not done": (AdjustCredit, _confirmed_and_done),
    "a day closed and not signed": (
        lambda house: CloseDay(house, _DAY),
        _closed_and_signed,
    ),
}
"""By what is left: the act, and whether the journal has its first and second half."""


class HalfDone:
    """A house that died in the middle of an act, and copies of it."""

    def __init__(self, houses: Houses, database: str, folder: Path, what: str) -> None:
        self._houses, self._database, self._folder = houses, database, folder
        self._what = what
        self._key = ("--signing-key", str(folder / "key"))
        folder.mkdir(parents=True)
        assert run_here("journal", "key", folder / "key").code == 0
        self._house, self._act = self._left()

    def _left(self) -> tuple[HouseProcess, Act]:
        for search in range(_SEARCHES):
            found = self._search(f"search {search}")
            if found is not None:
                return found
        raise AssertionError(f"no death leaves {self._what}")

    def _search(self, name: str) -> tuple[HouseProcess, Act] | None:
        """Let houses die at one step of the act each, until one leaves it half done."""
        make, halves = LEFT[self._what]
        first, last = 1, _MOST_STEPS
        while first <= last:
            step = (first + last) // 2
            mortal = self._new(self._folder / f"{name} left {step}")
            house = mortal.house
            house.start(*self._key)
            act = make(house)
            act.make_ready()
            mortal.die_at(step)
            if act.is_asked():
                house.kill()
                last = step - 1
                continue
            house.ended(10)
            match halves(Journal(house.export())):
                case True, False:
                    return house, act
                case False, False:
                    first = step + 1
                case _:
                    last = step - 1
        return None

    def kill_starts(self) -> Iterator[int]:
        """Kill the next start at each of its steps; what was left is done once."""
        for step in count(1):
            mortal = self._new(self._folder / f"start{step}", like=self._house)
            house = mortal.house
            mortal.die_at(step)
            if not self._dies(house):
                return
            house.start(*self._key)
            self._act.house = house
            wait_for(self._act.is_done, 20)
            check_acts([self._act], Journal(house.export()))
            house.end()
            yield step

    def _dies(self, house: HouseProcess) -> bool:
        """Whether it was killed before it was open."""
        try:
            house.start(*self._key)
        except NotOpened as refused:
            if refused.status >= 0:
                raise
            return True
        house.kill()
        return False

    def _new(self, folder: Path, like: HouseProcess | None = None) -> Mortal:
        mortal = self._houses.mortal(self._database, folder, like=like)
        step_clock(folder, _NOON_MS - time.time_ns() // 1_000_000)
        return mortal
