"""A house in a process of its own, that can be stopped, killed and started again."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.running import run_here
from tests.house_files import house_lines, staff_lines, table_lines
from tests.spawner import Spawned, spawner

_BY_HAND = "countdown_seconds = 0"
TEXT = "".join(
    (
        house_lines(),
        table_lines("Table 1", "mbs-roulette-v3", _BY_HAND, limits='"*" = [5, 1000]'),
        table_lines(
            "Table 2",
            "mbs-fast-action-v2",
            'lights = "dealer"',
            _BY_HAND,
            limits='"*" = [1, 100]',
        ),
        staff_lines("Dana", "Sam", "Ada"),
    )
)
PASSWORD = "correct horse battery"


class RealHouse:
    """`croupier serve`, on one port as long as it lives."""

    def __init__(self, folder: Path, money: str = "demonstration") -> None:
        self._file = folder / "house.toml"
        self._file.write_text(TEXT.replace("demonstration", money), "utf-8")
        self.database = f"sqlite:///{folder / 'house.db'}"
        self._folder = folder
        self._is_real = money == "real"
        self._process: Spawned | None = None
        self.url = ""
        self._port = "0"

    def start(self) -> None:
        words = ["serve", "--database", self.database, "--house", str(self._file)]
        if not Path(self.database.removeprefix("sqlite:///")).exists():
            words += self._create()
        out = self._folder / "out"
        out.write_text("")
        words += ["--port", self._port]
        self._process = spawner().start(words, self._folder)
        while not (said := out.read_text()).endswith("\n"):
            assert self._process.poll() is None, (self._folder / "log").read_text()
            time.sleep(0.02)
        self.url = said.rpartition(" ")[2].strip()
        assert self.url.startswith("http://"), said
        self._port = self.url.rpartition(":")[2]

    def _create(self) -> list[str]:
        """Begin a house for real money; a demonstration begins as it starts."""
        if not self._is_real:
            return ["--create"]
        words = ("house", "create", self._file, "--first", "Ada")
        ran = run_here(
            *words, "--database", self.database, stdin=f"{PASSWORD}\n".encode()
        )
        assert ran.code == 0, ran.stderr
        return []

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the process in order, or kill it."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait()

    def close(self) -> None:
        self.end(signal.SIGKILL)


@contextmanager
def real_house(folder: Path, money: str = "demonstration") -> Iterator[RealHouse]:
    house = RealHouse(folder, money)
    try:
        house.start()
        yield house
    finally:
        house.close()
