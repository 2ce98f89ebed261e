"""Parameters that several commands share, and how a mistake in them is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from croupier.games import UnknownGame, all_games, find_game
from croupier.rules.game import Game

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class _GameName(click.ParamType[Game]):
    name = "GAME"

    def convert(
        self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> Game:
        try:
            return value if isinstance(value, Game) else find_game(str(value))
        except UnknownGame as error:
            raise click.UsageError(str(error)) from error

    def shell_complete(
        self, _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(game.name, help=game.document)
            for game in all_games()
            if game.name.startswith(incomplete)
        ]


game_argument = click.argument("game", type=_GameName(), metavar="GAME")
game_option = click.option(
    "--game", type=_GameName(), help="The game, where the source does not tell."
)
required_game_option = click.option(
    "--game", type=_GameName(), required=True, help="The game that was played."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON document, for programs."
)


def print_json(value: object, *, indent: int | None = 1) -> None:
    import json

    click.echo(json.dumps(value, indent=indent, ensure_ascii=False))


def print_table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Columns for a person; a heading that begins with `>` is right-aligned."""
    names = tuple(heading.removeprefix(">") for heading in headings)
    widths = [max(len(row[i]) for row in (names, *rows)) for i in range(len(names))]
    for place, row in enumerate((names, *rows)):
        cells = [
            cell.rjust(width) if heading.startswith(">") else cell.ljust(width)
            for cell, width, heading in zip(row, widths, headings, strict=True)
        ]
        line = "  ".join(cells).rstrip()
        click.echo(click.style(line, bold=True) if place == 0 else line)
