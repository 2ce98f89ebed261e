"""`croupier games`."""

import click

from croupier.cli.options import json_option
from croupier.cli.output import print_columns, print_json
from croupier.games import all_games


@click.command("games")
@json_option
def games_command(*, as_json: bool) -> None:
    """List the games: document, date, compartments, areas.

    Example: croupier games
    """
    games = all_games()
    if as_json:
        print_json(
            {
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
        )
        return
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
