"""`croupier rules GAME [CLAUSE]` and `croupier readings`: clauses and our readings."""

from __future__ import annotations

import click

from croupier.cli.options import game_argument, json_option
from croupier.cli.output import print_json
from croupier.games.readings import READINGS
from croupier.rulebook.rulebook import ClauseEntry, entry_json, entry_of
from croupier.rules.game import ClauseRow, Game
from croupier.rules.notation import shown, suggestion

_WIDTH = 100
_INDENT = " " * 14


@click.command("rules")
@game_argument
@click.argument("clause", required=False, metavar="[CLAUSE]")
@json_option
def rules_command(game: Game, clause: str | None, *, as_json: bool) -> None:
    """Print each clause: its meaning, its code, its tests.

    Example: croupier rules mbs-roulette-v3 5.13
    """
    rows = _chosen(game, clause)
    entries = [(row, entry_of(game, row)) for row in rows]
    if as_json:
        print_json(
            {
                "game": game.name,
                "document": game.document,
                "clauses": [
                    {**entry_json(entry), "of_software": row.asks_of_software}
                    for row, entry in entries
                ],
            }
        )
        return
    click.echo(click.style(f"{game.document}, from {game.effective}", bold=True))
    for row, entry in entries:
        click.echo()
        click.echo(click.wrap_text(f"{row.number}  {row.says}", _WIDTH, "", "    "))
        if row.asks_of_software:
            _print_entry(entry)
        else:
            _print("asks", "nothing of software by itself")


def _chosen(game: Game, clause: str | None) -> list[ClauseRow]:
    if clause is None:
        return list(game.clauses)
    rows = [row for row in game.clauses if row.number == clause]
    if not rows:
        close = suggestion(clause, [row.number for row in game.clauses])
        hint = f"; did you mean {close}?" if close else ""
        raise click.UsageError(f"{game.document} has no clause {shown(clause)}{hint}")
    return rows


def _print_entry(entry: ClauseEntry) -> None:
    """Print a clause's sentences, code and tests, at most 100 columns wide."""
    _print("may", entry.may)
    _print("pays", ", ".join(entry.pays))
    for each in entry.sentences:
        if len(entry.sentences) > 1 or each.reading:
            _print("sentence", f"{each.said}: {each.words}")
    _print("silent", ", ".join(each.number for each in entry.silent))
    _print("read first", entry.leading)
    for side in entry.sides:
        _print("side", f"{side['ends']}: {side['differs']}")
    for word, places in (("code", entry.code), ("test", entry.tests)):
        for place in places:
            _print(word, place)
    for side in entry.sides:
        _print("pair", side["test"])


def _print(word: str, text: str) -> None:
    if text:
        begin = f"  {word}".ljust(len(_INDENT))
        click.echo(click.wrap_text(text, _WIDTH, begin, _INDENT))


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
