"""The long run: die at every point of every script, cut the power, fail the disk.

`python -m tools.soak.crash` prints its seed and its counts; `--every 10` takes one in
ten, which the seed chooses. It ends with status 1 at the first thing that is lost.
"""

from __future__ import annotations

import argparse
import multiprocessing
import secrets
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from random import Random

from tests.crash.campaign import (
    Tally,
    fail,
    kill,
    kill_at,
    kill_points,
    operations,
    stored_commands,
)
from tests.crash.child import Job
from tests.crash.launcher import KILLED, Launcher
from tests.crash.scripts import SCRIPTS

CONTROL_CUTS = 50


@dataclass(slots=True)
class Counts:
    """Counts of the faults in one script, and of their effects."""

    points: int = 0
    deaths: Tally = field(default_factory=Tally)
    cuts: Tally = field(default_factory=Tally)
    failures: int = 0
    noticed: int = 0
    control_cuts: int = 0
    control_lost: int = 0


class Soak:
    """One script's share of the long run."""

    def __init__(self, script: str, every: int, seed: int) -> None:
        self._script, self._every = script, every
        self._random = Random(f"{seed} {script}")
        self.counts = Counts()

    def run(self) -> Counts:
        with Launcher() as launcher, tempfile.TemporaryDirectory() as folder:
            for part in (self._kill, self._cut, self._fail, self._control):
                part(launcher, Path(folder))
        return self.counts

    def _kill(self, launcher: Launcher, folder: Path) -> None:
        points = kill_points(launcher, folder, self._script)
        self.counts.points = len(points)
        chosen = [point for point in points if self._takes()]
        self.counts.deaths = kill_at(launcher, folder, self._script, chosen)

    def _cut(self, launcher: Launcher, folder: Path) -> None:
        job = Job(str(folder / "journal"), self._script, trouble="cut")
        for at in self._places(launcher, folder, job):
            for keep in ("nothing", "some"):
                seed = self._random.randrange(2**32)
                found = kill(launcher, replace(job, at=at, keep=keep, seed=seed))
                self.counts.cuts.died(keep, found.unheard)

    def _fail(self, launcher: Launcher, folder: Path) -> None:
        job = Job(str(folder / "journal"), self._script, trouble="fail")
        for at in self._places(launcher, folder, job):
            for error, lasting in product(("full", "io"), (False, True)):
                bad = replace(job, at=at, error=error, lasting=lasting)
                self.counts.failures += 1
                self.counts.noticed += fail(launcher, bad)

    def _control(self, launcher: Launcher, folder: Path) -> None:
        """Check that the same cuts lose something with synchronous=NORMAL."""
        job = Job(str(folder / "x"), self._script, "cut", synchronous="NORMAL")
        count = operations(launcher, folder, job)
        for number in range(CONTROL_CUTS):
            path = str(folder / f"control{number}")
            at = self._random.randint(1, count)
            ended = launcher.run(replace(job, path=path, at=at))
            assert ended.status == KILLED
            lost = set(ended.answered) - stored_commands(path)
            self.counts.control_cuts += 1
            self.counts.control_lost += len(lost)

    def _places(self, launcher: Launcher, folder: Path, job: Job) -> list[int]:
        count = operations(launcher, folder, job)
        return [at for at in range(1, count + 1) if self._takes()]

    def _takes(self) -> bool:
        return self._random.randrange(self._every) == 0


def soak(script: str, every: int, seed: int) -> Counts:
    return Soak(script, every, seed).run()


def _told(script: str, counts: Counts) -> str:
    return (
        f"{script}: {counts.points} points; killed: {counts.deaths};"
        f" power cut: {counts.cuts}; disk failed {counts.failures} times,"
        f" {counts.noticed} noticed; control: {counts.control_cuts} cuts with"
        f" synchronous=NORMAL lost {counts.control_lost} answered commands"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every nth point")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--script", action="append", choices=SCRIPTS)
    given = parser.parse_args()
    scripts = given.script or list(SCRIPTS)
    _say(f"seed {given.seed}, one in {given.every}")
    began = time.monotonic()
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=spawn) as pool:
        runs = {s: pool.submit(soak, s, given.every, given.seed) for s in scripts}
        everything = {script: run.result() for script, run in runs.items()}
    for script, counts in everything.items():
        _say(_told(script, counts))
    lost = sum(counts.control_lost for counts in everything.values())
    kills = sum(counts.deaths.kills for counts in everything.values())
    cuts = sum(counts.cuts.kills for counts in everything.values())
    failures = sum(counts.failures for counts in everything.values())
    _say(
        f"{kills} kills, {cuts} power cuts and {failures} disk failures lost nothing;"
        f" the control lost {lost}; {time.monotonic() - began:.0f} s"
    )
    return 0 if lost else 1


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
