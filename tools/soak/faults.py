"""The long run: hundreds of faults at houses in play, on both databases.

`python -m tools.soak.faults` prints its seed and its counts. It ends with status 1 at
the first thing that is lost, done twice or answered otherwise the second time.
"""

from __future__ import annotations

import argparse
import secrets
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path
from random import Random

from tests.cli.running import run_here
from tests.faults.acts import ACTS, Act, CloseDay, check_acts
from tests.faults.conftest import DATABASES, Houses
from tests.faults.device import Terminal
from tests.faults.floor import Floor
from tests.faults.hooks import die_after, step_clock
from tests.faults.house_process import HouseProcess
from tests.faults.later_starts import LEFT, HalfDone
from tests.faults.proxy import Fault, PostgresProxy, Where
from tests.faults.starts import kill_start, steps_of_start
from tests.robustness.recorder import Journal

Sent = list[tuple[Terminal, str]]
Strike = Callable[[], Callable[[], None]]
"""Begins a fault, and returns a function that ends it."""
_EVENTS = ("WagerPlaced", "BallSpun", "NoMoreBetsAnnounced", "RoundSettled", "")
_FIRST_DAY = date(2027, 1, 15)
_NOON_MS = 1_799_985_600_000
"""Noon of that day in Singapore."""
_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_DAY_OF = 12
"""A gaming day is closed after this number of rounds."""
_HELD_S = (0.5, 1.0, 3.0)
_SILENT_S = (0.5, 1.0, 3.0, 15.0)
"""By the end of the longest, the house has given up its server."""


class Campaign:
    """A house in play, and a fault in each round."""

    def __init__(self, house: HouseProcess, random: Random, houses: Houses) -> None:
        self.house, self.random, self._houses = house, random, houses
        self.counts: Counter[str] = Counter()
        self.acts: list[Act] = []
        self._day = 0
        self._key = ("--signing-key", str(house.folder / "key"))
        assert run_here("journal", "key", house.folder / "key").code == 0
        self._set_clock()
        house.start(*self._key)
        self.floors = [Floor(house, table) for table in ("triple", "v3")]

    def strikes(self) -> list[Strike]:
        return [self._kill, self._stop, self._step_clock, self._hold_lock]

    def run(self, faults: int) -> Counter[str]:
        for number in range(faults):
            floor = self.floors[number % 2]
            floor.open_round()
            act = self._next_act(floor, number)
            act.make_ready()
            strike = self.random.choice(self.strikes())
            after = strike()
            sent = floor.lay("red", "straight_up:17", cents=100 * (5 + number % 7))
            is_done = act.is_asked()
            after()
            if not is_done:
                act.do()
            self.acts.append(act)
            self.counts[strike.__name__.strip("_").replace("_", " ")] += 1
            floor.all_heard(sent)
            floor.finish(self.random.choice(("17", "1", "0")))
            if isinstance(act, CloseDay):
                self._next_day()
        return self._checked()

    def _next_act(self, floor: Floor, number: int) -> Act:
        """Return an act of any kind that an interrupted table would not refuse."""
        if number % _DAY_OF == _DAY_OF - 1:
            return CloseDay(self.house, f"{_FIRST_DAY + timedelta(self._day)}")
        kinds = [kind for kind in ACTS if kind.table != floor.table]
        return self.random.choice(kinds)(self.house)

    def _next_day(self) -> None:
        """Log off all staff for the night."""
        self._day += 1
        self._set_clock()
        self.house.sessions.clear()
        for floor in self.floors:
            floor.connect()

    def _set_clock(self, step_ms: int = 0) -> None:
        noon = _NOON_MS + self._day * _DAY_MS - time.time_ns() // 1_000_000
        step_clock(self.house.folder, noon + step_ms)

    @property
    def is_up(self) -> bool:
        return self.house.process is not None and self.house.process.poll() is None

    def _checked(self) -> Counter[str]:
        for act in self.acts:
            assert act.is_done(), (act.name, act.replies)
        journal = Journal(self.house.export())
        self.counts += check_acts(self.acts, journal)
        for act in self.acts:
            self.counts[type(act).__name__] += 1
        devices = (each for floor in self.floors for each in floor.devices)
        self.counts["answered as unknown"] = sum(each.unknown for each in devices)
        self.counts["checkpoints"] = len(journal.records["checkpoints"])
        return self.counts + self.house.end()

    def back(self) -> None:
        """Start the house if it has ended, and let all devices connect again."""
        if not self.is_up:
            self.house.process = None
            self.house.start(*self._key)
            for floor in self.floors:
                floor.connect()

    def _kill(self) -> Callable[[], None]:
        self.house.kill()
        return self.back

    def _stop(self) -> Callable[[], None]:
        assert self.house.terminate() == 0
        return self.back

    def _step_clock(self) -> Callable[[], None]:
        self._set_clock(self.random.randint(-5, 5) * _HOUR_MS)
        return lambda: None

    def _hold_lock(self) -> Callable[[], None]:
        """Hold the lock while wagers and acts come in."""
        lock = ExitStack()
        lock.enter_context(self._houses.locked(self.house))
        return _later(self.random.choice(_HELD_S), lock.close)


