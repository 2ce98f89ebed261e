"""Files that only their owner reads or writes, under any umask.

A journal holds voucher codes, Players' names and password digests. Each of its files
gets these permissions before anything is written to it.
"""

from __future__ import annotations

import os
from pathlib import Path

from croupier.journal.errors import JournalError

OWNER_ONLY = 0o600
OWNER_ENTERS = 0o700
_LARGEST_KEY = 10_000


class BadKey(JournalError):
    """The file holds no key of the kind that is needed, or can't be written."""


def write_key(path: Path, content: bytes) -> None:
    """Write a new file that only its owner reads; raises `BadKey`."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with open(handle, "wb") as file:  # noqa: PTH123
            file.write(content)
    except FileExistsError as error:
        raise BadKey(
            f"{path} is there already, and a key is not overwritten"
        ) from error
    except OSError as error:
        raise BadKey(f"{path}: {error.strerror}") from error


def read_key(path: Path) -> bytes:
    """Return the first 10,000 bytes of a file, or raise `BadKey`."""
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_KEY)
    except OSError as error:
        raise BadKey(f"{path}: {error.strerror}") from error


def make_private(path: str | Path) -> None:
    """Create an empty file for its owner; a file that exists stays as it is."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))
