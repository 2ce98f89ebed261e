"""`croupier games`."""

import sys
from typing import Any

import click

from croupier.cli.options import json_option
from croupier.cli.output import print_columns, print_json
from croupier.games import all_games, games_left_out
from croupier.rules.game import Game


@click.command("games")
@click.option(
    "--check",
    is_flag=True,
    help="Exit with 1 if an installed game is left out, and say what is wrong with it.",
)
@json_option
def games_command(*, check: bool, as_json: bool) -> None:
    """List the games: document, date, compartments, areas.

    A game that another package installs is left out where its data are not sound.

    Example: croupier games
    """
    games, left_out = all_games(), [str(reason) for reason in games_left_out()]
    if as_json:
        listed: dict[str, Any] = {
            "games": [
                {
                    "game": game.name,
                    "title": game.title,
                    "document": game.document,
                    "operator": game.operator.name,
                    "effective": game.effective,
                    "compartments": len(game.numbers),
                    "areas": len(game.areas),
                }
                for game in games
            ]
        }
        if left_out:
            listed["left_out"] = left_out
        print_json(listed)
    else:
        _print_games(games)
        for sentence in left_out:
            click.echo(sentence, err=True)
    if check and left_out:
        sys.exit(1)


def _print_games(games: tuple[Game, ...]) -> None:
    print_columns(
        ("game", "document", "in effect from", ">compartments", ">areas"),
        [
            (
                game.name,
                game.document,
                game.effective,
                str(len(game.numbers)),
                str(len(game.areas)),
            )
            for game in games
        ],
    )
