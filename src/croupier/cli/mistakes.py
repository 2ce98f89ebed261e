"""Files that can't be read and packages that are missing: each is one sentence.

A command lets a `CroupierError` pass; `main` prints it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

_NAME = re.compile(r"^[\w-]+")


@contextmanager
def needing(extra: str, *packages: str) -> Iterator[None]:
    """Name the extra to install where a package is missing."""
    try:
        for package in packages:
            # To load numba would take half a second that a small file does not need.
            if find_spec(package) is None:
                raise ModuleNotFoundError(name=package)
        yield
    except ImportError as error:
        if is_base_missing(error):
            raise
        raise click.UsageError(
            f"this needs {error.name}: pip install 'croupier[{extra}]'"
        ) from error


def is_base_missing(error: ImportError) -> bool:
    """Return whether a package is missing that every installation has."""
    from importlib.metadata import requires

    base = {
        words[0]
        for requirement in requires("croupier") or ()
        if "extra ==" not in requirement and (words := _NAME.findall(requirement))
    }
    return _root_package(error) in base


def base_missing(error: ImportError) -> str:
    """Say how to get back what every installation has."""
    return (
        f"{_root_package(error)} is missing, which every installation has: pip install"
        " croupier"
    )


def _root_package(error: ImportError) -> str:
    return (error.name or "").partition(".")[0]


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
