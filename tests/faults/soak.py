"""The long run: hundreds of faults at houses in play, on both databases.

`python -m tests.faults.soak` prints its seed and its counts. It ends with status 1 at
the first thing that is lost, done twice or answered otherwise the second time.
"""

from __future__ import annotations

import argparse
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.faults.acts import ACTS, Act, AdjustCredit, BuyIn, check_acts
from tests.faults.conftest import Houses
from tests.faults.device import Terminal
from tests.faults.floor import Floor
from tests.faults.hooks import die_after, step_clock
from tests.faults.house_process import HouseProcess
from tests.faults.proxy import Fault, PostgresProxy, Where
from tests.faults.record import Journal, OutsideRecord
from tests.faults.starts import (
    kill_on_postgresql,
    kill_on_sqlite,
    steps_on_postgresql,
    steps_on_sqlite,
)

Sent = list[tuple[Terminal, str]]
_EVENTS = ("WagerPlaced", "BallSpun", "NoMoreBetsAnnounced", "RoundSettled", "")
_ACTS = tuple(kind for kind in ACTS if kind not in {AdjustCredit, BuyIn})
"""Acts that no interrupted table refuses."""
_HOUR_MS = 3_600_000


class Campaign:
    """A house in play, and a fault in each round."""

    def __init__(self, house: HouseProcess, random: Random) -> None:
        self.house, self.random = house, random
        self.record = OutsideRecord()
        self.counts: Counter[str] = Counter()
        self.acts: list[Act] = []
        house.start()
        self.floors = [Floor(house, table, self.record) for table in ("triple", "v3")]

    def strikes(self) -> list[Callable[[], Callable[[], None]]]:
        """Each begins a fault; what it gives ends it."""
        return [self._kill, self._stop]

    def run(self, faults: int) -> Counter[str]:
        for number in range(faults):
            floor = self.floors[number % 2]
            floor.open_round()
            act = self.random.choice(_ACTS)(self.house)
            act.make_ready()
            strike = self.random.choice(self.strikes())
            after = strike()
            sent = floor.lay("red", "straight_up:17", cents=100 * (5 + number % 7))
            after()
            act.do()
            self.acts.append(act)
            self.counts[strike.__name__.strip("_").replace("_", " ")] += 1
            floor.all_heard(sent)
            floor.finish(self.random.choice(("17", "1", "0")))
        return self._checked()

    @property
    def is_up(self) -> bool:
        return self.house.process is not None and self.house.process.poll() is None

    def _checked(self) -> Counter[str]:
        exported = self.house.export()
        self.counts += self.record.compare(exported)
        assert self.counts["unanswered"] == 0
        self.counts += check_acts(self.acts, Journal(exported))
        self.house.verify()
        assert self.house.stop() == 0
        return self.counts

    def back(self) -> None:
        """Start the house where it has ended, and let everybody come back."""
        if not self.is_up:
            self.house.process = None
            self.house.start()
            for floor in self.floors:
                floor.connect()

    def _kill(self) -> Callable[[], None]:
        self.house.kill()
        return self.back

    def _stop(self) -> Callable[[], None]:
        assert self.house.stop() == 0
        return self.back


class FileCampaign(Campaign):
    """On SQLite: a disk that is full, a death at any write, a clock that steps."""

    def strikes(self) -> list[Callable[[], Callable[[], None]]]:
        return [*super().strikes(), self._die, self._full_disk, self._step]

    def _die(self) -> Callable[[], None]:
        """Die at one of the next writes, which are those of wagers."""
        die_after(self.house.folder, self.random.randint(1, 8))

        def bury() -> None:
            end = time.monotonic() + 1
            while self.is_up and time.monotonic() < end:
                time.sleep(0.02)
            if self.is_up:
                self.house.kill()
            self.back()

        return bury

    def _full_disk(self) -> Callable[[], None]:
        full = self.house.folder / "full"
        full.touch()

        def make_room() -> None:
            time.sleep(self.random.random())
            full.unlink()

        return make_room

    def _step(self) -> Callable[[], None]:
        step_clock(self.house.folder, self.random.randint(-5, 5) * _HOUR_MS)
        return lambda: None


class ServerCampaign(Campaign):
    """On PostgreSQL: lines cut around commits, backends ended, the server restarted."""

    def __init__(
        self, house: HouseProcess, random: Random, proxy: PostgresProxy, houses: Houses
    ) -> None:
        self._proxy, self._server = proxy, houses.server
        self._name = house.database
        super().__init__(house, random)

    def strikes(self) -> list[Callable[[], Callable[[], None]]]:
        return [
            *super().strikes(),
            *[self._cut_a_commit] * 8,
            *[self._cut_lines] * 2,
            *[self._end_backends] * 2,
            self._restart_server,
            self._fall_silent,
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
        self._server.end_backends(self._name)
        return lambda: None

    def _restart_server(self) -> Callable[[], None]:
        self._server.halt(self.random.choice((signal.SIGINT, signal.SIGQUIT)))
        self._server.resume()
        return lambda: None

    def _fall_silent(self) -> Callable[[], None]:
        self._proxy.flowing.clear()
        time.sleep(self.random.random())
        self._proxy.flowing.set()
        return lambda: None


def kill_starts(houses: Houses, folder: Path, every: int) -> Counter[str]:
    """Kill first starts at one in so many of their steps, on both databases."""
    counts: Counter[str] = Counter()
    for step in range(1, steps_on_sqlite(houses, folder / "file") + 1, every):
        kill_on_sqlite(houses, folder / f"file{step}", step)
        counts["starts killed on sqlite"] += 1
    for skip in range(steps_on_postgresql(houses, folder / "server")):
        for where in (Where.BEFORE, Where.AFTER):
            kill_on_postgresql(houses, folder / f"{where.name}{skip}", skip, where)
            counts["starts killed on postgresql"] += 1
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=150, help="on each database")
    parser.add_argument("--every", type=int, default=5, help="of a start's steps")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    asked = parser.parse_args()
    sys.stdout.write(f"seed {asked.seed}\n")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        houses = Houses(folder)
        try:
            on_file = houses.new("sqlite", folder / "sqlite", is_hooked=True)
            counts = FileCampaign(on_file, Random(asked.seed)).run(asked.faults)
            _tell("sqlite", counts)
            on_server, proxy = houses.behind_proxy(folder / "postgresql")
            play = ServerCampaign(on_server, Random(asked.seed), proxy, houses)
            _tell("postgresql", play.run(asked.faults))
            _tell("starts", kill_starts(houses, folder, asked.every))
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
