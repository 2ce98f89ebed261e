"""The addresses of journals; tells journals from other files without opening them."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.errors import CroupierError
from croupier.journal.errors import JournalError
from croupier.journal.writable_values import is_writable

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)
_POSTGRESQL = ("postgresql", "postgres")
_SQLITE = b"SQLite format 3\x00"
_LONGEST_LINE = 100_000


def file_of(url: str) -> Path | None:
    """Return the file of a journal on SQLite, or None for one on PostgreSQL."""
    match = _SCHEME.match(url)
    scheme = match[1].lower() if match else "sqlite"
    if scheme in _POSTGRESQL:
        return None
    if scheme != "sqlite":
        raise JournalError(
            f"a journal is a file or begins with sqlite: or postgresql:, not {scheme}:"
        )
    path = url[match.end() :] if match else url
    path = path.removeprefix("///")
    if not path or not is_writable(path) or path.startswith("//"):
        raise JournalError(f"{url!r} names no file for a journal")
    return Path(path)


class SourceError(CroupierError):
    """The file can't be read; the message says why, in a sentence."""


def is_journal(source: str) -> bool:
    """Return whether it is a journal or an export of one; raises `SourceError`."""
    try:
        path = file_of(source)
    except JournalError:
        return False
    if path is None or str(path) != source:
        return True
    if path.suffix.lower() == ".jsonl":
        return b'"outcome"' not in _first_line(path)
    return _first_line(path).startswith(_SQLITE)


def _first_line(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.readline(_LONGEST_LINE)
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error
