"""`croupier rules GAME [CLAUSE]` and `croupier readings`: clauses and our readings."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import click

from croupier.cli.options import game_argument, json_option
from croupier.cli.output import print_json
from croupier.games.readings import READINGS
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game
from croupier.rules.notation import shown, suggestion


@click.command("rules")
@game_argument
@click.argument("clause", required=False, metavar="[CLAUSE]")
@json_option
def rules_command(game: Game, clause: str | None, *, as_json: bool) -> None:
    """Print each clause: what it asks, its code, its tests.

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
        found = evidence_for(game, row)
        _print_places("code", code_of(game, row))
        _print_places("test", found["tests"])
        pairs = [f"{each['test']} {each['side']}" for each in found["pairs"]]
        _print_places("pair", pairs)


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
    return {
        "clause": row.number,
        "asks": row.says,
        "of_software": row.asks_of_software,
        "code": code_of(game, row),
        **evidence_for(game, row),
    }


@cache
def _table() -> dict[str, Any]:
    """Return the code and the tests that `tools.clause_sources` has found."""
    text = files("croupier.cli").joinpath("clauses.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def code_of(game: Game, row: ClauseRow) -> list[str]:
    """Return file and function of the code that carries the clause out."""
    # A wager's place is made by its own type; every wager reads the table of all areas.
    names = [f"Rule.{rule.name}" for rule in row.rules if rule != Rule.BETTING_AREA]
    if row.voids is not None:
        names.append(f"Irregularity.{row.voids.name}")
    if row.multiple is not None:
        names.append(type(row.multiple).__name__)
    names += [f"WagerType.{kind.name}" for kind in row.areas]
    own = [place for name in names for place in _table()["code"].get(name, ())]
    drawn = [place for each in _drawn(game, row) for place in code_of(game, each)]
    return list(dict.fromkeys([*own, *drawn]))


def evidence_for(game: Game, row: ClauseRow) -> dict[str, list[Any]]:
    """Return the tests of the clause, and those on each side of its condition."""
    drawn = [evidence_for(game, each)["tests"][:1] for each in _drawn(game, row)]
    found = {"tests": [place for places in drawn for place in places], "pairs": []}
    return {**found, **_table()["tests"].get(f"{game.name} {row.number}", {})}


def _drawn(game: Game, row: ClauseRow) -> list[ClauseRow]:
    """Return the clauses that a diagram or an appendix only draws."""
    return [each for each in game.clauses if each.number in row.draws]


def _print_places(word: str, places: list[str]) -> None:
    for place in places:
        click.echo(f"    {word}  {place}")


@click.command("readings")
@click.argument("reading_id", required=False, metavar="[READING]")
@json_option
def readings_command(reading_id: str | None, *, as_json: bool) -> None:
    """Print our readings of the documents' open points.

    Example: croupier readings A28
    """
    chosen = [each for each in READINGS if reading_id in {None, each.id}]
    if not chosen:
        close = suggestion(reading_id or "", [each.id for each in READINGS])
        hint = f"; did you mean {close}?" if close else ""
        raise click.UsageError(f"there is no reading {shown(reading_id or '')}{hint}")
    if as_json:
        print_json({"readings": chosen})
        return
    for reading in chosen:
        setting = f"  [setting {reading.setting}]" if reading.setting else ""
        heading = click.style(f"{reading.id}  {reading.question}", bold=True)
        click.echo(heading + setting)
        click.echo(click.wrap_text(reading.answer, 84, "    ", "    "))
