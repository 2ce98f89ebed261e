"""`croupier games`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from croupier.cli.options import EXISTING_FILE, GameName, json_option
from croupier.cli.output import print_columns, print_json, print_table
from croupier.games import all_games, games_left_out, is_approved
from croupier.rules.game import Game
from croupier.tabular import TextTable
from croupier.tabular.figures import counted


@click.command("games")
@click.argument("game", type=GameName(), required=False, metavar="[GAME]")
@click.option(
    "--check",
    is_flag=True,
    help="Exit with 1 if an installed game is left out, and print the reason.",
)
@click.option(
    "--document",
    "file",
    type=EXISTING_FILE,
    metavar="FILE",
    help="With --check GAME: compare the document's text with the rows.",
)
@json_option
def games_command(
    *, game: Game | None, check: bool, file: Path | None, as_json: bool
) -> None:
    """List the games: document, date, compartments, areas, approval.

    A game that another package installs is never approved. It is left out if its data
    are not sound, for example if an area favours the Player.

    Authors of a game use --check GAME. It prints the faults of the game's rows, and
    each question that its document leaves open, with the reading that answers it. The
    exit code is 1 if there is a fault or an unanswered question.

    Example: croupier games --check mbs-roulette-v3
    """
    if game is not None and check:
        _check_game(game, file, as_json=as_json)
        return
    if game is not None or file is not None:
        raise click.UsageError("GAME and --document go with --check GAME")
    left_out = [str(reason) for reason in games_left_out()]
    listed: list[dict[str, Any]] = [
        {
            "game": game.name,
            "title": game.title,
            "document": game.document,
            "operator": game.operator.name,
            "effective": game.effective,
            "compartments": len(game.numbers),
            "areas": len(game.areas),
            "approved": is_approved(game),
        }
        for game in all_games()
    ]
    if as_json:
        print_json({"games": listed, **({"left_out": left_out} if left_out else {})})
    else:
        table = TextTable.of(
            "",
            listed,
            {
                "game": lambda each: each["game"],
                "document": lambda each: each["document"],
                "in effect from": lambda each: each["effective"],
                ">compartments": lambda each: str(each["compartments"]),
                ">areas": lambda each: str(each["areas"]),
                "approved": lambda each: "yes" if each["approved"] else "no",
            },
        )
        print_table(table)
        for sentence in left_out:
            click.echo(sentence, err=True)
    if check and left_out:
        sys.exit(1)


def _check_game(game: Game, file: Path | None, *, as_json: bool) -> None:
    """Print the faults and open questions of a game; exit with 1 if any are left."""
    from croupier.cli.rulebook_command import read_rule_document
    from croupier.rulebook.lint import Kind, lint

    findings = lint(game, read_rule_document(game, file) if file else None)
    unanswered = [each for each in findings if not each.is_answered]
    if as_json:
        print_json({"findings": findings})
    else:
        rows = [(each.clause, each.answer, each.says) for each in findings]
        if rows:
            print_columns(("clause", "answer", "finding"), rows)
        faults = sum(each.kind is Kind.FAULT for each in findings)
        open_ones = len(unanswered) - faults
        asked = len(findings) - faults
        click.echo(f"{counted(faults, 'fault')}, {open_ones} of {asked} questions open")
    if unanswered:
        sys.exit(1)
