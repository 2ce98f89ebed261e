"""`croupier rules GAME [CLAUSE]` and `croupier readings`: what the documents ask.

A clause is printed with the code for it and its tests.
"""

from __future__ import annotations

from typing import Any

import click

from croupier.cli.clause_sources import code_of, pairs_of, shown_in
from croupier.cli.options import game_argument, json_option
from croupier.cli.output import print_json
from croupier.rules.game import ClauseRow, Game
from croupier.rules.notation import shown, suggestion


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
        _print_places("code", code_of(game, row))
        _print_places("test", shown_in(game, row))
        pairs = pairs_of(game, row)
        _print_places("pair", [f"{each.test} {each.side}" for each in pairs])


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
        "code": code_of(game, row),
        "tests": shown_in(game, row) if asked else [],
        "pairs": pairs_of(game, row),
    }


def _print_places(word: str, places: list[str]) -> None:
    for place in places:
        click.echo(f"    {word}  {place}")


@click.command("readings")
@click.argument("reading_id", required=False, metavar="[READING]")
@json_option
def readings_command(reading_id: str | None, *, as_json: bool) -> None:
    """Print how we read the documents where they are silent, garbled or open.

    Example: croupier readings A28
    """
    from croupier.games.readings import READINGS

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
