"""Files that nobody but their owner reads or writes, whatever the umask is.

A journal holds money: the codes of vouchers, who played, the digests of passwords. Each
of its files is made so before anything is written to it.
"""

from __future__ import annotations

import os
from pathlib import Path

OWNER_ONLY = 0o600
_OWNER_ENTERS = 0o700


def make_private(path: str | Path) -> None:
    """Make an empty file of the owner's; one that is there stays as it is."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))


def make_private_folder(path: Path) -> None:
    path.mkdir(mode=_OWNER_ENTERS)
