"""Starts houses without waiting for the program to be imported each time.

`python -m tests.spawner` imports the program once, and forks a process for each
request that it reads: a line of JSON. The process then is `croupier ARGS…` as any
other, down to how it ends. It answers with process ids and exit statuses. When the
requests end, so do the processes.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from croupier.chance.entropy import SystemEntropy
from croupier.chance.self_tests import self_test
from croupier.games import all_games
from croupier.house.configuration.house_file import read_house
from croupier.house.records.fingerprint import running_code
from croupier.web.api import api_document
from croupier.web.pages import page_routes
from tests.house_files import STAFF, house_lines, staff_lines, table_lines
from tests.quick_passwords import quick_passwords

ROOT = Path(__file__).parents[1]
_POLL_S = 0.02


class Spawned:
    """A process that the spawner has started; in use like one of `subprocess`."""

    def __init__(self, spawner: Spawner, pid: int) -> None:
        self.pid = pid
        self.returncode = 0
        self._spawner = spawner
        self._has_ended = False

    def poll(self) -> int | None:
        """The exit status, or the negative number of the signal that ended it."""
        if not self._has_ended:
            status = self._spawner.ask({"poll": self.pid})["status"]
            if status is None:
                return None
            self.returncode, self._has_ended = int(status), True
        return self.returncode

    def wait(self, seconds: float = 30) -> int:
        end = time.monotonic() + seconds
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                raise TimeoutError
            time.sleep(_POLL_S)
        return status

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Spawner:
    """The process that forks, one for each process of tests."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.spawner"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(
        self,
        words: list[str],
        folder: Path,
        *,
        hooks: str | None = None,
        open_files: int | None = None,
    ) -> Spawned:
        """`croupier WORDS…`, its output at the end of `out` and `log` in a folder.

        `hooks` names a module whose `install_hooks` is called with the folder first.
        """
        request = {
            "words": words,
            "folder": str(folder),
            "hooks": hooks,
            "open_files": open_files,
        }
        return Spawned(self, int(self.ask({"start": request})["pid"]))

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:  # a fault kills from a thread of its own
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


@cache
def spawner() -> Spawner:
    """The spawner of this process, started when it is first asked for."""
    return Spawner()


def _serve() -> None:
    """Work out once what every house does, then fork a process for each request."""
    for name in ("croupier.cli.serve_command", "croupier.web.server", "uvloop"):
        importlib.import_module(name)
    api_document()
    page_routes()
    read_house("".join(_house()), "house.toml")
    running_code()
    self_test(SystemEntropy())
    gc.freeze()  # a process that ends need not look at any of it
    with quick_passwords():
        _answer_requests()


def _house() -> Iterator[str]:
    """A house with all that a file may say of games and staff."""
    yield house_lines()
    for game in all_games():
        assert game.area_by_numbers
        yield table_lines(game.name, game.name)
    yield staff_lines(*STAFF)


def _answer_requests() -> None:
    alive: set[int] = set()
    for line in sys.stdin:
        request = json.loads(line)
        if "start" in request:
            pid = os.fork()
            if pid == 0:
                _run(**request["start"])
                return
            alive.add(pid)
            answer: dict[str, int | None] = {"pid": pid}
        else:
            answer = {"status": _status(request["poll"], alive)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    for pid in alive:
        os.kill(pid, signal.SIGKILL)


def _status(pid: int, alive: set[int]) -> int | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    if not found:
        return None
    alive.discard(pid)
    return os.waitstatus_to_exitcode(status)


def _run(
    words: list[str], folder: str, *, hooks: str | None, open_files: int | None
) -> None:
    """Be the program; what it raises ends this process as it would end any."""
    for descriptor, name in (
        (0, os.devnull),
        (1, f"{folder}/out"),
        (2, f"{folder}/log"),
    ):
        opened = os.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    if hooks is not None:
        importlib.import_module(hooks).install_hooks(Path(folder))
    if open_files is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    sys.argv = ["croupier", *words]
    runpy.run_module("croupier", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve()
