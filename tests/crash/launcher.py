"""Starts the processes that die: a process of its own, so that a fork is safe.

`python -m tests.crash.launcher` reads a job a line, forks a child that plays it, and
writes a line with the child's end and all that it told before.
"""

from __future__ import annotations

import base64
import gc
import json
import os
import pickle
import subprocess
import sys
import traceback
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from croupier.games import find_game
from croupier.table.answers import Answer
from tests.crash.child import Job, play
from tests.crash.scripts import SCRIPTS

ROOT = Path(__file__).parents[2]
KILLED = -9


@dataclass(frozen=True)
class Ended:
    """How a child ended, and what it told."""

    status: int
    """Its exit status, or `KILLED`."""
    told: tuple[dict[str, Any], ...]

    @cached_property
    def answered(self) -> dict[str, Answer]:
        """Each answer given, by command id."""
        return {
            t["answered"]: pickle.loads(base64.b64decode(t["answer"]))
            for t in self.told
            if "answered" in t
        }

    @property
    def sent(self) -> list[str]:
        return [t["sent"] for t in self.told if "sent" in t]

    def until(self, at: int) -> Ended:
        """What a child would have told that had died at a point it has kept."""
        return Ended(KILLED, self.told[: self.told.index({"kept": at})])

    def last(self, key: str) -> Any:
        return next((t[key] for t in reversed(self.told) if key in t), None)


class Launcher:
    """A launcher to hand jobs to, one at a time."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.launcher"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def start(self, job: Job) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asdict(job)) + "\n")
        self._process.stdin.flush()

    def finish(self) -> Ended:
        """Waits for the child; a mistake in it is raised here."""
        assert self._process.stdout is not None
        answer = json.loads(self._process.stdout.readline())
        ended = Ended(answer["status"], tuple(answer["told"]))
        mistake = ended.last("mistake")
        assert mistake is None, mistake
        return ended

    def run(self, job: Job) -> Ended:
        self.start(job)
        return self.finish()


def _serve() -> None:
    for script in SCRIPTS.values():  # worked out once, not in every child
        assert find_game(script.game).area_by_name
    gc.freeze()  # a child that ends need not look at any of it
    for line in sys.stdin:
        told, status = _forked(Job(**json.loads(line)))
        sys.stdout.write(json.dumps({"status": status, "told": told}) + "\n")
        sys.stdout.flush()


def _forked(job: Job) -> tuple[list[dict[str, Any]], int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _play_and_exit(job, writing)
    os.close(writing)
    with os.fdopen(reading) as lines:
        told = [json.loads(line) for line in lines]
    _, status = os.waitpid(child, 0)
    return told, os.waitstatus_to_exitcode(status)


def _play_and_exit(job: Job, writing: int) -> None:
    """Never returns; each thing told leaves at once, in one write."""

    def tell(what: dict[str, Any]) -> None:
        line = memoryview((json.dumps(what) + "\n").encode())
        while line:
            line = line[os.write(writing, line) :]

    status = 0
    try:
        play(job, tell)
    except BaseException:  # noqa: BLE001
        tell({"mistake": traceback.format_exc()})
        status = 1
    os._exit(status)


if __name__ == "__main__":
    _serve()
