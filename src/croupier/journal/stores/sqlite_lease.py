"""The lease of a journal on SQLite: a lock on a file beside it, kept by the kernel.

The lock is not on the journal's own file: closing any descriptor of that file would
drop the locks that SQLite holds there.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Self

from croupier.journal.sharing import LeaseHeld
from croupier.journal.store import JournalError, JournalFailed


class FileLease:
    """A lock on `JOURNAL-lease`, which names its process for whoever is refused."""

    def __init__(self, journal: Path) -> None:
        """Take the lease; raises `LeaseHeld` where a process that lives has it."""
        self._journal = journal
        real = journal.resolve()
        self._path = real.with_name(f"{real.name}-lease")
        self._file: int | None = None
        try:
            self._file = self._locked()
        except OSError as error:
            raise JournalError(f"{journal} can't be leased: {error.strerror}") from (
                error
            )

    def renew(self) -> None:
        """Take a lease again whose file was deleted or replaced."""
        assert self._file is not None
        try:
            if not _is_at(self._path, self._file):
                lost, self._file = self._file, self._locked()
                os.close(lost)
        except OSError as error:
            raise JournalFailed(
                f"{self._journal} can't be leased: {error.strerror}"
            ) from error

    def close(self) -> None:
        """Let go, and leave no file; once."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                if _is_at(self._path, file):
                    self._path.unlink()
            os.close(file)

    def _locked(self) -> int:
        """Return the file, locked, and not one that its last holder has deleted."""
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(self._path, file):
                    os.ftruncate(file, 0)
                    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
                    return file
            except BlockingIOError:
                holder = os.pread(file, 20, 0).decode("ascii", "replace").strip()
                os.close(file)
                raise self._held(holder) from None
            except BaseException:
                os.close(file)
                raise
            os.close(file)

    def _held(self, holder: str) -> LeaseHeld:
        named = f"process {holder}" if holder else "another process"
        return LeaseHeld(f"{named} has {self._journal} open as its house")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_at(path: Path, file: int) -> bool:
    """Return whether the path still leads to the open file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(found, os.fstat(file))
