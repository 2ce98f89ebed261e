"""What the commands about many rounds share: mistakes, progress, pictures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.cli.odds_options import Command, mistakes_told, read_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from croupier.odds.sessions import Strategy

_SUFFIXES = (".svg", ".png")
_RULES = click.Choice(["stake-allowed", "start-again", "stop"])

chip_option = click.option(
    "--chip",
    default="1",
    show_default=True,
    metavar="MONEY",
    help="The chip unit: every stake is a whole number of it.",
)
plot_option = click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw it, as FILE.svg or FILE.png.",
)


def money_options(command: Command) -> Command:
    """`--bankroll`, `--wager` and `--target`."""
    for option in (
        click.option(
            "--target", metavar="MONEY", help="The session ends at this bankroll."
        ),
        click.option(
            "-w",
            "--wager",
            "wagers",
            multiple=True,
            required=True,
            metavar="WAGER@STAKE",
            help="One unit of what is staked. May be repeated; red@10 + 17@5 is both.",
        ),
        click.option(
            "--bankroll",
            required=True,
            metavar="MONEY",
            help="What the Player begins with.",
        ),
    ):
        command = option(command)
    return command


def strategy_options(files: str) -> Callable[[Command], Command]:
    """`--strategy`, with what it may be beside a name, and the rules of its stakes."""

    def with_options(command: Command) -> Command:
        for option in (
            click.option(
                "--over-bankroll",
                type=_RULES,
                help="What is done about a stake above the bankroll.",
            ),
            click.option(
                "--over-maximum",
                type=_RULES,
                help="What is done about a stake above the table's maximum.",
            ),
            click.option(
                "--strategy",
                default="flat",
                show_default=True,
                metavar="NAME",
                help="flat, martingale, grand-martingale, paroli, d-alembert,"
                f" fibonacci, oscars-grind, 1-3-2-6, labouchere, {files}",
            ),
        ):
            command = option(command)
        return command

    return with_options


def strategy_in(text: str) -> str | Strategy:
    """The name of a strategy, or the table of states in a file."""
    if not text.endswith(".toml"):
        return text
    from croupier.odds.sessions import SessionError, read_strategy

    try:
        return read_strategy(read_text(Path(text)))
    except SessionError as error:
        raise SessionError(f"{text}: {error}") from error


@contextmanager
def session_mistakes_told() -> Iterator[None]:
    """A session or a play that makes no sense, in one sentence."""
    from croupier.odds.sessions.strategy import SessionError

    with mistakes_told():
        try:
            yield
        except SessionError as error:
            raise click.UsageError(str(error)) from error


@contextmanager
def progress_shown() -> Iterator[Callable[[int, int], None]]:
    """How far it has got, on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    told = ""

    def tell(done: int, of: int) -> None:
        nonlocal told
        now = f"{100 * done // of} %"
        if now != told:
            told = now
            click.echo(f"\r{now:>5} ", err=True, nl=False)

    yield tell
    if told:
        click.echo("\r      \r", err=True, nl=False)


def check_plot(path: Path | None) -> None:
    """The name says which kind of picture it is to be."""
    if path is not None and path.suffix not in _SUFFIXES:
        raise click.UsageError(f"{path} must end in .svg or .png")


def write_plot(figure: Figure, path: Path) -> None:
    import matplotlib as mpl

    # The same session gives the same file.
    told: dict[str, Any] = {"Date": None} if path.suffix == ".svg" else {}
    try:
        with mpl.rc_context({"svg.hashsalt": "croupier"}):
            figure.savefig(path, metadata=told)
    except OSError as error:
        reason = error.strerror or "it can't be written"
        raise click.UsageError(f"{path}: {reason}") from error
    click.echo(f"wrote {path}", err=True)
