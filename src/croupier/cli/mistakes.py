"""Mistakes of the user, and packages that are missing: each is one sentence.

A command lets the error of a package pass; `main` prints it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

MISTAKES = {
    "croupier.audit.journal.sources": "SourceError",
    "croupier.audit.wheel.record": "WheelError",
    "croupier.batch.table_format": "TableError",
    "croupier.chance.entropy": "ChanceFailed",
    "croupier.games.installed": "UnknownGame",
    "croupier.house.configuration.differences": "ImpossibleChange",
    "croupier.house.records.house_record": "NotDone",
    "croupier.journal.store": "JournalError",
    "croupier.odds.liability": "NoBound",
    "croupier.odds.sessions.strategy": "SessionError",
    "croupier.protocol.errors": "HouseError",
    "croupier.rules.clause": "RuleViolation",
    "croupier.rules.notation": "NotationError",
    "croupier.transcript.words": "TranscriptError",
}
"""By module, so that none has to be loaded to be asked."""


def mistakes() -> tuple[type[Exception], ...]:
    """Return the errors whose sentence tells the user what to mend.

    No module is loaded for it: what was raised comes from one that is loaded.
    """
    return tuple(
        getattr(sys.modules[module], name)
        for module, name in MISTAKES.items()
        if module in sys.modules
    )


@contextmanager
def needing(extra: str, *packages: str) -> Iterator[None]:
    """Name the extra to install where a package is missing."""
    try:
        for package in packages:
            import_module(package)
        yield
    except ImportError as error:
        raise click.UsageError(
            f"this needs {error.name}: pip install 'croupier[{extra}]'"
        ) from error


def read_text(path: Path) -> str:
    """Return the file's text; what is wrong with it is told with its name."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{path}: {why_not_read(error)}") from error


def why_not_read(error: OSError | ValueError) -> str:
    """Return why bytes could not be had, or are no text."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8 text"
    return getattr(error, "strerror", None) or "it can't be read"
