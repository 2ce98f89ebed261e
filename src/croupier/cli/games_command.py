"""`croupier games`."""

import sys
from typing import Any

import click

from croupier.cli.options import json_option
from croupier.cli.output import print_columns, print_json
from croupier.games import all_games, games_left_out, is_approved
from croupier.rules.game import Game


@click.command("games")
@click.option(
    "--check",
    is_flag=True,
    help="Exit with 1 if an installed game is left out, and say what is wrong with it.",
)
@json_option
def games_command(*, check: bool, as_json: bool) -> None:
    """List the games: document, date, compartments, areas, approval.

    A game that another package installs is never approved. It is left out if its data
    are not sound, for example if an area favours the Player.

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
                    "approved": is_approved(game),
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
        ("game", "document", "in effect from", ">compartments", ">areas", "approved"),
        [
            (
                game.name,
                game.document,
                game.effective,
                str(len(game.numbers)),
                str(len(game.areas)),
                "yes" if is_approved(game) else "no",
            )
            for game in games
        ],
    )
