"""Files that can't be read and packages that are missing: each is one sentence.

A command lets a `CroupierError` pass; `main` prints it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from croupier.extras import root_package

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.house.records.house_state import HouseState


def base_missing(error: ImportError) -> str:
    """Say how to get back what every installation has."""
    return (
        f"{root_package(error)} is missing, which every installation has: pip install"
        " croupier"
    )


def check_staff(state: HouseState, *names: str) -> None:
    """Refuse people who are not on the staff."""
    for each in names:
        if each not in state.staff:
            raise click.ClickException(f"{each} is not on the staff of this house")


def read_text(path: Path) -> str:
    """Return the file's text; an error names the file."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{path}: {why_not_read(error)}") from error


def why_not_read(error: OSError | ValueError) -> str:
    """Return why the file could not be read, or is no text."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8 text"
    return getattr(error, "strerror", None) or "it can't be read"
