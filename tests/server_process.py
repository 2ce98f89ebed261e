"""`croupier serve` as a process of its own, started, ended and started again."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass, field
from pathlib import Path

from tests.spawner import Spawned, spawner
from tests.waiting import wait_for

START_SECONDS = 60
STOP_SECONDS = 30
"""The bound that docs/operating.md states for a stop."""


class NotOpened(Exception):
    """A server that ended before it was open: its exit status and its output."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(status, said)
        self.status, self.said = status, said


@dataclass
class ServerProcess:
    """A server on a database, with `out` and `log` in a folder."""

    url: str
    """Of the database."""
    folder: Path
    address: str = field(default="", init=False)
    process: Spawned | None = field(default=None, init=False)

    def spawn(
        self, *words: str, hooks: str | None = None, open_files: int | None = None
    ) -> Spawned:
        """Begin a start, without waiting for its end; `log` goes on, `out` does not."""
        assert self.process is None
        (self.folder / "out").write_bytes(b"")
        (self.folder / "log").touch()
        words = ("serve", "--database", self.url, "--log", "json", *words)
        self.process = spawner().start(
            [*words], self.folder, hooks=hooks, open_files=open_files
        )
        return self.process

    def wait_until_open(self) -> None:
        """Note the address; raise `NotOpened` if the process has ended."""
        process = self.process
        assert process is not None

        def opened() -> bool:
            found = re.search(r"The house is open at (\S+)\n", self._read("out"))
            if found:
                self.address = found[1]
            return found is not None or process.poll() is not None

        wait_for(opened, START_SECONDS)
        if process.poll() is not None:
            self.process = None
            raise NotOpened(process.returncode, self._read("out") + self._read("log"))

    def _read(self, name: str) -> str:
        return (self.folder / name).read_text()

    def kill(self) -> None:
        process, self.process = self.process, None
        assert process is not None
        process.kill()
        process.wait()

    def terminate(
        self,
        number: signal.Signals = signal.SIGTERM,
        *,
        seconds: float = STOP_SECONDS,
    ) -> int:
        """End it by a signal; return the exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.ended(seconds)

    def ended(self, seconds: float) -> int:
        """Wait until it has ended, within a bound; return the exit status."""
        process, self.process = self.process, None
        assert process is not None
        try:
            return process.wait(seconds)
        except TimeoutError:
            process.kill()
            process.wait()
            said = self._read("out") + self._read("log")
            raise AssertionError(f"still there after {seconds} s: {said}") from None
