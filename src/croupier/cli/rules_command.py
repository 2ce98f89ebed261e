"""`croupier rules GAME [CLAUSE]` and `croupier readings`: what the documents ask.

A clause is printed with the code for it and its tests.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import click

import croupier
from croupier.cli.options import game_argument, json_option
from croupier.cli.output import print_json
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game
from croupier.rules.notation import shown, suggestion

_PACKAGE = Path(croupier.__file__).parent
_TREE = _PACKAGE.parent.parent
"""The source tree, where the package is run from one: the tests lie beside `src`."""


def code_of(row: ClauseRow) -> list[str]:
    """Return `file:line function` of the code that asks for a rule of the row."""
    places = [place for rule in row.rules for place in _rule_uses().get(rule.name, ())]
    return list(dict.fromkeys(places))


def shown_in(game: Game, row: ClauseRow) -> list[str]:
    """Return the clause's own transcript, then the lines of others that expect it."""
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
    """Return the file name of a clause's own test transcript."""
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
    """Return for each rule where the code outside the games' tables asks for it."""
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


@click.command("rules")
@game_argument
@click.argument("clause", required=False, metavar="[CLAUSE]")
@json_option
def rules_command(game: Game, clause: str | None, *, as_json: bool) -> None:
    """Print each clause: what it asks, the code that does it, the tests.

    Example: croupier rules mbs-roulette-v3 5.13
    """
    rows = _chosen(game, clause)
    if as_json:
        print_json(
            {
                "game": game.name,
                "document": game.document,
                "clauses": [_json(game, row) for row in rows],
            }
        )
        return
    click.echo(click.style(f"{game.document}, from {game.effective}", bold=True))
    for row in rows:
        click.echo(click.style(f"\n{row.number}  ", bold=True) + row.says)
        if not row.asks_of_software:
            click.echo("    asks nothing of software by itself")
            continue
        _print_places("code", code_of(row))
        _print_places("test", shown_in(game, row))


def _chosen(game: Game, clause: str | None) -> list[ClauseRow]:
    if clause is None:
        return list(game.clauses)
    rows = [row for row in game.clauses if row.number == clause]
    if not rows:
        close = suggestion(clause, [row.number for row in game.clauses])
        hint = f"; did you mean {close}?" if close else ""
        raise click.UsageError(f"{game.document} has no clause {shown(clause)}{hint}")
    return rows


def _json(game: Game, row: ClauseRow) -> dict[str, Any]:
    asked = row.asks_of_software
    return {
        "clause": row.number,
        "asks": row.says,
        "of_software": asked,
        "code": code_of(row),
        "tests": shown_in(game, row) if asked else [],
    }


def _print_places(word: str, places: list[str]) -> None:
    for place in places:
        click.echo(f"    {word}  {place}")


@click.command("readings")
@json_option
def readings_command(*, as_json: bool) -> None:
    """Print how we read the documents where they are silent, garbled or open.

    Example: croupier readings
    """
    from croupier.games.readings import READINGS

    if as_json:
        print_json({"readings": READINGS})
        return
    for reading in READINGS:
        setting = f"  [setting {reading.setting}]" if reading.setting else ""
        heading = click.style(f"{reading.id}  {reading.question}", bold=True)
        click.echo(heading + setting)
        click.echo(click.wrap_text(reading.answer, 84, "    ", "    "))
