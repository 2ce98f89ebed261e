"""Options of the commands that reckon odds, and how a mistake in them is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from croupier.rules.clause import RuleViolation
from croupier.rules.game import Game
from croupier.rules.notation import NotationError

if TYPE_CHECKING:
    from croupier.odds import Model

Command = TypeVar("Command", bound=Callable[..., Any])


def terms_options(command: Command) -> Command:
    """`--limits`, `--setting` and `--what-if`."""
    for option in (
        click.option(
            "--what-if",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Another pay table, ring or wheel, as TOML: no approved game.",
        ),
        click.option(
            "--setting",
            multiple=True,
            metavar="'NAME VALUE'",
            help="A table setting: 'complete_dozen inside'. May be repeated.",
        ),
        click.option(
            "--limits",
            multiple=True,
            metavar="'TYPE MIN MAX'",
            help="A limit as in a transcript: '* 5 1000'. May be repeated.",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def needing(extra: str, *packages: str) -> Iterator[None]:
    """A package that is not installed, in one sentence with the extra that has it."""
    try:
        for package in packages:
            import_module(package)
        yield
    except ImportError as error:
        raise click.UsageError(
            f"this needs {error.name}: pip install 'croupier[{extra}]'"
        ) from error


@contextmanager
def mistakes_told() -> Iterator[None]:
    """Text that is no notation, and wagers that the rules refuse, in one sentence."""
    try:
        yield
    except (NotationError, RuleViolation) as error:
        raise click.UsageError(str(error)) from error


def model_for(game: Game, what_if: Path | None) -> Model:
    """The game, or what the file makes of it."""
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


def read_text(path: Path) -> str:
    """The file's text; what is wrong with it is told with its name."""
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{path}: {_why(error)}") from error


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8 text"
    return getattr(error, "strerror", None) or "it can't be read"


def print_label(model: Model) -> None:
    """What the figures are of; first of all, if it is no approved game."""
    game = model.game
    if model.is_approved:
        click.echo(f"{game.document}, in effect from {game.effective}")
        return
    title = f"“{model.title}”, " if model.title else ""
    click.echo(f"No approved game: {title}{model.based_on}, in which")
    for change in model.changes:
        click.echo(f"  {change}")
