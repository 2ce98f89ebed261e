"""The numbered scripts that bring a database up to date."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def scripts(dialect: str) -> tuple[str, ...]:
    """In order; a database's version is the number of those it has had."""
    folder = files("croupier.journal") / "migrations" / dialect
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    return tuple((folder / name).read_text("utf-8") for name in names)
