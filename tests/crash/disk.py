"""Disks that kill, fail or forget, as SQLite sees them: VFSs of apsw."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Collection
from random import Random
from typing import Any

import apsw

Made = Callable[[str, list[int]], apsw.VFSFile]
SECTOR = 512


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Points:
    """Counts the places where a process can die, and lets it die at one of them.

    At those in `kept`, `keep` is told instead what a death there would leave.
    """

    def __init__(
        self, kill_at: int, kept: Collection[int], keep: Callable[[int], None]
    ) -> None:
        self.during: tuple[str, ...] = ("opening",)
        """The kinds of command that the process is working on."""
        self.passed: list[tuple[tuple[str, ...], str]] = []
        self._kill_at, self._kept, self._keep = kill_at, frozenset(kept), keep

    def passing(self, name: str, begin: Callable[[], None] | None = None) -> None:
        """Die here, or not; who does has begun something and ends in its middle."""
        self.passed.append((self.during, name))
        at = len(self.passed)
        if at != self._kill_at and at not in self._kept:
            return
        if begin is not None:
            begin()
        if at == self._kill_at:
            die()
        self._keep(at)


class Disk(apsw.VFS):
    """A way to the disk whose files are made by `made`."""

    def __init__(self, name: str, made: Made) -> None:
        super().__init__(name, "")
        self._made = made

    def xOpen(  # noqa: N802
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        assert path is not None, "a journal needs no nameless file"
        return self._made(path, flags)


def part(flags: list[int]) -> str:
    """Which file of the database it is."""
    if flags[0] & apsw.SQLITE_OPEN_WAL:
        return "wal"
    return "file" if flags[0] & apsw.SQLITE_OPEN_MAIN_DB else "rollback journal"


class QuickFile(apsw.VFSFile):
    """Syncs nothing: what a dead process has written, the system still has."""

    def __init__(self, path: str, flags: list[int]) -> None:
        super().__init__("", path, flags)

    def xSync(self, flags: int) -> None:  # noqa: N802
        pass


class KillingFile(QuickFile):
    """Before, in the middle of and after what reaches the disk, one can die."""

    def __init__(self, path: str, flags: list[int], points: Points) -> None:
        self._part = part(flags)
        self._points = points
        super().__init__(path, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        self._points.passing(f"{self._part}: before a write")
        write = super().xWrite
        half = data[: len(data) // 2]
        self._points.passing(f"{self._part}: in a write", lambda: write(half, offset))
        write(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._points.passing(f"{self._part}: before a sync")
        super().xSync(flags)
        self._points.passing(f"{self._part}: after a sync")


class Faults:
    """The nth write, sync or truncation fails; if `lasting`, each later one too."""

    def __init__(self, at: int, error: type[apsw.Error], *, lasting: bool) -> None:
        self.count = 0
        self._at, self._error, self._lasting = at, error, lasting

    def fail_next(self) -> None:
        self._at = self.count + 1

    def operation(self, name: str) -> None:
        self.count += 1
        failing = self.count >= self._at if self._lasting else self.count == self._at
        if self._at and failing:
            raise self._error(f"injected at {name} {self.count}")


class FailingFile(QuickFile):
    def __init__(self, path: str, flags: list[int], faults: Faults) -> None:
        self._part = part(flags)
        self._faults = faults
        super().__init__(path, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        self._faults.operation(f"{self._part} write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._faults.operation(f"{self._part} sync")
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._faults.operation(f"{self._part} truncation")
        super().xTruncate(newsize)


class _Contents:
    """A file as programs see it, and what of that is not on the platter yet."""

    def __init__(self, seen: bytes) -> None:
        self.seen = bytearray(seen)
        self.unsynced: list[tuple[int, bytes | None]] = []
        """Offset and bytes of a write; a size and None of a truncation."""

    def write(self, data: bytes, offset: int) -> None:
        missing = offset - len(self.seen)
        self.seen += bytes(max(0, missing))
        self.seen[offset : offset + len(data)] = data
        self.unsynced.append((offset, data))

    def truncate(self, size: int) -> None:
        del self.seen[size:]
        self.unsynced.append((size, None))


class Cache:
    """Everything that waits for a sync; a power cut comes at the nth operation.

    `keep` says what of the unsynced writes reaches the platter all the same: nothing,
    or some, in any order and torn between sectors. The names in a folder are durable.
    """

    def __init__(self, cut_at: int, keep: str, random: Random) -> None:
        self.count = 0
        self._cut_at, self._keep, self._random = cut_at, keep, random
        self._contents: dict[str, _Contents] = {}
        self._platters: dict[str, LosingFile] = {}

    def opened(self, path: str, platter: LosingFile, seen: bytes) -> _Contents:
        self._platters[path] = platter
        return self._contents.setdefault(path, _Contents(seen))

    def deleted(self, path: str) -> None:
        self._contents.pop(path, None)

    def operation(self) -> None:
        self.count += 1
        if self.count == self._cut_at:
            if self._keep == "some":
                self._keep_some()
            die()

    def _keep_some(self) -> None:
        for path, contents in self._contents.items():
            some = [each for each in contents.unsynced if self._random.random() < 0.6]
            self._random.shuffle(some)
            for offset, data in some:
                self._platters[path].settle(offset, data and self._torn(data))

    def _torn(self, data: bytes) -> bytes:
        if self._random.random() < 0.7:
            return data
        return data[: SECTOR * self._random.randrange(1 + len(data) // SECTOR)]


class LosingDisk(Disk):
    def __init__(self, name: str, cache: Cache) -> None:
        super().__init__(name, lambda path, flags: LosingFile(path, flags, cache))
        self._cache = cache

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self._cache.deleted(filename)


class LosingFile(apsw.VFSFile):
    """What is written can be read at once; on the platter it is after a sync."""

    def __init__(self, path: str, flags: list[int], cache: Cache) -> None:
        super().__init__("", path, flags)
        self._cache = cache
        on_platter = super().xRead(super().xFileSize(), 0)
        self._contents = cache.opened(path, self, on_platter)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        return bytes(self._contents.seen[offset : offset + amount])

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._contents.seen)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        self._cache.operation()
        self._contents.write(bytes(data), offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._cache.operation()
        self._contents.truncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._cache.operation()
        for offset, data in self._contents.unsynced:
            self.settle(offset, data)
        self._contents.unsynced.clear()
        self._cache.operation()

    def settle(self, offset: int, data: bytes | None) -> None:
        """Onto the platter; no true sync is needed if only processes die."""
        if data is None:
            super().xTruncate(offset)
        elif data:
            super().xWrite(data, offset)
