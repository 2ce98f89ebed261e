"""Mistakes of the user, and packages that are missing, each told in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

import click

from croupier.rules.clause import RuleViolation
from croupier.rules.notation import NotationError

if TYPE_CHECKING:
    from pathlib import Path


@contextmanager
def needing(extra: str, *packages: str) -> Iterator[None]:
    """A package that is not installed, in one sentence with the extra that has it."""
    try:
        for package in packages:
            import_module(package)
        yield
    except ImportError as error:
        raise click.UsageError(
            f"this needs {error.name}: pip install 'croupier[{extra}]'"
        ) from error


@contextmanager
def mistakes_told() -> Iterator[None]:
    """Text that is no notation, and wagers that the rules refuse, in one sentence."""
    try:
        yield
    except (NotationError, RuleViolation) as error:
        raise click.UsageError(str(error)) from error


@contextmanager
def session_mistakes_told() -> Iterator[None]:
    """A session or a play that makes no sense, in one sentence."""
    from croupier.odds.sessions.strategy import SessionError

    with mistakes_told():
        try:
            yield
        except SessionError as error:
            raise click.UsageError(str(error)) from error


def read_text(path: Path) -> str:
    """The file's text; what is wrong with it is told with its name."""
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{path}: {_why(error)}") from error


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8 text"
    return getattr(error, "strerror", None) or "it can't be read"