class FileCampaign(Campaign):
    """On SQLite: a disk that is full, a death at any write."""

    def strikes(self) -> list[Strike]:
        return [*super().strikes(), self._die, self._full_disk]

    def _die(self) -> Callable[[], None]:
        """Die at one of the next writes, which are those of wagers and acts."""
        die_after(self.house.folder, self.random.randint(1, 12))

        def bury() -> None:
            end = time.monotonic() + 1
            while self.is_up and time.monotonic() < end:
                time.sleep(0.02)
            if self.is_up:
                self.house.kill()
            (self.house.folder / "die").unlink(missing_ok=True)
            self.back()

        return bury

    def _full_disk(self) -> Callable[[], None]:
        full = self.house.folder / "full"
        full.touch()
        return _later(self.random.random(), full.unlink)


class ServerCampaign(Campaign):
    """On PostgreSQL: lines cut around commits, backends ended, the server restarted."""

    def __init__(
        self, house: HouseProcess, random: Random, proxy: PostgresProxy, houses: Houses
    ) -> None:
        self._proxy, self._server = proxy, houses.server
        super().__init__(house, random, houses)

    def strikes(self) -> list[Strike]:
        return [
            *super().strikes(),
            *[self._cut_a_commit] * 8,
            *[self._cut_lines] * 2,
            *[self._end_backends] * 2,
            self._restart_server,
            self._fall_silent,
            self._full_disk,
        ]

    def _cut_a_commit(self) -> Callable[[], None]:
        where, event = self.random.choice([*Where]), self.random.choice(_EVENTS)
        self._proxy.arm(Fault(where, event.encode(), skip=self.random.randrange(3)))
        self.counts[where.value] += 1
        return lambda: None

    def _cut_lines(self) -> Callable[[], None]:
        self._proxy.cut()
        return lambda: None

    def _end_backends(self) -> Callable[[], None]:
        self._server.end_backends(self.house.database)
        return lambda: None

    def _restart_server(self) -> Callable[[], None]:
        self._server.halt(self.random.choice((signal.SIGINT, signal.SIGQUIT)))
        self._server.resume()
        return lambda: None

    def _fall_silent(self) -> Callable[[], None]:
        self._proxy.flowing.clear()
        return _later(self.random.choice(_SILENT_S), self._proxy.flowing.set)

    def _full_disk(self) -> Callable[[], None]:
        self._proxy.full.set()
        return _later(self.random.random(), self._proxy.full.clear)


def _later(seconds: float, end: Callable[[], object]) -> Callable[[], None]:
    """End a fault after a while, on a thread of its own; return the thread."""
    timer = threading.Timer(seconds, end)
    timer.start()
    return timer.join


def kill_starts(houses: Houses, folder: Path, every: int) -> Counter[str]:
    """Kill first starts at every nth of their steps, on both databases."""
    counts: Counter[str] = Counter()
    for kind in DATABASES:
        steps = steps_of_start(houses, kind, folder / kind)
        for step in range(1, steps + 1, every):
            kill_start(houses, kind, folder / f"{kind}{step}", step)
            counts[f"starts killed on {kind}"] += 1
    return counts


def kill_later_starts(houses: Houses, folder: Path, database: str) -> Counter[str]:
    """Kill starts that complete an interrupted start, at each of their steps."""
    counts: Counter[str] = Counter()
    for number, what in enumerate(LEFT):
        place = folder / f"left {number} on {database}"
        for _ in HalfDone(houses, database, place, what).kill_starts():
            counts[f"killed after {what}"] += 1
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=150, help="on each database")
    parser.add_argument("--every", type=int, default=1, help="of a start's steps")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    asked = parser.parse_args()
    sys.stdout.write(f"seed {asked.seed}\n")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        houses = Houses(folder)
        try:
            on_file = houses.new("sqlite", folder / "sqlite", is_hooked=True)
            counts = FileCampaign(on_file, Random(asked.seed), houses).run(asked.faults)
            _tell("sqlite", counts)
            on_server, proxy = houses.behind_proxy(
                folder / "postgresql", is_hooked=True
            )
            play = ServerCampaign(on_server, Random(asked.seed), proxy, houses)
            _tell("postgresql", play.run(asked.faults))
            _tell("first starts", kill_starts(houses, folder, asked.every))
            for database in DATABASES:
                counts = kill_later_starts(houses, folder, database)
                _tell(f"later starts on {database}", counts)
        finally:
            houses.end_all()
            houses.close()
    return 0


def _tell(name: str, counts: Counter[str]) -> None:
    told = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
    sys.stdout.write(f"{name}: {told}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
