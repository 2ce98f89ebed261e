"""Loops as machine code, kept on disk for as long as no source of theirs changes.

By itself numba looks at one file to see whether what it has kept is out of date: that
of the loop, not those of the loops and constants that became a part of it. So what is
kept here lies in a folder named after all the sources together.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Loop = TypeVar("Loop", bound=Callable[..., object])

_HERE = Path(__file__).parent
_SOURCES = (_HERE, _HERE.parent / "simulator")


def machine_code(function: Loop, **options: Any) -> Loop:
    """The function, compiled for each kind of arguments that it is given."""
    config: Any = numba.config
    folder, before = _kept_in(), config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled = numba.njit(nogil=True, cache=folder is not None, **options)(function)
    finally:
        config.CACHE_DIR = before
    return cast("Loop", compiled)


@cache
def _kept_in() -> Path | None:
    """Beside this file, or where a user's caches are; None: nowhere."""
    name = f"loops-{digest_of(_SOURCES)}"
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for parent in (_HERE / "__pycache__", Path(home, "croupier").expanduser()):
        folder = parent / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


def digest_of(folders: Iterable[Path]) -> str:
    """A name for all Python sources in the folders."""
    digest = sha256()
    for path in sorted(each for folder in folders for each in folder.glob("*.py")):
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:16]
