"""Options that several commands share, and their values."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from croupier.extras import needing
from croupier.games import all_games, find_game
from croupier.rules.game import Game

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from croupier.journal.store import Store

Command = TypeVar("Command", bound=Callable[..., Any])
_LARGEST_CHECKPOINTS = 256 * 1024 * 1024


@contextmanager
def reading(name: object) -> Iterator[None]:
    """Turn a failed read into a usage error that names the file."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it can't be read"
        if isinstance(error, UnicodeDecodeError):
            reason = f"byte {error.start} is not UTF-8 text"
        raise click.UsageError(f"{name}: {reason}") from error


def read_text(path: Path, largest: int = -1) -> str:
    with reading(path), path.open("rb") as file:
        return file.read(largest).decode("utf-8")


class GameName(click.ParamType[Game]):
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


class OutputFile(click.Path):
    """An output file; a bad name is refused before anything is calculated."""

    def __init__(self, *suffixes: str, needs: tuple[str, ...] = ("",)) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self._suffixes, self._needs = suffixes, needs

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if self._suffixes and path.suffix not in self._suffixes:
            raise click.UsageError(f"{path} must end in {' or '.join(self._suffixes)}")
        if not path.parent.is_dir():
            raise click.UsageError(f"{path}: there is no such folder")
        with needing(*self._needs):
            return path


PATH = click.Path(path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


game_argument = click.argument("game", type=GameName(), metavar="GAME")
game_option = click.option(
    "--game", type=GameName(), help="The game, if the source does not name it."
)
required_game_option = click.option(
    "--game", type=GameName(), required=True, help="The game that was played."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON document, for programs."
)
checkpoint_option = click.option(
    "--checkpoint",
    type=PATH,
    callback=lambda _ctx, _param, path: (
        path and read_text(path, largest=_LARGEST_CHECKPOINTS)
    ),
    metavar="FILE",
    help="Checkpoints of the house's log that were kept elsewhere.",
)
public_keys_option = click.option(
    "--public-key",
    "public_keys",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="A key that checkpoints are signed by. May be repeated.",
)
checkpoints_from_option = click.option(
    "--checkpoints-from",
    type=EXISTING_FILE,
    multiple=True,
    metavar="FILE",
    help="Checkpoints kept outside the house, to compare the journal with. May be"
    " repeated.",
)
plot_option = click.option(
    "--plot",
    type=OutputFile(".svg", ".png", needs=("odds", "matplotlib")),
    metavar="FILE",
    help="Draw it, as FILE.svg or FILE.png.",
)


def limits_option(
    says: str = "A limit as in a transcript: '* 5 1000'.",
) -> Callable[[Command], Command]:
    return click.option(
        "--limits",
        multiple=True,
        metavar="'TYPE MIN MAX'",
        help=f"{says} May be repeated.",
    )


def setting_option(
    says: str = "A table setting: 'complete_dozen inside'. May be repeated.",
) -> Callable[[Command], Command]:
    return click.option(
        "--setting", "settings", multiple=True, metavar="'NAME VALUE'", help=says
    )


def refuse_if(mistakes: Mapping[str, object]) -> None:
    for sentence, holds in mistakes.items():
        if holds:
            raise click.UsageError(sentence)


def together(
    *options: Callable[[Callable[..., Any]], Callable[..., Any]],
) -> Callable[[Command], Command]:
    """Join options into one decorator; the help lists them in this order."""

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


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


@contextmanager
def open_journal(database: str) -> Iterator[Store]:
    """Open an existing journal."""
    from croupier.journal.stores import open_store

    with open_store(database, create=False) as store:
        yield store
