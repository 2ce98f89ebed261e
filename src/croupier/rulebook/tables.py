"""The text tables of this package: two spaces between fields, `#` for a comment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from croupier.rules.clause import Rule


def read_table(name: str) -> list[list[str]]:
    """Return the rows of a table; none if there is no such file."""
    file = files("croupier.rulebook").joinpath(f"{name}.txt")
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return [line.split("  ") for line in lines if not line.startswith("#")]


@cache
def meanings() -> Mapping[tuple[Rule, str], str]:
    return {(Rule[rule], who): says for rule, who, says in read_table("meanings")}
