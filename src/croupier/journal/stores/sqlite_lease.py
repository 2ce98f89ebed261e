"""The lease of a journal on SQLite: a lock on a file beside it, kept by the kernel.

The lock is not on the journal's own file: closing any descriptor of that file would
drop the locks that SQLite holds there. The file names the process that holds it, and
the file of SQLite's locks that this process uses.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from croupier.journal.sharing import Lease, LeaseHeld
from croupier.journal.store import JournalError, JournalFailed


class FileLease(Lease):
    """A lock on `JOURNAL-lease`."""

    def __init__(self, journal: Path) -> None:
        """Take the lease; raises `LeaseHeld` if another live process has it."""
        self._journal = journal
        self._path = _lease_of(journal)
        self._says = f"{os.getpid()}"
        self._file: int | None = None
        try:
            self._file = self._locked()
        except OSError as error:
            raise JournalError(f"{journal} can't be leased: {error.strerror}") from (
                error
            )

    def renew(self) -> None:
        """Take the lease again if its file was deleted or replaced."""
        assert self._file is not None
        try:
            if not _is_at(self._path, self._file):
                lost, self._file = self._file, self._locked()
                os.close(lost)
        except OSError as error:
            raise JournalFailed(
                f"{self._journal} can't be leased: {error.strerror}"
            ) from error

    def name_locks(self, locks: str) -> None:
        """Write the locks into the lease: other writers must share them."""
        assert self._file is not None
        self._says = f"{os.getpid()} {locks}"
        self._write(self._file)

    def _write(self, file: int) -> None:
        os.ftruncate(file, 0)
        os.pwrite(file, f"{self._says}\n".encode(), 0)

    def close(self) -> None:
        """Release the lease and remove its file; a second call does nothing."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                if _is_at(self._path, file):
                    self._path.unlink()
            os.close(file)

    def _locked(self) -> int:
        """Return the locked file; try again if its last holder has just deleted it."""
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(self._path, file):
                    self._write(file)
                    return file
            except BlockingIOError:
                holder, _ = _said(file)
                os.close(file)
                raise self._held(holder) from None
            except BaseException:
                os.close(file)
                raise
            os.close(file)

    def _held(self, holder: str) -> LeaseHeld:
        named = f"process {holder}" if holder else "another process"
        return LeaseHeld(f"{named} has {self._journal} open as its house")


@contextmanager
def beside_holder(journal: Path, locks: str) -> Iterator[None]:
    """Write a journal beside the process that holds its lease, or instead of it.

    Raises `LeaseHeld` if that process uses other locks: SQLite's were deleted under it.
    """
    if _named_locks(journal) == locks:
        yield
        return
    try:
        lease = FileLease(journal)
    except LeaseHeld as error:
        raise LeaseHeld(
            f"{error}, and {journal}-shm was deleted under it: it is about to end, and"
            " must be started again"
        ) from error
    with lease:
        yield


def _named_locks(journal: Path) -> str | None:
    try:
        file = os.open(_lease_of(journal), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        return _said(file)[1]
    finally:
        os.close(file)


def _said(file: int) -> tuple[str, str]:
    """Return the process that a lease names, and its locks."""
    process, _, locks = os.pread(file, 80, 0).decode("ascii", "replace").partition(" ")
    return process.strip(), locks.strip()


def _lease_of(journal: Path) -> Path:
    real = journal.resolve()
    return real.with_name(f"{real.name}-lease")


def _is_at(path: Path, file: int) -> bool:
    """Return whether the path still leads to the open file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(found, os.fstat(file))
