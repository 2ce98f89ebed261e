"""A clock that steps and a disk that fails, inside a house's process, as a test says.

What happens is read from files in a folder that the test knows:

- `clock` holds milliseconds that are added to the time of day;
- while `full` is there, SQLite finds its disk full;
- if `impatient` is there at its start, it gives locks and journals up in a second;
- if `die` holds a number, the process kills itself when it has made as many more
  writes and syncs of SQLite; each that it makes adds a byte to `passed`.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
import time
from pathlib import Path
from typing import Any

import apsw

from croupier.house.floor import table
from croupier.journal.stores import postgresql_servers, sqlite

_MS = struct.Struct("<q")
_OWN_FILES = apsw.vfs_names()[0]
"""How SQLite reaches its files by itself."""


class SteppingClock:
    """The time of day as a file shifts it; the time that only runs forward stays."""

    def __init__(self, file: Path) -> None:
        with file.open("rb") as shared:
            self._shift = mmap.mmap(shared.fileno(), _MS.size, access=mmap.ACCESS_READ)
        self._time_ns = time.time_ns

    def time_ns(self) -> int:
        (shift_ms,) = _MS.unpack_from(self._shift)
        return self._time_ns() + int(shift_ms) * 1_000_000

    def time(self) -> float:
        return self.time_ns() / 1e9


class Disk:
    """Counts what reaches the disk, and fails or kills if the folder says so."""

    def __init__(self, folder: Path) -> None:
        self._full, self._die = folder / "full", folder / "die"
        self._left: int | None = None
        flags = os.O_CREAT | os.O_WRONLY | os.O_APPEND
        self._passed = os.open(folder / "passed", flags)

    def passing(self) -> None:
        os.write(self._passed, b".")
        if self._left is None and self._die.exists():
            self._left = int(self._die.read_text())
            self._die.unlink()
        if self._left is not None:
            self._left -= 1
            if self._left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def writing(self) -> None:
        self.passing()
        if self._full.exists():
            raise apsw.FullError("the test's disk is full")


class WatchedFile(apsw.VFSFile):
    """A file of SQLite on such a disk."""

    def __init__(
        self, name: str | apsw.URIFilename | None, flags: list[int], disk: Disk
    ) -> None:
        self._disk = disk
        super().__init__(_OWN_FILES, name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        self._disk.writing()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.passing()
        super().xSync(flags)


class WatchedFiles(apsw.VFS):
    """The way that SQLite takes to its files unless told another."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__("watched", _OWN_FILES, makedefault=True)

    def xOpen(  # noqa: N802
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        return WatchedFile(name, flags, self._disk)


def step_clock(folder: Path, by_ms: int) -> None:
    """Shift the clock of the process on this folder, now or when it starts."""
    file = folder / "clock"
    if not file.exists():
        file.write_bytes(_MS.pack(0))
    with file.open("r+b") as shared:
        shared.write(_MS.pack(by_ms))


def die_after(folder: Path, operations: int) -> None:
    """Let the process on this folder die at a write or sync to come."""
    written = folder / "die.new"
    written.write_text(str(operations))
    written.rename(folder / "die")


def make_impatient(folder: Path) -> None:
    """Let the process that starts on this folder give up locks and journals soon."""
    (folder / "impatient").touch()


def install_hooks(folder: Path) -> None:
    """Give this process the clock and the disk of a folder, for as long as it lives."""
    if (folder / "impatient").exists():
        sqlite._BUSY_MS = 1_000
        postgresql_servers._LOCK_SECONDS = 1
        table._JOURNAL_AWAY_S = 1.0
    clock = SteppingClock(folder / "clock")
    time.time, time.time_ns = clock.time, clock.time_ns
    _kept.append(WatchedFiles(Disk(folder)))


_kept: list[apsw.VFS] = []
"""Files must not be collected before the last connection is closed."""
