"""Where a clause is carried out and shown: lines of code, and lines of tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import croupier
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game

_PACKAGE = Path(croupier.__file__).parent
_TREE = _PACKAGE.parent.parent
"""The source tree, where the package is run from one: the tests lie beside `src`."""


def code_of(row: ClauseRow) -> list[str]:
    """`file:line function` of the code that asks for a rule of the row."""
    places = [place for rule in row.rules for place in _rule_uses().get(rule.name, ())]
    return list(dict.fromkeys(places))


def shown_in(game: Game, row: ClauseRow) -> list[str]:
    """The clause's own transcript, then the lines of others that expect it."""
    folder = _TREE / "tests" / "transcripts" / game.name
    own = f"tests/transcripts/{game.name}/{transcript_name(row)}"
    if not folder.is_dir():
        return [own]
    others = [
        f"{path.relative_to(_TREE).as_posix()}:{line}"
        for path in sorted(folder.rglob("*.txt"))
        for line in _lines_citing(path, row.number)
        if path.relative_to(_TREE).as_posix() != own
    ]
    return [f"{own}:1", *others]


def transcript_name(row: ClauseRow) -> str:
    """The file name of a clause's own test transcript."""
    return row.number.replace(": ", "-").replace(" ", "_") + ".txt"


def _lines_citing(path: Path, number: str) -> Iterator[int]:
    for line, text in enumerate(path.read_text("utf-8").splitlines(), start=1):
        _, mark, expected = text.partition("#!")
        if not mark:
            _, mark, expected = text.partition("#=")
        if mark and number in expected.split():
            yield line


@cache
def _rule_uses() -> Mapping[str, list[str]]:
    """For each rule, where the code outside the games' tables asks for it."""
    uses: dict[str, list[str]] = {}
    for path in sorted(_PACKAGE.rglob("*.py")):
        if path.parent.name == "games":
            continue
        for function, name in _mentions(ast.parse(path.read_text("utf-8"))):
            shown = f"croupier/{path.relative_to(_PACKAGE).as_posix()}"
            place = f"{shown}:{function.lineno} {function.name}"
            uses.setdefault(name, []).append(place)
    return uses


def _mentions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            is_rule = (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == Rule.__name__
            )
            if is_rule:
                assert isinstance(node, ast.Attribute)
                yield function, node.attr
