"""Options that several commands share, and their values."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from croupier.cli.mistakes import read_text
from croupier.games import all_games, find_game
from croupier.rules.game import Game

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from croupier.journal.store import Store
    from croupier.lab.sessions import Strategy
    from croupier.odds import Model

Command = TypeVar("Command", bound=Callable[..., Any])
_LARGEST_HEADS = 256 * 1024 * 1024


class FilePath(click.Path):
    """A path of `pathlib`, which is imported only if a path is given."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        from pathlib import Path

        return Path(os.fsdecode(super().convert(value, param, ctx)))


class _SignedHead(FilePath):
    """The text of the heads in a file."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        path = super().convert(value, param, ctx)
        try:
            with path.open("rb") as file:
                return file.read(_LARGEST_HEADS).decode("utf-8")
        except UnicodeDecodeError as error:
            raise click.UsageError(f"{path} is no signed head") from error


class _GameName(click.ParamType[Game]):
    name = "GAME"

    def convert(
        self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> Game:
        return value if isinstance(value, Game) else find_game(str(value))

    def shell_complete(
        self, _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(game.name, help=game.document)
            for game in all_games()
            if game.name.startswith(incomplete)
        ]


FILE = FilePath(dir_okay=False)
EXISTING_FILE = FilePath(exists=True, dir_okay=False)
EXISTING_FOLDER = FilePath(exists=True, file_okay=False)
_RULES = click.Choice(["stake-allowed", "start-again", "stop"])

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
head_option = click.option(
    "--head",
    type=_SignedHead(),
    metavar="FILE",
    help="Signed heads that were kept elsewhere, one a line.",
)
public_keys_option = click.option(
    "--public-key",
    "public_keys",
    type=FilePath(),
    multiple=True,
    metavar="FILE",
    help="A key that heads are signed by. May be repeated.",
)
heads_from_option = click.option(
    "--heads-from",
    type=EXISTING_FILE,
    multiple=True,
    metavar="FILE",
    help="Heads that have left the house, one a line, to compare the journal with. May"
    " be repeated.",
)
chip_option = click.option(
    "--chip",
    default="1",
    show_default=True,
    metavar="MONEY",
    help="The chip unit: every stake is a whole number of it.",
)
plot_option = click.option(
    "--plot",
    type=FILE,
    metavar="FILE",
    help="Draw it, as FILE.svg or FILE.png.",
)


def limits_option(
    says: str = "A limit as in a transcript: '* 5 1000'.",
) -> Callable[[Command], Command]:
    """Return `--limits`; the help is for the command's own kind of source."""
    return click.option(
        "--limits",
        multiple=True,
        metavar="'TYPE MIN MAX'",
        help=f"{says} May be repeated.",
    )


def setting_option(
    says: str = "A table setting: 'complete_dozen inside'. May be repeated.",
) -> Callable[[Command], Command]:
    """Return `--setting`; the help is for the command's own kind of source."""
    return click.option("--setting", multiple=True, metavar="'NAME VALUE'", help=says)


def refuse_if(mistakes: Mapping[str, object]) -> None:
    """Refuse options with the first sentence whose condition holds."""
    for sentence, holds in mistakes.items():
        if holds:
            raise click.UsageError(sentence)


def together(
    *options: Callable[[Callable[..., Any]], Callable[..., Any]],
) -> Callable[[Command], Command]:
    """Return several options as one decorator, listed by the help in this order."""

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


terms_options = together(
    limits_option(),
    setting_option(),
    click.option(
        "--what-if",
        type=FILE,
        metavar="FILE",
        help="Another pay table, ring or wheel, as TOML: no approved game.",
    ),
)
_WAGER = "One unit of what is staked. May be repeated; red@10 + 17@5 is both."


def wager_option(*, required: bool, more: str = "") -> Callable[[Command], Command]:
    """Return `--wager`, with more to say about it."""
    return click.option(
        "-w",
        "--wager",
        "wagers",
        multiple=True,
        required=required,
        metavar="WAGER@STAKE",
        help=_WAGER + more,
    )


money_options = together(
    click.option(
        "--bankroll",
        required=True,
        metavar="MONEY",
        help="What the Player begins with.",
    ),
    click.option(
        "--target", metavar="MONEY", help="The session ends at this bankroll."
    ),
    click.option(
        "--stop-loss", metavar="MONEY", help="The session stops at this loss."
    ),
)
picture_options = together(
    click.option("--svg", is_flag=True, help="A picture, as SVG."),
    click.option(
        "--theme",
        type=click.Choice(["dark", "light"]),
        help="With --svg: the picture's colours; dark by default.",
    ),
    click.option(
        "--output",
        type=FILE,
        metavar="FILE",
        help="With --svg: write the picture to a file.",
    ),
)


def strategy_options(files: str) -> Callable[[Command], Command]:
    """Return `--strategy`, which may also be one of `files`, and its stake rules."""
    return together(
        click.option(
            "--strategy",
            default="flat",
            show_default=True,
            metavar="NAME",
            help="flat, martingale, grand-martingale, paroli, d-alembert,"
            f" fibonacci, oscars-grind, 1-3-2-6, labouchere, {files}",
        ),
        click.option(
            "--over-maximum",
            type=_RULES,
            help="The rule for a stake above the table's maximum.",
        ),
        click.option(
            "--over-bankroll",
            type=_RULES,
            help="The rule for a stake above the bankroll.",
        ),
    )


def model_for(game: Game, what_if: Path | None) -> Model:
    """Return the game's model, changed as the `--what-if` file says."""
    from croupier.odds import model_of

    if what_if is None:
        return model_of(game)
    from croupier.odds.what_if import WhatIfError, read_what_if

    text = read_text(what_if)
    try:
        return read_what_if(game, text)
    except WhatIfError as error:
        place = what_if if error.line is None else f"{what_if}:{error.line}"
        raise click.UsageError(f"{place}: {error}") from error


def strategy_in(text: str) -> str | Strategy:
    """Return the name of a strategy, or the table of states in a file."""
    if not text.endswith(".toml"):
        return text
    from pathlib import Path

    from croupier.lab.sessions import SessionError, read_strategy

    try:
        return read_strategy(read_text(Path(text)))
    except SessionError as error:
        raise SessionError(f"{text}: {error}") from error


@contextmanager
def open_journal(database: str) -> Iterator[Store]:
    """Open a journal that is there."""
    from croupier.journal.stores import open_store

    with open_store(database, create=False) as store:
        yield store
